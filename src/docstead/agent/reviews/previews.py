"""Previews of a change: its pages before and after, and its diagnostics.

A builder renders them (`preview_task`) from temporary folders. They are cached by the trees that
they were made from, and can be read while others are rendered.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from docstead.agent.reviews.documents import completed
from docstead.agent.reviews.preview_task import (
    LISTED,
    PREVIEW,
    WRITTEN,
    ChangePreview,
    PreviewRequest,
    file_name,
)
from docstead.agent.reviews.revisions import ChangeRevisions
from docstead.agent.workspace.bare_repository import EMPTY_TREE
from docstead.agent.workspace.limits import WorkspaceLimits
from docstead.agent.workspace.trees import WorkTree
from docstead.base.decoders import json_decoder
from docstead.base.errors import NotFound, SourceUnreadable, Unavailable
from docstead.base.files import files_below
from docstead.base.units import DAY_SECONDS
from docstead.publishing.builders import BuilderPool, HostCall
from docstead.publishing.edition_builds import plain_file
from docstead.publishing.sources import locked

_KEPT_SECONDS = 14 * DAY_SECONDS
_VERSION = "6"  # of cached previews
_REPORT = "report.json"
_SIDES = 2  # with one rendering worker each
_LISTED_SECONDS = 60.0
_DOCUMENT_SECONDS = 60.0
_NAME = re.compile(r"(before|after)-[0-9a-f]{32}\.html|(style|picture)-[0-9a-f]{32}")

_PREVIEW = json_decoder(ChangePreview)


@dataclass(frozen=True, slots=True)
class PreviewProgress:
    """Progress of a preview: its pages and the number rendered; `done` is the complete result."""

    listed: ChangePreview
    rendered: int
    done: ChangePreview | None

    @property
    def shown(self) -> ChangePreview:
        return self.done or self.listed


class PreviewRun:
    """A preview that is being rendered by a thread. `folder` contains complete files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.listed: ChangePreview | None = None
        self.result: ChangePreview | None = None
        self.error: Exception | None = None
        self.names: set[str] = set()
        self._changed = threading.Condition()

    def set(self, **values: Any) -> None:
        """Set attributes, and wake waiting threads."""
        with self._changed:
            for name, value in values.items():
                setattr(self, name, value)
            self._changed.notify_all()

    def wait(self, is_enough: Callable[[], bool], seconds: float | None = None) -> bool:
        """Wait until a condition holds or the run has ended; report whether that was in time.

        Raises:
            DocsteadError: the preview failed.
        """
        with self._changed:
            found = self._changed.wait_for(lambda: self.has_ended or is_enough(), seconds)
        if self.error is not None:
            raise self.error
        return found

    @property
    def has_ended(self) -> bool:
        return self.result is not None or self.error is not None


