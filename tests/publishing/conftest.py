from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from builds import fork_server, publisher_in
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.jobs import Jobs
from docstead.publishing.assets import FolderContents
from docstead.publishing.build import BuildReport, build_edition
from docstead.publishing.edition import Edition
from docstead.publishing.editions import EditionStore
from docstead.publishing.update_records import UpdateRecords
from docstead.publishing.updates import UpdateService
from docstead.publishing.values import GitCheckout, Revision
from docstead.rendering import EngineLimits, RenderingEngine
from updates_world import FILES, UpdatesWorld


class LocalGitRepository:
    """A repository in a folder, made with the git of this machine."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main")

    @property
    def url(self) -> str:
        return self.path.as_uri()

    def git(self, *arguments: str) -> str:
        identity = ("-c", "user.name=Ada Writer", "-c", "user.email=ada@example.com")
        command = ["git", *identity, *arguments]
        done = subprocess.run(command, cwd=self.path, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            path = self.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def commit(self, files: dict[str, str], message: str = "Change") -> str:
        self.write(files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> LocalGitRepository:
    return LocalGitRepository(tmp_path / "repository")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


Tree = Callable[..., GitCheckout]
Build = Callable[..., tuple[Edition, BuildReport]]


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return _tree_below(tmp_path)


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return _build_below(tmp_path)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tree, Build]:
    """A source and its editions for all tests of a module, which change neither."""
    folder = tmp_path_factory.mktemp("shared")
    return _tree_below(folder), _build_below(folder)


def _tree_below(folder: Path) -> Tree:
    """Writes files to the folder of a source, removing those that are None."""
    root = folder / "source"

    def write(files: dict[str, str | bytes | None], commit: str = "c0ffee") -> GitCheckout:
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if content is None:
                path.unlink()
            else:
                path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return GitCheckout(root, lambda: Revision(commit))

    return write


def _build_below(folder: Path) -> Build:
    """Builds an edition with the real engine."""
    count = iter(range(100))

    def run(
        checkout: GitCheckout,
        previous: Edition | None = None,
        limits: EngineLimits | None = None,
        **options: Any,
    ) -> tuple[Edition, BuildReport]:
        name = f"ed_{next(count)}"
        with RenderingEngine(1, limits, start=fork_server().start_worker) as engine:
            report = build_edition(checkout, engine, previous, folder / name, **options)
        contents = FolderContents(checkout.path)
        return Edition(name, folder / name, contents, folder / "scratch"), report

    return run


@pytest.fixture
def world(backend, clock, tmp_path) -> UpdatesWorld:
    tenancy = Tenancy(backend.database, clock)
    editions = EditionStore(backend.database, backend.objects, tmp_path / "cache", fresh_seconds=0)
    publisher = publisher_in(tmp_path, backend.database, backend.objects, clock, editions)
    records = UpdateRecords(backend.database, clock)
    updates = UpdateService(records, publisher, tenancy, clock)
    return UpdatesWorld(backend, clock, tenancy, editions, records, updates)


@pytest.fixture
def acme(world, repository) -> Deployment:
    repository.commit(FILES, "First words")
    return world.deployment(repository.url)


@pytest.fixture
def jobs(backend) -> Iterator[Jobs]:
    jobs = Jobs(backend.database_url, node_id="node-1", polling_seconds=0.25)
    yield jobs
    jobs.close()
