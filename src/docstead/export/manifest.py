"""Manifest of a bundle: facts for servers, and the digest of every file.

    _docs/export.json     Facts
    _docs/manifest.json   {"format": 1, "files": {path: {"sha256": …, "sizeBytes": …}}}

The manifest lists every file except itself and is the last member of an archive, because it is
complete only then. Unknown fields of later versions are ignored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import TypeVar

import msgspec

from docstead.base.decoders import Decoder, json_decoder
from docstead.base.errors import InvalidRequest
from docstead.base.features import DeploymentType
from docstead.content.config import Redirect
from docstead.content.reserved import BUNDLE_MARKER

MARKER = BUNDLE_MARKER
MANIFEST = "_docs/manifest.json"
FORMAT = 1

T = TypeVar("T")


class BundleFacts(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Facts about a bundle. `redirect_pages` are files that stand in for redirects."""

    generator: str = "docstead"
    format: int = FORMAT
    version: str | None = None  # label chosen by the owner
    commit: str | None = None
    deployment_type: str = DeploymentType.CLIENT_HOSTED.value
    features: Mapping[str, bool] = msgspec.field(default_factory=dict)
    redirects: tuple[Redirect, ...] = ()
    redirect_pages: tuple[str, ...] = ()
    connects: tuple[str, ...] = ()  # other origins that its pages send requests to
    scripts: tuple[str, ...] = ()  # origins of scripts on its pages


class FileFact(msgspec.Struct, frozen=True, rename="camel"):
    """One file of a bundle."""

    sha256: str
    size_bytes: int


class _ManifestFile(msgspec.Struct, frozen=True):
    format: int
    files: dict[str, FileFact]


_FACTS = json_decoder(BundleFacts)
_MANIFEST = json_decoder(_ManifestFile)


def facts_json(facts: BundleFacts) -> bytes:
    return msgspec.json.encode(facts) + b"\n"


def read_facts(data: bytes) -> BundleFacts:
    """Parse facts.

    Raises:
        InvalidRequest: the data is invalid, or its format is unknown.
    """
    facts = _read(data, _FACTS, MARKER)
    if facts.format != FORMAT:
        raise InvalidRequest(f"{MARKER}: format {facts.format} is not known here, only {FORMAT}")
    return facts


def read_manifest(data: bytes) -> dict[str, FileFact]:
    """Return the files of a manifest by path.

    Raises:
        InvalidRequest: the data is invalid.
    """
    return _read(data, _MANIFEST, MANIFEST).files


class ManifestWriter:
    """Records files as they are written."""

    def __init__(self) -> None:
        self.files: dict[str, FileFact] = {}

    def recording(self, path: str, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the blocks; the file is recorded after the last one."""
        digest, size = hashlib.sha256(), 0
        for block in blocks:
            digest.update(block)
            size += len(block)
            yield block
        self.files[path] = FileFact(digest.hexdigest(), size)

    def json(self) -> bytes:
        ordered = dict(sorted(self.files.items()))
        return msgspec.json.encode(_ManifestFile(FORMAT, ordered)) + b"\n"


def _read(data: bytes, decoder: Decoder[T], name: str) -> T:
    try:
        return decoder.decode(data)
    except msgspec.DecodeError as error:
        raise InvalidRequest(f"{name}: {error}") from error
