"""Files of an export as files of a folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from docstead.export.manifest import ManifestWriter
from docstead.export.static_file import StaticFile


def write_files(files: Iterable[StaticFile], root: Path, manifest: ManifestWriter) -> None:
    """Write files below `root` as they come, so that no more than one is held in memory."""
    for file in files:
        write_file(f"{root}/{file.path}", manifest.recording(file.path, file.blocks()))


def write_file(target: Path | str, blocks: Iterator[bytes]) -> None:
    """Write one file, and the folders that it stands in."""
    try:
        out = _created(target)
    except FileNotFoundError:
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        out = _created(target)
    with out:
        for block in blocks:
            out.write(block)


def _created(target: Path | str) -> BinaryIO:
    # Paths as objects take as long as the rest.
    return open(target, "wb")  # noqa: PTH123


def link_or_copy(source: Path | str, target: Path | str) -> None:
    """Link a new name to a file that nobody changes, or copy it to another file system."""
    try:
        os.link(source, target)
    except FileNotFoundError:
        raise
    except OSError:  # other file systems, and some without hard links
        shutil.copyfile(source, target)
