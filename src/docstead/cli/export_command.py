"""Options and settings of an export, kept for its repetition after an edit.

Importing the libraries that read them takes longer than rendering a page. They are kept in the
folder of `--cache`. They apply while arguments, working folder, variables, settings file and code
are the same.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

import msgspec

from docstead.base.decoders import msgpack_decoder
from docstead.base.files import replacing
from docstead.base.fingerprint import package_stamp
from docstead.base.sandbox import SandboxMode
from docstead.cli.early_parent import cache_of
from docstead.cli.errors import is_setting
from docstead.content.reserved import CACHE_SIGNATURE, CACHE_TAG
from docstead.export.options import ExportOptions
from docstead.publishing.sources import DocumentationSource

if TYPE_CHECKING:
    from docstead.settings import Settings

_CONFIG = "DOCSTEAD_CONFIG"
_FILE = "command"


class ExportSettings(msgspec.Struct, frozen=True):
    """Settings that an export uses, by their names."""

    render_workers: int
    build_seconds: int
    build_memory_mb: int
    sandbox: SandboxMode
    source_files: int
    source_depth: int
    source_bytes: int
    source_pack_bytes: int

    @classmethod
    def of(cls, settings: Settings) -> Self:
        return cls(**{name: getattr(settings, name) for name in cls.__struct_fields__})


class ExportCommand(msgspec.Struct, frozen=True):
    """An export. `paths` are the pages to export, or empty for all."""

    source: DocumentationSource
    output: str
    options: ExportOptions
    paths: tuple[str, ...]
    cache: str | None
    as_json: bool
    settings: ExportSettings


class _KeptCommand(msgspec.Struct, frozen=True):
    key: str
    command: ExportCommand


_KEPT = msgpack_decoder(_KeptCommand)


def kept_command(arguments: Sequence[str]) -> ExportCommand | None:
    """Return the export that these arguments named before, if everything is as it was."""
    cache = cache_of(arguments)
    with suppress(OSError, msgspec.DecodeError):
        kept = _KEPT.decode((cache / _FILE).read_bytes()) if cache else None
        if kept is not None and kept.key == _key_of(arguments):
            return kept.command
    return None


def keep_command(arguments: Sequence[str], command: ExportCommand) -> None:
    """Keep the export that these arguments name, unless it is of a URL with its password."""
    cache = cache_of(arguments)
    if cache is None or command.source.protocol is not None:
        return
    with suppress(OSError, UnicodeEncodeError):  # it is optional
        cache.mkdir(parents=True, exist_ok=True)
        _tag(cache)
        with replacing(cache / _FILE) as fresh:
            fresh.write_bytes(msgspec.msgpack.encode(_KeptCommand(_key_of(arguments), command)))


def _tag(cache: Path) -> None:
    """Mark a folder as a cache: one in a source is not published with it, nor in backups."""
    if not (tag := cache / CACHE_TAG).exists():
        tag.write_text(f"{CACHE_SIGNATURE}\n# A cache of docstead export.\n")


def _key_of(arguments: Sequence[str]) -> str:
    """Return a digest of the arguments and of everything that changes their meaning."""
    variables = {name: text for name, text in os.environ.items() if is_setting(name)}
    file = Path(os.environ.get(_CONFIG) or "docstead.toml").expanduser()
    settings = file.read_bytes() if file.is_file() else None
    facts = (package_stamp(), str(Path.cwd()), list(arguments), sorted(variables.items()), settings)
    return hashlib.sha256(repr(facts).encode(errors="surrogateescape")).hexdigest()
