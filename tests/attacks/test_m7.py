"""Sources that unpack to far more than they are, and chains of redirects."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from docstead.base.errors import SourceUnreadable
from docstead.base.units import KIB, MIB
from docstead.content.config import Redirect, SiteConfig
from docstead.content.links import Destinations
from docstead.content.navigation import Navigation
from docstead.content.pages import Repository, Site
from docstead.publishing.source_limits import SourceLimits
from docstead.publishing.sources import Source, checkout


def git(folder: Path, *arguments: str, sent: bytes = b"") -> str:
    options = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    command = ["git", *options, *arguments]
    made = subprocess.run(command, cwd=folder, input=sent, capture_output=True, check=True)
    return made.stdout.decode().strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    return folder


def commit_tree(folder: Path, tree: str) -> None:
    git(folder, "update-ref", "refs/heads/main", git(folder, "commit-tree", "-m", "all", tree))


def tree_of(folder: Path, *rows: str) -> str:
    return git(folder, "mktree", sent="".join(f"{row}\n" for row in rows).encode())


def refused(folder: Path, tmp_path: Path, limits: SourceLimits | None = None) -> str:
    workspace = tmp_path / "workspace"
    with pytest.raises(SourceUnreadable) as error:
        checkout(Source(folder.as_uri()), workspace, limits=limits)
    assert not list((workspace / "trees").iterdir())
    kept = sum(each.stat().st_size for each in workspace.rglob("*") if each.is_file())
    assert kept < 8 * MIB
    return error.value.message


def test_zeros_are_refused_before_they_are_written(repository: Path, tmp_path: Path) -> None:
    blob = git(repository, "hash-object", "-w", "--stdin", sent=bytes(64 * MIB))
    rows = [f"100644 blob {blob}\t{number}.bin" for number in range(24)]
    commit_tree(repository, tree_of(repository, *rows))
    message = refused(repository, tmp_path)
    assert "unpacks to 1,536 MB, over 1,024 MB" in message
    assert "source_bytes" in message


def test_a_tree_that_contains_itself_many_times_is_refused(
    repository: Path, tmp_path: Path
) -> None:
    blob = git(repository, "hash-object", "-w", "--stdin", sent=b"x")
    tree = tree_of(repository, *(f"100644 blob {blob}\t{name}" for name in "abcdefghij"))
    for _ in range(9):  # ten thousand million files
        tree = tree_of(repository, *(f"040000 tree {tree}\t{name}" for name in "abcdefghij"))
    commit_tree(repository, tree)
    limits = SourceLimits(files=1_000)
    assert "has over 1,000 files" in refused(repository, tmp_path, limits)


def test_folders_within_each_other_are_refused(repository: Path, tmp_path: Path) -> None:
    blob = git(repository, "hash-object", "-w", "--stdin", sent=b"x")
    tree = tree_of(repository, f"100644 blob {blob}\tfile")
    for _ in range(70):
        tree = tree_of(repository, f"040000 tree {tree}\ta")
    commit_tree(repository, tree)
    assert "over 64 folders within each other" in refused(repository, tmp_path)


def test_only_the_published_folder_counts(repository: Path, tmp_path: Path) -> None:
    blob = git(repository, "hash-object", "-w", "--stdin", sent=bytes(2 * MIB))
    small = git(repository, "hash-object", "-w", "--stdin", sent=b"{}")
    docs = tree_of(repository, f"100644 blob {small}\tdocs.json")
    rows = (f"100644 blob {blob}\tlarge.bin", f"040000 tree {docs}\tdocs")
    commit_tree(repository, tree_of(repository, *rows))
    limits = SourceLimits(total_bytes=64 * KIB)
    found = checkout(Source(repository.as_uri(), root="docs"), tmp_path / "ok", limits=limits)
    assert [path.name for path in found.path.iterdir()] == ["docs.json"]
    assert "2 MB" in refused(repository, tmp_path, limits)


def loops_seconds(count: int, *, closed: bool) -> float:
    """Processor time to find which of a chain of redirects lead on without end."""
    rows = [Redirect(f"/r{number}", f"/r{number + 1}") for number in range(count)]
    if closed:
        rows.append(Redirect(f"/r{count}", "/r0"))
    config = SiteConfig("Test", redirects=tuple(rows))
    site = Site(config, Navigation(), {})
    destinations = Destinations(Repository(Path("/nowhere"), site, {}, {}, (), ()))
    before = time.process_time()
    assert all(destinations.loops(row.source) is closed for row in rows)
    return time.process_time() - before


@pytest.mark.parametrize("closed", [False, True], ids=["chain", "cycle"])
def test_a_chain_of_redirects_is_followed_once(closed: bool) -> None:
    loops_seconds(1_000, closed=closed)
    assert loops_seconds(8_000, closed=closed) < 24 * max(loops_seconds(1_000, closed=closed), 0.01)
