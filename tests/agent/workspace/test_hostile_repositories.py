"""A repository as attacker: nothing is run, and nothing outside is read or written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from docstead.agent.workspace import Workspace, WorkspaceManager, push
from docstead.base.errors import InvalidRequest, SourceUnreadable
from docstead.loading.loader import load_repository
from docstead.publishing.sources import DocumentationSource
from git_repositories import GitRepository, Symlink, git
from hostile_repositories import CONFIG, HOSTILE, SECRET, Hostile, Trap
from sampled_cases import one_in

BRANCH = "docstead/a-page-1"


@pytest.fixture
def trap(tmp_path: Path) -> Iterator[Trap]:
    with Trap.below(tmp_path) as trap:
        yield trap


@pytest.mark.parametrize("hostile", one_in(2, HOSTILE), ids=[each.name for each in HOSTILE])
def test_nothing_is_run_and_nothing_leaves_the_clone(
    hostile: Hostile, trap: Trap, remote: GitRepository, open_workspace, commit_all
) -> None:
    hostile.plant(remote, trap)
    if hostile.refused:
        with pytest.raises(SourceUnreadable):
            open_workspace()
        return
    workspace = open_workspace()
    before = _read_all(workspace)
    base = workspace.snapshot()
    assert base == workspace.base_tree
    load_repository(workspace.root)
    workspace.files.write("index.mdx", "---\ntitle: Home\n---\nChanged\n")
    workspace.files.write("new/page.mdx", "new\n")
    changed = workspace.snapshot()
    workspace.restore(base)
    assert _read_all(workspace) == before
    workspace.restore(changed)
    assert commit_all(workspace) is not None
    remote.commit({"more.mdx": "meanwhile\n", "index.mdx": "---\ntitle: Home\n---\nHello\n\nx\n"})
    push(workspace)
    assert {change.path for change in workspace.changed_files()} == {"index.mdx", "new/page.mdx"}
    assert not any(SECRET in diff.text for diff in workspace.diff())
    assert remote.read("new/page.mdx", BRANCH) == "new\n"
    _check_shape(workspace)


def _read_all(workspace: Workspace) -> dict[str, bytes]:
    found = {}
    for path in workspace.files.walk():
        try:
            found[path] = workspace.files.read(path)
        except InvalidRequest:
            found[path] = b""
    assert not any(SECRET.encode() in data for data in found.values())
    return found


def _check_shape(workspace: Workspace) -> None:
    """Links that were made stay inside; git's folder has neither hooks nor borrowed objects."""
    root = workspace.root.resolve()
    for folder, names, files in os.walk(root):
        for name in (*names, *files):
            path = Path(folder) / name
            if path.is_symlink():
                assert Path(os.path.realpath(path)).is_relative_to(root)
    own = workspace.directory / "git"
    assert not list((own / "hooks").glob("*")) if (own / "hooks").exists() else True
    assert not (own / "objects" / "info" / "alternates").exists()
    assert not (own / "info" / "grafts").exists()


def test_links_that_stay_inside_are_made_and_kept(
    remote: GitRepository, open_workspace, commit_all
) -> None:
    remote.commit({"copy.mdx": Symlink("guides/start.mdx"), "folder": Symlink("guides")})
    workspace = open_workspace()
    assert (workspace.root / "copy.mdx").read_text().startswith("one\n")
    workspace.files.write("new.mdx", "new\n")
    commit_all(workspace)
    push(workspace)
    assert "120000" in git(remote.path, "ls-tree", BRANCH, "copy.mdx")
    with pytest.raises(InvalidRequest, match=r"'copy\.mdx' is a symbolic link"):
        workspace.files.text("copy.mdx")
    with pytest.raises(InvalidRequest, match="'folder' is a symbolic link"):
        workspace.files.write("folder/new.mdx", "x")


def test_a_folder_with_settings_of_its_own_runs_nothing(
    trap: Trap, workspaces: WorkspaceManager, remote: GitRepository, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    git(tmp_path, "clone", "--quiet", str(remote.path), str(folder))
    config = folder / ".git" / "config"
    settings = CONFIG
    for name, value in trap.names.items():
        settings = settings.replace(f"{{{name}}}", value)
    config.write_text(config.read_text() + settings.replace(trap.names["secret"], "nothing"))
    (folder / ".git" / "info" / "attributes").write_text("* filter=x diff=x\n")
    workspace = workspaces.open("aj_1", DocumentationSource(str(folder)), BRANCH, project="p1")
    assert workspace.files.kind("index.mdx") == "file"


def test_a_bundle_is_no_way_around(
    trap: Trap, workspaces: WorkspaceManager, remote: GitRepository, tmp_path: Path
) -> None:
    git(remote.path, "bundle", "create", "--quiet", str(tmp_path / "x.bundle"), "main", "HEAD")
    source = DocumentationSource((tmp_path / "x.bundle").as_uri(), "main")
    with pytest.raises(SourceUnreadable):
        workspaces.open("aj_1", source, BRANCH, project="p1")


@pytest.mark.parametrize(
    ("location", "ref"),
    [
        ("ext::sh -c {run}", None),
        ("ext://sh -c {run}", None),
        ("file::{outside}", None),
        ("fd::0", None),
        ("git://localhost/x.git", None),
        ("http://localhost/x.git", None),
        ("ftp://localhost/x.git", None),
        ("ssh://-oProxyCommand={run}/x", None),
        ("ssh://user@-oProxyCommand={run}/x", None),
        ("--upload-pack={run}", None),
        ("-u{run}", None),
        ("https://--upload-pack={run}/x.git", None),
        ("https://localhost/x.git\nhttps://evil/x.git", None),
        ("file://{remote}", "--upload-pack={run}"),
        ("file://{remote}", "-x"),
        ("file://{remote}", "main:docs.json"),
        ("file://{remote}", "main^{}"),
        ("file://{remote}", "+main"),
        ("file://{remote}", "main\nx"),
        ("transport-helper::x", None),
        ("remote-ext::x", None),
    ],
)
def test_urls_and_refs_are_never_options_or_programs(
    location: str, ref: str | None, trap: Trap, workspaces: WorkspaceManager, remote: GitRepository
) -> None:
    for name, value in {**trap.names, "remote": str(remote.path)}.items():
        location = location.replace(f"{{{name}}}", value)
        ref = ref.replace(f"{{{name}}}", value) if ref else ref
    with pytest.raises(SourceUnreadable):
        workspaces.open("aj_1", DocumentationSource(location, ref), BRANCH, project="p1")
