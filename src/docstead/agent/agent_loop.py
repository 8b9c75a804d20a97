"""Loop of a turn: the model is called and its tools are run until it is done or must stop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from docstead.agent.dialog import AgentQuestions, OpenQuestion
from docstead.agent.limits import TurnLimits, TurnUsage
from docstead.agent.loop_detection import LoopDetector
from docstead.agent.model_calls import ModelCaller, ModelRequest, smaller
from docstead.agent.refusals import is_refusal
from docstead.agent.step_outcomes import (
    ContextFull,
    EmptyAnswer,
    FinishRequest,
    LastAnswer,
    ModelAnswer,
    ModelBusy,
    ModelEnded,
    ModelOutcome,
    ToolDone,
    WorkspaceReady,
)
from docstead.agent.tool_calls import ToolRun, ToolRunner
from docstead.agent.turn_ends import EndReason, TurnEnd, TurnFailed, TurnFinished, TurnStopped
from docstead.agent.turn_progress import TurnProgress
from docstead.agent.turn_steps import TurnSteps
from docstead.agent.values import Turn
from docstead.models.chat import ToolCall, ToolSpec

_MALFORMED_IN_A_ROW = 3
_EMPTY_IN_A_ROW = 3
_CUT_IN_A_ROW = 3
_CUT = (
    "the model's answers reach the limit of output tokens again and again; raise "
    "max_output_tokens of the model, or ask for less at once"
)
_EMPTY = "the model sends empty responses"
_REFUSED = "the model refused the instruction"
_QUESTIONS = 5  # to the user, including plans


class _WorkEnded(Exception):
    """The model is done or cannot continue: the turn proceeds to delivery."""

    def __init__(self, end: TurnEnd) -> None:
        super().__init__()
        self.end = end


class AgentLoop:
    """Calls the model of one turn, and runs its tools."""

    def __init__(
        self,
        turn: Turn,
        steps: TurnSteps,
        *,
        model_caller: ModelCaller,
        tool_runner: ToolRunner,
        tools: Callable[[], Sequence[ToolSpec]],
        dialog: AgentQuestions,
        limits: TurnLimits,
    ) -> None:
        self._turn = turn
        self._steps = steps
        self._model_caller = model_caller
        self._tool_runner = tool_runner
        self._tools = tools
        self._dialog = dialog
        self._limits = limits
        self._repetition = LoopDetector()

    def run(self, opened: WorkspaceReady, progress: TurnProgress) -> TurnEnd:
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
        request = self.request(opened, progress)
        name = f"model {request.number}.{request.tries}"
        return self._steps.run(name, partial(self._model_caller.call, request))

    def request(self, opened: WorkspaceReady, progress: TurnProgress) -> ModelRequest:
        """Return the request of the next model call."""
        return ModelRequest(
            turn=self._turn,
            number=progress.model_calls + 1,
            spent=progress.spent,
            tries=progress.tries,
            waited_seconds=progress.waited_seconds,
            window_tokens=progress.window_tokens,
            system=opened.system,
            tools=self._tools,
            watch=self._steps.watch(),
            keep_trying=self._steps.keep_trying,
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
                self._steps.wait(moment, progress)

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
            used = self._steps.run(
                f"{call.name[:60]} {use.key}", partial(self._tool_runner.use, use)
            )
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
        self._steps.pause(f"question {number}", question.until, partial(self._dialog.is_over, turn))
        close = partial(self._dialog.close, turn, number, question)
        answer = self._steps.run(f"answer {number}", close)
        progress.may_write |= answer.lets_write
        if answer.text is None:
            progress.assumptions.append(answer.assumption)


def _questions(done: Sequence[tuple[ToolCall, ToolDone]]) -> list[OpenQuestion]:
    """Return the open question of a response's calls, if any."""
    return [used.request for _, used in done if isinstance(used.request, OpenQuestion)]
