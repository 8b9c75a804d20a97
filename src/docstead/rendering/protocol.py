"""Length-prefixed messages between workers and their host.

Requests of the host are pickled. Workers run code of pages, so their replies are only decoded to
the types below.
"""

from __future__ import annotations

import pickle
import select
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from docstead.base.decoders import msgpack_decoder
from docstead.base.units import MIB
from docstead.content.config import ApiSettings
from docstead.content.grammars import Grammar
from docstead.content.reference_entries import ReferenceEntry, SpecifiedEntry
from docstead.markup.content_words import ContentTexts
from docstead.markup.rendered import RenderedPage
from docstead.rendering.limits import EngineLimits

_LENGTH = struct.Struct("!I")
_LONGEST = 512 * MIB
_RECEIVE_BYTES = MIB


@dataclass(frozen=True, slots=True)
class SiteSource:
    """Data shared by all pages of a site."""

    modules: Mapping[str, tuple[str, int]]  # path -> source, line on which it begins
    variables: Mapping[str, str]
    paths: tuple[str, ...]  # of pages and static files, root-absolute
    base_path: str  # prefix of the repository's own links, "" at a root
    icon_library: str
    math: bool | None  # whether dollars delimit formulas; None to decide per page
    api: ApiSettings
    components: Mapping[str, Mapping[str, Any]]  # of each specification, by path
    limits: EngineLimits
    grammars: tuple[Grammar, ...] = ()
    words: Mapping[str, ContentTexts] = field(default_factory=dict)  # by language
    font: str = ""  # font of text, if it is shipped

    def whole(self, page: PageSource) -> PageSource:
        """Return the page with the components that were sent once for all pages."""
        entry = page.reference
        if not isinstance(entry, SpecifiedEntry):
            return page
        return replace(page, reference=replace(entry, components=self.components[entry.spec]))


@dataclass(frozen=True, slots=True)
class PageSource:
    """Source of a page. Components of specifications are part of the site instead."""

    slug: str
    file: str
    body: str
    first_line: int
    reference: ReferenceEntry | None
    language: str | None = None  # language of added texts; None for English


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """Pages to render within `seconds` and the memory of `limits`."""

    pages: tuple[PageSource, ...]
    seconds: float
    limits: EngineLimits


@dataclass(frozen=True, slots=True)
class RenderReply:
    """Pages in the order of the request, or the reason why there are none."""

    pages: tuple[RenderedPage, ...] = ()
    failure: str = ""  # about these pages, the end of a sentence; about the worker, a sentence


class ChannelClosed(Exception):
    """The peer has closed the connection."""


_REPLY = msgpack_decoder(RenderReply)


def send(channel: socket.socket, message: object) -> None:
    """Send a message of the host. Raises `ChannelClosed`, or `TimeoutError` at the deadline."""
    _send_bytes(channel, pickle.dumps(message, pickle.HIGHEST_PROTOCOL))


def is_readable(channel: socket.socket) -> bool:
    """Report whether a message has arrived, or the peer has closed the connection."""
    return bool(select.select([channel], [], [], 0)[0])


def receive(channel: socket.socket) -> Any:
    """Return the next message of the host."""
    return pickle.loads(_receive_bytes(channel))  # noqa: S301 - the host is trusted by its worker


def reply(channel: socket.socket, message: RenderReply) -> None:
    _send_bytes(channel, msgspec.msgpack.encode(message))


def receive_reply(channel: socket.socket) -> RenderReply:
    """Return a worker's reply. Raises `ChannelClosed`, or `TimeoutError` at the deadline."""
    try:
        return _REPLY.decode(_receive_bytes(channel))
    except msgspec.MsgspecError as error:
        raise ChannelClosed from error


def _send_bytes(channel: socket.socket, data: bytes) -> None:
    try:
        channel.sendall(_LENGTH.pack(len(data)))
        channel.sendall(data)
    except TimeoutError:
        raise
    except OSError as error:
        raise ChannelClosed from error


def _receive_bytes(channel: socket.socket) -> bytes:
    (length,) = _LENGTH.unpack(_exactly(channel, _LENGTH.size))
    if length > _LONGEST:
        raise ChannelClosed
    return _exactly(channel, length)


def _exactly(channel: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        try:
            part = channel.recv(min(size - len(data), _RECEIVE_BYTES))
        except TimeoutError:
            raise
        except OSError as error:
            raise ChannelClosed from error
        if not part:
            raise ChannelClosed
        data += part
    return bytes(data)
