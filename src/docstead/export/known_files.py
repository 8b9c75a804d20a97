"""Fingerprints of the code, and digests of source files, kept with the times of these files.

Files whose times and sizes are the same are not read again. Without the stored facts, or if they
are damaged, all files are read.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from pathlib import Path

import msgspec

from docstead.base.decoders import msgpack_decoder
from docstead.base.files import replacing
from docstead.base.fingerprint import package_stamp
from docstead.export.last_files import export_code
from docstead.publishing.folders import FileEntries, FileMemory


class _StoredFacts(msgspec.Struct, frozen=True, array_like=True):
    package: str = ""
    code: str = ""
    files: FileEntries = ((), ())
    engine: str = ""


_STORED_FACTS = msgpack_decoder(_StoredFacts)


class KnownFiles:
    """Facts that are stored at `path`."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def code(self) -> str:
        """Fingerprint of the code of exports."""
        return self._stored.code if self._is_same_package else export_code()

    @cached_property
    def engine(self) -> str:
        """Fingerprint of the code of pages."""
        from docstead.rendering import engine_version

        return (self._stored.engine if self._is_same_package else "") or engine_version()

    @cached_property
    def memory(self) -> FileMemory:
        """Digests of source files."""
        memory = FileMemory()
        memory.restore(self._stored.files)
        return memory

    def store(self) -> None:
        """Store the facts, if they have changed."""
        facts = _StoredFacts(self._package, self.code, self.memory.entries(), self.engine)
        if facts != self._stored:
            with suppress(UnicodeEncodeError), replacing(self._path) as fresh:  # unusual paths
                fresh.write_bytes(msgspec.msgpack.encode(facts))

    @property
    def _is_same_package(self) -> bool:
        return self._stored.package == self._package

    @cached_property
    def _package(self) -> str:
        return package_stamp()

    @cached_property
    def _stored(self) -> _StoredFacts:
        with suppress(OSError, msgspec.DecodeError):
            return _STORED_FACTS.decode(self._path.read_bytes())
        return _StoredFacts()
