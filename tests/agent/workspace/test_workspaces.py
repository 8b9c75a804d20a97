"""Opening, continuing and cleaning up the clones of jobs."""

from __future__ import annotations

import os
import shutil
import time
from functools import partial
from pathlib import Path

import pytest

from docstead.agent.workspace import WorkspaceLimits, WorkspaceManager, branch_name, push
from docstead.agent.workspace.remote import GitRemote
from docstead.agent.workspace.workspace import BASE
from docstead.base.errors import InvalidRequest, SourceUnreadable
from docstead.publishing.git import Git
from docstead.publishing.git_network import NAMED_BY_OPERATOR
from docstead.publishing.sources import DocumentationSource
from git_repositories import GitRepository, git

BRANCH = "docstead/a-page-1"


def test_a_clone_shows_the_files_of_the_base(open_workspace, remote: GitRepository) -> None:
    workspace = open_workspace()
    shown = {path: workspace.files.text(path) for path in workspace.files.walk()}
    assert shown == remote.files()
    assert (workspace.branch, workspace.base_branch) == (BRANCH, "main")
    assert workspace.base_commit == workspace.head == remote.tip()
    assert workspace.changed_files() == ()


def test_gits_own_files_lie_outside_the_documentation(open_workspace) -> None:
    workspace = open_workspace()
    assert not (workspace.root / ".git").exists()
    assert sorted(p.name for p in workspace.root.iterdir()) == ["docs.json", "guides", "index.mdx"]


def test_what_has_changed_is_listed_file_by_file(open_workspace) -> None:
    workspace = open_workspace()
    workspace.files.write("new.mdx", "new\n")
    workspace.files.write("index.mdx", "---\ntitle: Home\n---\nHello you\n")
    workspace.files.move("guides/start.mdx", "guides/begin.mdx")
    found = {(c.path, c.status, c.old_path) for c in workspace.changed_files()}
    assert found == {
        ("new.mdx", "added", None),
        ("index.mdx", "modified", None),
        ("guides/begin.mdx", "renamed", "guides/start.mdx"),
    }
    diffs = {diff.path: diff for diff in workspace.diff()}
    assert diffs["index.mdx"].text.endswith("-Hello\n+Hello you\n")
    assert (diffs["index.mdx"].additions, diffs["index.mdx"].deletions) == (1, 1)
    assert diffs["guides/begin.mdx"].text == ""


def test_a_job_goes_on_where_it_was_left(open_workspace) -> None:
    open_workspace().files.write("new.mdx", "half done\n")
    assert open_workspace().files.text("new.mdx") == "half done\n"


def test_a_lost_clone_goes_on_from_the_remote_branch(
    open_workspace, commit_all, workspaces: WorkspaceManager, remote: GitRepository
) -> None:
    workspace = open_workspace()
    workspace.files.write("new.mdx", "new\n")
    commit_all(workspace)
    push(workspace)
    base = remote.tip()
    remote.commit({"other.mdx": "meanwhile\n"})
    workspaces.remove("aj_1")
    again = open_workspace()
    assert again.files.text("new.mdx") == "new\n"
    assert again.head == again.published == remote.tip(BRANCH)
    assert again.base_commit == base
    assert [change.path for change in again.changed_files()] == ["new.mdx"]


def test_snapshots_bring_any_state_back(open_workspace) -> None:
    workspace = open_workspace()
    first = workspace.snapshot()
    workspace.files.write("guides/new.mdx", "new\n")
    workspace.files.delete("index.mdx")
    workspace.files.write("guides/start.mdx", "changed\n")
    second = workspace.snapshot()
    shown = {path: workspace.files.text(path) for path in workspace.files.walk()}
    workspace.restore(first)
    assert first == workspace.base_tree == workspace.snapshot()
    assert sorted(workspace.files.walk()) == ["docs.json", "guides/start.mdx", "index.mdx"]
    workspace.files.write("more.mdx", "of an interrupted step\n")
    workspace.restore(second)
    assert {path: workspace.files.text(path) for path in workspace.files.walk()} == shown


def test_a_killed_git_leaves_locks_that_stop_nobody(open_workspace) -> None:
    workspace = open_workspace()
    tree = workspace.snapshot()
    workspace.files.write("new.mdx", "new\n")
    (workspace.directory / "git" / "docs.index.lock").touch()
    (workspace.directory / "git" / "refs" / "docstead" / "head.lock").touch()
    again = open_workspace()
    again.restore(tree)
    assert again.snapshot() == tree


