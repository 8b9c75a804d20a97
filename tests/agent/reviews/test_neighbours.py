"""One change is read, described and ended; those of other projects stay as they are."""

from __future__ import annotations

from typing import Any

import pytest

from docstead.accounts.tenancy import Tenancy
from docstead.agent.forges.forge import ChangeState
from docstead.agent.reviews.records import ReviewRecords
from docstead.base.errors import Conflict, NotFound
from docstead.storage.database import Database
from docstead.storage.schema import (
    changes,
)
from neighbours import neighbours
from stored_jobs import new_project


@pytest.fixture
def database(sqlite_backend) -> Database:
    return sqlite_backend.database


@pytest.fixture
def project(database: Database, clock) -> Any:
    return new_project(database, clock)


def _opened(reviews: ReviewRecords, project: Any, branch: str = "docstead/x") -> Any:
    return reviews.open(project.id, branch, base="main", title="A change", body="", draft=False)


@pytest.fixture
def reviews(database: Database, clock) -> ReviewRecords:
    return ReviewRecords(database, clock)


def test_one_change_is_described_and_ends(reviews, project, database) -> None:
    change = _opened(reviews, project)
    with neighbours(database, [changes]):
        reviews.describe(change.id, title="Another", body="words", draft=True)
    with neighbours(database, [changes]):
        reviews.end(change.id, ChangeState.MERGED)
    with neighbours(database, [changes]), pytest.raises(Conflict):
        reviews.end(change.id, ChangeState.CLOSED)
    assert reviews.get(change.id).state is ChangeState.MERGED


def test_a_branch_whose_change_has_ended_gets_another(reviews, project, database) -> None:
    first = _opened(reviews, project)
    reviews.end(first.id, ChangeState.CLOSED)
    second = _opened(reviews, project)
    assert (first.number, second.number) == (1, 2)
    assert reviews.find(project.id, first.branch) == second


def test_each_change_is_itself(reviews, project, database) -> None:
    first, second = _opened(reviews, project), _opened(reviews, project, "docstead/y")
    with neighbours(database) as copies:
        for each in (second, first):
            assert reviews.get(each.id) == each
            assert reviews.get(each.id, organization_id=project.organization_id) == each
            assert reviews.numbered(project.id, each.number) == each
            assert reviews.find(project.id, each.branch) == each
            assert _opened(reviews, project, each.branch) == each
        assert [each.number for each in reviews.of_project(project.id)] == [2, 1]
        other = copies.foreign[first.id]
        assert reviews.numbered(copies.foreign[project.id], 1).id == other
        assert reviews.find(copies.foreign[project.id], first.branch).id == other
        with pytest.raises(NotFound):
            reviews.get(other, organization_id=project.organization_id)
        with pytest.raises(NotFound):
            reviews.numbered(project.id, 3)
        assert reviews.find(project.id, "docstead/z") is None


def test_changes_are_numbered_by_project(reviews, project, database) -> None:
    for branch in ("docstead/x", "docstead/y"):
        _opened(reviews, project, branch)
    other = Tenancy(database, reviews._clock).create_project(
        project.organization_id, "More", "/nowhere"
    )
    assert _opened(reviews, other).number == 1


def test_comments_are_of_one_change(reviews, project, database) -> None:
    change = _opened(reviews, project)
    said = reviews.comments.add(change.id, "Looks good")
    with neighbours(database, [changes]) as copies:
        assert reviews.comments.of(change.id) == [said]
        assert reviews.comments.of(copies.siblings[change.id]) == []
