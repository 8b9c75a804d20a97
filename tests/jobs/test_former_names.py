from __future__ import annotations

import pickle

import pytest

from docstead.agent import former_results
from docstead.agent.dialog import OpenQuestion
from docstead.agent.former_results import (
    CommitResult,
    ModelReply,
    OpenedWorkspace,
    PullRequestResult,
    PushResult,
    ToolRunResult,
)
from docstead.agent.limits import TurnUsage
from docstead.agent.step_outcomes import (
    BranchPushed,
    ConflictShown,
    ContextFull,
    EmptyAnswer,
    FinishRequest,
    LastAnswer,
    ModelAnswer,
    ModelBusy,
    ModelEnded,
    NothingPushed,
    PushedInConflict,
    RetryAt,
    SecretShown,
    ToolDone,
    WorkCommitted,
    WorkOffered,
    WorkspaceReady,
)
from docstead.agent.turn_ends import EndReason, TurnCancelled, TurnFailed, TurnFinished
from docstead.jobs import former_names
from docstead.jobs.former_names import FORMER_NAMES
from docstead.jobs.step_results import FormerResult, with_new_fields
from docstead.models.chat import ToolCall


@pytest.mark.parametrize("former", FORMER_NAMES)
def test_a_class_is_found_by_its_former_name(former: str) -> None:
    former_names.register()
    module, _, name = former.rpartition(".")
    current = FORMER_NAMES[former].rpartition(".")[2]
    found = pickle.loads(f"cdocstead.agent.{module}\n{name}\n.".encode())
    assert found.__name__ == current


def test_other_names_are_not_found() -> None:
    former_names.register()
    for module in ("using", "limits"):
        with pytest.raises(AttributeError):
            pickle.loads(f"cdocstead.agent.{module}\nUnknown\n.".encode())


def stored(former: FormerResult, home: str) -> bytes:
    """The value as an earlier version pickled it, below the name that its class had then."""
    data = pickle.dumps(former, protocol=0)
    now = b"docstead.agent.former_results\n"
    for module, names in {home: (type(former).__name__,), "values": ("TurnEnd",)}.items():
        for name in names:
            data = data.replace(now + name.encode(), f"docstead.agent.{module}\n{name}".encode())
    return data.replace(b"docstead.agent.turn_ends\nEndReason", b"docstead.agent.values\nEndReason")


CANCELLED = former_results.TurnEnd(EndReason.CANCELLED)
REFUSED = former_results.TurnEnd(EndReason.REFUSED, "I can't.", "the model refused", None)
DONE = former_results.TurnEnd(EndReason.NO_CHANGES, "Nothing to do.")
CALL = ToolCall("c", "check", "{}")
SPENT = TurnUsage(1, 10, 0.5, 2.0)
PUSHED = BranchPushed("c0", is_new=True, is_direct=False, note="a note", tree="t")


@pytest.mark.parametrize(
    ("home", "former", "current"),
    [
        ("turn_workspace", OpenedWorkspace("t", "Rules"), WorkspaceReady("t", "Rules")),
        ("turn_workspace", OpenedWorkspace(wait_until=5.0), RetryAt(5.0)),
        ("turn_workspace", OpenedWorkspace(end=CANCELLED), TurnCancelled()),
        ("model_calls", ModelReply("Hm", (CALL,), SPENT), ModelAnswer(SPENT, "Hm", (CALL,))),
        (
            "model_calls",
            ModelReply("Bye", (), SPENT, EndReason.STEP_LIMIT),
            LastAnswer(SPENT, "Bye", EndReason.STEP_LIMIT),
        ),
        ("model_calls", ModelReply(spent=SPENT, wait_until=7.0), ModelBusy(SPENT, 7.0)),
        ("model_calls", ModelReply(spent=SPENT, is_full=True), ContextFull(SPENT)),
        ("model_calls", ModelReply(spent=SPENT, is_empty=True), EmptyAnswer(SPENT)),
        (
            "model_calls",
            ModelReply(spent=SPENT, end=REFUSED),
            ModelEnded(SPENT, TurnFailed(EndReason.REFUSED, "the model refused", "I can't.")),
        ),
        ("tool_calls", ToolRunResult("t", "d", 1.5), ToolDone("t", "d", 1.5)),
        (
            "tool_calls",
            ToolRunResult("t", "d", ending=("Title", "Done.")),
            ToolDone("t", "d", 0.0, request=FinishRequest("Title", "Done.")),
        ),
        (
            "tool_calls",
            ToolRunResult("t", "d", question=("plan", "I go on.", 9.0)),
            ToolDone("t", "d", 0.0, request=OpenQuestion("plan", "I go on.", 9.0)),
        ),
        ("delivery", CommitResult("c0"), WorkCommitted("c0")),
        ("delivery", CommitResult(go_on=True), SecretShown()),
        ("delivery", PushResult("c0", True, note="a note", tree="t"), PUSHED),
        ("delivery", PushResult(), NothingPushed()),
        ("delivery", PushResult("c0", True, tree="t", go_on=True), ConflictShown("t", True)),
        (
            "delivery",
            PushResult("c0", True, False, "a note", "t", end=DONE),
            PushedInConflict(PUSHED, TurnFinished("Nothing to do.", has_changes=False)),
        ),
        ("delivery", PushResult(wait_until=3.0), RetryAt(3.0)),
        ("delivery", PullRequestResult("https://x"), WorkOffered(has_changes=True)),
        ("delivery", PullRequestResult(end=CANCELLED), TurnCancelled()),
    ],
)
def test_a_former_result_is_read_as_its_outcome(
    home: str, former: FormerResult, current: object
) -> None:
    former_names.register()
    assert with_new_fields(pickle.loads(stored(former, home))) == current
