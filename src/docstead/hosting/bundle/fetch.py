"""Download of a bundle archive from a URL or a path."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from docstead.base.errors import InvalidRequest, Unavailable
from docstead.base.outbound import OutboundClient, OutboundResponse
from docstead.base.units import MIB
from docstead.hosting.bundle.config import HostConfig

_OK, _NOT_MODIFIED, _FORBIDDEN = 200, 304, 403


@dataclass(frozen=True, slots=True)
class FetchedArchive:
    """An archive in a file. `etag` is the validator that its server sent."""

    path: Path
    size_bytes: int
    sha256: str
    etag: str | None = None


def shown(url: str) -> str:
    """Return a URL without its signature, for messages."""
    return url.partition("?")[0].partition("#")[0]


def fetch(
    config: HostConfig, outbound: OutboundClient, target: Path, etag: str | None
) -> FetchedArchive | None:
    """Write the archive to `target`, or return None if the server reports it as unchanged.

    Raises:
        InvalidRequest: the URL is not allowed, or the archive is too large or not the pinned one.
        Unavailable: the archive is temporarily unavailable.
    """
    with _opened(config, outbound, etag) as (blocks, etag_of_response):
        if blocks is None:
            return None
        fetched = _written(blocks, target, config.limits.archive_bytes, etag_of_response)
    if config.sha256 not in (None, fetched.sha256):
        raise InvalidRequest(
            f"staticExport.sha256: the archive at {shown(config.bundle_url)} has {fetched.sha256}"
        )
    return fetched


@contextmanager
def _opened(
    config: HostConfig, outbound: OutboundClient, etag: str | None
) -> Iterator[tuple[Iterator[bytes] | None, str | None]]:
    """Yield the archive's blocks, or None if it is unchanged, and its validator."""
    path = _local_path(config.bundle_url)
    if path is not None:
        with _local_file(path) as blocks:
            yield blocks, None
        return
    try:
        with outbound.get(config.bundle_url, {"If-None-Match": etag} if etag else {}) as answer:
            yield _body(answer, config), answer.headers.get("etag")
    except InvalidRequest as error:
        if error.message.startswith("staticExport."):
            raise
        raise InvalidRequest(f"staticExport.bundleUrl: {error.message}") from error


def _local_path(url: str) -> Path | None:
    if "://" not in url:
        return Path(url)
    split = urlsplit(url)
    if split.scheme != "file":
        return None
    if split.netloc not in ("", "localhost"):
        raise InvalidRequest("staticExport.bundleUrl: a file:// URL has no host")
    return Path(unquote(split.path))


@contextmanager
def _local_file(path: Path) -> Iterator[Iterator[bytes]]:
    if not path.is_file():
        raise Unavailable(f"staticExport.bundleUrl: {path}: there is no such file")
    try:
        file = path.open("rb")
    except OSError as error:
        raise Unavailable(f"staticExport.bundleUrl: {path}: {error.strerror}") from error
    with file:
        yield iter(lambda: file.read(MIB), b"")


def _body(answer: OutboundResponse, config: HostConfig) -> Iterator[bytes] | None:
    if answer.status == _NOT_MODIFIED:
        return None
    if answer.status == _FORBIDDEN:
        raise Unavailable("staticExport.bundleUrl: the link has expired or is not valid (403)")
    if answer.status != _OK:
        raise Unavailable(
            f"staticExport.bundleUrl: {shown(config.bundle_url)} answered {answer.status}"
        )
    length = answer.headers.get("content-length", "")
    if length.isdigit() and int(length) > config.limits.archive_bytes:
        raise _too_large(config.limits.archive_bytes)
    return answer.blocks


def _written(blocks: Iterator[bytes], target: Path, limit: int, etag: str | None) -> FetchedArchive:
    digest, size = hashlib.sha256(), 0
    with target.open("xb") as file:
        for block in blocks:
            size += len(block)
            if size > limit:
                raise _too_large(limit)
            digest.update(block)
            file.write(block)
    return FetchedArchive(target, size, digest.hexdigest(), etag)


def _too_large(limit: int) -> InvalidRequest:
    return InvalidRequest(f"staticExport.maxArchiveBytes: the archive has more than {limit} bytes")
