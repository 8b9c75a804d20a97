"""Changes that go into their base branch, or cannot."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest

from docstead.agent.forges import ChangeState
from docstead.agent.reviews.merging import MergeConflict, MergeRefused
from docstead.agent.reviews.revisions import BranchGone
from docstead.base.errors import Conflict
from review_repository import BRANCH, CHANGE, ReviewRepository


def test_a_base_that_has_not_moved_moves_forward(harness: Any, repository: Any) -> None:
    review, head = harness.opened(), repository.tip(BRANCH)
    merged = harness.merge(review, "Ada")
    assert (merged.state, merged.merge_commit, merged.ended_by) == (ChangeState.MERGED, head, "Ada")
    assert repository.tip() == head


def test_one_that_has_moved_gets_a_merge_commit(harness: Any, repository: Any) -> None:
    review, head = harness.opened(), repository.tip(BRANCH)
    moved = repository.commit({"guides/labels.mdx": "---\ntitle: Labels\n---\n\nPDF.\n"})
    merged = harness.merge(review, "Ada")
    tip = repository.tip()
    assert tip == merged.merge_commit
    assert repository.git("rev-list", "--parents", "-1", tip, at=repository.path).split()[1:] == [
        moved,
        head,
    ]
    assert repository.text("guides/labels.mdx").endswith("PDF.")
    assert repository.text("guides/rotate.mdx").endswith("every month.")
    message = repository.git("log", "-1", "--format=%an: %s", tip, at=repository.path)
    assert message == "Ada: Describe keys"


def test_a_conflict_names_the_files_and_changes_nothing(harness: Any, repository: Any) -> None:
    review = harness.opened()
    moved = repository.commit({"guides/keys.mdx": "---\ntitle: Keys\n---\n\nQuite another.\n"})
    assert harness.service.conflicts(harness.revisions(review)) == ("guides/keys.mdx",)
    with pytest.raises(MergeConflict, match=r"both changed guides/keys\.mdx; nothing was merged"):
        harness.merge(review, "Ada")
    assert repository.tip() == moved
    assert harness.reviews.get(review.id).is_open


def test_merging_again_after_a_crash_changes_nothing(harness: Any, repository: Any) -> None:
    review = harness.opened()
    repository.git("push", "-q", "origin", f"{repository.tip(BRANCH)}:refs/heads/main")
    tip = repository.tip()
    assert harness.merge(review, "Ada").state is ChangeState.MERGED
    assert repository.tip() == tip


def test_what_was_merged_by_hand_is_seen_to_be(harness: Any, repository: Any) -> None:
    review = harness.opened()
    assert harness.service.with_current_state(review, harness.revisions(review)).is_open
    repository.git("push", "-q", "origin", f"{repository.tip(BRANCH)}:refs/heads/main")
    merged = harness.service.with_current_state(review, harness.revisions(review))
    assert (merged.state, merged.ended_by) == (ChangeState.MERGED, None)


def test_a_protected_branch_says_no_in_its_own_words(harness: Any, repository: Any) -> None:
    hook = repository.path / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'main takes reviewed work only' >&2\nexit 1\n")
    hook.chmod(hook.stat().st_mode | stat.S_IXUSR)
    review = harness.opened()
    with pytest.raises(MergeRefused, match="refuses a push to 'main': main takes reviewed work"):
        harness.merge(review, "Ada")
    assert harness.reviews.get(review.id).is_open


def test_what_has_ended_is_not_merged_or_closed_again(harness: Any) -> None:
    review = harness.service.close(harness.opened(), "Ada")
    for act in (harness.merge, harness.service.close):
        with pytest.raises(Conflict):
            act(harness.reviews.get(review.id), "Ada")
    assert harness.reviews.get(review.id).state is ChangeState.CLOSED


def test_a_branch_that_is_gone_is_named(harness: Any, repository: Any) -> None:
    review = harness.opened()
    repository.git("push", "-q", "origin", f":refs/heads/{BRANCH}")
    with pytest.raises(BranchGone, match=BRANCH):
        harness.revisions(review)
    assert harness.service.close(review, "Ada").state is ChangeState.CLOSED


def test_what_a_killed_git_left_behind_is_no_hindrance(harness: Any, repository: Any) -> None:
    review = harness.opened()
    harness.revisions(review)
    (clone,) = (harness.folder / "clones").glob("*.git")
    for name in ("shallow.lock", "packed-refs.lock", "refs/docstead/changes/base.lock"):
        (clone / name).touch()
    repository.commit({"index.mdx": "---\ntitle: New\n---\n"})
    repository.commit({"guides/rotate.mdx": "---\ntitle: Rotate\n---\n"}, branch=BRANCH)
    assert harness.merge(review, "Ada").state is ChangeState.MERGED


def test_an_ended_change_is_shown_as_it_was(harness: Any, repository: Any) -> None:
    review = harness.merge(harness.opened(), "Ada")
    repository.commit({"index.mdx": "---\ntitle: New\n---\n"})
    repository.git("push", "-q", "origin", f":refs/heads/{BRANCH}")
    files = [each.path for each in harness.revisions(review).files()]
    assert files == sorted(CHANGE)


def test_the_branch_that_a_working_tree_shows(
    sqlite_backend: Any, clock: Any, tmp_path: Path, harness: Any
) -> None:
    local = ReviewRepository.made(tmp_path / "product", bare=False)
    shown = type(harness)(local, sqlite_backend.database, clock, tmp_path / "d", str(local.path))
    shown.merge(shown.opened(), "Ada")
    assert (local.path / "guides" / "rotate.mdx").read_text() == CHANGE["guides/rotate.mdx"]
    assert local.git("status", "--porcelain", at=local.path) == ""


def test_one_with_changes_of_its_own_is_left_unchanged(
    sqlite_backend: Any, clock: Any, tmp_path: Path, harness: Any
) -> None:
    local = ReviewRepository.made(tmp_path / "product", bare=False)
    (local.path / "guides" / "keys.mdx").write_text("half a sentence")
    shown = type(harness)(local, sqlite_backend.database, clock, tmp_path / "d", str(local.path))
    with pytest.raises(MergeRefused, match="unstaged changes"):
        shown.merge(shown.opened(), "Ada")
    assert (local.path / "guides" / "keys.mdx").read_text() == "half a sentence"
