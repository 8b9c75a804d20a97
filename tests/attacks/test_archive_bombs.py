"""Sources that unpack to far more than they are, and chains of redirects."""

from __future__ import annotations

import json
import os
import subprocess
import tarfile
from pathlib import Path

import pytest

from builds import builders_in
from bundle_archives import header, packed, pax, tar
from docstead.base.archive_names import MemberNames
from docstead.base.archives import ArchiveLimits, unpack
from docstead.base.errors import InvalidRequest, SourceUnreadable
from docstead.base.units import KIB, MIB
from docstead.content.config import Redirect, SiteConfig
from docstead.content.navigation import Navigation
from docstead.content.pages import Repository, Site
from docstead.loading.loader import load_repository
from docstead.publishing.edition_builds import EditionBuilds
from docstead.publishing.remote_files import RemoteReaders
from docstead.publishing.source_limits import SourceLimits
from docstead.publishing.sources import DocumentationSource, checkout
from docstead.repository.links import LinkDestinations
from docstead.repository.redirects import RedirectTable
from docstead.repository.tree_limits import SourceTooLarge, TreeLimits
from growth import assert_linear
from ready_processes import ReadyProcesses
from sampled_cases import one_in


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
        checkout(DocumentationSource(folder.as_uri()), workspace, limits=limits)
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
    limits = SourceLimits(tree=TreeLimits(files=1_000))
    assert "has over 1,000 files" in refused(repository, tmp_path, limits)


def test_folders_within_each_other_are_refused(repository: Path, tmp_path: Path) -> None:
    blob = git(repository, "hash-object", "-w", "--stdin", sent=b"x")
    tree = tree_of(repository, f"100644 blob {blob}\tfile")
    for _ in range(70):
        tree = tree_of(repository, f"040000 tree {tree}\ta")
    commit_tree(repository, tree)
    assert "over 64 folders within each other" in refused(repository, tmp_path)


def test_folders_of_few_files_are_refused(repository: Path, tmp_path: Path) -> None:
    blob = git(repository, "hash-object", "-w", "--stdin", sent=b"x")
    rows = []
    for branch in range(30):
        tree = tree_of(repository, f"100644 blob {blob}\tfile")
        for number in range(50):
            tree = tree_of(repository, f"040000 tree {tree}\t{branch}-{number}")
        rows.append(f"040000 tree {tree}\t{branch}")
    commit_tree(repository, tree_of(repository, *rows))
    limits = SourceLimits(tree=TreeLimits(files=1_000))
    assert "has over 1,000 folders" in refused(repository, tmp_path, limits)


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.DIRTYPE])
def test_folders_of_few_members_are_refused(tmp_path: Path, kind: bytes) -> None:
    """An archive of 0.3 MB with 20,000 long names of folders took 727 MB."""
    paths = ("/".join(f"{member}-{depth}" for depth in range(60)) for member in range(30))
    members = (pax(b"path=" + path.encode()) + header("x", type=kind) for path in paths)
    (tmp_path / "a.tar.gz").write_bytes(packed(tar(*members)))
    names = MemberNames(portable=False)
    with pytest.raises(InvalidRequest, match="more than 1000 folders"):
        unpack(tmp_path / "a.tar.gz", tmp_path / "out", ArchiveLimits(files=1_000), names)


def test_only_the_published_folder_counts(repository: Path, tmp_path: Path) -> None:
    blob = git(repository, "hash-object", "-w", "--stdin", sent=bytes(2 * MIB))
    small = git(repository, "hash-object", "-w", "--stdin", sent=b"{}")
    docs = tree_of(repository, f"100644 blob {small}\tdocs.json")
    rows = (f"100644 blob {blob}\tlarge.bin", f"040000 tree {docs}\tdocs")
    commit_tree(repository, tree_of(repository, *rows))
    limits = SourceLimits(total_bytes=64 * KIB)
    found = checkout(
        DocumentationSource(repository.as_uri(), root="docs"), tmp_path / "ok", limits=limits
    )
    assert [path.name for path in found.path.iterdir()] == ["docs.json"]
    assert "2 MB" in refused(repository, tmp_path, limits)


def find_loops(count: int, *, closed: bool) -> None:
    """Find the redirects of a chain that never end."""
    rows = [Redirect(f"/r{number}", f"/r{number + 1}") for number in range(count)]
    if closed:
        rows.append(Redirect(f"/r{count}", "/r0"))
    config = SiteConfig("Test", redirects=tuple(rows))
    site = Site(config, Navigation(), {})
    destinations = LinkDestinations(Repository(Path("/nowhere"), site, {}, {}, (), ()))
    assert all(destinations.loops(row.source) is closed for row in rows)


