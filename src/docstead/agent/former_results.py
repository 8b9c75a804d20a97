"""Results of steps as earlier versions stored them: one class for all outcomes of a step.

Each is read as the class of its outcome. The order of the fields is that of the stored values.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from docstead.agent import step_outcomes, turn_ends
from docstead.agent.dialog import OpenQuestion
from docstead.agent.limits import TurnUsage
from docstead.agent.turn_ends import EndReason
from docstead.jobs.step_results import FormerResult
from docstead.models.chat import ToolCall


@dataclass(frozen=True, slots=True)
class TurnEnd(FormerResult):
    reason: EndReason
    reply: str | None = None
    error: str | None = None
    title: str | None = None

    def current(self) -> turn_ends.TurnEnd:
        return turn_ends.turn_end(self.reason, self.reply, self.error, self.title)


@dataclass(frozen=True, slots=True)
class OpenedWorkspace(FormerResult):
    tree: str = ""
    system: str = ""
    wait_until: float | None = None
    end: TurnEnd | None = None
    is_long: bool = False

    def current(self) -> step_outcomes.OpenOutcome:
        if self.end is not None:
            return self.end.current()
        if self.wait_until is not None:
            return step_outcomes.RetryAt(self.wait_until)
        return step_outcomes.WorkspaceReady(self.tree, self.system, self.is_long)


@dataclass(frozen=True, slots=True)
class ModelReply(FormerResult):
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    spent: TurnUsage = field(default_factory=TurnUsage)
    last_for: EndReason | None = None
    wait_until: float | None = None
    is_full: bool = False
    is_empty: bool = False
    end: TurnEnd | None = None
    is_cut: bool = False

    def current(self) -> step_outcomes.ModelOutcome:
        if self.end is not None:
            return step_outcomes.ModelEnded(self.spent, self.end.current())
        if self.is_full:
            return step_outcomes.ContextFull(self.spent)
        if self.is_empty:
            return step_outcomes.EmptyAnswer(self.spent)
        if self.wait_until is not None:
            return step_outcomes.ModelBusy(self.spent, self.wait_until)
        if self.last_for is not None:
            return step_outcomes.LastAnswer(self.spent, self.text, self.last_for)
        return step_outcomes.ModelAnswer(self.spent, self.text, self.calls, self.is_cut)


@dataclass(frozen=True, slots=True)
class ToolRunResult(FormerResult):
    tree: str
    digest: str = ""
    seconds: float = 0.0
    is_malformed: bool = False
    ending: tuple[str, str] | None = None
    end: TurnEnd | None = None
    question: tuple[str, str, float] | None = None

    def current(self) -> step_outcomes.ToolOutcome:
        if self.end is not None:
            return self.end.current()
        request: step_outcomes.ToolRequest = None
        if self.ending is not None:
            request = step_outcomes.FinishRequest(*self.ending)
        elif self.question is not None:
            request = OpenQuestion(*self.question)
        return step_outcomes.ToolDone(
            self.tree, self.digest, self.seconds, self.is_malformed, request
        )


@dataclass(frozen=True, slots=True)
class CommitResult(FormerResult):
    commit: str | None = None
    end: TurnEnd | None = None
    go_on: bool = False

    def current(self) -> step_outcomes.CommitOutcome:
        if self.end is not None:
            return self.end.current()
        if self.go_on:
            return step_outcomes.SecretShown()
        return step_outcomes.WorkCommitted(self.commit)


@dataclass(frozen=True, slots=True)
class PushResult(FormerResult):
    commit: str | None = None
    is_new: bool = False
    is_direct: bool = False
    note: str = ""
    tree: str = ""
    go_on: bool = False
    end: TurnEnd | None = None
    wait_until: float | None = None

    def current(self) -> step_outcomes.PushOutcome:
        if self.wait_until is not None:
            return step_outcomes.RetryAt(self.wait_until)
        if self.go_on:
            return step_outcomes.ConflictShown(self.tree, self.is_new)
        if self.commit is None:
            return step_outcomes.NothingPushed() if self.end is None else self.end.current()
        pushed = step_outcomes.BranchPushed(
            self.commit, self.is_new, self.is_direct, self.note, self.tree
        )
        if self.end is None:
            return pushed
        return step_outcomes.PushedInConflict(pushed, self.end.current())


@dataclass(frozen=True, slots=True)
class PullRequestResult(FormerResult):
    url: str | None = None
    is_nothing: bool = False
    wait_until: float | None = None
    end: TurnEnd | None = None

    def current(self) -> step_outcomes.OfferOutcome:
        if self.end is not None:
            return self.end.current()
        if self.wait_until is not None:
            return step_outcomes.RetryAt(self.wait_until)
        return step_outcomes.WorkOffered(has_changes=not self.is_nothing)
