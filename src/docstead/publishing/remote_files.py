"""Files that a repository refers to by URL, fetched while publishing."""

from __future__ import annotations

import hashlib
import logging
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from docstead.base.errors import DocsteadError, Unavailable
from docstead.base.files import replacing
from docstead.base.outbound import OutboundClient
from docstead.base.units import MIB
from docstead.reference.sdk.artifact import FILE_LIMIT_BYTES

if TYPE_CHECKING:
    from docstead.reference.openapi.spec import ReadRemote
    from docstead.repository.sdk_settings import ReadArtifact

_MOST_BYTES = 10 * MIB
_MOST_ASSET_BYTES = 4 * MIB
_OK = 200
_BUILD_SECONDS = 300.0

_WEB_PAGE = re.compile(rb"\s*<(?:!doctype html|html)", re.IGNORECASE)

FetchAsset = Callable[[str], bytes]

_log = logging.getLogger(__name__)

T = TypeVar("T")


def no_assets(_: str) -> bytes:
    """Reject every image and font.

    Raises:
        Unavailable: always.
    """
    raise Unavailable("DOCSTEAD_REMOTE_ASSETS is off, or this deployment is air-gapped")


@dataclass(frozen=True, slots=True)
class RemoteReaders:
    """Functions that read files at URLs; without one of the first two, such files are refused."""

    specification: ReadRemote | None = None
    artifact: ReadArtifact | None = None
    asset: FetchAsset = no_assets


class RemoteFiles:
    """Reads files of other hosts. `kept` stores the latest copies, for outages."""

    def __init__(self, outbound: OutboundClient, kept: Path | None = None) -> None:
        self._outbound = outbound
        self._kept = kept
        self._keeping = threading.Lock()  # builds may name the same URL at the same time

    def read(self, url: str) -> str:
        """Return the text at a URL, or its latest copy.

        Raises:
            InvalidRequest: the URL is not allowed.
            Unavailable: the file is missing, too large or not text, and there is no copy.
        """
        return self._read(url, _MOST_BYTES, _text).decode("utf-8-sig")

    def read_artifact(self, url: str) -> bytes:
        """Return the library artifact at a URL, or its latest copy.

        Raises:
            InvalidRequest: the URL is not allowed.
            Unavailable: the file is missing or too large, and there is no copy.
        """
        return self._read(url, FILE_LIMIT_BYTES, bytes)

    def read_asset(self, url: str) -> bytes:
        """Return the image or font at a URL, or its latest copy.

        Raises:
            InvalidRequest: the URL is not allowed.
            Unavailable: the file is missing or too large, and there is no copy.
        """
        return self._read(url, _MOST_ASSET_BYTES, _file)

    def _read(self, url: str, most: int, checked: Callable[[bytes], bytes]) -> bytes:
        try:
            data = checked(self._asked(url, most))
        except DocsteadError as error:
            if not (copy := self._last_copy(url)):
                raise
            shown = url.partition("?")[0]  # a query may contain a key
            _log.warning("%s: %s; using the latest copy", shown, error.message)
            return copy
        self._keep(url, data)
        return data

    def _asked(self, url: str, most: int) -> bytes:
        data = bytearray()
        with self._outbound.get(url) as answer:
            if answer.status != _OK:
                raise Unavailable(f"the server responded with status {answer.status}")
            for block in answer.blocks:
                data += block
                if len(data) > most:
                    raise Unavailable(f"it is larger than {most // MIB} MB")
        return bytes(data)

    def _last_copy(self, url: str) -> bytes:
        """Return the latest copy, or b"" if there is no readable one."""
        copy = self._copy(url)
        try:
            return copy.read_bytes() if copy else b""
        except OSError:
            return b""

    def _keep(self, url: str, data: bytes) -> None:
        copy = self._copy(url)
        if copy is None:
            return
        copy.parent.mkdir(parents=True, exist_ok=True)
        with self._keeping, replacing(copy) as fresh:
            fresh.write_bytes(data)

    def _copy(self, url: str) -> Path | None:
        name = hashlib.sha256(url.encode()).hexdigest()
        return self._kept / name if self._kept else None


class RemoteBudget:
    """Time that a build may spend on files of other hosts while it occupies a slot.

    The last file may exceed it.
    """

    def __init__(self, seconds: float = _BUILD_SECONDS) -> None:
        self._left_seconds = seconds

    def limited(self, read: Callable[[str], T]) -> Callable[[str], T]:
        """Wrap a function so that it raises Unavailable once the time is used up."""

        def reading(url: str) -> T:
            if self._left_seconds <= 0:
                raise Unavailable("fetching files of other hosts took too long")
            began = time.monotonic()
            try:
                return read(url)
            finally:
                self._left_seconds -= time.monotonic() - began

        return reading


def _file(data: bytes) -> bytes:
    """Return the data after verifying that it is not a web page."""
    if _WEB_PAGE.match(data):
        raise Unavailable("it is a web page")
    return data


def _text(data: bytes) -> bytes:
    """Return the data after verifying that it is UTF-8."""
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unavailable("it is not UTF-8") from error
    return data
