"""Length-prefixed messages between a builder and its host.

Messages are MessagePack, decoded to the types below; nothing is unpickled. Only the host sends file
descriptors.
"""

from __future__ import annotations

import select
import socket
import struct
import time
from collections.abc import Sequence

import msgspec

from docstead.base.decoders import msgpack_decoder
from docstead.base.sandbox import SandboxMode
from docstead.base.texts import without_lone_surrogates

_LENGTH = struct.Struct("!I")
_BLOCK_BYTES = 1 << 20
_MOST_DESCRIPTORS = 4


class BuilderFolders(msgspec.Struct, frozen=True):
    """Folders and files of one builder. `scratch` is its private working folder."""

    read: tuple[str, ...]
    write: tuple[str, ...]
    scratch: str


class BuilderStart(msgspec.Struct, frozen=True):
    """First message to a builder: its folders and limits."""

    folders: BuilderFolders
    memory_bytes: int
    file_bytes: int
    sandbox: SandboxMode


class RunTask(msgspec.Struct, frozen=True, tag=True):
    """Host to builder: run a task."""

    task: str
    argument: msgspec.Raw


class HostReply(msgspec.Struct, frozen=True, tag=True):
    """Host to builder: the reply to a `HostRequest`; `error` is the name of its class."""

    value: msgspec.Raw = msgspec.Raw(b"\xc0")
    error: str = ""
    message: str = ""


class HostRequest(msgspec.Struct, frozen=True, tag=True):
    """Builder to host: a request for an operation of the host. Notes expect no reply."""

    name: str
    argument: msgspec.Raw
    is_note: bool = False


class TaskResult(msgspec.Struct, frozen=True, tag=True):
    """Builder to host: the task's result."""

    value: msgspec.Raw


class TaskError(msgspec.Struct, frozen=True, tag=True):
    """Builder to host: the task raised an error."""

    error: str
    message: str
    detail: str = ""


START = msgpack_decoder(BuilderStart)
TO_BUILDER = msgpack_decoder(RunTask | HostReply)
TO_HOST = msgpack_decoder(HostRequest | TaskResult | TaskError)


def encoded(value: object) -> bytes:
    """Encode a value as MessagePack; lone surrogates become question marks."""
    try:
        return msgspec.msgpack.encode(value)
    except UnicodeEncodeError:
        return msgspec.msgpack.encode(without_lone_surrogates(msgspec.to_builtins(value)))


def raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(encoded(value))


class ConnectionClosed(Exception):
    """The peer has closed the connection or sent an invalid message."""


class BuilderConnection:
    """One end of the connection between a builder and its host."""

    def __init__(self, connection: socket.socket, *, most_bytes: int = 1 << 31) -> None:
        self._connection = connection
        self._most_bytes = most_bytes

    def fileno(self) -> int:
        return self._connection.fileno()

    @property
    def is_closed(self) -> bool:
        """Whether the peer has closed the connection or sent an unexpected message."""
        looking = select.poll()
        looking.register(self._connection, select.POLLIN)
        return bool(looking.poll(0))

    def close(self) -> None:
        self._connection.close()

    def send(
        self, message: object, descriptors: Sequence[int] = (), seconds: float | None = None
    ) -> None:
        """Send a message with file descriptors.

        Raises:
            ConnectionClosed: the peer has closed the connection, or not read for this many seconds.
        """
        data = encoded(message)
        try:
            self._connection.settimeout(seconds)
            if descriptors:
                socket.send_fds(self._connection, [_LENGTH.pack(len(data))], list(descriptors))
            else:
                self._connection.sendall(_LENGTH.pack(len(data)))
            self._connection.sendall(data)
        except OSError as error:
            raise ConnectionClosed from error

    def receive(self, seconds: float | None = None) -> bytes:
        """Receive one message.

        Raises:
            ConnectionClosed: the peer has closed the connection or sent an invalid message.
            TimeoutError: nothing arrived within this many seconds.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        return self._body(self._exactly(_LENGTH.size, deadline), deadline)

    def receive_with_descriptors(self) -> tuple[bytes, list[int]]:
        """Receive one message and its file descriptors, in a builder."""
        self._connection.settimeout(None)
        try:
            head, descriptors, _, _ = socket.recv_fds(
                self._connection, _LENGTH.size, _MOST_DESCRIPTORS
            )
        except OSError as error:
            raise ConnectionClosed from error
        rest = _LENGTH.size - len(head)
        if not head:
            raise ConnectionClosed
        return self._body(head + self._exactly(rest, None), None), descriptors

    def _body(self, head: bytes, deadline: float | None) -> bytes:
        (length,) = _LENGTH.unpack(head)
        if length > self._most_bytes:
            raise ConnectionClosed
        return self._exactly(length, deadline)

    def _exactly(self, size: int, deadline: float | None) -> bytes:
        data = bytearray()
        while len(data) < size:
            try:
                self._connection.settimeout(_left(deadline))
                part = self._connection.recv(min(size - len(data), _BLOCK_BYTES))
            except TimeoutError:
                raise
            except OSError as error:
                raise ConnectionClosed from error
            if not part:
                raise ConnectionClosed
            data += part
        return bytes(data)


def _left(deadline: float | None) -> float | None:
    if deadline is None:
        return None
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
