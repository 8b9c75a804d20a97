"""A documentation repository, a branch of it with a change, and the service that reviews it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from builds import builders_in
from docstead.accounts.tenancy import Project, Tenancy
from docstead.agent.forges.access import ForgeAccess
from docstead.agent.forges.factory import ForgeFactory
from docstead.agent.forges.project_settings import ProjectSettingsStore
from docstead.agent.reviews.previews import ChangePreviews
from docstead.agent.reviews.records import Review, ReviewRecords
from docstead.agent.reviews.revisions import ReviewClones
from docstead.agent.reviews.service import ReviewService
from docstead.storage.database import Database
from manual_clock import ManualClock
from review_repository import BRANCH, ReviewRepository


@dataclass
class ReviewHarness:
    """Changes of one project, and what was passed on to its job."""

    repository: ReviewRepository
    database: Database
    clock: ManualClock
    folder: Path
    source: str
    root: str = ""
    followed_up: list[tuple[str, str]] = field(default_factory=list)
    credentials: dict[str, ForgeAccess] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tenancy = Tenancy(self.database, self.clock)
        self.reviews = ReviewRecords(self.database, self.clock)
        self.organization = self.tenancy.create_organization("Acme")
        self.project: Project = self.tenancy.create_project(
            self.organization.id, "Handbook", self.source, None, self.root
        )
        settings = ProjectSettingsStore(self.database)
        self.forges = ForgeFactory(self.credentials, settings, self.reviews, "https://d.test")
        self.service = ReviewService(
            reviews=self.reviews,
            tenancy=self.tenancy,
            forges=self.forges,
            clones=ReviewClones(self.folder / "clones"),
            previews=ChangePreviews(builders_in(self.folder), self.folder / "previews"),
            follow_up=lambda review, text: self.followed_up.append((review.branch, text)),
            clock=self.clock,
        )

    def opened(self, branch: str = BRANCH, base: str = "main") -> Review:
        return self.reviews.open(
            self.project.id, branch, base=base, title="Describe keys", body="Why.", draft=False
        )

    def merge(self, review: Review, by: str, **options: Any) -> Review:
        """Merge the branch as it is on the remote."""
        return self.service.merge(review, by, self.repository.tip(BRANCH), **options)

    def revisions(self, review: Review) -> Any:
        return self.service.revisions(review)


@pytest.fixture(scope="session")
def made_repository(tmp_path_factory: pytest.TempPathFactory) -> ReviewRepository:
    return ReviewRepository.made(tmp_path_factory.mktemp("made") / "handbook.git")


@pytest.fixture
def repository(made_repository: ReviewRepository, tmp_path: Path) -> ReviewRepository:
    """A bare repository with a branch `main` and a change on another branch."""
    return made_repository.copied(tmp_path / "handbook.git")


@pytest.fixture
def harness(
    repository: ReviewRepository, sqlite_backend: Any, clock: ManualClock, tmp_path: Path
) -> ReviewHarness:
    folder = tmp_path / "data"
    return ReviewHarness(repository, sqlite_backend.database, clock, folder, repository.url)


@pytest.fixture(scope="module")
def shown(
    made_repository: ReviewRepository,
    sqlite_template: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[ReviewHarness]:
    """A harness whose tests only look, so that its pages are rendered once for all of them."""
    folder = tmp_path_factory.mktemp("shown")
    shutil.copy(sqlite_template, folder / "docstead.db")
    database = Database(f"sqlite:///{folder / 'docstead.db'}")
    clock = ManualClock(datetime(2026, 11, 21, 12, 0, tzinfo=UTC))
    yield ReviewHarness(made_repository, database, clock, folder, made_repository.url)
    database.close()
