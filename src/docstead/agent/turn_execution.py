"""One turn, step by step. Every run of it takes the same steps in the same order.

Failure rule: what goes wrong ends the turn with its reason, and the work so far is handed
in as far as that is possible. A process that dies leaves the turn as it was; the next run
is given the results of the steps that were done and goes on with the one that was not.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from docstead.agent.cancellation import CallWatch
from docstead.agent.delivery import (
    CheckResult,
    DeliveryRequest,
    PullRequestResult,
    PushResult,
    TurnDelivery,
    numbered,
)
from docstead.agent.dialog import AgentQuestions, OpenQuestion
from docstead.agent.limits import TurnLimits, TurnUsage
from docstead.agent.loop_detection import LoopDetector
from docstead.agent.model_calls import ModelCaller, ModelReply, ModelRequest, smaller
from docstead.agent.records import AgentRecords
from docstead.agent.refusals import is_refusal
from docstead.agent.summaries import SUMMARY_KEY, TurnSummarizer
from docstead.agent.tool_calls import ToolRun, ToolRunner, ToolRunResult
from docstead.agent.turn_workspace import OpenedWorkspace, TurnWorkspace
from docstead.agent.values import EndReason, Turn, TurnEnd
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
_EMPTY = "the model answers with empty messages"
_REFUSED = "the model refused the instruction"
_TOO_LONG = "the forge asks for longer waits than a turn may take"
_CHECKS = 3  # the last of them is not argued with: the work is handed in as a draft
_QUESTIONS = 5  # to the user, plans included
_JOINS = 2  # times that the model is asked to go along with what others did meanwhile


class _WorkEnded(Exception):
    """The model is done, or nothing more can be done: the turn goes on with its delivery."""

    def __init__(self, end: TurnEnd) -> None:
        super().__init__(end.reason)
        self.end = end


@dataclass
class _TurnProgress:
    """Progress of a turn; derived only from the results of its steps."""

    tree: str
    thoughts: int = 0
    tries: int = 0
    empty: int = 0
    malformed: int = 0
    cut: int = 0
    checks: int = 0  # in all
    argued: int = 0  # since others were last joined with
    joins: int = 0
    waits: int = 0
    waited_seconds: float = 0.0
    has_used_tools: bool = False
    window_tokens: int = 0
    questions: int = 0
    assumptions: list[str] = field(default_factory=list)  # without an answer of the user
    may_write: bool = True
    spent: TurnUsage = field(default_factory=TurnUsage)


class TurnExecution:
    """Carries out one turn."""

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
        self._records = records
        self._limits = limits
        self._repetition = LoopDetector()

    def carry_out(self) -> TurnEnd:
        """Do everything but write down the end."""
        progress = _TurnProgress(
            "",
            window_tokens=self._limits.context_tokens,
            may_write=not self._turn_workspace.needs_plan,
        )
        opened = self._opened(progress)
        if opened.end is not None:
            return opened.end
        progress.tree = opened.tree
        if opened.is_long:
            summarize = partial(self._summarizer.summarize, self._ask(opened, progress))
            progress.spent += self._step(SUMMARY_KEY, summarize)
        while True:
            end = _with_assumptions(self._work(opened, progress), progress)
            checked = self._check(end, progress)
            done = None if checked.go_on else self._handed_in(end, progress, checked)
            if done is not None:
                return done

    def _opened(self, progress: _TurnProgress) -> OpenedWorkspace:
        for tries in itertools.count():
            opened = self._step(numbered("open", tries), partial(self._open, tries))
            if opened.wait_until is None:
                return opened
            if not self._wait(opened.wait_until, progress):
                return OpenedWorkspace(end=TurnEnd(EndReason.SOURCE_FAILED, error=_TOO_LONG))
        raise AssertionError("a wait is too long at last")

    def _open(self, tries: int) -> OpenedWorkspace:
        if self._records.is_cancelled(self._turn.id):
            return OpenedWorkspace(end=TurnEnd(EndReason.CANCELLED))
        opened = self._turn_workspace.open(tries)
        is_open = opened.end is None and opened.wait_until is None
        return replace(opened, is_long=is_open and self._summarizer.is_due(self._turn))

    # --- the loop -----------------------------------------------------------

    def _work(self, opened: OpenedWorkspace, progress: _TurnProgress) -> TurnEnd:
        """Call the model and run the tools until the model is done, or has to be."""
        try:
            while True:
                answer = self._call_model(opened, progress)
                self._run_tools(answer, progress)
        except _WorkEnded as ended:
            return ended.end

    def _call_model(self, opened: OpenedWorkspace, progress: _TurnProgress) -> ModelReply:
        """Return the model's next answer that asks for tools, or was cut."""
        while True:
            thought = self._think(opened, progress)
            progress.spent += thought.spent
            if thought.is_answer:
                break
            self._recover(thought, progress)
        progress.thoughts += 1
        progress.tries = progress.empty = 0
        self._end_if_last(thought, progress)
        return thought

    def _think(self, opened: OpenedWorkspace, progress: _TurnProgress) -> ModelReply:
        ask = self._ask(opened, progress)
        return self._step(f"model {ask.number}.{ask.tries}", partial(self._model_caller.think, ask))

    def _ask(self, opened: OpenedWorkspace, progress: _TurnProgress) -> ModelRequest:
        return ModelRequest(
            turn=self._turn,
            number=progress.thoughts + 1,
            spent=progress.spent,
            tries=progress.tries,
            waited_seconds=progress.waited_seconds,
            window_tokens=progress.window_tokens,
            system=opened.system,
            tools=self._turn_workspace.specs,
            watch=CallWatch(self._context, partial(self._records.is_cancelled, self._turn.id)),
            keep_trying=self._context.keep_trying,
        )

    def _recover(self, thought: ModelReply, progress: _TurnProgress) -> None:
        """Prepare another call after one without an answer, or end the work."""
        if thought.end is not None:
            raise _WorkEnded(thought.end)
        progress.tries += 1
        if thought.is_full:
            progress.window_tokens = smaller(progress.window_tokens)
        elif thought.is_empty:
            progress.empty += 1
            if progress.empty >= _EMPTY_IN_A_ROW:
                raise _WorkEnded(TurnEnd(EndReason.STUCK, error=_EMPTY))
        elif thought.wait_until is not None:
            self._wait(thought.wait_until, progress)

    def _end_if_last(self, answer: ModelReply, progress: _TurnProgress) -> None:
        """End the work with an answer that asks for nothing more, or may not."""
        if answer.last_for is not None:
            error = progress.spent.explained(answer.last_for, self._limits)
            raise _WorkEnded(TurnEnd(answer.last_for, reply=answer.text, error=error))
        progress.cut = progress.cut + 1 if answer.is_cut else 0
        if progress.cut >= _CUT_IN_A_ROW:
            raise _WorkEnded(TurnEnd(EndReason.ANSWER_CUT, reply=answer.text, error=_CUT))
        if answer.calls or answer.is_cut:
            return
        if is_refusal(answer.text) and not progress.has_used_tools:
            raise _WorkEnded(TurnEnd(EndReason.REFUSED, reply=answer.text, error=_REFUSED))
        raise _WorkEnded(TurnEnd(EndReason.FINISHED, reply=answer.text))

    def _wait(self, until: float, progress: _TurnProgress) -> bool:
        """Whether it was waited: not where a turn would wait too long in all."""
        progress.waits += 1
        begun = self._step(f"wait {progress.waits}", self._turn_workspace.now)
        progress.waited_seconds += max(0.0, until - begun)
        if progress.waited_seconds > self._limits.waiting_seconds:
            return False
        cancelled = partial(self._records.is_cancelled, self._turn.id)
        self._context.pause(f"waited {progress.waits}", until, cancelled)
        return True

    def _run_tools(self, answer: ModelReply, progress: _TurnProgress) -> None:
        """Run all calls of one answer, in their order."""
        if not answer.calls:
            return
        done: list[tuple[ToolCall, ToolRunResult]] = []
        progress.has_used_tools = True
        for count, call in enumerate(answer.calls):
            is_cut = answer.is_cut and count == len(answer.calls) - 1
            use = ToolRun(
                self._turn,
                progress.thoughts,
                count,
                call,
                progress.tree,
                is_cut,
                may_ask=progress.questions < _QUESTIONS and not _questions(done),
                may_write=progress.may_write,
            )
            used = self._step(f"{call.name[:60]} {use.key}", partial(self._tool_runner.use, use))
            progress.tree = used.tree
            progress.spent += TurnUsage(seconds=used.seconds)
            done.append((call, used))
            if used.end is not None:
                raise _WorkEnded(used.end)
        self._end_if_stuck(done, progress)
        for _, used in done:
            if used.ending is not None:
                title, summary = used.ending
                raise _WorkEnded(TurnEnd(EndReason.FINISHED, reply=summary, title=title))
        for question in _questions(done):
            self._await_answer(question, progress)

    def _end_if_stuck(
        self, done: list[tuple[ToolCall, ToolRunResult]], progress: _TurnProgress
    ) -> None:
        """End the work if the calls lead nowhere. Answers count, not calls: the model has to
        have read what was wrong before it can do better.
        """
        is_malformed = all(used.is_malformed for _, used in done)
        progress.malformed = progress.malformed + 1 if is_malformed else 0
        if progress.malformed >= _MALFORMED_IN_A_ROW:
            error = f"no tool understood any call of the model's last {_MALFORMED_IN_A_ROW} answers"
            raise _WorkEnded(TurnEnd(EndReason.MALFORMED_CALLS, error=error))
        if self._repetition.is_stuck((call, used.digest) for call, used in done):
            names = ", ".join(dict.fromkeys(call.name for call, _ in done))
            error = f"the model repeats the same call of {names} without any effect"
            raise _WorkEnded(TurnEnd(EndReason.STUCK, error=error))

    def _await_answer(self, question: OpenQuestion, progress: _TurnProgress) -> None:
        """Wait for the user, and note what follows from the answer."""
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

    # --- the end ------------------------------------------------------------

    def _check(self, end: TurnEnd, progress: _TurnProgress) -> CheckResult:
        """Return the diagnostics of the work; the model gets them while it can still repair it."""
        progress.argued += 1
        return self._checked(end, progress, is_last=progress.argued >= _CHECKS)

    def _checked(
        self, end: TurnEnd, progress: _TurnProgress, *, is_last: bool, is_joined: bool = False
    ) -> CheckResult:
        progress.checks += 1
        check = partial(
            self._delivery.check,
            self._turn,
            progress.checks,
            progress.tree,
            is_last=is_last or end.reason is not EndReason.FINISHED,
            is_joined=is_joined,
        )
        return self._step(f"check {progress.checks}", check)

    def _handed_in(
        self, end: TurnEnd, progress: _TurnProgress, checked: CheckResult
    ) -> TurnEnd | None:
        """The end as it is after the way of the work to the remote; None if the turn goes on."""
        pushed = self._pushed(end, progress, checked)
        if pushed.end is not None and pushed.commit is None:
            return pushed.end
        end = pushed.end or end
        is_other = not pushed.is_direct and pushed.tree not in ("", progress.tree)
        progress.tree = pushed.tree or progress.tree
        if is_other and not pushed.go_on:
            is_last = progress.joins >= _JOINS
            checked = self._checked(end, progress, is_last=is_last, is_joined=True)
        if pushed.go_on or (is_other and checked.go_on):
            # A turn that has changed nothing is asked once, and taken at its word.
            progress.joins = progress.joins + 1 if pushed.is_new else _JOINS
            progress.argued = 0 if pushed.is_new else _CHECKS
            return None
        return self._offered_end(pushed, end, checked, progress)

    def _pushed(self, end: TurnEnd, progress: _TurnProgress, checked: CheckResult) -> PushResult:
        tries, deliver = progress.joins, self._delivery
        is_last = end.reason is not EndReason.FINISHED or tries >= _JOINS
        work = DeliveryRequest(self._turn, progress.tree, end, tries, is_last)
        committed = self._step(numbered("commit", tries), partial(deliver.commit, work))
        if committed.end is not None:
            return PushResult(end=committed.end)
        if committed.go_on:
            return PushResult(is_new=True, go_on=True)
        for attempt in itertools.count():
            push = partial(deliver.push, work, committed, checked, attempt)
            again = f" again {attempt}" if attempt else ""
            pushed = self._step(f"{numbered('push', tries)}{again}", push)
            if pushed.wait_until is None:
                return pushed
            if not self._wait(pushed.wait_until, progress):
                return PushResult(end=TurnEnd(EndReason.PUSH_FAILED, end.reply, _TOO_LONG))
        raise AssertionError("a wait is too long at last")

    def _offered_end(
        self, pushed: PushResult, end: TurnEnd, checked: CheckResult, progress: _TurnProgress
    ) -> TurnEnd:
        """The end as it is once the work is offered."""
        change = self._offered(pushed, end, checked, progress)
        if change.end is not None:
            return change.end
        if end.reason is EndReason.FINISHED and change.is_nothing:
            return replace(end, reason=EndReason.NO_CHANGES)
        return end

    def _offered(
        self, pushed: PushResult, end: TurnEnd, checked: CheckResult, progress: _TurnProgress
    ) -> PullRequestResult:
        for tries in itertools.count():
            change = partial(self._delivery.change, self._turn, pushed, end, checked, tries)
            offered = self._step(numbered("pull request", tries), change)
            if offered.wait_until is None:
                return offered
            if not self._wait(offered.wait_until, progress):
                return PullRequestResult(end=TurnEnd(EndReason.CHANGE_FAILED, end.reply, _TOO_LONG))
        raise AssertionError("a wait is too long at last")

    def _step(self, name: str, function: Callable[[], T]) -> T:
        return self._context.step(name, function)


def _questions(done: Sequence[tuple[ToolCall, ToolRunResult]]) -> list[OpenQuestion]:
    """The questions that calls of one answer have opened; at most one."""
    return [OpenQuestion(*used.question) for _, used in done if used.question is not None]


def _with_assumptions(end: TurnEnd, progress: _TurnProgress) -> TurnEnd:
    """The end with what was assumed without an answer, also where the model does not say it."""
    if end.reason is not EndReason.FINISHED or not progress.assumptions:
        return end
    items = "\n".join(f"- {assumption}" for assumption in progress.assumptions)
    return replace(end, reply=f"{end.reply or ''}\n\nAssumed without an answer:\n\n{items}".strip())
