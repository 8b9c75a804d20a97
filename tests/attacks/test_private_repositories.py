"""Further repositories of agent jobs: no private IP address, and nobody else's identity."""

from __future__ import annotations

import os
import re
import socket
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from docstead.accounts.tenancy import Tenancy
from docstead.agent.forges.approved_repositories import ApprovedRepository
from docstead.agent.forges.factory import ForgeFactory
from docstead.agent.forges.project_settings import ProjectSettings, ProjectSettingsStore
from docstead.agent.reviews.records import ReviewRecords
from docstead.agent.states import TurnStatus
from docstead.agent.tool_sources import ToolSources
from docstead.agent.values import Instruction, Turn
from docstead.agent.workspace import GitCredentials, WorkspaceManager
from docstead.agent.workspace.files import PathRefused
from docstead.base.errors import SourceUnreadable
from docstead.base.networks import parsed_networks
from docstead.publishing.git_network import GitNetwork
from docstead.publishing.sources import DocumentationSource

NEAR = parsed_networks(["127.0.0.0/8", "::1"])
NOW = datetime(2026, 11, 25, tzinfo=UTC)
TURN = Turn(
    "at_1", "aj_1", 1, Instruction.of("Read."), TurnStatus.RUNNING, None, None, None,
    0, 0, 0, 0, 0.0, NOW, NOW, None,
)  # fmt: skip
FORMS = (
    "https://127.0.0.1:{port}/a.git",
    "https://localhost:{port}/a.git",
    "https://[::1]:{port}/a.git",
    "https://[::ffff:127.0.0.1]:{port}/a",
    "https://2130706433:{port}/x",
    "https://0x7f.1:{port}/x",
    "https://169.254.169.254/x.git",
    "https://localhost.:{port}/a.git",
    "ssh://git@127.0.0.1:{port}/other/private.git",
    "ssh://git@localhost:{port}/other/private.git",
    "ssh://git@[::1]:{port}/other/private.git",
    "git@localhost:other/private.git",
    "file:///srv/private.git",
    "/srv/private.git",
)


@dataclass
class RequestListener:
    """Counts connections to one port of loopback, and closes them after their first bytes."""

    started: list[bytes] = field(default_factory=list)
    port: int = 0

    def serve(self, listening: socket.socket) -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(120)
                self.started.append(connection.recv(64))


@pytest.fixture
def listener() -> Iterator[RequestListener]:
    listening = socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True)
    found = RequestListener(port=listening.getsockname()[1])
    thread = threading.Thread(target=found.serve, args=(listening,))
    thread.start()
    yield found
    listening.shutdown(socket.SHUT_RDWR)
    listening.close()
    thread.join()


