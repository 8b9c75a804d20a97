"""Workspace of a turn: its clone and tools, prepared on first use.

After a crash, the clone is first reset to the snapshot of the last completed step.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import Any

from docstead.agent.attachments import with_attachments
from docstead.agent.conversation import message_json
from docstead.agent.event_log import EventLog
from docstead.agent.forges.errors import patience_seconds
from docstead.agent.prompt import system_prompt
from docstead.agent.replay import has_tree, replay
from docstead.agent.rules import rules_of
from docstead.agent.step_outcomes import OpenOutcome, RetryAt, WorkspaceReady
from docstead.agent.tools import Toolbox, WorkspaceChecks
from docstead.agent.turn_ends import EndReason, TurnFailed
from docstead.agent.values import AgentJob, StepRecord, Turn
from docstead.agent.workspace import FileDiff, Workspace, conflict_resolution, follow
from docstead.agent.workspace.history import TURN_TRAILER, ConflictingPaths
from docstead.base.errors import OUTAGES, DocsteadError, InvalidRequest
from docstead.content.diagnostics import Diagnostic, Severity
from docstead.models.chat import ChatMessage, ChatRole, InputFile, ToolSpec


class TurnWorkspace:
    """Clone and tools of a job, for one turn."""

    def __init__(
        self,
        job: AgentJob,
        turn: Turn,
        *,
        open_workspace: Callable[[], Workspace],
        new_toolbox: Callable[[Workspace], Toolbox],
        repositories: Sequence[str] = (),
        reviews: Sequence[str] = (),
        checker: WorkspaceChecks,
        event_log: EventLog,
        files: Sequence[InputFile] = (),
    ) -> None:
        self._job = job
        self._turn = turn
        self._open_workspace = open_workspace
        self._new_toolbox = new_toolbox
        self._repositories = repositories
        self._reviews = reviews
        self._checker = checker
        self._event_log = event_log
        self._files = files
        self._workspace: Workspace | None = None
        self._tree: str | None = None

    @property
    def mark(self) -> str:
        """Delimiter of untrusted text in this job."""
        return f"D{hashlib.sha256(self._job.id.encode()).hexdigest()[:4]}"

    @property
    def needs_plan(self) -> bool:
        """Whether the turn must propose a plan before its first change; follow-ups need not."""
        return self._job.needs_plan and self._turn.position == 1

    def specs(self) -> Sequence[ToolSpec]:
        """Tool specifications for the model."""
        return self._specs

    def open(self, tries: int = 0) -> OpenOutcome:
        """Prepare the clone and start the turn's conversation."""
        try:
            workspace, conflicts = self._up_to_date()
            _refuse_base(workspace)
            tree = self._tree = workspace.snapshot()
        except OUTAGES:
            raise
        except DocsteadError as error:
            return self._not_opened(error, tries)
        turn = self._turn
        data = {
            "branch": workspace.branch, "base": workspace.base_branch,
            "commit": workspace.base_commit, "conflicts": list(conflicts),
        }  # fmt: skip
        entry = StepRecord("open", messages=self._instruction(), events=[("workspace", data)])
        self._event_log.write(turn, entry)
        added = "\n\n".join(text for role, text in turn.instruction.messages if role == "system")
        rules = rules_of(workspace)
        system = system_prompt(
            self.mark,
            rules,
            added,
            self._repositories,
            self._reviews,
            may_ask=self._job.may_ask,
            needs_plan=self.needs_plan,
        )
        return WorkspaceReady(tree, system)

    def _instruction(self) -> list[dict[str, Any]]:
        """Return the messages of the instruction. Its files belong to the last one, by turn id."""
        spoken = [each for each in self._turn.instruction.messages if each[0] != "system"]
        messages = [message_json(ChatMessage(ChatRole(role), text)) for role, text in spoken]
        if self._files:
            messages[-1]["text"] = with_attachments(messages[-1]["text"], self._files, self.mark)
            messages[-1]["filesOf"] = self._turn.id
        return messages

    def _not_opened(self, error: DocsteadError, tries: int) -> OpenOutcome:
        wait = patience_seconds(error, tries)
        if wait is None:
            return TurnFailed(EndReason.SOURCE_FAILED, error.message)
        data = {"seconds": round(wait, 1), "reason": error.message}
        self._event_log.write(self._turn, StepRecord(f"open wait {tries}", events=[("wait", data)]))
        return RetryAt(time.time() + wait)

    def _up_to_date(self) -> tuple[Workspace, tuple[str, ...]]:
        """Update the clone of a follow-up with commits of others.

        Returns the clone, and the files on which branch and base conflict.
        """
        workspace = self.workspace()
        return workspace, follow(workspace) if self._turn.position > 1 else ()

    def workspace(self) -> Workspace:
        """Return the clone without updating it."""
        if self._workspace is None:
            self._workspace = self._open_workspace()
        return self._workspace

    def at(self, tree: str) -> Workspace:
        """Return the clone with this snapshot checked out.

        Raises:
            SourceUnreadable: the clone with the snapshot is lost.
        """
        workspace = self.workspace()
        if self._tree != tree:
            if has_tree(workspace, tree):
                workspace.restore(tree)
            else:
                messages = self._event_log.messages_of_turn(self._turn.id)
                replay(self._up_to_date()[0], self._toolbox, messages, tree)
            self._tree = tree
        return workspace

    def toolbox(self, tree: str) -> Toolbox:
        """Return the tools for a clone with this snapshot."""
        self.at(tree)
        return self._toolbox

    def changed(self, tree: str, paths: Collection[str]) -> str:
        """Return the snapshot after a tool has changed these files of `tree`."""
        self._tree = self.workspace().snapshot_since(tree, paths)
        return self._tree

    def new_diagnostics(self, tree: str) -> tuple[Diagnostic, ...]:
        """Return the diagnostics of this snapshot that the base does not have."""
        workspace = self.at(tree)
        if not workspace.changed_files(tree):
            return ()
        report = self._checker.compare(workspace)
        return tuple(each for each in report.new if each.severity is not Severity.INFO)

    def begin_resolution(self, other: str, *, is_base: bool) -> tuple[str, tuple[str, ...]] | None:
        """Merge a conflicting commit with markers; return the snapshot and the conflicting files.

        Returns None if tools could not resolve the conflict.
        """
        try:
            return conflict_resolution.begin(self.workspace(), other, is_base=is_base)
        except ConflictingPaths:
            return None

    def unresolved_files(self, tree: str) -> tuple[str, ...]:
        """Return the files of this snapshot that still contain conflict markers."""
        return conflict_resolution.unresolved_files(self.at(tree))

    def commit_of(self, turn: Turn) -> str | None:
        """Return the branch's head if it is this turn's own commit."""
        workspace = self.workspace()
        trailers = workspace.store.header(workspace.head).trailers
        return workspace.head if trailers.get(TURN_TRAILER) == turn.id else None

    def forget_tree(self) -> None:
        """Forget which tree is checked out."""
        self._tree = None

    def diff(self) -> tuple[FileDiff, ...]:
        """Return all changes of the branch."""
        return self.workspace().diff(self._tree)

    @staticmethod
    def now() -> float:
        """Return the current Unix time."""
        return time.time()

    @cached_property
    def _toolbox(self) -> Toolbox:
        return self._new_toolbox(self.workspace())

    @cached_property
    def _specs(self) -> Sequence[ToolSpec]:
        return self._toolbox.specs


def _refuse_base(workspace: Workspace) -> None:
    if workspace.branch == workspace.base_branch:
        raise InvalidRequest(f"{workspace.branch!r} is the base branch; a job needs its own branch")
