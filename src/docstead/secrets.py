"""Root secrets of an installation, and names of nodes, from settings or the data folder."""

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
    def location(self) -> str:
        return str(self._path)

    def read(self) -> Sequence[str]:
        """Return the secrets; none if the file is missing or empty.

        Raises:
            InvalidRequest: the file is damaged or cannot be read.
        """
        try:
            lines = self._path.read_text().splitlines()
        except FileNotFoundError:
            return ()
        except UnicodeDecodeError as error:
            raise InvalidRequest(
                f"{self._path}: this is not a file of secrets; restore a backup, copy the file of "
                "another node, or replace all keys with: docstead secret reset"
            ) from error
        except PermissionError as error:
            raise InvalidRequest(
                f"{self._path}: the file cannot be read; let the user of this process read it"
            ) from error
        return tuple(line.strip() for line in lines if line.strip())

    def create(self) -> str:
        fresh = new_secret()
        write_private(self._path, f"{fresh}\n")
        return fresh

    def add(self) -> None:
        """Add a new secret in front of the present ones."""
        write_private(self._path, "\n".join((new_secret(), *self.read())) + "\n")

    def keep_newest(self) -> None:
        newest, *_ = self.read()
        write_private(self._path, f"{newest}\n")


class RootSecretSetting:
    """Root secrets from the setting `secret`."""

    location = "DOCSTEAD_SECRET"

    def __init__(self, given: Sequence[str]) -> None:
        self._given = tuple(given)

    def read(self) -> Sequence[str]:
        """Return the secrets. Raises InvalidRequest if an entry is empty."""
        if not all(each.strip() for each in self._given):
            raise InvalidRequest(f"{self.location}: an entry is empty; remove it")
        return self._given

    def create(self) -> str:
        raise InvalidRequest(f"{self.location}: set at least one secret")


def new_secret() -> str:
    return secrets.token_hex(32)


def kept_node_id(path: Path) -> str:
    """Return the name of this node from `path`, and create it if there is none.

    Raises:
        InvalidRequest: the file is damaged. With a new name, this node would lose its jobs.
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
        f"{path}: this is not the name of a node; restore a backup, or remove the file to get a "
        "new name"
    )


def write_private(path: Path, text: str) -> None:
    """Replace a file atomically and durably; only its owner can read it."""
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
