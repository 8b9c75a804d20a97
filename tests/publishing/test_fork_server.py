"""The warm parent of builders and V8 workers."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from docstead.base.sandbox import supported
from docstead.content.config import SiteConfig
from docstead.content.navigation import Navigation
from docstead.content.pages import Repository, Site
from docstead.publishing.builders import ForkServer
from docstead.publishing.builders.fork_server import answer_requests
from docstead.rendering import EngineLimits, PageLanguages
from docstead.rendering.host import site_source
from docstead.rendering.process import Worker
from docstead.rendering.protocol import PageSource
from docstead.theme.markup import templates


def compiled() -> set[str]:
    cache = templates().cache
    assert cache is not None
    return {str(name) for _, name in cache}


@pytest.fixture(autouse=True)
def nothing_compiled() -> None:
    templates.cache_clear()
    assert compiled() == set()


def serve(connection: socket.socket) -> None:
    with connection, suppress(struct.error):
        answer_requests(connection, set())


def test_templates_are_compiled_while_no_request_waits() -> None:
    host, fork_server = socket.socketpair()
    serving = threading.Thread(target=serve, args=(fork_server,))
    every = set(templates().list_templates())
    with host:
        serving.start()
        while compiled() != every:
            serving.join(0.01)
            assert serving.is_alive()
    serving.join()
    assert "parts.html" in every


def test_a_request_that_waits_comes_first() -> None:
    host, fork_server = socket.socketpair()
    host.close()  # as the end of all requests, which is read like one
    serve(fork_server)
    assert compiled() == set()


@pytest.fixture
def warm_parent() -> Iterator[ForkServer]:
    parent = ForkServer(())
    yield parent
    parent.close()


def sockets_of(worker: Worker) -> int:
    files = [path.readlink().name for path in Path(f"/proc/{worker.pid}/fd").iterdir()]
    return sum(name.startswith("socket:") for name in files)


@pytest.mark.parametrize("warms_up", [False, True])
def test_a_forked_worker_is_confined_and_renders(
    warm_parent: ForkServer, *, warms_up: bool
) -> None:
    limits = EngineLimits()
    site = Site(SiteConfig("Test"), Navigation(), {})
    source = site_source(
        Repository(Path("/nowhere"), site, {}, {}, (), ()), PageLanguages(site), limits
    )
    of_its_own = Worker(limits)
    of_its_own.begin(source)
    worker = warm_parent.start_worker(limits, warms_up=warms_up)
    worker.begin(source)
    status = Path(f"/proc/{worker.pid}/status").read_text()
    assert ("NoNewPrivs:\t1" in status, "Seccomp:\t2" in status) == (True, supported().seccomp)
    assert sockets_of(worker) == sockets_of(of_its_own)  # it has none of its parent's
    (page,) = worker.render((PageSource("p", "p.mdx", "Hello.", 1, None),))
    assert "Hello." in page.html
    for each in (worker, of_its_own):
        each.close()


# In a process of its own, because one that has run V8 cannot be forked.
_FIRST_WORKER = """
from pathlib import Path
from docstead.cli.early_parent import forked_worker
from docstead.content.config import SiteConfig
from docstead.content.navigation import Navigation
from docstead.content.pages import Repository, Site
from docstead.publishing.builders import CommandForkServer
from docstead.rendering import EngineLimits, PageLanguages
from docstead.rendering.host import site_source
from docstead.rendering.protocol import PageSource

parent, limits = CommandForkServer(()), EngineLimits()
parent.take_worker(*forked_worker())
worker = parent.start_worker(limits, warms_up=True)
site = Site(SiteConfig("Test"), Navigation(), {})
repository = Repository(Path("/nowhere"), site, {}, {}, (), ())
worker.begin(site_source(repository, PageLanguages(site), limits))
(page,) = worker.render((PageSource("p", "p.mdx", "Hello.", 1, None),))
print("Hello." in page.html, parent.pid, worker.is_alive)
worker.close()
print(worker.is_alive)
parent.take_worker(*forked_worker())
parent.close()
"""


def test_a_command_forks_its_first_worker_itself() -> None:
    command = (sys.executable, "-c", _FIRST_WORKER)
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == ("True None True\nFalse\n", "")


def test_forked_workers_end_when_they_are_killed_and_with_their_parent(
    warm_parent: ForkServer,
) -> None:
    killed, left = (warm_parent.start_worker(EngineLimits(), warms_up=False) for _ in range(2))
    assert (killed.is_alive, left.is_alive) == (True, True)
    killed.kill()
    assert (killed.is_alive, left.is_alive) == (False, True)
    warm_parent.close()
    assert not left.is_alive
    left.close()
    with pytest.raises(ProcessLookupError):
        os.kill(left.pid, 0)


def test_a_forked_worker_that_died_is_noticed(warm_parent: ForkServer) -> None:
    worker = warm_parent.start_worker(EngineLimits(), warms_up=False)
    os.kill(worker.pid, signal.SIGKILL)
    while worker.is_alive:
        time.sleep(0.01)
    worker.close()
