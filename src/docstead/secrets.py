"""The root secrets of an installation and the name of a node, in settings or the data folder."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from pathlib import Path

from docstead.base.errors import InvalidRequest


class RootSecretFile:
    """`data/secret`: one secret in each line, newest first."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def place(self) -> str:
        return str(self._path)

    def read(self) -> Sequence[str]:
        """Return the secrets; none where there is no file. An empty file counts as none."""
        try:
            lines = self._path.read_text().splitlines()
        except FileNotFoundError:
            return ()
        return tuple(line.strip() for line in lines if line.strip())

    def create(self) -> str:
        fresh = new_secret()
        write_private(self._path, f"{fresh}\n")
        return fresh

    def add(self) -> None:
        """Put a new secret before those that there are."""
        write_private(self._path, "\n".join((new_secret(), *self.read())) + "\n")

    def keep_newest(self) -> None:
        newest, *_ = self.read()
        write_private(self._path, f"{newest}\n")


class RootSecretSetting:
    """The setting `secret`."""

    place = "DOCSTEAD_SECRET"

    def __init__(self, given: Sequence[str]) -> None:
        self._given = tuple(given)

    def read(self) -> Sequence[str]:
        """Raises InvalidRequest where an entry is empty."""
        if not all(each.strip() for each in self._given):
            raise InvalidRequest(f"{self.place}: an entry is empty; remove it")
        return self._given

    def create(self) -> str:
        raise InvalidRequest(f"{self.place}: name at least one secret")


def new_secret() -> str:
    return secrets.token_hex(32)


def kept_node_id(path: Path) -> str:
    """Return the name of this node in `path`, made where there is none.

    Raises:
        InvalidRequest: the file is damaged. Another name would leave this node's jobs to others.
    """
    try:
        known = path.read_text().strip() if path.exists() else ""
    except (UnicodeDecodeError, IsADirectoryError) as error:
        raise _damaged(path) from error
    if not known.isprintable():
        raise _damaged(path)
    if not known:
        known = f"node-{secrets.token_hex(6)}"
        write_private(path, f"{known}\n")
    return known


def _damaged(path: Path) -> InvalidRequest:
    return InvalidRequest(
        f"{path}: this is not the name of a node; put a backup in its place, or remove it, and "
        "another name is made"
    )


def write_private(path: Path, text: str) -> None:
    """Replace a file that only its owner can read. It is whole and on the disk, or as before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
