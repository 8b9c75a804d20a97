"""The way of a turn's work to the remote: check, commit, push, pull request.

Each is a step of its own and may be done again after a crash without harm: a commit that
was made is found by its turn, a push by its commit, a pull request by its branch.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from docstead.agent import stored_diffs
from docstead.agent.conversation import message_json
from docstead.agent.event_log import EventLog
from docstead.agent.forges import Forge, ForgeChange
from docstead.agent.forges.errors import patience_seconds
from docstead.agent.prompt import disagreement, findings, findings_together, secrets
from docstead.agent.pull_request import Description, Findings
from docstead.agent.pull_request_writer import PullRequestWriter
from docstead.agent.records import AgentRecords
from docstead.agent.texts import title_of
from docstead.agent.tools.diagnostic_order import by_cause
from docstead.agent.turn_workspace import TurnWorkspace
from docstead.agent.values import AgentJob, EndReason, StepRecord, Turn, TurnEnd
from docstead.agent.workspace import (
    BranchDiverged,
    CommitAuthor,
    CommitMessage,
    PushedCommit,
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
from docstead.models.chat import ChatMessage, ChatRole
from docstead.rendering import EngineFailed

_SHOWN_DIAGNOSTICS = 30


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Diagnostics of the work, and whether the model was asked to repair it."""

    diagnostics: tuple[str, ...] = ()
    count: int = 0
    go_on: bool = False


@dataclass(frozen=True, slots=True)
class DeliveryRequest:
    """Work to deliver, and the number of earlier tries."""

    turn: Turn
    tree: str
    end: TurnEnd
    tries: int  # before this one, that others were in the way of
    is_last: bool


@dataclass(frozen=True, slots=True)
class CommitResult:
    """Commit to push; None if this turn changed nothing."""

    commit: str | None = None
    end: TurnEnd | None = None
    go_on: bool = False  # the model was asked to take a secret out


@dataclass(frozen=True, slots=True)
class PushResult:
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
class PullRequestResult:
    """The pull request that the work is in, if there is one."""

    url: str | None = None
    is_nothing: bool = False  # the turn changed no file
    wait_until: float | None = None  # Unix seconds; then it is offered again
    end: TurnEnd | None = None