@pytest.mark.parametrize("closed", [False, True], ids=["chain", "cycle"])
def test_a_chain_of_redirects_is_followed_once(closed: bool) -> None:
    assert_linear(lambda count: find_loops(count, closed=closed), 2_000)


def test_a_pack_over_its_limit_is_refused_and_leaves_nothing(
    repository: Path, tmp_path: Path
) -> None:
    blob = git(repository, "hash-object", "-w", "--stdin", sent=os.urandom(6 * MIB))
    commit_tree(repository, tree_of(repository, f"100644 blob {blob}\tlarge.bin"))
    workspace = tmp_path / "workspace"
    limits = SourceLimits(pack_bytes=2 * MIB)
    with pytest.raises(SourceTooLarge, match=r"over 2 MB as sent by git.*`source_pack_bytes`"):
        checkout(DocumentationSource(repository.as_uri()), workspace, limits=limits)
    kept = sum(each.stat().st_size for each in workspace.rglob("*") if each.is_file())
    assert kept < MIB
    allowed = SourceLimits(pack_bytes=16 * MIB)
    found = checkout(DocumentationSource(repository.as_uri()), workspace, limits=allowed)
    assert (found.path / "large.bin").stat().st_size == 6 * MIB


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A source in a folder: five files of its own, and more that are ignored."""
    root = tmp_path / "docs"
    (root / "node_modules").mkdir(parents=True)
    (root / "docs.json").write_text('{"name": "Site", "navigation": {"pages": ["p0"]}}')
    for number in range(4):
        (root / f"p{number}.mdx").write_text("# Page\n")
    for number in range(20):
        (root / "node_modules" / f"{number}.md").write_text("x")
    return root


def built_by_command(
    ready: ReadyProcesses, folder: Path, command: str, tmp_path: Path, **settings: str
) -> str:
    """Return the output of a command; empty if it succeeds."""
    options = ("--output", str(tmp_path / "out")) if command == "export" else ()
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("DOCSTEAD_")}
    made = ready.run(
        ["docstead.cli", command, str(folder), *options],
        {**inherited, "DOCSTEAD_DATA": str(tmp_path / "data"), **settings},
        folder=tmp_path,
        timeout=300,
    )
    return made.stderr if made.returncode else ""


@pytest.mark.parametrize("command", one_in(2, ["export", "check"]))
def test_folders_have_the_limits_of_other_sources(
    ready: ReadyProcesses, folder: Path, tmp_path: Path, command: str
) -> None:
    assert built_by_command(ready, folder, command, tmp_path, DOCSTEAD_SOURCE_FILES="5") == ""
    said = built_by_command(ready, folder, command, tmp_path, DOCSTEAD_SOURCE_FILES="4")
    assert "it has over 4 files" in said
    assert "`source_files`" in said
    (folder / "a" / "b" / "c").mkdir(parents=True)
    (folder / "a" / "b" / "c" / "page.mdx").write_text("# Page\n")
    assert built_by_command(ready, folder, command, tmp_path, DOCSTEAD_SOURCE_DEPTH="3") == ""
    said = built_by_command(ready, folder, command, tmp_path, DOCSTEAD_SOURCE_DEPTH="2")
    assert "over 2 folders within each other" in said


def test_published_folders_have_these_limits(folder: Path, tmp_path: Path) -> None:
    builds = EditionBuilds(
        builders_in(tmp_path), tmp_path / "builds", RemoteReaders(), TreeLimits(files=4)
    )
    with (
        pytest.raises(SourceTooLarge, match="over 4 files"),
        builds.open("prj", folder, lasting=False) as build,
    ):
        build.survey()


def test_redirects_beyond_the_limit_are_reported(tmp_path: Path) -> None:
    rows = [{"source": f"/{n}/*", "destination": f"/to/{n}"} for n in range(1_003)]
    more = [{"source": f"/plain/{n}", "destination": "/p"} for n in range(2_000)]
    settings = {"name": "x", "navigation": {"pages": ["p"]}, "redirects": [*more, *rows]}
    (tmp_path / "docs.json").write_text(json.dumps(settings, indent=1))
    (tmp_path / "p.mdx").write_text("# Page\n")
    found = load_repository(tmp_path)
    (report,) = [each for each in found.diagnostics if each.code == "too-many-redirects"]
    assert "only 1,000 redirects may have wildcards; 3 were left out" in report.message
    text = (tmp_path / "docs.json").read_text().splitlines()
    assert '"/1000/*"' in text[report.line]  # the entry begins on the line before
    known = RedirectTable(found.site.config.redirects)
    assert known.match("/999/x") is not None
    assert known.match("/1000/x") is None
