"""Files of an artifact in memory, in a folder, or in an archive.

Failure rule: `UnusableArtifact`. Only plain files are read, within the limits; archives are read in
place, without unpacking.
"""

from __future__ import annotations

import hashlib
import os
import stat
import zipfile
import zlib
from collections.abc import Iterator
from functools import cached_property
from io import BytesIO
from pathlib import Path

from docstead.base.units import MIB
from docstead.reference.sdk.artifact import (
    FILE_LIMIT_BYTES,
    FILES_LIMIT,
    FOLDER_LIMIT_BYTES,
    UnusableArtifact,
)

_SMALLER = "Remove from the artifact what readers do not need."
_UNIX = 3  # system whose archives contain file types


class _ReadCounter:
    """Counts bytes read."""

    def __init__(self) -> None:
        self._left = FOLDER_LIMIT_BYTES

    def _count(self, size: int, path: str) -> None:
        if size > FILE_LIMIT_BYTES:
            raise UnusableArtifact(
                f"the file is larger than {FILE_LIMIT_BYTES // MIB} MB", _SMALLER, path
            )
        self._left -= size
        if self._left < 0:
            raise UnusableArtifact(f"it holds more than {FOLDER_LIMIT_BYTES // MIB} MB", _SMALLER)


class _InMemory(_ReadCounter):
    """An artifact in memory, identified by its contents."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self._data = data
        self.size_bytes = len(data)

    @cached_property
    def key(self) -> tuple[object, ...]:
        return (hashlib.sha256(self._data).hexdigest(),)


class KeptArtifact(_InMemory):
    """A single file."""

    paths = ("",)

    def read(self, path: str = "") -> bytes:
        self._count(self.size_bytes, path)
        return self._data


class FolderArtifact(_ReadCounter):
    """Files of a folder; links are skipped."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        found = sorted(self._walk())
        self.paths = tuple(path for path, _, _ in found)
        self.size_bytes = sum(size for _, size, _ in found)
        self.key: tuple[object, ...] = (str(folder), *found)

    def read(self, path: str = "") -> bytes:
        if path not in self._known:
            raise UnusableArtifact("there is no such file", "Create the artifact again.", path)
        try:
            data = (self._folder / path).read_bytes()
        except OSError as error:
            raise UnusableArtifact(error.strerror or "not readable", "", path) from None
        self._count(len(data), path)
        return data

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.paths)

    def _walk(self) -> Iterator[tuple[str, int, int]]:
        count = 0
        for folder, folders, files in os.walk(self._folder):
            folders.sort()
            for name in files:
                path = Path(folder, name)
                about = path.lstat()
                count += 1
                if count > FILES_LIMIT:
                    raise UnusableArtifact(f"it holds more than {FILES_LIMIT:,} files", _SMALLER)
                if stat.S_ISREG(about.st_mode) and name.isprintable():
                    relative = path.relative_to(self._folder).as_posix()
                    yield relative, about.st_size, about.st_mtime_ns


class ZipArtifact(_InMemory):
    """Files of a zip archive, including jars."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        try:
            self._archive = zipfile.ZipFile(BytesIO(data))
        except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise _no_archive(error) from None
        self._members = self._checked()
        self.paths = tuple(sorted(self._members))

    def read(self, path: str = "") -> bytes:
        if path not in self._members:
            raise UnusableArtifact("there is no such file", "Create the artifact again.", path)
        member = self._members[path]
        self._count(member.file_size, path)
        try:
            with self._archive.open(member) as file:
                return file.read(member.file_size)  # more than declared is reported below
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError) as error:
            raise _no_archive(error) from None

    def _checked(self) -> dict[str, zipfile.ZipInfo]:
        listed = self._archive.infolist()
        if len(listed) > FILES_LIMIT:
            raise UnusableArtifact(f"it holds more than {FILES_LIMIT:,} files", _SMALLER)
        if sum(each.file_size for each in listed) > FOLDER_LIMIT_BYTES:
            raise UnusableArtifact(f"it holds more than {FOLDER_LIMIT_BYTES // MIB} MB", _SMALLER)
        found: dict[str, zipfile.ZipInfo] = {}
        for each in listed:
            if each.is_dir():
                continue
            if not _is_plain(each) or each.filename in found:
                message = f"{each.filename[:200]!r} in the archive is not a regular file"
                raise UnusableArtifact(message, "Pack only files, each once, with relative paths.")
            found[each.filename] = each
        return found


def _is_plain(member: zipfile.ZipInfo) -> bool:
    name, mode = member.filename, member.external_attr >> 16
    is_linked = member.create_system == _UNIX and stat.S_IFMT(mode) not in (0, stat.S_IFREG)
    is_encrypted = bool(member.flag_bits & 1)
    parts = name.split("/")
    is_within = name.isprintable() and "\\" not in name and not {"", ".", ".."} & set(parts)
    return is_within and not is_linked and not is_encrypted


def _no_archive(error: Exception) -> UnusableArtifact:
    hint = "Pack the tool's output folder as a .zip or .jar."
    return UnusableArtifact(f"no zip archive, or damaged: {error}", hint)
