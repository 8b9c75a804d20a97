"""A folder where a command fails, and the expected content of its message."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from docstead.storage.database import Database

FAILED, WRONG_USAGE = 1, 2
LIST = ("keys", "list")
SECRET = "0123456789abcdef" * 4


@dataclass(frozen=True)
class RunningStores:
    """Servers of the run: the URL of a PostgreSQL database by name, and keys of an S3 server."""

    postgres: Callable[[str], str]
    s3_endpoint: str


@dataclass(frozen=True)
class TrialFolder:
    """The folder of one test, with a small repository."""

    folder: Path
    source: Path
    stores: Callable[[], RunningStores]
    run: Callable[..., None]  # a command that must succeed
    held: ExitStack  # until the end of the test

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def publish(self) -> None:
        self.run("publish", self.source, "--domain", "handbook")

    def migrated_database(self) -> Path:
        """Create the data folder with an empty database."""
        self.data.mkdir()
        path = self.data / "docstead.sqlite"
        database = Database(f"sqlite:///{path}")
        database.migrate()
        database.close()
        return path

    def taken_port(self, *, listening: bool = True) -> int:
        """Return a port that stays occupied until the end of the test."""
        taken = self.held.enter_context(socket.socket())
        taken.bind(("127.0.0.1", 0))
        if listening:
            taken.listen()
        return int(taken.getsockname()[1])


@dataclass(frozen=True)
class Broken:
    """A command that must fail with a message."""

    arguments: tuple[str | Path, ...]
    named: str
    advice: str
    status: int = FAILED
    settings: Mapping[str, str] = field(default_factory=dict)
    lacks: tuple[str, ...] = ()  # options of `broken_machine`