def test_a_clone_that_was_not_completed_is_made_anew(open_workspace) -> None:
    workspace = open_workspace()
    (workspace.directory / "workspace.json").unlink()
    shutil.rmtree(workspace.directory / "git" / "objects")
    assert open_workspace().files.kind("index.mdx") == "file"


def test_a_move_that_was_interrupted_is_brought_to_its_end(
    open_workspace, remote: GitRepository
) -> None:
    workspace = open_workspace()
    moved = remote.commit({"index.mdx": "moved\n"})
    workspace.tips()
    workspace.store.point("refs/docstead/next-base", moved)
    workspace.store.point("refs/docstead/next", moved)
    again = open_workspace()
    assert again.head == again.base_commit == moved
    assert again.files.text("index.mdx") == "moved\n"


@pytest.mark.parametrize("is_packed", [False, True], ids=["loose", "packed"])
def test_references_are_found_where_git_keeps_them(open_workspace, is_packed: bool) -> None:
    workspace = open_workspace()
    if is_packed:
        git(workspace.directory / "git", "pack-refs", "--all")
        assert not (workspace.directory / "git" / BASE).exists()
    assert workspace.base_commit == workspace.store.commit_of(BASE)
    assert workspace.store.ref("refs/docstead/none") is None


@pytest.mark.parametrize("content", [None, "", "not a commit\n"])
def test_a_damaged_reference_is_named(open_workspace, content: str | None) -> None:
    workspace = open_workspace()
    file = workspace.directory / "git" / BASE
    file.unlink()
    if content is not None:
        file.write_text(content)
    with pytest.raises(SourceUnreadable, match="clone is damaged: refs/docstead/base is missing"):
        _ = workspace.base_commit


def test_two_jobs_do_not_disturb_one_another(
    open_workspace, workspaces: WorkspaceManager, tmp_path: Path
) -> None:
    one, two = open_workspace("aj_1"), open_workspace("aj_2", "docstead/other-2")
    one.files.write("index.mdx", "one\n")
    assert two.files.text("index.mdx") != "one\n"
    assert two.changed_files() == ()
    workspaces.remove("aj_2")
    shutil.rmtree(tmp_path / "cache" / "mirrors")
    assert one.snapshot() != one.base_tree
    assert one.files.text("index.mdx") == "one\n"


def test_projects_share_nothing(open_workspace, tmp_path: Path) -> None:
    open_workspace("aj_1", project="p1")
    open_workspace("aj_2", project="p2")
    mirrors = list((tmp_path / "cache" / "mirrors").glob("*.git"))
    assert len(mirrors) == 2
    one, two = (_files_of(mirror) for mirror in mirrors)
    assert not one & two


def _files_of(folder: Path) -> set[int]:
    return {path.stat().st_ino for path in folder.rglob("*") if path.is_file()}


