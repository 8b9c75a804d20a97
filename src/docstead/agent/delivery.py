"""Delivery of a turn's work to its branch: check, commit, push.

Each is a separate idempotent step: an existing commit is found by its turn, a push by its commit.
"""

from __future__ import annotations

from dataclasses import dataclass

from docstead.agent import stored_diffs
from docstead.agent.conversation import message_json
from docstead.agent.delivery_failures import DeliveryFailures
from docstead.agent.event_log import EventLog
from docstead.agent.prompt import disagreement, findings, findings_together, secrets
from docstead.agent.step_outcomes import (
    BranchPushed,
    CommitOutcome,
    ConflictShown,
    NothingPushed,
    PushedInConflict,
    PushOutcome,
    RetryAt,
    SecretShown,
    WorkCommitted,
)
from docstead.agent.texts import title_of
from docstead.agent.tools.diagnostic_order import by_cause
from docstead.agent.turn_ends import EndReason, TurnEnd, TurnFinished, is_delivered
from docstead.agent.turn_steps import numbered
from docstead.agent.turn_workspace import TurnWorkspace
from docstead.agent.values import AgentJob, StepRecord, Turn
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
    has_unpushed_work,
    push,
)
from docstead.base.errors import DocsteadError, SourceUnreadable
from docstead.content.diagnostics import Diagnostic
from docstead.models.chat import ChatMessage, ChatRole
from docstead.rendering import EngineFailed

