"""The service's URL in its data folder, where commands find it.

The file exists while the service runs. A killed service leaves it behind, so commands verify the
URL before they use it (`cli.service_client`).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from docstead.base.decoders import json_decoder
from docstead.secrets import write_private
from docstead.settings import Settings

_NAME = "service.json"
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 - compared only


@dataclass(frozen=True, slots=True)
class Announcement:
    """A running service."""

    url: str  # for commands on this machine
    public_url: str  # for readers
    run: str = ""  # differs for each start


_FORMAT = json_decoder(Announcement)


@contextmanager
def announced(settings: Settings) -> Iterator[Callable[[], None]]:
    """Yield a function that writes the URL; it is removed on exit."""
    path = _path(settings.data)
    mine = Announcement(_local_url(settings), settings.public_url, secrets.token_hex(8))
    try:
        yield lambda: write_private(path, msgspec.json.encode(mine).decode() + "\n")
    finally:
        if read_announcement(settings.data) == mine:  # not if another service started
            path.unlink(missing_ok=True)


def read_announcement(data: Path) -> Announcement | None:
    """Return the last started service of a data folder unless it has shut down."""
    try:
        return _FORMAT.decode(_path(data).read_bytes())
    except (OSError, msgspec.DecodeError):
        return None


def _path(data: Path) -> Path:
    return data / _NAME


def _local_url(settings: Settings) -> str:
    host = _EVERYWHERE.get(settings.host, settings.host)
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"