class ChangePreviews:
    """Renders previews, and caches them in `folder`."""

    def __init__(self, builders: BuilderPool, folder: Path) -> None:
        self._builders = builders
        self._folder = folder
        self._runs: dict[Path, PreviewRun] = {}
        self._lock = threading.Lock()

    def of(self, revisions: ChangeRevisions) -> ChangePreview:
        """Return a preview, rendering it first if necessary, which takes seconds."""
        known = self.known(revisions)
        if known is not None:
            return known
        run = self._run(revisions)
        run.wait(lambda: False)
        assert run.result is not None  # noqa: S101 - it has ended without an error
        return run.result

    def progress(
        self, revisions: ChangeRevisions, seconds: float = _LISTED_SECONDS
    ) -> PreviewProgress:
        """Return the pages of a preview that is being rendered.

        Raises:
            Unavailable: the list of pages was not ready in time.
        """
        known = self.known(revisions)
        if known is not None:
            return PreviewProgress(known, len(known.pages), known)
        run = self._run(revisions)
        run.wait(lambda: run.listed is not None, seconds)
        listed = run.result or run.listed
        if listed is None:
            raise Unavailable("the pages are being loaded; reload in a moment")
        return PreviewProgress(listed, _documents(run.names, listed), run.result)

    def known(self, revisions: ChangeRevisions) -> ChangePreview | None:
        """Return a cached preview, or None."""
        report = self._folder_of(revisions) / _REPORT
        try:
            return _PREVIEW.decode(report.read_bytes())
        except (FileNotFoundError, msgspec.DecodeError):
            return None

    def document(self, revisions: ChangeRevisions, side: str, slug: str) -> str:
        """Return the HTML of a page before or after, as soon as it is rendered.

        Raises:
            NotFound: the page is not part of the change.
            Unavailable: rendering takes too long.
        """
        folder, name = self._folder_of(revisions), file_name(side, slug)
        if self.known(revisions) is None:
            run = self._run(revisions)
            if not run.wait(lambda: name in run.names, _DOCUMENT_SECONDS):
                raise Unavailable("the page is being rendered; reload in a moment")
            with suppress(FileNotFoundError):
                return _document(run.folder, name)
        try:
            return _document(folder, name)
        except FileNotFoundError:
            raise NotFound("this page is not part of the change") from None

    def _run(self, revisions: ChangeRevisions) -> PreviewRun:
        """Return the run that renders a preview, starting it if necessary."""
        folder = self._folder_of(revisions)
        with self._lock:
            run = self._runs.get(folder)
            if run is None:
                self._folder.mkdir(parents=True, exist_ok=True)
                run = PreviewRun(Path(tempfile.mkdtemp(dir=self._folder, prefix="new-")) / "kept")
                self._runs[folder] = run
                target = partial(self._carry_out, revisions, folder, run)
                threading.Thread(target=target, name="preview", daemon=True).start()
            return run

    def _carry_out(self, revisions: ChangeRevisions, folder: Path, run: PreviewRun) -> None:
        outcome: dict[str, ChangePreview | Exception] = {}
        try:
            with locked(folder.with_suffix(".lock")):
                outcome["result"] = self.known(revisions) or self._made(revisions, folder, run)
        except Exception as error:
            outcome["error"] = error
        with self._lock:
            del self._runs[folder]
        shutil.rmtree(run.folder.parent, ignore_errors=True)
        run.set(**outcome)  # last, so that an ended run leaves nothing behind

    def _made(self, revisions: ChangeRevisions, folder: Path, run: PreviewRun) -> ChangePreview:
        self._sweep()
        made = self._make(revisions, run)
        shutil.rmtree(folder, ignore_errors=True)
        run.folder.rename(folder)
        return made

    def _folder_of(self, revisions: ChangeRevisions) -> Path:
        trees = f"{_VERSION}\0{revisions.fork_tree()}\0{revisions.head_tree()}"
        return self._folder / hashlib.sha256(trees.encode()).hexdigest()[:32]

    def _make(self, revisions: ChangeRevisions, run: PreviewRun) -> ChangePreview:
        scratch = run.folder.parent
        before, after = scratch / "before", scratch / "after"
        for folder in (before, after, run.folder):
            folder.mkdir()
        with self._builders.builder(before, after) as builder:
            builder.begin(workers=_SIDES)  # they start while the files are written
            _write_tree(revisions, revisions.fork_tree(), before)
            _write_tree(revisions, revisions.head_tree(), after)
            made = builder.outbox / "kept"
            request = _request(revisions, before, after, made, self._builders.workers)
            calls = {
                LISTED: HostCall(ChangePreview, lambda listed: run.set(listed=listed)),
                WRITTEN: HostCall(tuple[str, ...], partial(_take, made, run)),
            }
            files = _count(before) + _count(after)
            preview = builder.run(PREVIEW, request, calls, files=files)
        (run.folder / _REPORT).write_bytes(msgspec.json.encode(preview))
        return preview

    def _sweep(self) -> None:
        oldest = time.time() - _KEPT_SECONDS
        for path in self._folder.iterdir():
            if path.is_dir() and path.stat().st_mtime < oldest:
                shutil.rmtree(path, ignore_errors=True)


def _write_tree(revisions: ChangeRevisions, tree: str, folder: Path) -> None:
    WorkTree(revisions.store, folder, folder.with_suffix(".index")).fill(tree, WorkspaceLimits())


def _request(
    revisions: ChangeRevisions, before: Path, after: Path, target: Path, workers: int
) -> PreviewRequest:
    changes = revisions.changes()
    renamed = [each for each in changes if each.old_path]
    return PreviewRequest(
        before=str(before.resolve()),
        after=str(after.resolve()),
        is_new=revisions.fork_tree() == EMPTY_TREE,
        is_gone=revisions.head_tree() == EMPTY_TREE,
        files=tuple(_below(revisions, each.path) for each in changes),
        renames={_below(revisions, c.old_path or ""): _below(revisions, c.path) for c in renamed},
        names={c.old_path or "": c.path for c in renamed},
        target=str(target),
        workers=workers,
    )


def _take(made: Path, run: PreviewRun, names: tuple[str, ...]) -> None:
    """Move files from the builder, accepting only regular files with known names."""
    for name in names:
        if not _NAME.fullmatch(name):
            raise SourceUnreadable("the preview contains a file with an unexpected name")
        plain_file(made / name).rename(run.folder / name)
    run.set(names=run.names | set(names))


def _document(folder: Path, name: str) -> str:
    text = (folder / name).read_text(encoding="utf-8")
    return completed(text, lambda part: (folder / part).read_text(encoding="utf-8"))


def _documents(names: Collection[str], listed: ChangePreview) -> int:
    """Return the number of complete pages."""
    return sum(
        file_name("after" if page.after else "before", page.slug) in names for page in listed.pages
    )


def _count(folder: Path) -> int:
    return sum(1 for _ in files_below(folder))


def _below(revisions: ChangeRevisions, path: str) -> str:
    return path.removeprefix(f"{revisions.root}/" if revisions.root else "")
