"""Endless headers, half-sent requests, slow bodies and more connections than descriptors."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, suppress

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from docstead.base.units import KIB
from docstead.cli.http_limits import ConnectionLimits, LimitedConfig
from served import COMMANDS, Served, read_all, served

MIB = 1024 * 1024
RECEIVE_SECONDS = "1"


@pytest.fixture(scope="module", params=COMMANDS)
def command(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    settings = {"DOCSTEAD_RECEIVE_SECONDS": RECEIVE_SECONDS}
    with served(request.param, tmp_path_factory.mktemp(request.param), settings) as found:
        yield found


@pytest.fixture(scope="module")
def small_host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    # Connections are not closed before all are there, however slow the machine is.
    settings = {"DOCSTEAD_RECEIVE_SECONDS": "120", "DOCSTEAD_MAX_CONNECTIONS": "16"}
    with served("host", tmp_path_factory.mktemp("few"), settings) as found:
        yield found


def closed(connection: socket.socket) -> bool:
    """Report whether the peer closed the connection after its last bytes."""
    connection.settimeout(120)
    try:
        read_all(connection)
    except TimeoutError:
        return False
    return True


def test_half_sent_and_slow_requests_are_closed(command: Served) -> None:
    half_open = [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: b"]
    slow = b"POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\nab"
    connections = []
    for begun in [*half_open * 100, *[slow] * 100]:
        connections.append(command.connect())
        connections[-1].sendall(begun)
    still_open = [each for each in connections if not closed(each)]
    for each in connections:
        each.close()
    assert still_open == []


@pytest.mark.parametrize("line", [b"X-A: " + b"b" * 1000 + b"\r\n", b"b" * 1000, b"b: c\r\n" * 200])
def test_endless_headers_are_refused_and_not_held(command: Served, line: bytes) -> None:
    command.say(b"GET / HTTP/1.0\r\n\r\n")
    before = command.resident_bytes()
    sent = 0
    with command.connect() as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-First: ")
        try:
            while sent < 256 * MIB:
                sent += connection.send(line)
        except ConnectionError:
            pass
        held = command.resident_bytes() - before
    assert sent < 16 * MIB  # what the buffers of the kernel hold
    assert held < 4 * MIB


@pytest.mark.parametrize(
    "headers",
    [b"X-A: " + b"b" * MIB + b"\r\n", b"X-A: b\r\n" * 201, b"X-A: " + b"b" * 70_000 + b"\r\n"],
)
def test_large_headers_are_answered_with_431(command: Served, headers: bytes) -> None:
    # The kernel drops an answer that arrives before everything was sent.
    answer = next(filter(None, (_answer_to(command, headers) for _ in range(20))))
    assert answer.startswith(b"HTTP/1.1 431 ")


def _answer_to(command: Served, headers: bytes) -> bytes:
    with command.connect() as connection:
        with suppress(ConnectionError):
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + headers + b"\r\n")
        return read_all(connection)


@pytest.mark.parametrize("size", [60_000, 65_520, 65_536, 66_000, 70_000, 200_000])
def test_a_long_url_is_answered_with_json(command: Served, size: int) -> None:
    url = b"GET /" + b"a" * size + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    answer = next(filter(None, (_said(command, url) for _ in range(20))))
    status = b"404 Not Found" if size < 65_000 else b"431 Request Header Fields Too Large"
    assert answer.startswith(b"HTTP/1.1 " + status)
    if size > 65_000:
        assert "larger than 65536 bytes" in _error_of(answer)


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"nonsense\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # begins a TLS handshake
        b"GET / HTTP/1.1\r\nHost localhost\r\n\r\n",
        b"GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    ],
)
def test_malformed_requests_are_answered_with_json(command: Served, request_bytes: bytes) -> None:
    answer = command.say(request_bytes)
    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n")
    assert _error_of(answer) == "the request is not valid HTTP"


def _said(command: Served, request_bytes: bytes) -> bytes:
    with command.connect() as connection:
        with suppress(ConnectionError):
            connection.sendall(request_bytes)
        return read_all(connection)


def _error_of(answer: bytes) -> str:
    return str(json.loads(answer.partition(b"\r\n\r\n")[2])["error"])


@pytest.mark.parametrize("method", [b"GET", b"HEAD"])
def test_http_1_0_is_answered_without_chunks(method: bytes) -> None:
    request = method + b" / HTTP/1.%d\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    old, new = asyncio.run(_answers_in_pieces(request % 0, request % 1))
    assert b"transfer-encoding" not in old
    assert old.endswith(b"\r\n\r\n" if method == b"HEAD" else b"\r\n\r\none, two")
    assert (b"transfer-encoding: chunked" in new) == (method == b"GET")


async def _answers_in_pieces(*requests: bytes) -> list[bytes]:
    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for piece in (b"one, ", b"two"):
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body"})

    async with _running(LimitedConfig(app, ConnectionLimits(), port=0, lifespan="off")) as port:
        return [await _answer_at(port, each) for each in requests]


async def _answer_at(port: int, request: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    answer = await reader.read()
    writer.close()
    return answer


def test_trailers_and_chunk_extensions_are_bounded(command: Served) -> None:
    begun = b"POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    for endless in (b"1;a=", b"1\r\na\r\n0\r\nX-Trailer: "):
        with command.connect() as connection:
            connection.sendall(begun + endless)
            sent = 0
            try:
                while sent < 64 * MIB:
                    sent += connection.send(b"b" * 65536)
            except ConnectionError:
                pass
        assert sent < 32 * MIB


def test_ordinary_requests_are_answered(command: Served) -> None:
    headers = b"".join(b"X-%d: b\r\n" % number for number in range(150))
    get = b"GET /_none HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"b" * 30_000 + b"\r\n"
    answer = command.say(get + headers + b"\r\n" + get + b"Connection: close\r\n\r\n")
    assert answer.count(b"HTTP/1.1 ") == 2  # pipelined
    assert b"HTTP/1.1 4" in answer
    assert b"431" not in answer


def test_large_headers_share_memory_and_ordinary_requests_never_wait() -> None:
    assert asyncio.run(_answers_beside_a_large_header()) == {
        "large": b"HTTP/1.1 503 Service Unavailable",
        "ordinary": b"HTTP/1.1 204 No Content",
        "large, later": b"HTTP/1.1 204 No Content",
    }


def has_left(config: LimitedConfig, size: int) -> bool:
    is_left = config.header_memory.take(size)
    config.header_memory.release(size if is_left else 0)
    return is_left


async def until(is_met: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not is_met():  # noqa: ASYNC110 - nothing announces it
            await asyncio.sleep(0.01)


async def _answers_beside_a_large_header() -> dict[str, bytes]:
    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    limits = ConnectionLimits(header_memory_bytes=100 * KIB)
    config = LimitedConfig(app, limits, port=0, lifespan="off", log_level="error")
    async with _running(config) as port:
        return await _answers_by_size(config, port)


@asynccontextmanager
async def _running(config: LimitedConfig) -> AsyncIterator[int]:
    """Serve, and yield the port."""
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    await until(lambda: server.started)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await serving


async def _answers_by_size(config: LimitedConfig, port: int) -> dict[str, bytes]:
    async def begin(size: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: " + b"b" * size)
        await writer.drain()
        return reader, writer

    async def status(size: int, end: bytes = b"\r\n\r\n") -> bytes:
        reader, writer = await begin(size)
        writer.write(end)
        answer = (await reader.readline()).strip()
        writer.close()
        return answer

    _, held = await begin(60 * KIB)
    await until(lambda: not has_left(config, 49 * KIB))
    found = {"large": await status(60 * KIB, b""), "ordinary": await status(4 * KIB)}
    held.close()
    await until(lambda: has_left(config, 100 * KIB))
    found["large, later"] = await status(60 * KIB)
    return found


def test_connections_beyond_the_limit_are_refused(small_host: Served) -> None:
    # Once the site is shown, the connection that found the host ready is not counted any more.
    wait_for_site(small_host)
    with ExitStack() as stack:
        connections = [stack.enter_context(small_host.connect()) for _ in range(40)]
        answers = [read_all(each) for each in connections[16:]]
    assert all(b"503 Service Unavailable" in answer for answer in answers)
    assert small_host.log().count("connections are open; more are refused") == 1
    wait_for_site(small_host)


def wait_for_site(host: Served) -> None:
    """Wait for the home page; each try has a connection of its own."""
    get = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    deadline = time.monotonic() + 120
    while b"200 OK" not in host.say(get):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_the_server_is_the_version_whose_callbacks_are_overridden() -> None:
    assert uvicorn.__version__.startswith("0.54."), (
        "compare uvicorn/protocols/http/httptools_impl.py with docstead/cli/http_limits.py: "
        "connection_made, data_received, on_*, on_response_complete, FlowControl, "
        "send_400_response, and RequestResponseCycle.send with docstead/cli/unframed_responses.py"
    )
