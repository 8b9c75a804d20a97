"""Changes of a branch, stored with the job for its viewers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace

from docstead.agent.workspace import FileDiff
from docstead.agent.workspace.secret_scan import masked

_ROOM_CHARACTERS = 500_000


def kept(files: Sequence[FileDiff]) -> str:
    """The differences as text, those of the first files whole, as far as there is room.

    What looks like a secret is left out.
    """
    room, shown = _ROOM_CHARACTERS, []
    for file in files:
        text = masked(file.text) if len(file.text) <= room else ""
        shown.append(asdict(replace(file, text=text)))
        room -= len(file.text)
    return json.dumps(shown)


def told(text: str) -> tuple[FileDiff, ...]:
    """The differences that were kept."""
    return tuple(FileDiff(**file) for file in json.loads(text or "[]"))