@pytest.fixture
def users_ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program instead of ssh that writes down how it was started, and an identity."""
    home = tmp_path / "home"
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh" / "id_ed25519").write_text("the key of the service's user")
    (home / ".netrc").write_text("machine localhost login service password hunter2\n")
    program = tmp_path / "bin" / "ssh"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\n(env; for each; do echo "$each"; done) >> {tmp_path}/ssh.log\nexit 255\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("SSH_AUTH_SOCK", str(tmp_path / "agent.sock"))
    monkeypatch.setenv("GIT_SSH_COMMAND", "ssh -i ~/.ssh/id_ed25519")
    return tmp_path / "ssh.log"


def _read(
    workspaces: WorkspaceManager, url: str, credentials: GitCredentials | None = None
) -> None:
    workspaces.reference(
        "aj_1", "other", DocumentationSource(url), project="p1", credentials=credentials
    )


@pytest.mark.parametrize("form", FORMS)
def test_no_form_of_a_private_ip_address_is_connected_to(
    form: str, tmp_path: Path, listener: RequestListener
) -> None:
    with pytest.raises(SourceUnreadable):
        _read(WorkspaceManager(tmp_path), form.format(port=listener.port))
    assert listener.started == []


@pytest.mark.parametrize("form", FORMS[:3] + FORMS[8:9])
def test_the_same_ip_addresses_are_connected_to_where_their_network_is_allowed(
    form: str, tmp_path: Path, listener: RequestListener
) -> None:
    """Allowed networks are connected to, which proves that the previous test would notice it."""
    workspaces = WorkspaceManager(tmp_path, network=GitNetwork(NEAR))
    with pytest.raises(SourceUnreadable):
        _read(workspaces, form.format(port=listener.port))
    assert listener.started


def test_git_connects_to_the_ip_address_that_was_vetted(
    tmp_path: Path, listener: RequestListener
) -> None:
    """A name server that answers differently the second time is asked once."""
    answers = iter([["127.0.0.1"]])

    def resolve(host: str, port: int) -> Iterable[str]:
        assert (host, port) == ("rebinding.test", listener.port)
        return next(answers)

    workspaces = WorkspaceManager(tmp_path, network=GitNetwork(NEAR, resolve=resolve))
    with pytest.raises(SourceUnreadable):
        _read(workspaces, f"https://rebinding.test:{listener.port}/a.git")
    assert [each[:1] for each in listener.started] == [b"\x16"]  # a TLS handshake


def test_one_private_ip_address_among_public_ones_is_enough_to_refuse(
    tmp_path: Path, listener: RequestListener
) -> None:
    network = GitNetwork(resolve=lambda _host, _port: ["203.0.113.7", "127.0.0.1"])
    with pytest.raises(SourceUnreadable, match="not a public address"):
        _read(
            WorkspaceManager(tmp_path, network=network), f"https://both.test:{listener.port}/a.git"
        )
    assert listener.started == []


def test_ssh_goes_to_the_vetted_ip_address_without_the_users_identity(
    tmp_path: Path, users_ssh: Path
) -> None:
    network = GitNetwork(
        NEAR, known_hosts=tmp_path / "known hosts", resolve=lambda _host, _port: ["127.0.0.9"]
    )
    with pytest.raises(SourceUnreadable):
        _read(
            WorkspaceManager(tmp_path / "cache", network=network), "git@git.test:other/private.git"
        )
    started = users_ssh.read_text()
    lines = started.splitlines()
    assert {
        "-oHostName=127.0.0.9",
        "-oHostKeyAlias=git.test",
        "-oIdentityAgent=none",
        "-oIdentityFile=none",
        "-oIdentitiesOnly=yes",
        "none",  # of -F
        f'-oUserKnownHostsFile="{tmp_path / "known hosts"}"',
    } <= set(lines)
    assert "HOME=/dev/null" in lines
    assert "SSH_AUTH_SOCK" not in started
    assert "id_ed25519" not in started


def test_ssh_has_the_key_of_the_entry_and_no_other(tmp_path: Path, users_ssh: Path) -> None:
    network = GitNetwork(NEAR, resolve=lambda _host, _port: ["127.0.0.9"])
    with pytest.raises(SourceUnreadable):
        _read(
            WorkspaceManager(tmp_path / "cache", network=network),
            "git@git.test:acme/engine.git",
            GitCredentials(ssh_key_file=tmp_path / "deploy-key"),
        )
    keys = re.findall(r"^-oIdentityFile=.*", users_ssh.read_text(), re.MULTILINE)
    assert keys == [f'-oIdentityFile="{tmp_path / "deploy-key"}"']


def test_jobs_read_only_what_the_operator_approved(
    tmp_path: Path, backend, clock, listener: RequestListener, caplog: pytest.LogCaptureFixture
) -> None:
    """A URL that was saved before there was such a list is read no more."""
    tenancy = Tenancy(backend.database, clock)
    organization, neighbour = (tenancy.create_organization(name) for name in ("Acme", "Other"))
    project = tenancy.create_project(
        organization.id, "Docs", f"https://127.0.0.1:{listener.port}/d"
    )
    store = ProjectSettingsStore(backend.database)
    urls = tuple(f"https://127.0.0.1:{listener.port}/{name}" for name in ("a", "b", "c"))
    store.save(project.id, ProjectSettings(reading=urls))
    approved = (
        ApprovedRepository(urls[0]),
        ApprovedRepository(urls[1], organizations=frozenset({neighbour.id})),
    )
    forges = ForgeFactory(
        {}, store, ReviewRecords(backend.database, clock), "https://d.test", repositories=approved
    )
    workspaces = WorkspaceManager(tmp_path / "cache")
    tool_sources = ToolSources(tenancy, None, forges, workspaces)  # publishes nothing
    repositories = tool_sources.repositories(TURN, project)
    assert list(repositories) == ["a"]
    with pytest.raises(PathRefused, match="not a public address"):
        repositories["a"]
    assert listener.started == []
    reasons = [record.getMessage() for record in caplog.records]
    assert ["not approved" in reason for reason in reasons] == [True, True, False]
    assert "not a public address" in reasons[2]
    forges.close()
