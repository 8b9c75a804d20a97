"""Merge of a change into its base branch on the remote: fast-forward, merge commit or squash.

Pushes are never forced. If the base branch moves, the merge starts again. If both sides changed the
same lines, nothing is pushed and the files are reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from docstead.agent.pull_request import summary_of
from docstead.agent.reviews.records import Review
from docstead.agent.reviews.revisions import ChangeRevisions, ReviewClones, fetched, revisions_of
from docstead.agent.workspace.bare_repository import EMPTY_TREE
from docstead.agent.workspace.push_rejections import push_rejection
from docstead.agent.workspace.remote import GitRemote
from docstead.base.errors import Conflict
from docstead.publishing.git import FETCH_SECONDS, GitFailed

_TRIES = 5
_EMAIL = "agent@docstead.invalid"
# A local repository may have the base branch checked out: its files are updated unless
# they were modified.
_INTO_CHECKOUT = "--receive-pack=git -c receive.denyCurrentBranch=updateInstead receive-pack"


class MergeConflict(Conflict):
    """Both branches changed the same lines."""

    def __init__(self, base: str, paths: tuple[str, ...]) -> None:
        self.paths = paths
        super().__init__(
            f"{base!r} and this change both changed {', '.join(paths)}; nothing was merged"
        )


class MergeRefused(Conflict):
    """The remote rejected the merge."""


class HeadMoved(Conflict):
    """The change's branch has commits that the reviewer has not seen."""

    def __init__(self, branch: str) -> None:
        super().__init__(
            f"nothing was merged: {branch!r} has new commits that this page did not show"
        )


class _BaseMoved(Exception):
    """The base branch has moved in the meantime."""


@dataclass(frozen=True, slots=True)
class MergeRequest:
    """A merge of the commit `head`, reviewed by `by`; `squash` makes it a single commit."""

    head: str
    by: str
    now: datetime
    squash: bool = False


def merge(
    clones: ReviewClones, review: Review, remote: GitRemote, request: MergeRequest
) -> tuple[ChangeRevisions, str]:
    """Merge a change; return the merged revisions and the new commit of the base branch.

    Idempotent after a crash.

    Raises:
        HeadMoved: the branch is no longer at `request.head`; nothing was pushed.
        MergeConflict: there are conflicts; nothing was pushed.
        MergeRefused: the remote rejected the push; with its message.
        SourceUnreadable, BranchGone: as for `ReviewClones.revisions`.
    """
    with clones.opened(review, remote) as store:
        for _ in range(_TRIES):
            revisions = revisions_of(store, remote, *fetched(store, review, remote))
            if revisions.head != request.head:
                raise HeadMoved(review.branch)
            if revisions.is_merged:
                return revisions, revisions.tip
            commit = _commit(revisions, review, request)
            try:
                _push(revisions, remote, commit, review.base)
            except _BaseMoved:
                continue
            return revisions, commit
    raise MergeRefused(f"the branch {review.base!r} moved {_TRIES} times; try again")


def conflicts(revisions: ChangeRevisions) -> tuple[str, ...]:
    """Return the files with merge conflicts."""
    return () if revisions.is_forward or revisions.is_merged else _merged(revisions)[1]


def _merged(revisions: ChangeRevisions) -> tuple[str, tuple[str, ...]]:
    store = revisions.store
    base = store.tree_of(revisions.fork) if revisions.fork else EMPTY_TREE
    trees = (store.tree_of(revisions.tip), store.tree_of(revisions.head))
    return store.merged(base or EMPTY_TREE, *(tree or EMPTY_TREE for tree in trees))


def _commit(revisions: ChangeRevisions, review: Review, request: MergeRequest) -> str:
    """Return the new commit of the base branch."""
    if revisions.is_forward and not request.squash:
        return revisions.head
    tree, paths = _merged(revisions)
    if paths:
        raise MergeConflict(review.base, paths)
    if request.squash and tree == revisions.store.tree_of(revisions.tip):
        return revisions.tip  # already squashed before a crash
    parents = (revisions.tip,) if request.squash else (revisions.tip, revisions.head)
    message = _squash_message(review) if request.squash else _merge_message(review)
    return revisions.store.commit_tree(tree, parents, message, _people(request))


def _people(request: MergeRequest) -> dict[str, str]:
    moment = f"@{int(request.now.timestamp())} +0000"
    return {
        "GIT_AUTHOR_NAME": request.by, "GIT_AUTHOR_EMAIL": _EMAIL, "GIT_AUTHOR_DATE": moment,
        "GIT_COMMITTER_NAME": "Docstead", "GIT_COMMITTER_EMAIL": _EMAIL,
        "GIT_COMMITTER_DATE": moment,
    }  # fmt: skip


def _merge_message(review: Review) -> str:
    return f"{review.title}\n\nMerges {review.branch} (change {review.number}).\n"


def _squash_message(review: Review) -> str:
    return f"{review.title} (#{review.number})\n\n{summary_of(review.body)}".strip() + "\n"


def _push(revisions: ChangeRevisions, remote: GitRemote, commit: str, base: str) -> None:
    options = [_INTO_CHECKOUT] if remote.protocol == "file" else []
    try:
        revisions.store.git.run(
            "push", "--porcelain", "--quiet", "--no-verify", "--no-recurse-submodules", *options,
            "--", remote.url, f"{commit}:refs/heads/{base}",
            timeout_seconds=FETCH_SECONDS,
        )  # fmt: skip
    except GitFailed as error:
        rejection = push_rejection(error, remote, base)
        if rejection.is_moved:
            raise _BaseMoved from None
        raise MergeRefused(rejection.message) from None