_SHOWN_DIAGNOSTICS = 30


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Result of a check, and whether the model was asked to fix the diagnostics."""

    diagnostics: tuple[str, ...] = ()
    count: int = 0
    go_on: bool = False


@dataclass(frozen=True, slots=True)
class DeliveryRequest:
    """Work to deliver, and the number of earlier attempts."""

    turn: Turn
    tree: str
    end: TurnEnd
    tries: int  # earlier attempts that conflicted with other commits
    is_last: bool


class TurnDelivery:
    """Delivers the work of one turn."""

    def __init__(
        self,
        job: AgentJob,
        *,
        turn_workspace: TurnWorkspace,
        direct: bool,
        event_log: EventLog,
        failures: DeliveryFailures,
        author: CommitAuthor,
    ) -> None:
        self._job = job
        self._turn_workspace = turn_workspace
        self._direct = direct
        self._event_log = event_log
        self._failures = failures
        self._author = author

    def check(
        self, turn: Turn, number: int, tree: str, *, is_last: bool, is_joined: bool = False
    ) -> CheckResult:
        """Check the work; unless `is_last`, send new diagnostics to the model.

        `is_joined` means that the tree contains commits of others since the last check.
        """
        marked = [
            f"{path}: contains conflict markers"
            for path in self._turn_workspace.unresolved_files(tree)
        ]
        repairable, unknown = self._diagnostics(tree)
        count = len(marked) + len(repairable) + len(unknown)
        diagnostics = (*marked, *by_cause(repairable), *unknown)
        go_on = bool(marked or repairable) and not is_last
        checked = CheckResult(diagnostics[:_SHOWN_DIAGNOSTICS], count, go_on)
        message = message_json(
            ChatMessage(ChatRole.USER, self._findings(checked, is_joined=is_joined))
        )
        data = {
            "ok": not diagnostics,
            "count": len(diagnostics),
            "errors": list(checked.diagnostics),
        }
        messages = [message] if checked.go_on else []
        job = {"diff": stored_diffs.kept(self._turn_workspace.diff())}
        entry = StepRecord(f"check {number}", messages=messages, events=[("check", data)], job=job)
        self._event_log.write(turn, entry)
        return checked

    def _diagnostics(self, tree: str) -> tuple[tuple[Diagnostic, ...], tuple[str, ...]]:
        """Return fixable diagnostics, and the reason if the check failed to run."""
        try:
            return self._turn_workspace.new_diagnostics(tree), ()
        except EngineFailed as error:
            return (), (f"the check could not run: {error.message}",)

    def _findings(self, checked: CheckResult, *, is_joined: bool) -> str:
        errors = "\n".join(checked.diagnostics)
        if not is_joined:
            return findings(errors)
        return findings_together(self._turn_workspace.workspace().base_branch, errors)

    def commit(self, work: DeliveryRequest) -> CommitOutcome:
        """Commit the changes of this turn since its last commit.

        Files with conflict markers are not committed; the branch stays unchanged.
        """
        turn, end = work.turn, work.end
        if self._turn_workspace.unresolved_files(work.tree):
            return WorkCommitted(self._turn_workspace.commit_of(turn))
        try:
            made = self._committed(work)
        except SecretFound as error:
            if work.is_last:
                return self._failed(work, EndReason.SECRET_FOUND, error)
            return self._secret_shown(work, error)
        except SigningFailed as error:
            return self._failed(work, EndReason.PUSH_FAILED, error)
        if made is not None:
            data = {"commit": made, "subject": _subject(turn, end)}
            key = numbered("commit", work.tries)
            self._event_log.write(
                turn, StepRecord(key, events=[("commit", data)], turn={"commit": made})
            )
        return WorkCommitted(made)

    def _secret_shown(self, work: DeliveryRequest, error: SecretFound) -> SecretShown:
        """Report locations of possible secrets to the model, which may remove them."""
        message = message_json(ChatMessage(ChatRole.USER, secrets(error.message)))
        events = [("nudge", {"reason": error.message})]
        entry = StepRecord(numbered("secret", work.tries), messages=[message], events=events)
        self._event_log.write(work.turn, entry)
        return SecretShown()

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
        self,
        work: DeliveryRequest,
        committed: WorkCommitted,
        checked: CheckResult,
        attempt: int = 0,
    ) -> PushOutcome:
        """Push the branch, merged with the latest base.

        Conflicts are sent to the model, unless this is the last attempt. A turn that failed before
        it changed anything pushes only what an earlier push failed to: else the branch, and so the
        pull request, stay as they were.
        """
        # Not `at(tree)`: an attempt before a crash may have moved the clone to a newer base.
        workspace = self._turn_workspace.workspace()
        if committed.commit is not None and workspace.store.commit_of(committed.commit) is None:
            self._committed(work)  # the clone with this commit is lost
        has_work = committed.commit is not None or is_delivered(work.end)
        if workspace.head == workspace.base_commit or not (
            has_work or has_unpushed_work(workspace)
        ):
            return NothingPushed()
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
        pushed = BranchPushed(done.commit, is_new, done.direct, done.note, tree)
        return self._at_odds(work, pushed, done) if done.base else pushed

    def _pushed(
        self, workspace: Workspace, work: DeliveryRequest, checked: CheckResult
    ) -> PushedCommit:
        """Push directly to the base branch only if checks find no errors."""
        return push(
            workspace,
            direct=self._direct and isinstance(work.end, TurnFinished) and not checked.count,
            is_fit=lambda joined: joined == work.tree or not any(self._diagnostics(joined)),
        )

    def _not_pushed(
        self, work: DeliveryRequest, error: DocsteadError, attempt: int
    ) -> RetryAt | TurnEnd:
        step = f"{numbered('push', work.tries)} wait {attempt}"
        retry = self._failures.retry(work.turn, error, attempt, step)
        return retry or self._failed(work, EndReason.PUSH_FAILED, error)

    def _failed(self, work: DeliveryRequest, reason: EndReason, error: DocsteadError) -> TurnEnd:
        return self._failures.end(work.turn, reason, error, work.end)

    def _write_push(self, work: DeliveryRequest, done: PushedCommit, *, is_new: bool) -> None:
        data = {
            "branch": done.branch, "commit": done.commit, "how": done.how, "note": done.note,
            "conflicts": list(done.conflicts),
        }  # fmt: skip
        values = {"commit": done.commit} if is_new else {}
        entry = StepRecord(numbered("push", work.tries), events=[("push", data)], turn=values)
        self._event_log.write(work.turn, entry)

    def _at_odds(
        self, work: DeliveryRequest, pushed: BranchPushed, done: PushedCommit
    ) -> PushOutcome:
        """Handle a conflict with the base; the model resolves it, if attempts are left."""
        conflicting = self._begin_resolution(work, done.base or "", is_base=True)
        if conflicting is None and not pushed.is_new:
            return pushed  # this turn added nothing to merge
        if conflicting is None:
            return PushedInConflict(pushed, self._disagreed(work, done))
        branch = self._turn_workspace.workspace().base_branch
        return self._asked(work, conflicting, branch, has_work=pushed.is_new)

    def _at_odds_on_branch(
        self, work: DeliveryRequest, error: BranchDiverged, *, is_new: bool
    ) -> PushOutcome:
        """Handle a conflict on the job's own branch, like one with the base but before any push."""
        conflicting = self._begin_resolution(work, error.theirs, is_base=False)
        if conflicting is None:
            return self._failed(work, EndReason.PUSH_FAILED, error)
        return self._asked(work, conflicting, self._job.branch, has_work=is_new)

    def _begin_resolution(
        self, work: DeliveryRequest, theirs: str, *, is_base: bool
    ) -> tuple[str, tuple[str, ...]] | None:
        """Merge with markers, as the workspace does; return None if no attempts are left."""
        if work.is_last:
            return None
        return self._turn_workspace.begin_resolution(theirs, is_base=is_base)

    def _asked(
        self,
        work: DeliveryRequest,
        conflicting: tuple[str, tuple[str, ...]],
        branch: str,
        *,
        has_work: bool,
    ) -> ConflictShown:
        """Ask the model to resolve the conflict with this branch."""
        tree, paths = conflicting
        text = disagreement(self._turn_workspace.mark, branch, "\n".join(paths), has_work=has_work)
        entry = StepRecord(
            numbered("settle", work.tries),
            messages=[message_json(ChatMessage(ChatRole.USER, text))],
            events=[("conflict", {"branch": branch, "files": list(paths)})],
        )
        self._event_log.write(work.turn, entry)
        return ConflictShown(tree, has_work)

    def _disagreed(self, work: DeliveryRequest, done: PushedCommit) -> TurnEnd:
        """Return the end of a turn whose work is on its branch but cannot be merged."""
        base = self._turn_workspace.workspace().base_branch
        words = (
            f"{base!r} has changed the same lines in {', '.join(done.conflicts)} meanwhile; the "
            f"work is on the branch {done.branch!r}. Merge {base!r} into it, then go on."
        )
        return self._failed(work, EndReason.PUSH_FAILED, PushFailed(words))


def _subject(turn: Turn, end: TurnEnd) -> str:
    title = end.title if isinstance(end, TurnFinished) else None
    return title or title_of(turn.instruction.prompt)


def _why(turn: Turn, end: TurnEnd) -> str:
    parts = [end.reply or "", f"Asked for: {turn.instruction.prompt.strip()}"]
    if not isinstance(end, TurnFinished):
        parts.insert(0, f"Not finished ({end.reason.value}): {end.error or end.reason.value}")
    return "\n\n".join(part for part in parts if part)
