"""Files of an export as files of a folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from docstead.export.manifest import ManifestWriter
from docstead.export.static_file import StaticFile


def write_files(files: Iterable[StaticFile], root: Path, manifest: ManifestWriter) -> None:
    """Write files below `root` as they come, so that no more than one is held in memory."""
    for file in files:
        write_file(root / file.path, manifest.recording(file.path, file.blocks()))


def write_file(target: Path, blocks: Iterator[bytes]) -> None:
    """Write one file, and the folders that it stands in."""
    try:
        out = target.open("wb")
    except FileNotFoundError:
        target.parent.mkdir(parents=True, exist_ok=True)
        out = target.open("wb")
    with out:
        for block in blocks:
            out.write(block)


def link_or_copy(source: Path | str, target: Path | str) -> None:
    """Link a new name to a file that nobody changes, or copy it to another file system."""
    try:
        os.link(source, target)
    except FileNotFoundError:
        raise
    except OSError:  # other file systems, and some without hard links
        shutil.copyfile(source, target)
