"""Changed pages as readers see them, before and after, and what checking says about them.

A builder makes them (`preview_task`) of folders that are written here, and they are kept in a
folder under the trees that they were made of.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import time
from pathlib import Path

import msgspec

from docstead.agent.reviews.preview_task import (
    PREVIEW,
    Preview,
    PreviewRequest,
    file_name,
)
from docstead.agent.reviews.sides import Sides
from docstead.agent.workspace.limits import WorkspaceLimits
from docstead.agent.workspace.store import EMPTY_TREE
from docstead.agent.workspace.trees import WorkTree
from docstead.base.decoders import json_decoder
from docstead.base.errors import NotFound
from docstead.base.units import DAY_SECONDS
from docstead.publishing.builders import Builders
from docstead.publishing.edition_builds import plain_file
from docstead.publishing.sources import locked

_KEPT_SECONDS = 14 * DAY_SECONDS
_VERSION = "4"  # of what is kept
_REPORT = "report.json"

_PREVIEW = json_decoder(Preview)


class Previews:
    """Makes previews, and keeps them in `folder`."""

    def __init__(self, builders: Builders, folder: Path) -> None:
        self._builders = builders
        self._folder = folder

    def of(self, sides: Sides) -> Preview:
        """The preview, made now if nobody has asked for it before; that takes seconds."""
        folder = self._place(sides)
        folder.parent.mkdir(parents=True, exist_ok=True)
        with locked(folder.with_suffix(".lock")):
            known = self.known(sides)
            if known is not None:
                return known
            self._sweep()
            with tempfile.TemporaryDirectory(dir=folder.parent, prefix="new-") as scratch:
                made = self._make(sides, Path(scratch))
                shutil.rmtree(folder, ignore_errors=True)
                Path(scratch, "kept").rename(folder)
        return made

    def known(self, sides: Sides) -> Preview | None:
        """The preview if it has been made."""
        report = self._place(sides) / _REPORT
        try:
            return _PREVIEW.decode(report.read_bytes())
        except (FileNotFoundError, msgspec.DecodeError):
            return None

    def document(self, sides: Sides, side: str, slug: str) -> str:
        """The HTML of a page before or after.

        Raises:
            NotFound: there is no such page among the changed ones.
        """
        self.of(sides)
        file = self._place(sides) / file_name(side, slug)
        if not file.exists():
            raise NotFound("this page is not part of the change")
        return file.read_text(encoding="utf-8")

    def _place(self, sides: Sides) -> Path:
        trees = f"{_VERSION}\0{sides.tree_before()}\0{sides.tree_after()}"
        return self._folder / hashlib.sha256(trees.encode()).hexdigest()[:32]

    def _make(self, sides: Sides, scratch: Path) -> Preview:
        before, after = scratch / "before", scratch / "after"
        _write_tree(sides, sides.tree_before(), before)
        _write_tree(sides, sides.tree_after(), after)
        changes = sides.changes()
        with self._builders.builder(before, after) as builder:
            made = builder.outbox / "kept"
            wanted = PreviewRequest(
                before=str(before.resolve()),
                after=str(after.resolve()),
                is_new=sides.tree_before() == EMPTY_TREE,
                is_gone=sides.tree_after() == EMPTY_TREE,
                files=tuple(_below(sides, each.path) for each in changes),
                renames={
                    _below(sides, each.old_path): _below(sides, each.path)
                    for each in changes
                    if each.old_path
                },
                names={each.old_path: each.path for each in changes if each.old_path},
                target=str(made),
                workers=self._builders.workers,
            )
            preview = builder.run(PREVIEW, wanted, files=_count(before) + _count(after))
            _take(made, scratch / "kept")
        (scratch / "kept" / _REPORT).write_bytes(msgspec.json.encode(preview))
        return preview

    def _sweep(self) -> None:
        oldest = time.time() - _KEPT_SECONDS
        for path in self._folder.iterdir():
            if path.is_dir() and path.stat().st_mtime < oldest:
                shutil.rmtree(path, ignore_errors=True)


def _write_tree(sides: Sides, tree: str, folder: Path) -> None:
    folder.mkdir()
    WorkTree(sides.store, folder, folder.with_suffix(".index")).fill(tree, WorkspaceLimits())


def _take(made: Path, target: Path) -> None:
    """Move the documents that a builder wrote, and nothing but plain files."""
    target.mkdir()
    for each in made.iterdir():
        plain_file(each).rename(target / each.name)


def _count(folder: Path) -> int:
    return sum(1 for path in folder.rglob("*") if path.is_file())


def _below(sides: Sides, path: str) -> str:
    return path.removeprefix(f"{sides.root}/" if sides.root else "")
