"""Responses of hostile forges and providers, which the service read without any limit."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import brotli
import pytest

from docstead.agent.forges import github, gitlab
from docstead.agent.forges.client import ForgeClient, new_client
from docstead.agent.forges.errors import ForgeError, ForgeRateLimited, ForgeUnreachable
from docstead.base.errors import DocsteadError, ModelError
from docstead.base.units import HOUR_SECONDS, MIB
from docstead.models.anthropic_messages import AnthropicMessages
from docstead.models.chat import ChatMessage, ChatRole
from docstead.models.completion import complete
from docstead.models.openai_compatible import OpenAICompatible
from docstead.models.openai_embeddings import OpenAIEmbeddings
from docstead.models.openai_responses import OpenAIResponses

BLOCK = b"[" * MIB
BLOCKS = 200
MOST_SENT = 100 * MIB  # with what the sockets hold
JSON = "application/json"
EVENTS = "text/event-stream"
BOMB = brotli.compress(b"0" * (32 * MIB))

Connection = socket.socket


@dataclass
class HostileServer:
    """Answers each request with `answer`; counts the bytes of its bodies."""

    answer: Callable[[HostileServer, Connection], object]
    url: str = ""
    sent: int = 0
    requests: int = 0
    stopping: threading.Event = field(default_factory=threading.Event)

    def head(self, connection: Connection, status: int, *headers: str) -> None:
        lines = (f"HTTP/1.1 {status} X", *headers, "Connection: close", "", "")
        connection.sendall("\r\n".join(lines).encode())

    def whole(self, connection: Connection, status: int, body: bytes, *headers: str) -> None:
        self.head(connection, status, f"Content-Length: {len(body)}", *headers)
        connection.sendall(body)

    def serve(self, listener: Connection) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._one, args=(connection,), daemon=True).start()

    def _one(self, connection: Connection) -> None:
        with connection:
            try:
                request = b""
                while b"\r\n\r\n" not in request:
                    request += connection.recv(65_536)
                self.requests += 1
                self.answer(self, connection)
                while connection.recv(65_536):
                    pass
            except OSError:  # the client has hung up
                return


@contextmanager
def hostile(answer: Callable[[HostileServer, Connection], object]) -> Iterator[HostileServer]:
    server = HostileServer(answer)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread = threading.Thread(target=server.serve, args=(listener,))
        thread.start()
        try:
            yield server
        finally:
            server.stopping.set()
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


def endless(status: int, kind: str) -> Callable[[HostileServer, Connection], None]:
    def answer(server: HostileServer, connection: Connection) -> None:
        server.head(connection, status, f"Content-Type: {kind}", "Transfer-Encoding: chunked")
        for _ in range(BLOCKS):
            connection.sendall(b"%x\r\n%s\r\n" % (len(BLOCK), BLOCK))
            server.sent += len(BLOCK)
        connection.sendall(b"0\r\n\r\n")

    return answer


def compressed(kind: str) -> Callable[[HostileServer, Connection], None]:
    return lambda server, connection: server.whole(
        connection, 200, BOMB, f"Content-Type: {kind}", "Content-Encoding: br"
    )


def fixed(status: int, body: bytes, *headers: str) -> Callable[[HostileServer, Connection], None]:
    return lambda server, connection: server.whole(
        connection, status, body, f"Content-Type: {JSON}", *headers
    )


@contextmanager
def forge(answer: Callable[[HostileServer, Connection], object]) -> Iterator[Any]:
    with hostile(answer) as server, new_client() as client:
        calls = ForgeClient(
            "GitHub", server.url, dict, sleep=lambda _: None, now=lambda: 0.0, client=client
        )
        yield server, calls


def read_with(kind: str, url: str) -> object:
    """Read a response with a client of chat models or of embeddings."""
    if kind == "embeddings":
        return OpenAIEmbeddings(url, "the-key", "m").embed(["text"])
    models = {"chat": OpenAICompatible, "responses": OpenAIResponses, "messages": AnthropicMessages}
    model = models[kind](url, "the-key", "m")  # type: ignore[abstract]
    return asyncio.run(complete(model, [ChatMessage(ChatRole.USER, "Hello")]))


MODELS = ("chat", "responses", "messages")


@pytest.mark.parametrize("status", [200, 404, 500])
def test_a_forge_cannot_fill_the_memory(status: int) -> None:
    with forge(endless(status, JSON)) as (server, calls):
        with pytest.raises(ForgeUnreachable, match="is larger than"):
            calls.get("/repos/a/b")
        assert server.sent < MOST_SENT


def test_compressed_responses_of_a_forge_are_refused() -> None:
    """2 kB became 3 GB."""
    with forge(compressed(JSON)) as (_, calls), pytest.raises(ForgeUnreachable, match="compressed"):
        calls.get("/repos/a/b")


@pytest.mark.parametrize("status", [200, 422])
def test_deeply_nested_json_of_a_forge_is_an_error_of_the_forge(status: int) -> None:
    nested = fixed(status, b"[" * 50_000 + b"]" * 50_000)
    with forge(nested) as (_, calls), pytest.raises(ForgeError):
        calls.get("/repos/a/b")


def test_endless_redirects_of_a_forge_are_an_error_of_the_forge() -> None:
    again = fixed(302, b"", "Location: /again")
    with forge(again) as (_, calls), pytest.raises(ForgeUnreachable, match="redirects"):
        calls.get("/repos/a/b")


@pytest.mark.parametrize(
    "header", ["Retry-After: inf", "Retry-After: 1e300", "X-RateLimit-Reset: 1e300"]
)
def test_a_forge_cannot_ask_to_wait_indefinitely(header: str) -> None:
    limited = fixed(429, b"", header, "X-RateLimit-Remaining: 0")
    with forge(limited) as (_, calls), pytest.raises(ForgeRateLimited) as caught:
        calls.get("/repos/a/b")
    assert caught.value.retry_after_seconds <= HOUR_SECONDS


def trickling(lines: tuple[bytes, ...]) -> Callable[[HostileServer, Connection], None]:
    """Send each line of a response long before a read times out, for some seconds in all."""

    def answer(server: HostileServer, connection: Connection) -> None:
        for line in lines:
            connection.sendall(line + b"\r\n")
            if server.stopping.wait(0.05):
                return

    return answer


@pytest.mark.parametrize(
    "lines",
    [
        (b"HTTP/1.1 200 OK", *[b"X-Slow: 1"] * 100, b"Content-Length: 2", b"", b"{}"),
        (b"HTTP/1.1 200 OK", b"Content-Length: 202", b"", *[b""] * 100, b"{}"),
    ],
    ids=["headers", "body"],
)
def test_a_response_that_trickles_has_a_total_time(lines: tuple[bytes, ...]) -> None:
    with hostile(trickling(lines)) as server, new_client(response_seconds=1) as client:
        calls = ForgeClient("GitHub", server.url, dict, sleep=lambda _: None, client=client)
        with pytest.raises(ForgeUnreachable, match="cannot be reached"):
            calls.post("/repos/a/b")
        assert server.requests == 1


PULL = {
    "html_url": "https://forge.test/a/b/pull/1", "number": 1, "state": "open",
    "head": {"ref": "docstead/x"}, "requested_reviewers": [],
}  # fmt: skip
MERGE = {
    "web_url": "https://forge.test/a/b/-/merge_requests/1", "iid": 1, "state": "opened",
    "title": "T", "source_branch": "docstead/x",
}  # fmt: skip
WRONG: list[dict[str, Any]] = [
    {"html_url": "javascript:alert(1)", "web_url": "javascript:alert(1)"},
    {"html_url": {"a": 1}, "web_url": {"a": 1}},
    {"html_url": "https://x/\0", "web_url": "https://x/\0"},
    {"html_url": "https://x/\ud800", "web_url": "https://x/\ud800"},
    {"html_url": "https://x/" + "a" * 5_000, "web_url": "https://x/" + "a" * 5_000},
    {"number": "../../../user", "iid": "../../../user"},
    {"number": 10**400, "iid": 10**400},
    {"head": {"ref": ["x"]}, "source_branch": ["x"]},
    {"merged_by": {"login": 5}, "merge_user": {"username": 5}},
    {
        "requested_reviewers": [{"login": "x"}] * 1_000,
        "reviewers": [{"username": "x"}] * 1_000,
    },
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: json.dumps(wrong)[:40])
def test_values_that_are_no_change_are_refused(wrong: dict[str, Any]) -> None:
    """The dashboard links the URL; the others are stored, or become part of a path."""
    assert github.change_of(PULL).number == gitlab.change_of(MERGE).number == 1
    for change_of, known in ((github.change_of, PULL), (gitlab.change_of, MERGE)):
        with pytest.raises(ForgeUnreachable, match="unexpected"):
            change_of({**known, **wrong})


@pytest.mark.parametrize("kind", [*MODELS, "embeddings"])
@pytest.mark.parametrize("status", [200, 500])
def test_a_provider_cannot_fill_the_memory(kind: str, status: int) -> None:
    """A line without an end, or an error."""
    with hostile(endless(status, JSON if status > 200 else EVENTS)) as server:
        with pytest.raises(DocsteadError):
            read_with(kind, server.url)
        assert server.sent < MOST_SENT * server.requests


@pytest.mark.parametrize("kind", MODELS)
def test_compressed_responses_of_a_provider_are_refused(kind: str) -> None:
    with hostile(compressed(EVENTS)) as server, pytest.raises(ModelError) as caught:
        read_with(kind, server.url)
    assert "compressed" in caught.value.detail


def test_compressed_embeddings_are_refused() -> None:
    with hostile(compressed(JSON)) as server, pytest.raises(DocsteadError, match="Refused"):
        read_with("embeddings", server.url)


@pytest.mark.parametrize("kind", [*MODELS, "embeddings"])
def test_a_provider_cannot_send_us_to_other_hosts(kind: str) -> None:
    """The conversation went there, and what a private host answered into the log."""
    with hostile(fixed(500, b"{}")) as private:
        location = private.url.replace("127.0.0.1", "localhost")
        redirect = fixed(307, b"", f"Location: {location}/latest/meta-data")
        with hostile(redirect) as server, pytest.raises(DocsteadError):
            read_with(kind, server.url)
        assert private.requests == 0
