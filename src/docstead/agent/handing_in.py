"""The way of a turn's work to the remote: check, commit, push, pull request.

Each is a step of its own and may be done again after a crash without harm: a commit that
was made is found by its turn, a push by its commit, a pull request by its branch.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from docstead.agent import differences
from docstead.agent.conversation import message_json
from docstead.agent.desk import Desk
from docstead.agent.forges import Change, Forge
from docstead.agent.forges.errors import patience_seconds
from docstead.agent.journal import Journal
from docstead.agent.prompt import findings
from docstead.agent.pull_request import Description, description_of
from docstead.agent.records import AgentRecords, title_of
from docstead.agent.values import AgentJob, EndReason, Entry, Turn, TurnEnd
from docstead.agent.workspace import (
    Author,
    CommitMessage,
    Pushed,
    PushFailed,
    SecretFound,
    commit,
    push,
)
from docstead.agent.workspace.secret_scan import masked
from docstead.base.errors import DocsteadError
from docstead.models.chat import Message, Role

_AUTHOR = Author("Docstead", "agent@docstead.invalid")
_SHOWN_FAULTS = 30


@dataclass(frozen=True, slots=True)
class Checked:
    """What is wrong with the work, and whether the model was asked to repair it."""

    faults: tuple[str, ...] = ()
    count: int = 0
    go_on: bool = False


@dataclass(frozen=True, slots=True)
class Committed:
    """What is to be pushed; no commit where this turn changed nothing."""

    commit: str | None = None
    end: TurnEnd | None = None


@dataclass(frozen=True, slots=True)
class PushedWork:
    """Where the work is now."""

    commit: str | None = None
    is_new: bool = False  # whether this turn added to it
    is_direct: bool = False
    note: str = ""
    end: TurnEnd | None = None  # with a commit: it is on its branch all the same


@dataclass(frozen=True, slots=True)
class Offered:
    """The pull request that the work is in, if there is one."""

    url: str | None = None
    is_nothing: bool = False  # the turn changed no file
    wait_until: float | None = None  # Unix seconds; then it is offered again
    end: TurnEnd | None = None


class HandingIn:
    """Hands in the work of one turn."""

    def __init__(
        self,
        job: AgentJob,
        *,
        desk: Desk,
        forge: Callable[[], Forge],
        direct: bool,
        journal: Journal,
        records: AgentRecords,
    ) -> None:
        self._job = job
        self._desk = desk
        self._forge = forge
        self._direct = direct
        self._journal = journal
        self._records = records

    def check(self, turn: Turn, number: int, tree: str, *, is_last: bool) -> Checked:
        """What is new and wrong; unless this is the last check, the model is told."""
        faults = self._desk.new_faults(tree)
        checked = Checked(faults[:_SHOWN_FAULTS], len(faults), bool(faults) and not is_last)
        told = message_json(Message(Role.USER, findings("\n".join(checked.faults))))
        data = {"ok": not faults, "count": len(faults), "errors": list(checked.faults)}
        messages = [told] if checked.go_on else []
        job = {"diff": differences.kept(self._desk.diff())}
        entry = Entry(f"check {number}", messages=messages, events=[("check", data)], job=job)
        self._journal.write(turn, entry)
        return checked

    def commit(self, turn: Turn, tree: str, end: TurnEnd) -> Committed:
        """One commit of what this turn has changed."""
        try:
            made = self._committed(turn, tree, end)
        except SecretFound as error:
            return Committed(end=self._failed(turn, EndReason.SECRET_FOUND, error, end))
        if made is not None:
            data = {"commit": made, "subject": _subject(turn, end)}
            entry = Entry("commit", events=[("commit", data)], turn={"commit": made})
            self._journal.write(turn, entry)
        return Committed(made)

    def _committed(self, turn: Turn, tree: str, end: TurnEnd) -> str | None:
        return commit(
            self._desk.at(tree),
            CommitMessage(_subject(turn, end), _why(turn, end)),
            _AUTHOR,
            turn=turn.id,
            moment=turn.started_at or turn.created_at,
        )

    def push(self, turn: Turn, tree: str, committed: Committed, end: TurnEnd) -> PushedWork:
        """The branch to the remote, where it is not there already."""
        # Not `at(tree)`: an attempt before a crash may have moved the clone to a newer base.
        workspace = self._desk.workspace()
        if committed.commit is not None and workspace.store.commit_of(committed.commit) is None:
            self._committed(turn, tree, end)  # the clone that had it is lost
        if workspace.head == workspace.base_commit:
            return PushedWork()
        try:
            done = push(workspace, direct=self._direct and end.reason.is_success)
        except PushFailed as error:
            return PushedWork(end=self._failed(turn, EndReason.PUSH_FAILED, error, end))
        data = {
            "branch": done.branch, "commit": done.commit, "how": done.how, "note": done.note,
            "conflicts": list(done.conflicts),
        }  # fmt: skip
        is_new = committed.commit is not None
        values = {"commit": done.commit} if is_new else {}
        self._journal.write(turn, Entry("push", events=[("push", data)], turn=values))
        disagreed = self._disagreed(turn, done, end) if is_new and done.conflicts else None
        return PushedWork(done.commit, is_new, done.direct, done.note, disagreed)

    def _disagreed(self, turn: Turn, done: Pushed, end: TurnEnd) -> TurnEnd:
        """The work is on its branch, but nobody could merge it as it is."""
        base = self._desk.workspace().base_branch
        words = (
            f"{base!r} has changed the same lines of {', '.join(done.conflicts)} meanwhile; the "
            f"work is on the branch {done.branch!r}. Merge {base!r} into it, then go on."
        )
        return self._failed(turn, EndReason.PUSH_FAILED, PushFailed(words), end)

    def change(
        self, turn: Turn, pushed: PushedWork, end: TurnEnd, checked: Checked, tries: int = 0
    ) -> Offered:
        """The pull request, opened or brought up to date."""
        if pushed.commit is None:
            return Offered(is_nothing=True)
        if pushed.is_direct:
            return Offered(is_nothing=not pushed.is_new)
        try:
            text = self._description(turn, pushed, end, checked)
            change = self._offered(text, pushed, end)
        except DocsteadError as error:
            return self._not_offered(turn, error, end, tries)
        if change is None:
            return Offered(is_nothing=not pushed.is_new)
        data = {
            "url": change.url, "number": change.number, "draft": change.draft,
            "follows": change.follows,
        }  # fmt: skip
        values = {"pr_link": change.url, "title": masked(self._title(turn, end))}
        entry = Entry("pull request", events=[("pullRequest", data)], job=values)
        self._journal.write(turn, entry)
        return Offered(change.url, is_nothing=not pushed.is_new)

    def _not_offered(self, turn: Turn, error: DocsteadError, end: TurnEnd, tries: int) -> Offered:
        wait = patience_seconds(error, tries)
        if wait is None or self._records.is_cancelled(turn.id):
            return Offered(end=self._failed(turn, EndReason.CHANGE_FAILED, error, end))
        data = {"seconds": round(wait, 1), "reason": error.message}
        self._journal.write(turn, Entry(f"pull request wait {tries}", events=[("wait", data)]))
        return Offered(wait_until=time.time() + wait)

    def _offered(self, text: Description, pushed: PushedWork, end: TurnEnd) -> Change | None:
        """A failed turn opens none, but says in an open one what has happened."""
        forge, branch = self._forge(), self._job.branch
        known = forge.find(branch)
        if known is not None and known.is_open:
            return forge.update(known, title=text.title, body=text.body, draft=text.draft)
        if not end.reason.is_success or (known is not None and not pushed.is_new):
            return None
        base = self._desk.workspace().base_branch
        return forge.open(branch, base=base, title=text.title, body=text.body, draft=text.draft)

    def _description(
        self, turn: Turn, pushed: PushedWork, end: TurnEnd, checked: Checked
    ) -> Description:
        job = self._records.get(self._job.id)
        return description_of(
            replace(job, title=self._title(turn, end)),
            self._records.turns(job.id),
            turn,
            end,
            files=self._desk.workspace().changed_files(),
            faults=checked.faults,
            fault_count=checked.count,
            note=pushed.note,
        )

    def _title(self, turn: Turn, end: TurnEnd) -> str:
        """What the job's first turn has called the change."""
        return end.title if turn.position == 1 and end.title else self._job.title

    def _failed(self, turn: Turn, reason: EndReason, error: DocsteadError, end: TurnEnd) -> TurnEnd:
        """The turn's own failure counts for more than that of handing it in."""
        data = {"reason": reason.value, "error": error.message}
        self._journal.write(turn, Entry(f"failed {reason}", events=[("failure", data)]))
        if end.reason.is_success:
            return TurnEnd(reason, reply=end.reply, error=error.message)
        return end


def _subject(turn: Turn, end: TurnEnd) -> str:
    return end.title or title_of(turn.instruction.prompt)


def _why(turn: Turn, end: TurnEnd) -> str:
    parts = [end.reply or "", f"Asked for: {turn.instruction.prompt.strip()}"]
    if not end.reason.is_success or end.reason is not EndReason.FINISHED:
        parts.insert(0, f"Not finished ({end.reason.value}): {end.error or end.reason.value}")
    return "\n\n".join(part for part in parts if part)
