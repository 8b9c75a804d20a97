"""Execution of a turn in steps, which are the same in every run.

Failure rule: an error ends the turn with its reason, and the work so far is delivered if possible.
If the process dies, the next run gets the results of completed steps and continues with the next.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from docstead.agent.cancellation import CallWatch
from docstead.agent.delivery import CheckResult, DeliveryRequest, TurnDelivery, numbered
from docstead.agent.dialog import AgentQuestions, OpenQuestion
from docstead.agent.limits import TurnLimits, TurnUsage
from docstead.agent.loop_detection import LoopDetector
from docstead.agent.model_calls import ModelCaller, ModelRequest, smaller
from docstead.agent.pull_request_delivery import PullRequestDelivery
from docstead.agent.records import AgentRecords
from docstead.agent.refusals import is_refusal
from docstead.agent.step_outcomes import (
    BranchPushed,
    ConflictShown,
    ContextFull,
    DeliveryOutcome,
    EmptyAnswer,
    FinishRequest,
    LastAnswer,
    ModelAnswer,
    ModelBusy,
    ModelEnded,
    ModelOutcome,
    NothingPushed,
    OpenOutcome,
    PushedInConflict,
    RetryAt,
    SecretShown,
    ToolDone,
    WorkCommitted,
    WorkOffered,
    WorkspaceReady,
)
from docstead.agent.summaries import SUMMARY_KEY, TurnSummarizer
from docstead.agent.tool_calls import ToolRun, ToolRunner
from docstead.agent.turn_ends import (
    EndReason,
    TurnCancelled,
    TurnEnd,
    TurnFailed,
    TurnFinished,
    TurnStopped,
)
from docstead.agent.turn_progress import CHECKS, TurnProgress
from docstead.agent.turn_workspace import TurnWorkspace
from docstead.agent.values import Turn
from docstead.jobs import JobContext
from docstead.models.chat import ToolCall

T = TypeVar("T")

_MALFORMED_IN_A_ROW = 3
_EMPTY_IN_A_ROW = 3
_CUT_IN_A_ROW = 3
_CUT = (
    "the model's answers reach the limit of output tokens again and again; raise "
    "max_output_tokens of the model, or ask for less at once"
)
_EMPTY = "the model sends empty responses"
_REFUSED = "the model refused the instruction"
_TOO_LONG = "the forge requires a longer wait than a turn allows"
_QUESTIONS = 5  # to the user, including plans


class _WorkEnded(Exception):
    """The model is done or cannot continue: the turn proceeds to delivery."""

    def __init__(self, end: TurnEnd) -> None:
        super().__init__()
        self.end = end


class TurnExecution:
    """Runs one turn."""

    def __init__(
        self,
        context: JobContext,
        turn: Turn,
        *,
        turn_workspace: TurnWorkspace,
        model_caller: ModelCaller,
        summarizer: TurnSummarizer,
        tool_runner: ToolRunner,
        dialog: AgentQuestions,
        delivery: TurnDelivery,
        pull_requests: PullRequestDelivery,
        records: AgentRecords,
        limits: TurnLimits,
    ) -> None:
        self._context = context
        self._turn = turn
        self._turn_workspace = turn_workspace
        self._model_caller = model_caller
        self._summarizer = summarizer
        self._tool_runner = tool_runner
        self._dialog = dialog
        self._delivery = delivery
        self._pull_requests = pull_requests
        self._records = records
        self._limits = limits
        self._repetition = LoopDetector()

    def carry_out(self) -> TurnEnd:
        """Run the turn without recording its end."""
        progress = TurnProgress(
            "",
            window_tokens=self._limits.context_tokens,
            may_write=not self._turn_workspace.needs_plan,
        )
        opened = self._opened(progress)
        if not isinstance(opened, WorkspaceReady):
            return opened
        progress.tree = opened.tree
        if opened.is_long:
            summarize = partial(self._summarizer.summarize, self._ask(opened, progress))
            progress.spent += self._step(SUMMARY_KEY, summarize)
        while True:
            end = progress.with_assumptions(self._work(opened, progress))
            checked = self._check(end, progress)
            done = None if checked.go_on else self._delivered_end(end, progress, checked)
            if done is not None:
                return done

    def _opened(self, progress: TurnProgress) -> WorkspaceReady | TurnEnd:
        for tries in itertools.count():
            opened = self._step(numbered("open", tries), partial(self._open, tries))
            if not isinstance(opened, RetryAt):
                return opened
            if not self._wait(opened.moment, progress):
                return TurnFailed(EndReason.SOURCE_FAILED, _TOO_LONG)
        raise AssertionError("the longest wait has passed")

    def _open(self, tries: int) -> OpenOutcome:
        if self._records.is_cancelled(self._turn.id):
            return TurnCancelled()
        opened = self._turn_workspace.open(tries)
        if isinstance(opened, WorkspaceReady):
            return replace(opened, is_long=self._summarizer.is_due(self._turn))
        return opened

    # --- the loop -----------------------------------------------------------

    def _work(self, opened: WorkspaceReady, progress: TurnProgress) -> TurnEnd:
        """Call the model and run its tools until it is done or must stop."""
        try:
            while True:
                answer = self._call_model(opened, progress)
                self._run_tools(answer, progress)
        except _WorkEnded as ended:
            return ended.end

    def _call_model(self, opened: WorkspaceReady, progress: TurnProgress) -> ModelAnswer:
        """Return the model's next response with tool calls, or a truncated one."""
        while True:
            outcome = self._model_outcome(opened, progress)
            progress.spent += outcome.spent
            if isinstance(outcome, ModelAnswer | LastAnswer):
                break
            self._recover(outcome, progress)
        progress.model_calls += 1
        progress.tries = progress.empty = 0
        if isinstance(outcome, LastAnswer):
            error = progress.spent.explained(outcome.limit, self._limits)
            raise _WorkEnded(TurnStopped(outcome.limit, error, outcome.text))
        self._end_if_last(outcome, progress)
        return outcome

    def _model_outcome(self, opened: WorkspaceReady, progress: TurnProgress) -> ModelOutcome:
        ask = self._ask(opened, progress)
        return self._step(f"model {ask.number}.{ask.tries}", partial(self._model_caller.call, ask))

    def _ask(self, opened: WorkspaceReady, progress: TurnProgress) -> ModelRequest:
        return ModelRequest(
            turn=self._turn,
            number=progress.model_calls + 1,
            spent=progress.spent,
            tries=progress.tries,
            waited_seconds=progress.waited_seconds,
            window_tokens=progress.window_tokens,
            system=opened.system,
            tools=self._turn_workspace.specs,
            watch=CallWatch(self._context, partial(self._records.is_cancelled, self._turn.id)),
            keep_trying=self._context.keep_trying,
        )

    def _recover(
        self,
        outcome: EmptyAnswer | ContextFull | ModelBusy | ModelEnded,
        progress: TurnProgress,
    ) -> None:
        """Prepare another call after one without a response, or end the work."""
        progress.tries += 1
        match outcome:
            case ModelEnded(end=end):
                raise _WorkEnded(end)
            case ContextFull():
                progress.window_tokens = smaller(progress.window_tokens)
            case EmptyAnswer():
                progress.empty += 1
                if progress.empty >= _EMPTY_IN_A_ROW:
                    raise _WorkEnded(TurnStopped(EndReason.STUCK, _EMPTY))
            case ModelBusy(moment=moment):
                self._wait(moment, progress)

    def _end_if_last(self, answer: ModelAnswer, progress: TurnProgress) -> None:
        """End the work after a response without tool calls, or after the last allowed call."""
        progress.cut = progress.cut + 1 if answer.is_cut else 0
        if progress.cut >= _CUT_IN_A_ROW:
            raise _WorkEnded(TurnStopped(EndReason.ANSWER_CUT, _CUT, answer.text))
        if answer.calls or answer.is_cut:
            return
        if is_refusal(answer.text) and not progress.has_used_tools:
            raise _WorkEnded(TurnFailed(EndReason.REFUSED, _REFUSED, answer.text))
        raise _WorkEnded(TurnFinished(answer.text))

    def _wait(self, until: float, progress: TurnProgress) -> bool:
        """Wait and return True, or return False if the total wait would be too long."""
        progress.waits += 1
        begun = self._step(f"wait {progress.waits}", self._turn_workspace.now)
        progress.waited_seconds += max(0.0, until - begun)
        if progress.waited_seconds > self._limits.waiting_seconds:
            return False
        cancelled = partial(self._records.is_cancelled, self._turn.id)
        self._context.pause(f"waited {progress.waits}", until, cancelled)
        return True

    def _run_tools(self, answer: ModelAnswer, progress: TurnProgress) -> None:
        """Run all calls of a response, in order."""
        if not answer.calls:
            return
        done: list[tuple[ToolCall, ToolDone]] = []
        progress.has_used_tools = True
        for count, call in enumerate(answer.calls):
            if progress.spent.exhausted(self._limits) is EndReason.TIME_LIMIT:
                return  # one answer may have thousands of calls; the next model call ends the turn
            is_last = count == len(answer.calls) - 1
            use = ToolRun(
                self._turn,
                progress.model_calls,
                count,
                call,
                progress.tree,
                is_last,
                answer.is_cut and is_last,
                may_ask=progress.questions < _QUESTIONS and not _questions(done),
                may_write=progress.may_write,
            )
            used = self._step(f"{call.name[:60]} {use.key}", partial(self._tool_runner.use, use))
            if not isinstance(used, ToolDone):
                raise _WorkEnded(used)
            progress.tree = used.tree
            progress.spent += TurnUsage(seconds=used.seconds)
            done.append((call, used))
        self._end_if_stuck(done, progress)
        for _, used in done:
            if isinstance(used.request, FinishRequest):
                raise _WorkEnded(TurnFinished(used.request.summary, used.request.title))
        for question in _questions(done):
            self._await_answer(question, progress)

    def _end_if_stuck(self, done: list[tuple[ToolCall, ToolDone]], progress: TurnProgress) -> None:
        """End the work if the calls make no progress."""
        is_malformed = all(used.is_malformed for _, used in done)
        progress.malformed = progress.malformed + 1 if is_malformed else 0
        if progress.malformed >= _MALFORMED_IN_A_ROW:
            error = f"no tool understood any call of the model's last {_MALFORMED_IN_A_ROW} answers"
            raise _WorkEnded(TurnStopped(EndReason.MALFORMED_CALLS, error))
        if self._repetition.is_stuck((call, used.digest) for call, used in done):
            names = ", ".join(dict.fromkeys(call.name for call, _ in done))
            error = f"the model repeats the same call of {names} without any effect"
            raise _WorkEnded(TurnStopped(EndReason.STUCK, error))

    def _await_answer(self, question: OpenQuestion, progress: TurnProgress) -> None:
        """Wait for the user, and apply the answer."""
        progress.questions += 1
        number, turn = progress.questions, self._turn
        self._context.pause(
            f"question {number}", question.until, partial(self._dialog.is_over, turn)
        )
        close = partial(self._dialog.close, turn, number, question)
        answer = self._step(f"answer {number}", close)
        progress.may_write |= answer.lets_write
        if answer.text is None:
            progress.assumptions.append(answer.assumption)

    # --- delivery -----------------------------------------------------------

    def _check(self, end: TurnEnd, progress: TurnProgress) -> CheckResult:
        """Check the work; diagnostics are sent to the model while it may fix them."""
        progress.argued += 1
        return self._checked(end, progress, is_last=progress.argued >= CHECKS)

    def _checked(
        self, end: TurnEnd, progress: TurnProgress, *, is_last: bool, is_joined: bool = False
    ) -> CheckResult:
        progress.checks += 1
        check = partial(
            self._delivery.check,
            self._turn,
            progress.checks,
            progress.tree,
            is_last=is_last or not isinstance(end, TurnFinished),
            is_joined=is_joined,
        )
        return self._step(f"check {progress.checks}", check)

    def _delivered_end(
        self, end: TurnEnd, progress: TurnProgress, checked: CheckResult
    ) -> TurnEnd | None:
        """Deliver the work; return the end, or None if the turn continues."""
        match self._pushed(end, progress, checked):
            case SecretShown():
                progress.begin_round(has_work=True)
                return None
            case ConflictShown(tree, has_work):
                progress.tree = tree
                progress.begin_round(has_work=has_work)
                return None
            case NothingPushed() as nothing:
                return self._proposal_end(nothing, end, checked, progress)
            case BranchPushed() as pushed:
                return self._joined_end(pushed, end, checked, progress)
            case PushedInConflict(pushed, conflict):
                return self._joined_end(pushed, conflict, checked, progress)
            case ended:
                return ended

    def _joined_end(
        self, pushed: BranchPushed, end: TurnEnd, checked: CheckResult, progress: TurnProgress
    ) -> TurnEnd | None:
        """The end of pushed work; None if the model repairs what others' commits broke."""
        is_other = not pushed.is_direct and pushed.tree not in ("", progress.tree)
        progress.tree = pushed.tree or progress.tree
        if is_other:
            is_last = progress.was_joined_enough
            checked = self._checked(end, progress, is_last=is_last, is_joined=True)
            if checked.go_on:
                progress.begin_round(has_work=pushed.is_new)
                return None
        return self._proposal_end(pushed, end, checked, progress)

    def _pushed(
        self, end: TurnEnd, progress: TurnProgress, checked: CheckResult
    ) -> DeliveryOutcome:
        tries, deliver = progress.joins, self._delivery
        is_last = not isinstance(end, TurnFinished) or progress.was_joined_enough
        work = DeliveryRequest(self._turn, progress.tree, end, tries, is_last)
        committed = self._step(numbered("commit", tries), partial(deliver.commit, work))
        if not isinstance(committed, WorkCommitted):
            return committed
        for attempt in itertools.count():
            push = partial(deliver.push, work, committed, checked, attempt)
            again = f" again {attempt}" if attempt else ""
            pushed = self._step(f"{numbered('push', tries)}{again}", push)
            if not isinstance(pushed, RetryAt):
                return pushed
            if not self._wait(pushed.moment, progress):
                return TurnFailed(EndReason.PUSH_FAILED, _TOO_LONG, end.reply)
        raise AssertionError("the longest wait has passed")

    def _proposal_end(
        self,
        pushed: BranchPushed | NothingPushed,
        end: TurnEnd,
        checked: CheckResult,
        progress: TurnProgress,
    ) -> TurnEnd:
        """Return the end after the work was delivered."""
        for tries in itertools.count():
            deliver = partial(self._pull_requests.deliver, self._turn, pushed, end, checked, tries)
            match self._step(numbered("pull request", tries), deliver):
                case WorkOffered(has_changes) if isinstance(end, TurnFinished):
                    return replace(end, has_changes=has_changes)
                case WorkOffered():
                    return end
                case RetryAt(moment):
                    if not self._wait(moment, progress):
                        return TurnFailed(EndReason.CHANGE_FAILED, _TOO_LONG, end.reply)
                case ended:
                    return ended
        raise AssertionError("the longest wait has passed")

    def _step(self, name: str, function: Callable[[], T]) -> T:
        return self._context.step(name, function)


def _questions(done: Sequence[tuple[ToolCall, ToolDone]]) -> list[OpenQuestion]:
    """Return the open question of a response's calls, if any."""
    return [used.request for _, used in done if isinstance(used.request, OpenQuestion)]