def test_a_folder_is_a_remote_if_it_is_a_repository(
    workspaces: WorkspaceManager, remote: GitRepository, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    git(tmp_path, "clone", "--quiet", str(remote.path), str(folder))
    (folder / "index.mdx").write_text("not committed\n")
    workspace = workspaces.open("aj_1", DocumentationSource(str(folder)), BRANCH, project="p1")
    assert workspace.files.text("index.mdx").endswith("Hello\n")
    inner = workspaces.open(
        "aj_2", DocumentationSource(str(folder / "guides")), BRANCH, project="p1"
    )
    assert list(inner.files.walk()) == ["start.mdx"]


def test_of_a_folder_in_a_repository_only_its_files_are_brought(
    open_workspace, remote: GitRepository
) -> None:
    remote.commit({"src/program.c": "int main;\n", "docs/index.mdx": "docs\n"})
    outside = git(remote.path, "rev-parse", "main:src/program.c")
    workspace = open_workspace(root="docs")
    assert list(workspace.files.walk()) == ["index.mdx"]
    output = workspace.store.git.text(
        "rev-list", "--objects", "--no-object-names", "--missing=print", workspace.head
    )
    missing = {line[1:] for line in output.splitlines() if line.startswith("?")}
    assert outside in missing
    assert git(remote.path, "rev-parse", "main:docs/index.mdx") not in missing


def test_a_server_that_knows_no_partial_clones_gives_a_whole_one(
    open_workspace, remote: GitRepository
) -> None:
    git(remote.path, "config", "uploadpack.allowFilter", "false")
    remote.commit({"src/program.c": "int main;\n", "docs/index.mdx": "docs\n"})
    assert list(open_workspace(root="docs").files.walk()) == ["index.mdx"]


def test_bytes_are_those_that_were_committed(open_workspace, commit_all, remote: GitRepository):
    remote.commit(
        {
            ".gitattributes": "* text=auto eol=crlf\n*.txt working-tree-encoding=UTF-16 ident\n",
            "dos.mdx": "a\r\nb\r\n", "unix.mdx": "a\nb\n", "x.txt": "$Id$\n",
        }
    )  # fmt: skip
    workspace = open_workspace()
    assert workspace.files.read("dos.mdx") == b"a\r\nb\r\n"
    assert workspace.files.read("unix.mdx") == b"a\nb\n"
    assert workspace.files.read("x.txt") == b"$Id$\n"
    workspace.files.write("unix.mdx", "a\nb\nc\n")
    commit_all(workspace)
    assert [change.path for change in workspace.changed_files()] == ["unix.mdx"]
    assert workspace.store.blob(f"{workspace.head}:unix.mdx") == b"a\nb\nc\n"


def test_another_repository_can_be_read_beside_it(open_workspace, tmp_path: Path) -> None:
    workspaces = WorkspaceManager(tmp_path / "cache", network=NAMED_BY_OPERATOR)
    other = GitRepository(tmp_path / "other.git")
    other.commit({"src/api.py": "def call(): ...\n"})
    open_workspace()
    files = workspaces.reference("aj_1", "code", DocumentationSource(other.url), project="p1")
    assert files.text("src/api.py") == "def call(): ...\n"


def test_another_repository_is_cloned_anew_for_each_turn(tmp_path: Path) -> None:
    workspaces = WorkspaceManager(tmp_path / "cache", network=NAMED_BY_OPERATOR)
    other = GitRepository(tmp_path / "other.git")
    other.commit({"api.py": "old\n"})
    read = partial(
        workspaces.reference, "aj_1", "code", DocumentationSource(other.url), project="p1"
    )
    assert read(version="at_1").text("api.py") == "old\n"
    other.commit({"api.py": "new\n"})
    assert read(version="at_1").text("api.py") == "old\n"
    assert read(version="at_2").text("api.py") == "new\n"


def test_old_clones_are_swept_away(open_workspace, workspaces: WorkspaceManager) -> None:
    old, kept, fresh = (open_workspace(name) for name in ("aj_old", "aj_kept", "aj_fresh"))
    for workspace in (old, kept):
        os.utime(workspace.directory / "git" / "docs.index", (0, 0))
    assert workspaces.sweep({"aj_kept"}) == 1
    assert [each.directory.exists() for each in (old, kept, fresh)] == [False, True, True]


def test_the_least_recently_used_clones_make_space(
    open_workspace, workspaces: WorkspaceManager, tmp_path: Path
) -> None:
    now = time.time()
    made = [open_workspace(f"aj_{number}") for number in range(4)]
    for age, workspace in enumerate(made):
        os.utime(workspace.directory / "git" / "docs.index", (now - age, now - age))
    assert workspaces.sweep({"aj_3"}) == 0
    (made[1].directory / "big").write_bytes(b"x" * 60_000)
    narrow = WorkspaceManager(tmp_path / "cache", WorkspaceLimits(clones_bytes=60_000))
    assert narrow.sweep({"aj_3"}) == 2
    assert [each.directory.exists() for each in made] == [True, False, False, True]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({"ref": "nowhere"}, "there is no branch 'nowhere'"),
        ({"ref": "v1"}, "'v1' is a tag"),
        ({"root": "missing"}, "no folder 'missing'"),
        ({"root": "../up"}, "not a subfolder"),
    ],
)
def test_what_is_not_there_is_named(open_workspace, remote, source, message) -> None:
    git(remote.path, "tag", "v1", "main")
    with pytest.raises(SourceUnreadable, match=message):
        open_workspace(**source)


def test_an_empty_repository_is_refused(workspaces: WorkspaceManager, tmp_path: Path) -> None:
    empty = GitRepository(tmp_path / "empty.git")
    with pytest.raises(SourceUnreadable, match="the repository is empty"):
        workspaces.open("aj_1", DocumentationSource(empty.url), BRANCH, project="p1")


def test_an_unknown_repository_and_a_plain_folder_are_refused(
    workspaces: WorkspaceManager, tmp_path: Path
) -> None:
    with pytest.raises(SourceUnreadable, match=r"not appear to be a git repository|does not exist"):
        workspaces.open(
            "aj_1", DocumentationSource((tmp_path / "no.git").as_uri()), BRANCH, project="p1"
        )
    (tmp_path / "plain").mkdir()
    with pytest.raises(SourceUnreadable, match="git init"):
        workspaces.open("aj_1", DocumentationSource(str(tmp_path / "plain")), BRANCH, project="p1")


