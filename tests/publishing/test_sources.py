"""Folders and git URLs, and what hostile ones get."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from docstead.base.errors import SourceUnreadable
from docstead.publishing.git import Git, GitFailed
from docstead.publishing.git_network import NAMED_BY_OPERATOR, GitTransport
from docstead.publishing.sources import DocumentationSource, checkout


def names(root: Path) -> set[str]:
    return {str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir()}


def test_a_git_url_gives_the_default_branch(repository, workspace):
    commit = repository.commit({"docs.json": "{}", "guides/a.mdx": "# A"}, "First\n\nMore of it.")
    found = checkout(DocumentationSource(repository.url), workspace)
    revision = found.revision
    assert (revision.commit, revision.ref, revision.author) == (commit, "main", "Ada Writer")
    assert revision.message == "First\n\nMore of it."
    assert names(found.path) == {"docs.json", "guides/a.mdx"}


def test_discard_removes_the_files_and_nothing_of_a_folder(repository, workspace):
    repository.commit({"docs.json": "{}"})
    fetched = checkout(DocumentationSource(repository.url), workspace)
    fetched.discard()
    assert not fetched.path.exists()
    folder = checkout(DocumentationSource(str(repository.path)), workspace)
    folder.discard()
    assert (folder.path / "docs.json").exists()


@pytest.mark.parametrize("kind", ["branch", "tag", "commit", "short commit"])
def test_a_ref_is_a_branch_a_tag_or_a_commit(repository, workspace, kind):
    expected = repository.commit({"page.mdx": "old"})
    repository.git("tag", "v1")
    repository.git("branch", "stable")
    repository.commit({"page.mdx": "new"})
    ref = {"branch": "stable", "tag": "v1", "commit": expected, "short commit": expected[:8]}[kind]
    found = checkout(DocumentationSource(repository.url, ref), workspace)
    assert found.revision.commit == expected
    assert (found.path / "page.mdx").read_text() == "old"


def test_a_later_checkout_sees_what_was_pushed_since(repository, workspace):
    repository.commit({"page.mdx": "old"})
    checkout(DocumentationSource(repository.url), workspace)
    newer = repository.commit({"page.mdx": "new"})
    found = checkout(DocumentationSource(repository.url), workspace)
    assert (found.revision.commit, (found.path / "page.mdx").read_text()) == (newer, "new")


def test_a_rewritten_branch_is_followed(repository, workspace):
    repository.commit({"page.mdx": "one"})
    repository.commit({"page.mdx": "two"})
    checkout(DocumentationSource(repository.url), workspace)
    repository.git("reset", "--hard", "--quiet", "HEAD~1")
    other = repository.commit({"page.mdx": "three"})
    assert checkout(DocumentationSource(repository.url), workspace).revision.commit == other


def test_the_lock_of_a_killed_git_does_not_stop_the_next(repository, workspace):
    repository.commit({"page.mdx": "old"})
    checkout(DocumentationSource(repository.url), workspace)
    (mirror,) = workspace.glob("*.git")
    (mirror / "shallow.lock").touch()
    newer = repository.commit({"page.mdx": "new"})
    assert checkout(DocumentationSource(repository.url), workspace).revision.commit == newer


@pytest.mark.parametrize("root", ["docs", "/docs/", "./docs"])
def test_only_a_sub_folder_is_brought(repository, workspace, root):
    repository.commit({"docs/docs.json": "{}", "code/main.py": ""})
    assert names(checkout(DocumentationSource(repository.url, root=root), workspace).path) == {
        "docs.json"
    }
    assert names(
        checkout(DocumentationSource(str(repository.path), root=root), workspace).path
    ) == {"docs.json"}


def test_a_clean_folder_has_the_commit_of_its_repository(repository, workspace):
    commit = repository.commit({"docs/docs.json": "{}", "code.py": "1"})
    repository.write({"code.py": "2"})  # outside of the documentation
    found = checkout(DocumentationSource(str(repository.path), root="docs"), workspace)
    revision = found.revision
    assert (revision.commit, revision.ref, revision.message) == (commit, "main", "Change")


@pytest.mark.parametrize("change", ["edited", "added", "deleted"])
def test_a_changed_folder_has_a_hash_of_its_content(repository, workspace, change):
    repository.commit({"docs.json": "{}", "a.mdx": "# A", "b.mdx": "# B"})
    if change == "deleted":
        (repository.path / "b.mdx").unlink()
    else:
        repository.write({"a.mdx" if change == "edited" else "c.mdx": "# New"})
    found = checkout(DocumentationSource(str(repository.path)), workspace)
    assert found.revision.commit.startswith("content-")
    assert (
        checkout(DocumentationSource(str(repository.path)), workspace).revision.commit
        == found.revision.commit
    )
    repository.write({"a.mdx": "# Other"})
    assert (
        checkout(DocumentationSource(str(repository.path)), workspace).revision.commit
        != found.revision.commit
    )


def test_a_folder_without_git_has_a_hash_of_its_content(tmp_path, workspace):
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "docs.json").write_text("{}")
    assert checkout(
        DocumentationSource(str(tmp_path / "plain")), workspace
    ).revision.commit.startswith("content-")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (DocumentationSource("ext::sh -c 'touch {mark}'"), "https, ssh or file"),
        (DocumentationSource("http://git.example/docs.git"), "https, ssh or file"),
        (DocumentationSource("git://git.example/docs.git"), "https, ssh or file"),
        (DocumentationSource("file::/x"), "https, ssh or file"),
        (DocumentationSource("ssh://-oProxyCommand=touch {mark}/x"), "is not a git URL"),
        (DocumentationSource("ssh://git@-oProxyCommand=touch {mark}/x"), "is not a git URL"),
        (DocumentationSource("file:///nowhere/at/all"), "does not appear to be a git repository"),
        (DocumentationSource("https://127.0.0.1:1/docs.git"), "Failed to connect"),
        (DocumentationSource("/nowhere/at/all"), "there is no such folder"),
        (DocumentationSource(__file__), "this is a file; name the folder"),
    ],
)
def test_urls_that_lead_nowhere_or_elsewhere(tmp_path, workspace, source, reason):
    mark = tmp_path / "executed"
    located = DocumentationSource(source.location.replace("{mark}", str(mark)))
    with pytest.raises(SourceUnreadable, match=reason):
        checkout(located, workspace)
    assert not mark.exists()


def test_a_repository_without_a_commit_is_reported(repository, workspace):
    with pytest.raises(SourceUnreadable, match="the repository has no commit yet: push one"):
        checkout(DocumentationSource(repository.path.as_uri()), workspace)


@pytest.mark.parametrize("name", ["HEAD", "config", "shallow", "objects/info/alternates"])
def test_a_local_repository_with_a_pipe_is_refused(repository, workspace, name):
    """Git would wait until somebody writes into the pipe."""
    repository.commit({"docs.json": "{}"})
    (repository.path / ".git" / "link").symlink_to("nowhere")
    checkout(DocumentationSource(repository.url), workspace)
    pipe = repository.path / ".git" / name
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    with pytest.raises(SourceUnreadable, match=f"/.git/{name} is a pipe or a device; remove it"):
        checkout(DocumentationSource(repository.url), workspace)


@pytest.mark.parametrize("ref", ["nowhere", "--upload-pack=touch {mark}", "a b", "HEAD~1", "x:y"])
def test_refs_that_are_none(repository, workspace, tmp_path, ref):
    repository.commit({"docs.json": "{}"})
    mark = tmp_path / "executed"
    with pytest.raises(SourceUnreadable):
        checkout(DocumentationSource(repository.url, ref.replace("{mark}", str(mark))), workspace)
    assert not mark.exists()


@pytest.mark.parametrize("root", ["../other", "docs/../..", "nowhere", "a\\b"])
def test_sub_folders_that_are_none(repository, workspace, root):
    repository.commit({"docs/docs.json": "{}"})
    for location in (repository.url, str(repository.path)):
        with pytest.raises(SourceUnreadable):
            checkout(DocumentationSource(location, root=root), workspace)


def test_a_bare_repository_is_named_by_its_url(repository, workspace, tmp_path):
    repository.commit({"docs.json": "{}"})
    bare = tmp_path / "docs.git"
    repository.git("clone", "-q", "--bare", ".", str(bare))
    with pytest.raises(SourceUnreadable, match=f"name it by its URL, {bare.as_uri()}$"):
        checkout(DocumentationSource(str(bare)), workspace)


def test_a_sub_folder_that_is_a_link_out_of_the_folder(repository, workspace, tmp_path):
    (tmp_path / "secret").mkdir()
    (repository.path / "docs").symlink_to(tmp_path / "secret")
    with pytest.raises(SourceUnreadable, match="leads out"):
        checkout(DocumentationSource(str(repository.path), root="docs"), workspace)


def test_credentials_of_a_url_are_not_shown(workspace):
    with pytest.raises(SourceUnreadable) as failure:
        checkout(DocumentationSource("https://user:pa55@127.0.0.1:1/docs.git"), workspace)
    assert "pa55" not in str(failure.value)
    assert "127.0.0.1:1/docs.git" in str(failure.value)


@pytest.fixture
def program(tmp_path):
    """A program that leaves a mark when it runs."""
    mark, path = tmp_path / "executed", tmp_path / "program.sh"
    path.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    path.chmod(path.stat().st_mode | stat.S_IEXEC)
    return path, mark


def hostile(repository, program: Path) -> None:
    """A repository whose attributes, settings, hooks and submodules name a program."""
    repository.commit({"docs.json": "{}", "a.mdx": "# A", ".gitattributes": "* filter=evil\n"})
    for key in ("filter.evil.smudge", "filter.evil.clean", "filter.evil.process"):
        repository.git("config", key, str(program))
    for key in ("core.fsmonitor", "core.sshCommand", "core.pager", "gpg.program", "diff.external"):
        repository.git("config", key, str(program))
    repository.git("config", "log.showSignature", "true")
    repository.git("config", "uploadpack.packObjectsHook", str(program))
    for hook in ("post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc"):
        path = repository.path / ".git" / "hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.symlink_to(program)


@pytest.mark.parametrize("as_folder", [True, False])
def test_a_repository_cannot_start_programs(repository, workspace, program, as_folder):
    path, mark = program
    hostile(repository, path)
    os.utime(repository.path / "a.mdx", (1, 1))
    mark.unlink(missing_ok=True)
    source = DocumentationSource(str(repository.path) if as_folder else repository.url)
    assert "a.mdx" in names(checkout(source, workspace).path)
    assert not mark.exists()


def test_submodules_are_left_out(repository, workspace, tmp_path):
    other = type(repository)(tmp_path / "other")
    other.commit({"secret.txt": "x"})
    repository.commit({"docs.json": "{}"})
    repository.git("-c", "protocol.file.allow=always", "submodule", "add", other.url, "sub")
    repository.commit({})
    assert names(checkout(DocumentationSource(repository.url), workspace).path) == {
        ".gitmodules",
        "docs.json",
    }


def by_ssh(location):
    return GitTransport(location, "ssh", NAMED_BY_OPERATOR)


def test_a_command_that_takes_too_long_is_ended(tmp_path):
    git = Git(tmp_path, by_ssh("ssh://git.example/x"))
    with pytest.raises(GitFailed, match="took over"):
        git.run(
            "ls-remote",
            "ssh://git.example/x",
            variables={"GIT_SSH_COMMAND": "sleep 60;"},
            timeout_seconds=0.5,
        )


def test_ssh_never_asks(tmp_path):
    """The ssh that git starts fails instead of prompting."""
    seen = tmp_path / "arguments"
    ssh = tmp_path / "ssh"
    ssh.write_text(f'#!/bin/sh\necho "$@" > {seen}\nexit 255\n')
    ssh.chmod(0o755)
    git = Git(tmp_path, by_ssh("git@git.example:docs.git"))
    with pytest.raises(GitFailed):
        git.run(
            "ls-remote", "git@git.example:docs.git", variables={"PATH": f"{tmp_path}:/usr/bin:/bin"}
        )
    assert "BatchMode=yes" in seen.read_text()
    assert "git@git.example" in seen.read_text()
