"""Files that a repository names by their address, read while it is published."""

from __future__ import annotations

import hashlib
import logging
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from docstead.base.errors import DocsteadError, Unavailable
from docstead.base.outbound import OutboundClient
from docstead.base.units import MIB
from docstead.reference.sdk.artifact import FILE_LIMIT_BYTES

_MOST_BYTES = 10 * MIB
_MOST_ASSET_BYTES = 4 * MIB
_OK = 200
_BUILD_SECONDS = 300.0

_WEB_PAGE = re.compile(rb"\s*<(?:!doctype html|html)", re.IGNORECASE)

_log = logging.getLogger(__name__)

T = TypeVar("T")


class RemoteFiles:
    """Reads files of other hosts. `kept` holds the last copies, for when a host is away."""

    def __init__(self, outbound: OutboundClient, kept: Path | None = None) -> None:
        self._outbound = outbound
        self._kept = kept

    def read(self, address: str) -> str:
        """The text at an address, or the copy of the last time.

        Raises:
            InvalidRequest: the address must not be asked.
            Unavailable: nothing came, or too much, or no text, and there is no copy.
        """
        return self._read(address, _MOST_BYTES, _text).decode("utf-8-sig")

    def read_artifact(self, address: str) -> bytes:
        """The artifact of a library at an address, or the copy of the last time.

        Raises:
            InvalidRequest: the address must not be asked.
            Unavailable: nothing came, or too much, and there is no copy.
        """
        return self._read(address, FILE_LIMIT_BYTES, bytes)

    def read_asset(self, address: str) -> bytes:
        """The picture or font at an address, or the copy of the last time.

        Raises:
            InvalidRequest: the address must not be asked.
            Unavailable: nothing came, or too much, and there is no copy.
        """
        return self._read(address, _MOST_ASSET_BYTES, _file)

    def _read(self, address: str, most: int, checked: Callable[[bytes], bytes]) -> bytes:
        try:
            data = checked(self._asked(address, most))
        except DocsteadError as error:
            if not (copy := self._last_copy(address)):
                raise
            _log.warning("%s: %s; the copy of the last time is used", address, error.message)
            return copy
        self._keep(address, data)
        return data

    def _asked(self, address: str, most: int) -> bytes:
        data = bytearray()
        with self._outbound.get(address) as answer:
            if answer.status != _OK:
                raise Unavailable(f"it answers with status {answer.status}")
            for block in answer.blocks:
                data += block
                if len(data) > most:
                    raise Unavailable(f"it is larger than {most // MIB} MB")
        return bytes(data)

    def _last_copy(self, address: str) -> bytes:
        """The copy of the last time; b"" where there is none, or none that can be read."""
        copy = self._copy(address)
        try:
            return copy.read_bytes() if copy else b""
        except OSError:
            return b""

    def _keep(self, address: str, data: bytes) -> None:
        copy = self._copy(address)
        if copy is None:
            return
        copy.parent.mkdir(parents=True, exist_ok=True)
        fresh = copy.with_suffix(".part")
        fresh.write_bytes(data)
        fresh.replace(copy)

    def _copy(self, address: str) -> Path | None:
        name = hashlib.sha256(address.encode()).hexdigest()
        return self._kept / name if self._kept else None


class RemoteBudget:
    """Time that one build spends on files of other hosts, during which it holds its place.

    The last file may take longer than what is left.
    """

    def __init__(self, seconds: float = _BUILD_SECONDS) -> None:
        self._left_seconds = seconds

    def limited(self, read: Callable[[str], T]) -> Callable[[str], T]:
        """The same function, which raises Unavailable once the time is spent."""

        def reading(address: str) -> T:
            if self._left_seconds <= 0:
                raise Unavailable("the files of other hosts took too long all together")
            began = time.monotonic()
            try:
                return read(address)
            finally:
                self._left_seconds -= time.monotonic() - began

        return reading


def no_assets(_: str) -> bytes:
    """Fetch no picture or font. Raises Unavailable."""
    raise Unavailable("DOCSTEAD_REMOTE_ASSETS is off, or this deployment is air-gapped")


def _file(data: bytes) -> bytes:
    """The same, if it is not a web page in place of a file."""
    if _WEB_PAGE.match(data):
        raise Unavailable("it is a web page")
    return data


def _text(data: bytes) -> bytes:
    """The same, if it is UTF-8."""
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unavailable("it is not UTF-8") from error
    return data
