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


def test_a_base_that_has_not_moved_moves_forward(house: Any, repository: Any) -> None:
    review, head = house.opened(), repository.tip(BRANCH)
    merged = house.merge(review, "Ada")
    assert (merged.state, merged.merge_commit, merged.ended_by) == (ChangeState.MERGED, head, "Ada")
    assert repository.tip() == head


def test_one_that_has_moved_gets_a_merge_commit(house: Any, repository: Any) -> None:
    review, head = house.opened(), repository.tip(BRANCH)
    moved = repository.commit({"guides/labels.mdx": "---\ntitle: Labels\n---\n\nPDF.\n"})
    merged = house.merge(review, "Ada")
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


def test_a_conflict_names_the_files_and_changes_nothing(house: Any, repository: Any) -> None:
    review = house.opened()
    moved = repository.commit({"guides/keys.mdx": "---\ntitle: Keys\n---\n\nQuite another.\n"})
    assert house.service.conflicts(house.revisions(review)) == ("guides/keys.mdx",)
    with pytest.raises(MergeConflict, match=r"both changed guides/keys\.mdx; nothing was merged"):
        house.merge(review, "Ada")
    assert repository.tip() == moved
    assert house.reviews.get(review.id).is_open


def test_merging_again_after_a_crash_changes_nothing(house: Any, repository: Any) -> None:
    review = house.opened()
    repository.git("push", "-q", "origin", f"{repository.tip(BRANCH)}:refs/heads/main")
    tip = repository.tip()
    assert house.merge(review, "Ada").state is ChangeState.MERGED
    assert repository.tip() == tip


def test_what_was_merged_by_hand_is_seen_to_be(house: Any, repository: Any) -> None:
    review = house.opened()
    assert house.service.with_current_state(review, house.revisions(review)).is_open
    repository.git("push", "-q", "origin", f"{repository.tip(BRANCH)}:refs/heads/main")
    merged = house.service.with_current_state(review, house.revisions(review))
    assert (merged.state, merged.ended_by) == (ChangeState.MERGED, None)


def test_a_protected_branch_says_no_in_its_own_words(house: Any, repository: Any) -> None:
    hook = repository.path / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'main takes reviewed work only' >&2\nexit 1\n")
    hook.chmod(hook.stat().st_mode | stat.S_IXUSR)
    review = house.opened()
    with pytest.raises(MergeRefused, match="refuses a push to 'main': main takes reviewed work"):
        house.merge(review, "Ada")
    assert house.reviews.get(review.id).is_open


def test_what_has_ended_is_not_merged_or_closed_again(house: Any) -> None:
    review = house.service.close(house.opened(), "Ada")
    for act in (house.merge, house.service.close):
        with pytest.raises(Conflict):
            act(house.reviews.get(review.id), "Ada")
    assert house.reviews.get(review.id).state is ChangeState.CLOSED


def test_a_branch_that_is_gone_is_named(house: Any, repository: Any) -> None:
    review = house.opened()
    repository.git("push", "-q", "origin", f":refs/heads/{BRANCH}")
    with pytest.raises(BranchGone, match=BRANCH):
        house.revisions(review)
    assert house.service.close(review, "Ada").state is ChangeState.CLOSED


def test_what_a_killed_git_left_behind_is_no_hindrance(house: Any, repository: Any) -> None:
    review = house.opened()
    house.revisions(review)
    (clone,) = (house.folder / "clones").glob("*.git")
    for name in ("shallow.lock", "packed-refs.lock", "refs/docstead/changes/base.lock"):
        (clone / name).touch()
    repository.commit({"index.mdx": "---\ntitle: New\n---\n"})
    repository.commit({"guides/rotate.mdx": "---\ntitle: Rotate\n---\n"}, branch=BRANCH)
    assert house.merge(review, "Ada").state is ChangeState.MERGED


def test_an_ended_change_is_shown_as_it_was(house: Any, repository: Any) -> None:
    review = house.merge(house.opened(), "Ada")
    repository.commit({"index.mdx": "---\ntitle: New\n---\n"})
    repository.git("push", "-q", "origin", f":refs/heads/{BRANCH}")
    files = [each.path for each in house.revisions(review).files()]
    assert files == sorted(CHANGE)


def test_the_branch_that_a_working_tree_shows(
    sqlite_backend: Any, clock: Any, tmp_path: Path, house: Any
) -> None:
    local = ReviewRepository.made(tmp_path / "product", bare=False)
    shown = type(house)(local, sqlite_backend.database, clock, tmp_path / "d", str(local.path))
    shown.merge(shown.opened(), "Ada")
    assert (local.path / "guides" / "rotate.mdx").read_text() == CHANGE["guides/rotate.mdx"]
    assert local.git("status", "--porcelain", at=local.path) == ""


def test_one_with_changes_of_its_own_is_left_alone(
    sqlite_backend: Any, clock: Any, tmp_path: Path, house: Any
) -> None:
    local = ReviewRepository.made(tmp_path / "product", bare=False)
    (local.path / "guides" / "keys.mdx").write_text("half a sentence")
    shown = type(house)(local, sqlite_backend.database, clock, tmp_path / "d", str(local.path))
    with pytest.raises(MergeRefused, match="unstaged changes"):
        shown.merge(shown.opened(), "Ada")
    assert (local.path / "guides" / "keys.mdx").read_text() == "half a sentence"
