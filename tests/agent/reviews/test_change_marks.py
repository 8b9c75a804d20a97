"""Approvals and marks of viewed files are those of one change and one person."""

from __future__ import annotations

import pytest

from docstead.accounts.tenancy import Tenancy
from docstead.agent.reviews.approvals import ChangeApprovals
from docstead.agent.reviews.records import ReviewRecords
from docstead.agent.reviews.viewed_files import ViewedFiles
from docstead.storage.database import Database

PEOPLE = ("ada", "bob")


@pytest.fixture
def database(sqlite_backend) -> Database:
    return sqlite_backend.database


@pytest.fixture
def opened(database: Database, clock) -> list[tuple[str, str]]:
    """Changes with their projects: two of one project, and one of another organization."""
    tenancy, reviews = Tenancy(database, clock), ReviewRecords(database, clock)
    found = []
    for name, count in (("acme", 2), ("other", 1)):
        organization = tenancy.create_organization(name)
        project = tenancy.create_project(organization.id, name, "/nowhere")
        for number in range(count):
            change = reviews.open(
                project.id, f"docstead/{number}", base="main", title="", body="", draft=False
            )
            found.append((change.id, project.id))
    return found


def test_each_approval_is_of_one_change_and_person(
    database: Database, clock, opened: list[tuple[str, str]]
) -> None:
    approvals = ChangeApprovals(database, clock)
    (own, project_id), (beside, _), (foreign, _) = opened
    for change in (own, beside, foreign):
        for person in PEOPLE:
            approvals.add(change, person, person, "c1")
    approvals.add(own, "ada", "ada", "c2")

    def heads(change: str) -> list[tuple[str, str]]:
        return sorted((each.name, each.head_commit) for each in approvals.of(change))

    assert heads(own) == [("ada", "c2"), ("bob", "c1")]
    approvals.withdraw(own, "ada")
    assert heads(own) == [("bob", "c1")]
    assert heads(beside) == heads(foreign) == [("ada", "c1"), ("bob", "c1")]
    named = {change: sorted(names) for change, names in approvals.names(project_id).items()}
    assert named == {own: ["bob"], beside: [*PEOPLE]}


def test_each_mark_is_of_one_file_change_and_person(
    database: Database, opened: list[tuple[str, str]]
) -> None:
    viewed = ViewedFiles(database)
    own, beside = (change for change, _ in opened[:2])
    for change in (own, beside):
        for person in PEOPLE:
            for path in ("a.mdx", "b.mdx"):
                viewed.set(change, person, path, f"{change} {person} {path}")
    viewed.set(own, "ada", "a.mdx", "")
    assert viewed.of(own, "ada") == {"b.mdx": f"{own} ada b.mdx"}
    for change, person in ((own, "bob"), (beside, "ada"), (beside, "bob")):
        marks = {path: f"{change} {person} {path}" for path in ("a.mdx", "b.mdx")}
        assert viewed.of(change, person) == marks
