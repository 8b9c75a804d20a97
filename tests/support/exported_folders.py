"""Folders exported by the command, as users export them."""

from __future__ import annotations

import os
from pathlib import Path

from ready_processes import shared_processes

_SECONDS = 300  # only ends commands that hang


def export_folder(source: Path, target: Path, *options: str) -> Path:
    """Export `source` to the folder `target`, and return it."""
    ended = shared_processes().run(
        ("docstead.cli", "export", source, "-o", target, *options),
        {**os.environ, "DOCSTEAD_RENDER_WORKERS": "1"},
        folder=Path.cwd(),
        timeout=_SECONDS,
    )
    assert ended.returncode == 0, ended.stderr
    return target