def test_the_repository_of_a_folder_is_looked_up_once_until_there_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "project" / "site"
    (site / "docs").mkdir(parents=True)
    source = DocumentationSource(str(site), root="docs")

    def root() -> str:
        return GitRemote.of(source).root

    Git(tmp_path / "project").run("init", "--quiet", ".")
    assert root() == "site/docs"
    with monkeypatch.context() as without_git:
        without_git.setenv("PATH", "")
        assert root() == "site/docs"
    Git(site).run("init", "--quiet", ".")
    assert root() == "docs"
    (site / ".git").rename(tmp_path / "gone")
    assert root() == "site/docs"
    Git(site).run("init", "--quiet", "--bare", ".")
    assert root() == "docs"


def test_two_trees_are_compared_once(open_workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = open_workspace()
    (workspace.root / "new.mdx").write_text("# New\n")
    tree = workspace.snapshot()
    found, diffs = workspace.changed_files(tree), workspace.diff(tree)
    with monkeypatch.context() as without_git:
        without_git.setenv("PATH", "")
        assert (workspace.changed_files(tree), workspace.diff(tree)) == (found, diffs)
    (workspace.root / "other.mdx").write_text("# Other\n")
    assert [each.path for each in workspace.changed_files()] == ["new.mdx", "other.mdx"]


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (WorkspaceLimits(tree_files=2), "3 files; 2 are allowed"),
        (WorkspaceLimits(tree_bytes=1_000_000), "MiB are allowed"),
        (WorkspaceLimits(repository_bytes=1_000_000), "larger than allowed"),
    ],
)
def test_a_repository_has_limits(remote: GitRepository, tmp_path: Path, limits, message) -> None:
    if limits.tree_files > 10:
        remote.commit({"big.bin": os.urandom(3_000_000)})
    small = WorkspaceManager(tmp_path / "small", limits)
    with pytest.raises(SourceUnreadable, match=message):
        small.open("aj_1", DocumentationSource(remote.url), BRANCH, project="p1")


def test_folders_of_few_files_are_refused(remote: GitRepository, tmp_path: Path) -> None:
    remote.commit({f"{n}/{'/'.join(f'{n}-{d}' for d in range(50))}/a.md": "x" for n in range(10)})
    small = WorkspaceManager(tmp_path / "small", WorkspaceLimits(tree_files=400))
    with pytest.raises(SourceUnreadable, match="folders; 400 are allowed"):
        small.open("aj_1", DocumentationSource(remote.url), BRANCH, project="p1")


def test_a_tree_that_unfolds_without_end_is_refused(remote: GitRepository, open_workspace) -> None:
    inner = remote.raw_tree(*[("100644", f"f{n}", remote.blob("x")) for n in range(10)])
    for _ in range(9):
        inner = remote.raw_tree(*[("40000", f"d{n}", inner) for n in range(10)])
    remote.raw_commit(inner)
    with pytest.raises(SourceUnreadable, match="too many files"):
        open_workspace()


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Fix all the broken links", "docstead/fix-all-the-broken-links-0f3a"),
        ("  Ünïcödé & <b>tags</b>!", "docstead/unicode-b-tags-b-0f3a"),
        ("日本語", "docstead/job-0f3a"),
        ("x" * 500, "docstead/job-0f3a"),
        ("../../../etc; rm -rf", "docstead/etc-rm-rf-0f3a"),
    ],
)
def test_branches_are_named_after_the_work(title: str, name: str) -> None:
    assert branch_name(title, "aj_0f3a") == name


@pytest.mark.parametrize(
    "branch",
    ["-x", "a..b", "a b", "a~1", "a^", "a:b", "a?b", "a*b", "a[b", "a\\b", "a/", "/a", "a//b",
     "a.lock", "a.lock/b", "a@{b", "@", "a\nb", "a\x7fb", ".a", "a/.b", "", "a.", "--upload=x"],
)  # fmt: skip
def test_a_name_that_git_would_not_take_is_refused(open_workspace, branch: str) -> None:
    with pytest.raises(InvalidRequest, match="not the name of a branch"):
        open_workspace(branch=branch)


@pytest.mark.parametrize("job_id", ["../x", "a/b", "", ".", "a b", "x" * 101, "a\0b"])
def test_a_job_id_names_one_folder(open_workspace, job_id: str) -> None:
    with pytest.raises(InvalidRequest, match="cannot name a folder"):
        open_workspace(job_id)