class TurnDelivery:
    """Delivers the work of one turn."""

    def __init__(
        self,
        job: AgentJob,
        *,
        turn_workspace: TurnWorkspace,
        forge: Callable[[], Forge],
        direct: bool,
        event_log: EventLog,
        records: AgentRecords,
        job_url: str,
        author: CommitAuthor,
        reviewers: Sequence[str] = (),
    ) -> None:
        self._job = job
        self._turn_workspace = turn_workspace
        self._forge = forge
        self._direct = direct
        self._event_log = event_log
        self._records = records
        self._author = author
        self._writer = PullRequestWriter(
            job,
            turn_workspace=turn_workspace,
            forge=forge,
            event_log=event_log,
            records=records,
            job_url=job_url,
            reviewers=reviewers,
        )

    def check(
        self, turn: Turn, number: int, tree: str, *, is_last: bool, is_joined: bool = False
    ) -> CheckResult:
        """Return the new diagnostics; unless this is the last check, the model gets them.

        `is_joined` says that the tree has what others have done since the last check.
        """
        marked = [
            f"{path}: git's marks are left in it"
            for path in self._turn_workspace.unresolved_files(tree)
        ]
        repairable, unknown = self._diagnostics(tree)
        count = len(marked) + len(repairable) + len(unknown)
        diagnostics = (*marked, *by_cause(repairable), *unknown)
        go_on = bool(marked or repairable) and not is_last
        checked = CheckResult(diagnostics[:_SHOWN_DIAGNOSTICS], count, go_on)
        told = message_json(
            ChatMessage(ChatRole.USER, self._findings(checked, is_joined=is_joined))
        )
        data = {
            "ok": not diagnostics,
            "count": len(diagnostics),
            "errors": list(checked.diagnostics),
        }
        messages = [told] if checked.go_on else []
        job = {"diff": stored_diffs.kept(self._turn_workspace.diff())}
        entry = StepRecord(f"check {number}", messages=messages, events=[("check", data)], job=job)
        self._event_log.write(turn, entry)
        return checked

    def _diagnostics(self, tree: str) -> tuple[tuple[Diagnostic, ...], tuple[str, ...]]:
        """Return repairable diagnostics, and the reason if the check could not be made."""
        try:
            return self._turn_workspace.new_diagnostics(tree), ()
        except EngineFailed as error:
            return (), (f"the check could not be made: {error.message}",)

    def _findings(self, checked: CheckResult, *, is_joined: bool) -> str:
        errors = "\n".join(checked.diagnostics)
        if not is_joined:
            return findings(errors)
        return findings_together(self._turn_workspace.workspace().base_branch, errors)

    def commit(self, work: DeliveryRequest) -> CommitResult:
        """One commit of what this turn has changed, or has changed since the one before.

        Files that show two sides are committed by nobody: the branch stays as it was.
        """
        turn, end = work.turn, work.end
        if self._turn_workspace.unresolved_files(work.tree):
            return CommitResult(self._turn_workspace.commit_of(turn))
        try:
            made = self._committed(work)
        except SecretFound as error:
            if work.is_last:
                return CommitResult(end=self._failed(turn, EndReason.SECRET_FOUND, error, end))
            return self._secret_told(work, error)
        except SigningFailed as error:
            return CommitResult(end=self._failed(turn, EndReason.PUSH_FAILED, error, end))
        if made is not None:
            data = {"commit": made, "subject": _subject(turn, end)}
            key = numbered("commit", work.tries)
            self._event_log.write(
                turn, StepRecord(key, events=[("commit", data)], turn={"commit": made})
            )
        return CommitResult(made)

    def _secret_told(self, work: DeliveryRequest, error: SecretFound) -> CommitResult:
        """Report the positions of possible secrets to the model, which may remove them."""
        told = message_json(ChatMessage(ChatRole.USER, secrets(error.message)))
        data = {"reason": error.message}
        key = numbered("secret", work.tries)
        self._event_log.write(work.turn, StepRecord(key, messages=[told], events=[("nudge", data)]))
        return CommitResult(go_on=True)

    def _committed(self, work: DeliveryRequest) -> str | None:
        turn, end = work.turn, work.end
        return commit(
            self._turn_workspace.at(work.tree),
            CommitMessage(_subject(turn, end), _why(turn, end)),
            self._author,
            turn=turn.id,
            moment=turn.started_at or turn.created_at,
        )

    def push(
        self, work: DeliveryRequest, committed: CommitResult, checked: CheckResult, attempt: int = 0
    ) -> PushResult:
        """The branch to the remote, where it is not there already, with the newest base in it.

        Where the two disagree the model is asked, unless this is the last try.
        """
        # Not `at(tree)`: an attempt before a crash may have moved the clone to a newer base.
        workspace = self._turn_workspace.workspace()
        if committed.commit is not None and workspace.store.commit_of(committed.commit) is None:
            self._committed(work)  # the clone that had it is lost
        if workspace.head == workspace.base_commit:
            return PushResult()
        try:
            done = self._pushed(workspace, work, checked)
        except BranchDiverged as error:
            return self._at_odds_on_branch(work, error, is_new=committed.commit is not None)
        except (PushFailed, SigningFailed, SourceUnreadable) as error:
            return self._not_pushed(work, error, attempt)
        finally:
            self._turn_workspace.forget_tree()
        is_new = committed.commit is not None
        self._write_push(work, done, is_new=is_new)
        tree = workspace.tree_at(done.commit)
        pushed = PushResult(done.commit, is_new, done.direct, done.note, tree)
        return self._at_odds(work, pushed, done) if done.base else pushed

    def _pushed(
        self, workspace: Workspace, work: DeliveryRequest, checked: CheckResult
    ) -> PushedCommit:
        """Push to the base only if no check finds an error."""
        return push(
            workspace,
            direct=self._direct and work.end.reason.is_success and not checked.count,
            is_fit=lambda joined: joined == work.tree or not any(self._diagnostics(joined)),
        )

    def _not_pushed(self, work: DeliveryRequest, error: DocsteadError, attempt: int) -> PushResult:
        wait = patience_seconds(error, attempt)
        if wait is None or self._records.is_cancelled(work.turn.id):
            return PushResult(end=self._failed(work.turn, EndReason.PUSH_FAILED, error, work.end))
        data = {"seconds": round(wait, 1), "reason": error.message}
        key = f"{numbered('push', work.tries)} wait {attempt}"
        self._event_log.write(work.turn, StepRecord(key, events=[("wait", data)]))
        return PushResult(wait_until=time.time() + wait)

    def _write_push(self, work: DeliveryRequest, done: PushedCommit, *, is_new: bool) -> None:
        data = {
            "branch": done.branch, "commit": done.commit, "how": done.how, "note": done.note,
            "conflicts": list(done.conflicts),
        }  # fmt: skip
        values = {"commit": done.commit} if is_new else {}
        entry = StepRecord(numbered("push", work.tries), events=[("push", data)], turn=values)
        self._event_log.write(work.turn, entry)

    def _at_odds(self, work: DeliveryRequest, pushed: PushResult, done: PushedCommit) -> PushResult:
        """The base disagrees: the model sees both sides in its files, as long as it may."""
        settled = (
            None
            if work.is_last
            else self._turn_workspace.begin_resolution(done.base or "", is_base=True)
        )
        if settled is None and not pushed.is_new:
            return pushed  # this turn has added nothing that anybody would merge
        if settled is None:
            return replace(pushed, end=self._disagreed(work.turn, done, work.end))
        return self._asked(work, pushed, settled, self._turn_workspace.workspace().base_branch)

    def _at_odds_on_branch(
        self, work: DeliveryRequest, error: BranchDiverged, *, is_new: bool
    ) -> PushResult:
        """Others have pushed to the branch itself: as with the base, but nothing is there yet."""
        settled = (
            None
            if work.is_last
            else self._turn_workspace.begin_resolution(error.theirs, is_base=False)
        )
        if settled is None:
            return PushResult(end=self._failed(work.turn, EndReason.PUSH_FAILED, error, work.end))
        return self._asked(work, PushResult(is_new=is_new), settled, self._job.branch)

    def _asked(
        self,
        work: DeliveryRequest,
        pushed: PushResult,
        settled: tuple[str, tuple[str, ...]],
        branch: str,
    ) -> PushResult:
        """The model is asked to make its files and those of this branch agree."""
        tree, paths = settled
        has_work = pushed.is_new
        told = disagreement(self._turn_workspace.mark, branch, "\n".join(paths), has_work=has_work)
        entry = StepRecord(
            numbered("settle", work.tries),
            messages=[message_json(ChatMessage(ChatRole.USER, told))],
            events=[("conflict", {"branch": branch, "files": list(paths)})],
        )
        self._event_log.write(work.turn, entry)
        return replace(pushed, tree=tree, go_on=True)

    def _disagreed(self, turn: Turn, done: PushedCommit, end: TurnEnd) -> TurnEnd:
        """The work is on its branch, but nobody could merge it as it is."""
        base = self._turn_workspace.workspace().base_branch
        words = (
            f"{base!r} has changed the same lines of {', '.join(done.conflicts)} meanwhile; the "
            f"work is on the branch {done.branch!r}. Merge {base!r} into it, then go on."
        )
        return self._failed(turn, EndReason.PUSH_FAILED, PushFailed(words), end)

    def change(
        self, turn: Turn, pushed: PushResult, end: TurnEnd, checked: CheckResult, tries: int = 0
    ) -> PullRequestResult:
        """The pull request, opened or brought up to date."""
        if pushed.commit is None:
            return PullRequestResult(is_nothing=True)
        if pushed.is_direct:
            return PullRequestResult(is_nothing=not pushed.is_new)
        try:
            known = self._forge().find(self._job.branch)
            found = Findings(checked.diagnostics, checked.count, pushed.note)
            text = self._writer.describe(turn, end, known, found)
            change = self._offered(text, pushed, end, known)
        except OUTAGES:
            raise
        except DocsteadError as error:
            return self._not_offered(turn, error, end, tries)
        if change is None:
            return PullRequestResult(is_nothing=not pushed.is_new)
        data = {
            "url": change.url, "number": change.number, "draft": change.draft,
            "follows": change.follows,
        }  # fmt: skip
        values = {"pr_link": change.url, "title": masked(text.title)}
        entry = StepRecord("pull request", events=[("pullRequest", data)], job=values)
        self._event_log.write(turn, entry)
        self._writer.report_check(pushed.commit, checked.count)
        self._writer.request_reviews(turn, change)
        return PullRequestResult(change.url, is_nothing=not pushed.is_new)

    def _not_offered(
        self, turn: Turn, error: DocsteadError, end: TurnEnd, tries: int
    ) -> PullRequestResult:
        wait = patience_seconds(error, tries)
        if wait is None or self._records.is_cancelled(turn.id):
            return PullRequestResult(end=self._failed(turn, EndReason.CHANGE_FAILED, error, end))
        data = {"seconds": round(wait, 1), "reason": error.message}
        self._event_log.write(
            turn, StepRecord(f"pull request wait {tries}", events=[("wait", data)])
        )
        return PullRequestResult(wait_until=time.time() + wait)

    def _offered(
        self, text: Description, pushed: PushResult, end: TurnEnd, known: ForgeChange | None
    ) -> ForgeChange | None:
        """A failed turn opens none, but says in an open one what has happened."""
        forge, branch = self._forge(), self._job.branch
        if known is not None and known.is_open:
            return forge.update(known, title=text.title, body=text.body, draft=text.draft)
        if not end.reason.is_delivered or (known is not None and not pushed.is_new):
            return None
        base = self._turn_workspace.workspace().base_branch
        return forge.open(branch, base=base, title=text.title, body=text.body, draft=text.draft)

    def _failed(self, turn: Turn, reason: EndReason, error: DocsteadError, end: TurnEnd) -> TurnEnd:
        """The turn's own failure counts for more than that of handing it in."""
        data = {"reason": reason.value, "error": error.message}
        self._event_log.write(turn, StepRecord(f"failed {reason}", events=[("failure", data)]))
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
