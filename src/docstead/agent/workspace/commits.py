"""Commit of a turn's work."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from docstead.agent.workspace import conflict_resolution
from docstead.agent.workspace.bare_repository import LINK
from docstead.agent.workspace.diffs import diffs_between
from docstead.agent.workspace.history import BASE_TRAILER, JOB_TRAILER, TURN_TRAILER
from docstead.agent.workspace.secret_scan import SecretFound, masked, scan
from docstead.agent.workspace.workspace import HEAD, Workspace
from docstead.publishing.git import GitFailed

EXAMPLES = ".docs/example-secrets.txt"  # trailers with one value per line
_SUBJECT_LENGTH = 100
_OURS = re.compile(r"(?mi)^\s*docstead-\w+\s*:.*$\n?")


@dataclass(frozen=True, slots=True)
class CommitAuthor:
    name: str
    email: str

    def variables(self, moment: datetime) -> dict[str, str]:
        date = f"{int(moment.astimezone(UTC).timestamp())} +0000"
        found = {}
        for role in ("AUTHOR", "COMMITTER"):
            found[f"GIT_{role}_NAME"] = _plain(self.name) or "docstead"
            found[f"GIT_{role}_EMAIL"] = _plain(self.email) or "docstead@localhost"
            found[f"GIT_{role}_DATE"] = date
        return found


@dataclass(frozen=True, slots=True)
class CommitMessage:
    """`why` is the reason for the change, in sentences."""

    subject: str
    why: str = ""

    def text(self, job_id: str, turn: str, merged_base: str | None = None) -> str:
        subject = " ".join(masked(_OURS.sub("", self.subject)).split())[:_SUBJECT_LENGTH]
        why = masked(_printable(_OURS.sub("", self.why))).strip()
        trailers = f"{JOB_TRAILER}: {job_id}\n{TURN_TRAILER}: {turn}\n"
        trailers += f"{BASE_TRAILER}: {merged_base}\n" if merged_base else ""
        return "\n\n".join(part for part in (subject or "Update the docs", why, trailers) if part)


def commit(
    workspace: Workspace,
    message: CommitMessage,
    author: CommitAuthor,
    *,
    turn: str,
    moment: datetime,
) -> str | None:
    """Commit the changes since the branch's head; return None if there are none.

    Idempotent after a crash. During a conflict resolution, the commit is the merge.

    Raises:
        SecretFound: the changes contain possible secrets; nothing was committed.
    """
    workspace.finish_move()
    tree, head = workspace.snapshot(), workspace.head
    header = workspace.store.header(head)
    other = (
        conflict_resolution.merged_commit(workspace)
        if conflict_resolution.is_under_way(workspace)
        else None
    )
    if tree == workspace.tree_at(head) and other is None:
        return head if header.trailers.get(TURN_TRAILER) == turn else None
    # Changes of others are not checked.
    before = workspace.tree_at(other or head)
    examples = _examples(workspace)
    if findings := scan(diffs_between(workspace.store, before, tree, as_text=True), examples):
        raise SecretFound(findings)
    beside = conflict_resolution.outside(workspace) if other else header.tree
    base = other if conflict_resolution.is_with_base(workspace) else None
    made = workspace.store.commit_tree(
        workspace.store.grafted(beside, workspace.remote.root, tree),
        (head, other) if other else (head,),
        message.text(workspace.job_id, turn, base),
        author.variables(moment),
    )
    conflict_resolution.finish(workspace, made) if other else workspace.store.point(HEAD, made)
    return made


def _examples(workspace: Workspace) -> frozenset[str]:
    """Return the project's example secrets, read from the base so that jobs cannot add any."""
    with suppress(GitFailed):
        listed = workspace.store.git.text("ls-tree", workspace.base_tree, "--", EXAMPLES)
        for line in listed.splitlines():
            mode, _, object_id = line.partition("\t")[0].split()
            if mode != LINK:
                text = workspace.store.blob(object_id).decode(errors="replace")
                return frozenset(value for each in text.splitlines() if (value := each.strip()))
    return frozenset()


def _plain(text: str) -> str:
    return re.sub(r"[<>\x00-\x1f\x7f]", "", text).strip()


def _printable(text: str) -> str:
    return "".join(char for char in text if char.isprintable() or char in "\n\t")
