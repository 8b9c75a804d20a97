"""Diff of a job's branch, stored with the job for display."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace

from docstead.agent.workspace import FileDiff
from docstead.agent.workspace.secret_scan import masked

_MOST_CHARACTERS = 500_000


def kept(files: Sequence[FileDiff]) -> str:
    """Return the diffs as text, whole files only, up to the size limit.

    Possible secrets are masked.
    """
    left, shown = _MOST_CHARACTERS, []
    for file in files:
        text = masked(file.text) if len(file.text) <= left else ""
        shown.append(asdict(replace(file, text=text)))
        left -= len(file.text)
    return json.dumps(shown)


def decoded_diffs(text: str) -> tuple[FileDiff, ...]:
    """Parse stored diffs."""
    return tuple(FileDiff(**file) for file in json.loads(text or "[]"))
