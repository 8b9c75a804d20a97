"""The warm parent of builders prepares what they all need while nothing is asked of it."""

from __future__ import annotations

import socket
import struct
import threading
from contextlib import suppress

import pytest

from docstead.publishing.builders.nursery import answer_requests
from docstead.site.shell.markup import templates


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
    host, nursery = socket.socketpair()
    serving = threading.Thread(target=serve, args=(nursery,))
    every = set(templates().list_templates())
    with host:
        serving.start()
        while compiled() != every:
            serving.join(0.01)
            assert serving.is_alive()
    serving.join()
    assert "parts.html" in every


def test_a_request_that_waits_comes_first() -> None:
    host, nursery = socket.socketpair()
    host.close()  # as the end of all requests, which is read like one
    serve(nursery)
    assert compiled() == set()
