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
from docstead.agent.prompt import disagreement, findings, findings_together, secrets
from docstead.agent.pull_request import Description, Findings
from docstead.agent.pull_request_writer import PullRequestWriter
from docstead.agent.records import AgentRecords
from docstead.agent.texts import title_of
from docstead.agent.tools.causes import by_cause
from docstead.agent.values import AgentJob, EndReason, Entry, Turn, TurnEnd
from docstead.agent.workspace import (
    CommitAuthor,
    CommitMessage,
    Disagreed,
    Pushed,
    PushFailed,
    SecretFound,
    SigningFailed,
    Workspace,
    commit,
    push,
)
from docstead.agent.workspace.secret_scan import masked
from docstead.base.errors import OUTAGES, DocsteadError, SourceUnreadable
from docstead.content.diagnostics import Diagnostic
from docstead.models.chat import Message, Role
from docstead.rendering import EngineFailed

_SHOWN_FAULTS = 30


@dataclass(frozen=True, slots=True)
class Checked:
    """Diagnostics of the work, and whether the model was asked to repair it."""

    faults: tuple[str, ...] = ()
    count: int = 0
    go_on: bool = False


@dataclass(frozen=True, slots=True)
class Work:
    """Work to deliver, and the number of earlier tries."""

    turn: Turn
    tree: str
    end: TurnEnd
    tries: int  # before this one, that others were in the way of
    is_last: bool


@dataclass(frozen=True, slots=True)
class Committed:
    """Commit to push; None if this turn changed nothing."""

    commit: str | None = None
    end: TurnEnd | None = None
    go_on: bool = False  # the model was asked to take a secret out


@dataclass(frozen=True, slots=True)
class PushedWork:
    """Pushed commit, and the way in which it was pushed."""

    commit: str | None = None
    is_new: bool = False  # whether this turn added to it
    is_direct: bool = False
    note: str = ""
    tree: str = ""  # of the branch by now, with what others have done meanwhile
    go_on: bool = False  # the model was asked to make it agree with the base
    end: TurnEnd | None = None  # with a commit: it is on its branch all the same
    wait_until: float | None = None  # Unix seconds; then it is pushed again


@dataclass(frozen=True, slots=True)
class Offered:
    """The pull request that the work is in, if there is one."""

    url: str | None = None
    is_nothing: bool = False  # the turn changed no file
    wait_until: float | None = None  # Unix seconds; then it is offered again
    end: TurnEnd | None = None


