"""Clones and pushes over smart HTTP, with credentials that nobody gets to see."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from docstead.agent.workspace import (
    BranchProtected,
    GitCredentials,
    PushFailed,
    WorkspaceManager,
    push,
)
from docstead.base.errors import SourceUnreadable
from docstead.base.networks import parsed_networks
from docstead.publishing.git_network import GitNetwork
from docstead.publishing.sources import DocumentationSource
from git_http import GitServer, git_server
from git_repositories import GitRepository

BRANCH = "docstead/a-page-1"


@pytest.fixture
def server(tmp_path: Path, remote: GitRepository, monkeypatch) -> Iterator[GitServer]:
    with git_server(tmp_path, tmp_path / "server") as running:
        monkeypatch.setenv("GIT_SSL_CAINFO", str(running.certificate))
        yield running


@pytest.fixture
def writer(server: GitServer) -> GitCredentials:
    return GitCredentials("writer", server.password)


def test_a_job_over_http_from_clone_to_push(
    server, writer, workspaces: WorkspaceManager, commit_all, remote: GitRepository
) -> None:
    source = DocumentationSource(server.url_of("remote.git"))
    workspace = workspaces.open("aj_1", source, BRANCH, project="p1", credentials=writer)
    workspace.files.write("new.mdx", "new\n")
    commit_all(workspace)
    assert push(workspace).how == "pushed"
    assert push(workspace).how == "unchanged"
    assert remote.files(BRANCH)["new.mdx"] == "new\n"


def test_only_the_documentation_is_fetched_over_http(
    server, writer, workspaces: WorkspaceManager, commit_all, remote: GitRepository
) -> None:
    remote.commit({"src/big.bin": os.urandom(400_000), "docs/index.mdx": "docs\n"})
    source = DocumentationSource(server.url_of("remote.git"), root="docs")
    workspace = workspaces.open("aj_1", source, BRANCH, project="p1", credentials=writer)
    packs = (workspace.directory / "git" / "objects" / "pack").glob("*.pack")
    assert sum(path.stat().st_size for path in packs) < 100_000
    workspace.files.write("new.mdx", "new\n")
    commit_all(workspace)
    remote.commit({"src/big.bin": os.urandom(400_000), "docs/other.mdx": "x\n"})
    assert push(workspace).how == "rebased"
    assert remote.read("docs/new.mdx", BRANCH) == "new\n"
    assert remote.read("docs/other.mdx", BRANCH) == "x\n"


def test_protection_answers_over_http_too(
    server, writer, workspaces: WorkspaceManager, commit_all, remote: GitRepository
) -> None:
    remote.protect()
    source = DocumentationSource(server.url_of("remote.git"))
    workspace = workspaces.open("aj_1", source, BRANCH, project="p1", credentials=writer)
    workspace.files.write("new.mdx", "new\n")
    commit_all(workspace)
    done = push(workspace, direct=True)
    assert (done.branch, done.direct) == (BRANCH, False)
    assert "GH006" in done.note
    remote.protect(BRANCH)
    workspace.files.write("more.mdx", "more\n")
    commit_all(workspace, "turn_2")
    with pytest.raises(BranchProtected, match="GH006"):
        push(workspace)


@pytest.mark.parametrize(
    ("name", "credentials", "message"),
    [
        ("remote.git", GitCredentials("writer", "wrong"), "the token may not read it"),
        ("nothing.git", None, "does not exist, or it needs credentials"),
        ("remote.git", None, "does not exist, or it needs credentials"),
    ],
)
def test_wrong_tokens_and_unknown_repositories_are_reported(
    server, workspaces: WorkspaceManager, name: str, credentials, message: str
) -> None:
    with pytest.raises(SourceUnreadable, match=message):
        workspaces.open("aj_1", DocumentationSource(server.url_of(name)), BRANCH, project="p1",
                        credentials=credentials)  # fmt: skip


def test_an_unknown_repository_is_reported_with_a_good_token(server, writer, workspaces) -> None:
    with pytest.raises(SourceUnreadable, match="no such repository"):
        workspaces.open(
            "aj_1", DocumentationSource(server.url_of("nothing.git")), BRANCH,
            project="p1", credentials=writer,
        )  # fmt: skip


def test_a_token_that_may_only_read_cannot_push(
    server, workspaces: WorkspaceManager, commit_all
) -> None:
    reader = GitCredentials("reader", server.password)
    source = DocumentationSource(server.url_of("remote.git"))
    workspace = workspaces.open("aj_1", source, BRANCH, project="p1", credentials=reader)
    workspace.files.write("new.mdx", "new\n")
    commit_all(workspace)
    with pytest.raises(PushFailed, match="the token may not push"):
        push(workspace)


@pytest.mark.parametrize("in_url", [False, True])
def test_credentials_are_on_no_command_line_and_in_no_file(
    server, writer, workspaces, commit_all, in_url
) -> None:
    url = server.url_of("remote.git")
    if in_url:
        url = url.replace("https://", f"https://writer:{server.password}@")
    tmp_path = server.folder.parent
    seen: set[str] = set()
    with _Watched(seen):
        workspace = workspaces.open("aj_1", DocumentationSource(url), BRANCH, project="p1",
                                    credentials=None if in_url else writer)  # fmt: skip
        workspace.files.write("new.mdx", "new\n")
        commit_all(workspace)
        push(workspace)
    assert any("remote-https" in line for line in seen)
    assert not [line for line in seen if server.password in line]
    kept = (path for path in (tmp_path / "cache").rglob("*") if path.is_file())
    assert not [path for path in kept if server.password.encode() in path.read_bytes()]
    assert server.password not in repr(workspace) + repr(writer)


def test_errors_do_not_repeat_credentials(server, workspaces: WorkspaceManager) -> None:
    url = server.url_of("nothing.git").replace("https://", "https://writer:hunter-two@")
    with pytest.raises(SourceUnreadable) as refused:
        workspaces.open("aj_1", DocumentationSource(url), BRANCH, project="p1")
    assert "hunter-two" not in f"{refused.value!r} {refused.value.__cause__!r}"


def test_a_redirect_into_a_private_network_is_not_followed(server, writer, workspaces) -> None:
    _redirect_elsewhere(server)
    with pytest.raises(SourceUnreadable, match="not a public address"):
        workspaces.open("aj_1", DocumentationSource(server.url_of("elsewhere/remote.git")), BRANCH,
                        project="p1", credentials=writer)  # fmt: skip
    assert (server.folder / "other.log").read_text() == ""


def test_a_repository_that_moved_within_its_server_is_found(server, writer, workspaces) -> None:
    source = DocumentationSource(server.url_of("elsewhere/remote.git"))
    workspace = workspaces.open("aj_1", source, BRANCH, project="p1", credentials=writer)
    assert "docs.json" in {path.name for path in (workspace.directory / "tree").iterdir()}


def test_credentials_do_not_follow_to_another_host(server, writer, tmp_path: Path) -> None:
    near = GitNetwork(parsed_networks(["127.0.0.0/8"]))
    workspaces = WorkspaceManager(tmp_path / "cache", network=near)
    _redirect_elsewhere(server)
    with pytest.raises(SourceUnreadable):
        workspaces.open("aj_1", DocumentationSource(server.url_of("elsewhere/remote.git")), BRANCH,
                        project="p1", credentials=writer)  # fmt: skip
    seen = (server.folder / "other.log").read_text()
    assert "remote.git" in seen
    assert "Basic" not in seen


def _redirect_elsewhere(server: GitServer) -> None:
    configuration = server.folder / "nginx.conf"
    text = configuration.read_text().replace(
        f"return 302 https://localhost:{server.port}/$1",
        f"return 302 https://127.0.0.1:{server.other_port}/$1",
    )
    configuration.write_text(text)
    master = int((server.folder / "nginx.pid").read_text())
    old = _children(master)
    os.kill(master, signal.SIGHUP)  # reads its settings again
    while not _children(master) or _children(master) & old:
        time.sleep(0.02)  # until the processes with the old ones have left


def _children(process: int) -> set[str]:
    return set(Path(f"/proc/{process}/task/{process}/children").read_text().split())


class _Watched:
    """Collects the command lines of all processes, as any user of the machine could.

    Those of before are read once, those that come are read again and again: a process takes
    another command line when it becomes another program.
    """

    def __init__(self, seen: set[str]) -> None:
        self._seen = seen
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()

    def _watch(self) -> None:
        before = _processes()
        self._read(before)
        while not self._stopped.wait(0.001):
            self._read(_processes() - before)

    def _read(self, processes: set[str]) -> None:
        for each in processes:
            with suppress(OSError):
                line = Path("/proc", each, "cmdline").read_bytes()
                self._seen.add(line.replace(b"\0", b" ").decode(errors="replace"))


def _processes() -> set[str]:
    return {path.name for path in Path("/proc").iterdir() if path.name.isdecimal()}
