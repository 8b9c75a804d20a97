"""Files of a documentation root, by paths that cannot lead out of it.

Paths are checked as text and again on disk, by component: symbolic links are never followed, and
only regular files are opened.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Collection, Iterator
from pathlib import Path

from docstead.agent.workspace.paths import check_path, check_portable
from docstead.base.errors import InvalidRequest
from docstead.base.files import files_below
from docstead.base.units import MIB

READ_LIMIT_BYTES = 4 * MIB
WRITE_LIMIT_BYTES = 1 * MIB
SNIFFED_BYTES = 8192  # bytes that are inspected to detect text


class PathRefused(InvalidRequest):
    """The operation is not allowed for this path."""


class WorkspaceFiles:
    """Reads and writes files below `root`; raises `PathRefused` with the reason.

    `closed` are paths of submodules and of links that lead out of the repository, which do not
    exist here.
    """

    def __init__(self, root: Path, closed: Collection[str] = ()) -> None:
        self.root = root.resolve()
        self._closed = frozenset(closed)

    def kind(self, path: str) -> str | None:
        """Return `file`, `folder`, or None if nothing exists."""
        found = self._lstat(check_path(path, folders=True))
        if found is None:
            return None
        return "folder" if stat.S_ISDIR(found.st_mode) else "file"

    def read(self, path: str, limit_bytes: int = READ_LIMIT_BYTES) -> bytes:
        path = check_path(path)
        found = self._lstat(path)
        if found is None:
            raise PathRefused(f"there is no file {path!r}")
        if stat.S_ISDIR(found.st_mode):
            raise PathRefused(f"{path!r} is a folder")
        if found.st_size > limit_bytes:
            raise PathRefused(f"{path!r} has {found.st_size:,} bytes; {limit_bytes:,} can be read")
        handle = os.open(self.root / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            return file.read(limit_bytes + 1)

    def read_listed(self, path: str, limit_bytes: int = READ_LIMIT_BYTES) -> bytes | None:
        """Read a text file found by `walk`; None if it is too large, missing or binary."""
        try:
            handle = os.open(f"{self.root}/{path}", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            return None
        try:
            start = os.read(handle, SNIFFED_BYTES)
            if b"\0" in start or len(start) < SNIFFED_BYTES:
                return None if b"\0" in start else start
            if os.fstat(handle).st_size > limit_bytes:
                return None
            return start + os.read(handle, limit_bytes)
        finally:
            os.close(handle)

    def text(self, path: str, limit_bytes: int = READ_LIMIT_BYTES) -> str:
        """Return a file's text unchanged, including line ends."""
        data = self.read(path, limit_bytes)
        if b"\0" in data[:SNIFFED_BYTES]:
            raise PathRefused(f"{path!r} is not text")
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise PathRefused(f"{path!r} is not UTF-8 text") from None

    def write(self, path: str, text: str) -> None:
        """Write a whole file atomically."""
        path = check_portable(check_path(path))
        try:
            data = text.encode()
        except UnicodeEncodeError:
            raise PathRefused("the text has half of a character") from None
        if b"\0" in data:
            raise PathRefused("the text has a NUL character, which only binary files have")
        if len(data) > WRITE_LIMIT_BYTES:
            raise PathRefused(
                f"{len(data):,} bytes are too many; the limit of a file is {WRITE_LIMIT_BYTES:,}"
            )
        self._write(path, data)

    def move(self, source: str, target: str) -> None:
        """Move a file to an unused path."""
        source, target = check_path(source), check_portable(check_path(target))
        if self._lstat(source) is None:
            raise PathRefused(f"there is no file {source!r}")
        if self._lstat(target) is not None and source.casefold() != target.casefold():
            raise PathRefused(f"there is something at {target!r} already")
        self._refuse_case_conflict(target, except_for=source)
        self._folder(target)
        (self.root / source).rename(self.root / target)
        self._prune(source)

    def delete(self, path: str) -> None:
        path = check_path(path)
        found = self._lstat(path)
        if found is None:
            raise PathRefused(f"there is no file {path!r}")
        if not stat.S_ISREG(found.st_mode):
            raise PathRefused(f"{path!r} is a folder; delete its files one by one")
        (self.root / path).unlink()
        self._prune(path)

    def walk(self, folder: str = "") -> Iterator[str]:
        """Yield every regular file below a folder, sorted by path."""
        start = f"{check_path(folder, folders=True)}/" if folder else ""
        found = files_below(self.root / start)
        files = (path for path, entry in found if entry.is_file(follow_symlinks=False))
        yield from sorted(f"{start}{path}" for path in files)

    def _write(self, path: str, data: bytes) -> None:
        found = self._lstat(path)
        if found is None:
            self._refuse_case_conflict(path)
            self._folder(path)
        elif not stat.S_ISREG(found.st_mode):
            raise PathRefused(f"{path!r} is a folder")
        target = self.root / path
        # A repository cannot have a link of this name, and links are not followed.
        partial = target.with_name(f".{secrets.token_hex(8)}.partial")
        try:
            with partial.open("xb") as file:
                file.write(data)
            if found is not None:
                partial.chmod(stat.S_IMODE(found.st_mode))
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)

    def _lstat(self, path: str) -> os.stat_result | None:
        """Return the status of a path without symbolic links and device boundaries, or None."""
        at = self.root
        found: os.stat_result | None = None
        parts = path.split("/") if path else []
        for count, part in enumerate(parts, 1):
            at /= part
            shown = "/".join(parts[:count])
            if shown in self._closed:
                raise PathRefused(f"{shown!r} leads out of the documentation")
            try:
                found = at.lstat()
            except FileNotFoundError:
                return None
            except (OSError, ValueError):
                raise PathRefused(f"{path!r} cannot be a path") from None
            if stat.S_ISLNK(found.st_mode):
                raise PathRefused(f"{shown!r} is a symbolic link; name the file that it leads to")
            if not stat.S_ISDIR(found.st_mode) and not stat.S_ISREG(found.st_mode):
                raise PathRefused(f"{shown!r} is not a regular file")
            if count < len(parts) and not stat.S_ISDIR(found.st_mode):
                raise PathRefused(f"{shown!r} is a file, not a folder")
        return found if parts else self.root.lstat()

    def _refuse_case_conflict(self, path: str, *, except_for: str = "") -> None:
        """Reject a name that differs from an existing one in case only."""
        at, done = self.root, ""
        for part in path.split("/"):
            names = [entry.name for entry in at.iterdir()] if at.is_dir() else []
            same_names = [name for name in names if name.casefold() == part.casefold()]
            other = None if part in same_names else next(iter(same_names), None)
            if other is not None and f"{done}{other}" != except_for:
                raise PathRefused(
                    f"{path!r} differs from {done + other!r} only in upper and lower case"
                )
            at, done = at / part, f"{done}{part}/"

    def _folder(self, path: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)

    def _prune(self, path: str) -> None:
        """Remove empty parent folders, which git does not track."""
        for parent in (self.root / path).parents:
            if parent == self.root or any(parent.iterdir()):
                return
            parent.rmdir()