class HandingIn:
    """Delivers the work of one turn."""

    def __init__(
        self,
        job: AgentJob,
        *,
        desk: Desk,
        forge: Callable[[], Forge],
        direct: bool,
        journal: Journal,
        records: AgentRecords,
        job_url: str,
        author: CommitAuthor,
    ) -> None:
        self._job = job
        self._desk = desk
        self._forge = forge
        self._direct = direct
        self._journal = journal
        self._records = records
        self._author = author
        self._writer = PullRequestWriter(
            job, desk=desk, forge=forge, journal=journal, records=records, job_url=job_url
        )

    def check(
        self, turn: Turn, number: int, tree: str, *, is_last: bool, is_joined: bool = False
    ) -> Checked:
        """Return the new diagnostics; unless this is the last check, the model gets them.

        `is_joined` says that the tree has what others have done since the last check.
        """
        marked = [f"{path}: git's marks are left in it" for path in self._desk.unsettled(tree)]
        repairable, unknown = self._faults(tree)
        count = len(marked) + len(repairable) + len(unknown)
        faults = (*marked, *by_cause(repairable), *unknown)
        go_on = bool(marked or repairable) and not is_last
        checked = Checked(faults[:_SHOWN_FAULTS], count, go_on)
        told = message_json(Message(Role.USER, self._findings(checked, is_joined=is_joined)))
        data = {"ok": not faults, "count": len(faults), "errors": list(checked.faults)}
        messages = [told] if checked.go_on else []
        job = {"diff": differences.kept(self._desk.diff())}
        entry = Entry(f"check {number}", messages=messages, events=[("check", data)], job=job)
        self._journal.write(turn, entry)
        return checked

    def _faults(self, tree: str) -> tuple[tuple[Diagnostic, ...], tuple[str, ...]]:
        """Return repairable diagnostics, and the reason if the check could not be made."""
        try:
            return self._desk.new_faults(tree), ()
        except EngineFailed as error:
            return (), (f"the check could not be made: {error.message}",)

    def _findings(self, checked: Checked, *, is_joined: bool) -> str:
        errors = "\n".join(checked.faults)
        if not is_joined:
            return findings(errors)
        return findings_together(self._desk.workspace().base_branch, errors)

    def commit(self, work: Work) -> Committed:
        """One commit of what this turn has changed, or has changed since the one before.

        Files that show two sides are committed by nobody: the branch stays as it was.
        """
        turn, end = work.turn, work.end
        if self._desk.unsettled(work.tree):
            return Committed(self._desk.commit_of(turn))
        try:
            made = self._committed(work)
        except SecretFound as error:
            if work.is_last:
                return Committed(end=self._failed(turn, EndReason.SECRET_FOUND, error, end))
            return self._secret_told(work, error)
        except SigningFailed as error:
            return Committed(end=self._failed(turn, EndReason.PUSH_FAILED, error, end))
        if made is not None:
            data = {"commit": made, "subject": _subject(turn, end)}
            key = numbered("commit", work.tries)
            self._journal.write(turn, Entry(key, events=[("commit", data)], turn={"commit": made}))
        return Committed(made)

    def _secret_told(self, work: Work, error: SecretFound) -> Committed:
        """Report the positions of possible secrets to the model, which may remove them."""
        told = message_json(Message(Role.USER, secrets(error.message)))
        data = {"reason": error.message}
        key = numbered("secret", work.tries)
        self._journal.write(work.turn, Entry(key, messages=[told], events=[("nudge", data)]))
        return Committed(go_on=True)

    def _committed(self, work: Work) -> str | None:
        turn, end = work.turn, work.end
        return commit(
            self._desk.at(work.tree),
            CommitMessage(_subject(turn, end), _why(turn, end)),
            self._author,
            turn=turn.id,
            moment=turn.started_at or turn.created_at,
        )

    def push(
        self, work: Work, committed: Committed, checked: Checked, attempt: int = 0
    ) -> PushedWork:
        """The branch to the remote, where it is not there already, with the newest base in it.

        Where the two disagree the model is asked, unless this is the last try.
        """
        # Not `at(tree)`: an attempt before a crash may have moved the clone to a newer base.
        workspace = self._desk.workspace()
        if committed.commit is not None and workspace.store.commit_of(committed.commit) is None:
            self._committed(work)  # the clone that had it is lost
        if workspace.head == workspace.base_commit:
            return PushedWork()
        try:
            done = self._pushed(workspace, work, checked)
        except Disagreed as error:
            return self._at_odds_on_branch(work, error, is_new=committed.commit is not None)
        except (PushFailed, SigningFailed, SourceUnreadable) as error:
            return self._not_pushed(work, error, attempt)
        finally:
            self._desk.look_again()
        is_new = committed.commit is not None
        self._write_push(work, done, is_new=is_new)
        tree = workspace.tree_at(done.commit)
        pushed = PushedWork(done.commit, is_new, done.direct, done.note, tree)
        return self._at_odds(work, pushed, done) if done.base else pushed

    def _pushed(self, workspace: Workspace, work: Work, checked: Checked) -> Pushed:
        """Push to the base only if no check finds an error."""
        return push(
            workspace,
            direct=self._direct and work.end.reason.is_success and not checked.count,
            is_fit=lambda joined: joined == work.tree or not any(self._faults(joined)),
        )

    def _not_pushed(self, work: Work, error: DocsteadError, attempt: int) -> PushedWork:
        wait = patience_seconds(error, attempt)
        if wait is None or self._records.is_cancelled(work.turn.id):
            return PushedWork(end=self._failed(work.turn, EndReason.PUSH_FAILED, error, work.end))
        data = {"seconds": round(wait, 1), "reason": error.message}
        key = f"{numbered('push', work.tries)} wait {attempt}"
        self._journal.write(work.turn, Entry(key, events=[("wait", data)]))
        return PushedWork(wait_until=time.time() + wait)

    def _write_push(self, work: Work, done: Pushed, *, is_new: bool) -> None:
        data = {
            "branch": done.branch, "commit": done.commit, "how": done.how, "note": done.note,
            "conflicts": list(done.conflicts),
        }  # fmt: skip
        values = {"commit": done.commit} if is_new else {}
        entry = Entry(numbered("push", work.tries), events=[("push", data)], turn=values)
        self._journal.write(work.turn, entry)

    def _at_odds(self, work: Work, pushed: PushedWork, done: Pushed) -> PushedWork:
        """The base disagrees: the model sees both sides in its files, as long as it may."""
        settled = None if work.is_last else self._desk.settle(done.base or "", is_base=True)
        if settled is None and not pushed.is_new:
            return pushed  # this turn has added nothing that anybody would merge
        if settled is None:
            return replace(pushed, end=self._disagreed(work.turn, done, work.end))
        return self._asked(work, pushed, settled, self._desk.workspace().base_branch)

    def _at_odds_on_branch(self, work: Work, error: Disagreed, *, is_new: bool) -> PushedWork:
        """Others have pushed to the branch itself: as with the base, but nothing is there yet."""
        settled = None if work.is_last else self._desk.settle(error.theirs, is_base=False)
        if settled is None:
            return PushedWork(end=self._failed(work.turn, EndReason.PUSH_FAILED, error, work.end))
        return self._asked(work, PushedWork(is_new=is_new), settled, self._job.branch)

    def _asked(
        self, work: Work, pushed: PushedWork, settled: tuple[str, tuple[str, ...]], branch: str
    ) -> PushedWork:
        """The model is asked to make its files and those of this branch agree."""
        tree, paths = settled
        has_work = pushed.is_new
        told = disagreement(self._desk.mark, branch, "\n".join(paths), has_work=has_work)
        entry = Entry(
            numbered("settle", work.tries),
            messages=[message_json(Message(Role.USER, told))],
            events=[("conflict", {"branch": branch, "files": list(paths)})],
        )
        self._journal.write(work.turn, entry)
        return replace(pushed, tree=tree, go_on=True)

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
            known = self._forge().find(self._job.branch)
            found = Findings(checked.faults, checked.count, pushed.note)
            text = self._writer.describe(turn, end, known, found)
            change = self._offered(text, pushed, end, known)
        except OUTAGES:
            raise
        except DocsteadError as error:
            return self._not_offered(turn, error, end, tries)
        if change is None:
            return Offered(is_nothing=not pushed.is_new)
        data = {
            "url": change.url, "number": change.number, "draft": change.draft,
            "follows": change.follows,
        }  # fmt: skip
        values = {"pr_link": change.url, "title": masked(text.title)}
        entry = Entry("pull request", events=[("pullRequest", data)], job=values)
        self._journal.write(turn, entry)
        self._writer.report_check(pushed.commit, checked.count)
        return Offered(change.url, is_nothing=not pushed.is_new)

    def _not_offered(self, turn: Turn, error: DocsteadError, end: TurnEnd, tries: int) -> Offered:
        wait = patience_seconds(error, tries)
        if wait is None or self._records.is_cancelled(turn.id):
            return Offered(end=self._failed(turn, EndReason.CHANGE_FAILED, error, end))
        data = {"seconds": round(wait, 1), "reason": error.message}
        self._journal.write(turn, Entry(f"pull request wait {tries}", events=[("wait", data)]))
        return Offered(wait_until=time.time() + wait)

    def _offered(
        self, text: Description, pushed: PushedWork, end: TurnEnd, known: Change | None
    ) -> Change | None:
        """A failed turn opens none, but says in an open one what has happened."""
        forge, branch = self._forge(), self._job.branch
        if known is not None and known.is_open:
            return forge.update(known, title=text.title, body=text.body, draft=text.draft)
        if not end.reason.is_delivered or (known is not None and not pushed.is_new):
            return None
        base = self._desk.workspace().base_branch
        return forge.open(branch, base=base, title=text.title, body=text.body, draft=text.draft)

    def _failed(self, turn: Turn, reason: EndReason, error: DocsteadError, end: TurnEnd) -> TurnEnd:
        """The turn's own failure counts for more than that of handing it in."""
        data = {"reason": reason.value, "error": error.message}
        self._journal.write(turn, Entry(f"failed {reason}", events=[("failure", data)]))
        if end.reason.is_delivered:
            return TurnEnd(reason, reply=end.reply, error=error.message)
        return end


def numbered(step: str, tries: int) -> str:
    """The name of a step that may be taken again."""
    return step if tries == 0 else f"{step} {tries + 1}"


def _subject(turn: Turn, end: TurnEnd) -> str:
    return end.title or title_of(turn.instruction.prompt)


def _why(turn: Turn, end: TurnEnd) -> str:
    parts = [end.reply or "", f"Asked for: {turn.instruction.prompt.strip()}"]
    if end.reason is not EndReason.FINISHED:
        parts.insert(0, f"Not finished ({end.reason.value}): {end.error or end.reason.value}")
    return "\n\n".join(part for part in parts if part)
