"""Changes of plain git and local repositories: pages of Docstead's own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from docstead.accounts.tenancy import Tenancy
from docstead.agent.forges import ChangeState
from docstead.agent.forges.access import ForgeAccess
from docstead.agent.reviews.records import ReviewRecords
from docstead.base.errors import Conflict, NotFound

BRANCH = "docstead/webhooks-0f3c"
TEXT = {"base": "main", "title": "Describe webhooks", "body": "What changed, and why."}


@pytest.fixture
def forge(harness: Any) -> Any:
    return harness.forge("file:///srv/git/handbook.git", ForgeAccess("bot"))


def test_a_change_is_opened_once(forge: Any, harness: Any) -> None:
    opened = forge.open(BRANCH, **TEXT)
    review = harness.reviews.find(forge.project_id, BRANCH)
    assert opened.url == f"https://docs.example.com/changes/{review.id}"
    assert (opened.number, opened.state, opened.draft) == (1, ChangeState.OPEN, False)
    assert forge.open(BRANCH, **TEXT) == opened
    assert len(harness.reviews.of_project(forge.project_id)) == 1


def test_what_was_merged_or_closed_is_followed_by_a_new_one(forge: Any, harness: Any) -> None:
    first = forge.open(BRANCH, **TEXT)
    harness.reviews.end(harness.reviews.find(forge.project_id, BRANCH).id, ChangeState.CLOSED)
    assert forge.report(first.number).change.state is ChangeState.CLOSED
    second = forge.open(BRANCH, **TEXT)
    assert (second.number, second.follows) == (2, first.url)
    body = harness.reviews.find(forge.project_id, BRANCH).body
    assert body.startswith(f"Follows {first.url}, which was closed.")


def test_it_is_updated_and_commented(forge: Any, harness: Any) -> None:
    opened = forge.open(BRANCH, **TEXT, draft=True)
    ready = forge.update(opened, title="Better", body="More", draft=False)
    assert (ready.number, ready.draft) == (1, False)
    forge.comment(ready, "Pushed again.")
    review = harness.reviews.find(forge.project_id, BRANCH)
    assert (review.title, review.body) == ("Better", "More")
    (comment,) = harness.reviews.comments.of(review.id)
    assert (comment.author, comment.text) == (None, "Pushed again.")


def test_numbers_count_in_each_project(harness: Any) -> None:
    for _ in range(2):
        forge = harness.forge("file:///srv/git/handbook.git", ForgeAccess("bot"))
        assert [forge.open(name, **TEXT).number for name in ("a", "b")] == [1, 2]


def test_many_at_once_open_one(backend: Any, clock: Any) -> None:
    tenancy, reviews = Tenancy(backend.database, clock), ReviewRecords(backend.database, clock)
    organization = tenancy.create_organization("Acme")
    project = tenancy.create_project(organization.id, "Handbook", "/srv")

    def opened(number: int) -> str:
        branch = BRANCH if number % 2 else "another"
        return reviews.open(project.id, branch, **TEXT, draft=False).id

    with ThreadPoolExecutor(6) as threads:
        ids = list(threads.map(opened, range(12)))
    assert len(set(ids)) == 2
    assert {each.number for each in reviews.of_project(project.id)} == {1, 2}


def test_what_has_ended_stays_so(forge: Any, harness: Any) -> None:
    forge.open(BRANCH, **TEXT)
    review = harness.reviews.find(forge.project_id, BRANCH)
    ended = harness.reviews.end(review.id, ChangeState.MERGED, merge_commit="c0ffee")
    assert (ended.merge_commit, ended.ended_at) == ("c0ffee", harness.clock.now())
    for state in (ChangeState.CLOSED, ChangeState.MERGED):
        with pytest.raises(Conflict):
            harness.reviews.end(review.id, state)


def test_another_organizations_change_is_not_there(forge: Any, harness: Any) -> None:
    forge.open(BRANCH, **TEXT)
    review = harness.reviews.find(forge.project_id, BRANCH)
    owner = harness.tenancy.project(forge.project_id).organization_id
    assert harness.reviews.get(review.id, organization_id=owner) == review
    for unknown in ("org_other", ""):
        with pytest.raises(NotFound):
            harness.reviews.get(review.id, organization_id=unknown)
    with pytest.raises(NotFound):
        harness.reviews.get("chg_unknown")
