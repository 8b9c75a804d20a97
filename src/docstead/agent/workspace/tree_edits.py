"""Trees with some changed files, written without calling git.

Each edit of the agent creates a tree. Git would need two processes for it, which take longer than
the rest of an edit.
"""

from __future__ import annotations

import hashlib
import os
import stat
import zlib
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from docstead.agent.workspace.bare_repository import EMPTY_TREE, FOLDER, BareRepository, TreeEntry
from docstead.base.units import MIB

_LARGEST_BYTES = 8 * MIB  # largest file that is read into memory
_FILE, _PROGRAM = "100644", "100755"


class NotPlain(Exception):
    """Entry that only git can add."""


@dataclass(slots=True)
class _Folder:
    """A tree in memory: entries after loading, id until it changes."""

    object_id: str | None = None
    names: dict[str, TreeEntry | _Folder] | None = None


@dataclass(slots=True)
class TreeEdits:
    """Caches the last tree as far as edits have used it."""

    store: BareRepository
    folder: Path
    _last: _Folder = field(default_factory=lambda: _Folder(EMPTY_TREE))

    def changed(self, tree: str, paths: Collection[str]) -> str:
        """Return `tree` with the current files of the folder at these paths.

        Raises:
            NotPlain: a path is a link, a folder or a very large file.
        """
        files = {path: self._made(path) for path in paths}
        root = self._last if self._last.object_id == tree else _Folder(tree)
        self._last = _Folder(EMPTY_TREE)
        for path in (path for path, file in files.items() if file is None):
            self._take(root, path.split("/"))
        for path, file in files.items():
            if file is not None:
                self._put(root, path.split("/"), file)
        made = self._written(root)
        self._last = root
        return made

    def _made(self, path: str) -> TreeEntry | None:
        """Write a file's object; return its entry, or None if the file does not exist."""
        file = self.folder / path
        try:
            found = file.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        if not stat.S_ISREG(found.st_mode) or found.st_size > _LARGEST_BYTES:
            raise NotPlain
        object_id = self._write("blob", file.read_bytes())
        return TreeEntry(_PROGRAM if found.st_mode & stat.S_IXUSR else _FILE, object_id, file.name)

    def _names(self, folder: _Folder) -> dict[str, TreeEntry | _Folder]:
        if folder.names is None:
            entries = self.store.children(folder.object_id or EMPTY_TREE)
            folder.names = {
                name: _Folder(entry.object_id) if entry.mode == FOLDER else entry
                for name, entry in entries.items()
            }
        return folder.names

    def _put(self, folder: _Folder, parts: list[str], file: TreeEntry) -> None:
        names, folder.object_id = self._names(folder), None
        if len(parts) == 1:
            names[parts[0]] = file
            return
        inner = names.get(parts[0])
        if not isinstance(inner, _Folder):
            inner = names[parts[0]] = _Folder(names={})
        self._put(inner, parts[1:], file)

    def _take(self, folder: _Folder, parts: list[str]) -> None:
        names = self._names(folder)
        inner = names.get(parts[0])
        if isinstance(inner, _Folder) and len(parts) > 1:
            self._take(inner, parts[1:])
            if inner.object_id is not None:
                return
            if not inner.names:
                del names[parts[0]]
        elif len(parts) == 1 and isinstance(inner, TreeEntry):
            del names[parts[0]]
        else:
            return
        folder.object_id = None

    def _written(self, folder: _Folder) -> str:
        if folder.object_id is None:
            rows = [self._row(name, each) for name, each in self._names(folder).items()]
            folder.object_id = self._write("tree", b"".join(row for _, row in sorted(rows)))
        return folder.object_id

    def _row(self, name: str, each: TreeEntry | _Folder) -> tuple[bytes, bytes]:
        """Return git's sort key of an entry, and the encoded entry."""
        known = os.fsencode(name)
        if isinstance(each, _Folder):
            return known + b"/", b"40000 %s\0%s" % (known, bytes.fromhex(self._written(each)))
        row = b"%s %s\0%s" % (each.mode.encode(), known, bytes.fromhex(each.object_id))
        return known, row

    def _write(self, kind: str, data: bytes) -> str:
        whole = b"%s %d\0%s" % (kind.encode(), len(data), data)
        name = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
        file = self.store.git.directory / "objects" / name[:2] / name[2:]
        if not file.exists():
            file.parent.mkdir(exist_ok=True)
            partial = file.with_name(f"tmp_obj_{os.getpid()}_{name}")
            partial.write_bytes(zlib.compress(whole, 1))
            partial.chmod(0o444)
            partial.replace(file)
        return name
