"""Changed pages as readers see them, before and after, and what checking says about them.

Both states are read and rendered by the code that publishes. The documents that come out
need nothing else: styles and pictures are inside them, scripts are left out. They are kept
in a folder under the trees that they were made of.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from docstead.agent.reviews.documents import Document, Documents
from docstead.agent.reviews.marks import mark_changes
from docstead.agent.reviews.sides import Sides
from docstead.agent.tools.checks import compared
from docstead.agent.workspace.limits import WorkspaceLimits
from docstead.agent.workspace.store import EMPTY_TREE
from docstead.agent.workspace.trees import WorkTree
from docstead.base.decoders import json_decoder
from docstead.base.errors import NotFound, SourceUnreadable
from docstead.base.units import DAY_SECONDS
from docstead.content.diagnostics import Diagnostic, Severity
from docstead.content.loader import load_repository
from docstead.content.pages import PageMeta, Repository
from docstead.content.settings_file import SETTINGS
from docstead.publishing.sources import locked
from docstead.site.engine import Engine, PageKeys
from docstead.site.rendered import RenderedPage

MAX_PAGES = 100  # that are rendered for one change; the rest is counted
_KEPT_SECONDS = 14 * DAY_SECONDS
_VERSION = "4"  # of what is kept
_REPORT = "report.json"

Engines = Callable[[], AbstractContextManager[Engine]]


class PagePreview(msgspec.Struct, frozen=True):
    """A page that looks different. `before` and `after` say on which sides it is."""

    slug: str
    title: str
    file: str
    before: bool
    after: bool
    is_own: bool  # whether its own file changed, or only something that it uses
    was: str = ""  # the slug that it had before, where that was another


class Preview(msgspec.Struct, frozen=True):
    """What a change does to the site."""

    pages: tuple[PagePreview, ...]
    left_out: int  # pages that were too many to render
    new: tuple[Diagnostic, ...]
    fixed: int
    standing: int

    @property
    def passed(self) -> bool:
        return not any(fault.severity is not Severity.INFO for fault in self.new)


_PREVIEW = json_decoder(Preview)


@dataclass(frozen=True, slots=True)
class _State:
    repository: Repository | None  # None where it cannot be published at all
    diagnostics: tuple[Diagnostic, ...]
    keys: dict[str, str]  # of pages, by slug


class Previews:
    """Makes previews, and keeps them in `folder`."""

    def __init__(self, engines: Engines, folder: Path) -> None:
        self._engines = engines
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
        file = self._place(sides) / _file_name(side, slug)
        if not file.exists():
            raise NotFound("this page is not part of the change")
        return file.read_text(encoding="utf-8")

    def _place(self, sides: Sides) -> Path:
        trees = f"{_VERSION}\0{sides.tree_before()}\0{sides.tree_after()}"
        return self._folder / hashlib.sha256(trees.encode()).hexdigest()[:32]

    def _make(self, sides: Sides, scratch: Path) -> Preview:
        kept = scratch / "kept"
        kept.mkdir()
        before = _read(sides, sides.tree_before(), scratch / "before")
        after = _read(sides, sides.tree_after(), scratch / "after")
        own, moved = _own_files(sides), _moved(sides, before, after)
        slugs = _changed(before, after, own, moved)
        shown = slugs[:MAX_PAGES]
        old = self._rendered(before, [moved.get(slug, slug) for slug in shown])
        new = self._rendered(after, shown)
        pages = tuple(_page(before, after, slug, own, moved) for slug in shown)
        _write(kept, pages, _Side(before, old), _Side(after, new))
        renames = {each.old_path: each.path for each in sides.changes() if each.old_path}
        report = compared(_faults(before, old), _faults(after, new), renames)
        preview = Preview(
            pages, len(slugs) - len(shown), report.new, report.fixed, len(report.standing)
        )
        (kept / _REPORT).write_bytes(msgspec.json.encode(preview))
        return preview

    def _rendered(self, state: _State, slugs: Sequence[str]) -> list[RenderedPage]:
        if state.repository is None:
            return []
        with self._engines() as engine:
            wanted = [slug for slug in slugs if slug in state.keys]
            return list(engine.render(state.repository, wanted))

    def _sweep(self) -> None:
        oldest = time.time() - _KEPT_SECONDS
        for path in self._folder.iterdir():
            if path.is_dir() and path.stat().st_mtime < oldest:
                shutil.rmtree(path, ignore_errors=True)


def _read(sides: Sides, tree: str, folder: Path) -> _State:
    folder.mkdir()
    try:
        files = WorkTree(sides.store, folder, folder.with_suffix(".index"))
        files.fill(tree, WorkspaceLimits())
        repository = load_repository(folder)
    except SourceUnreadable as error:
        nothing = tree == EMPTY_TREE
        fault = Diagnostic(SETTINGS, 0, 0, Severity.ERROR, "unreadable-settings", error.message)
        return _State(None, () if nothing else (fault,), {})
    keys = PageKeys(repository)
    return _State(
        repository, repository.diagnostics, {slug: keys.of(slug) for slug in repository.pages}
    )


class _Side:
    """The documents of one state, made one at a time: each holds all its style sheets."""

    def __init__(self, state: _State, pages: Sequence[RenderedPage]) -> None:
        self.pages = {page.slug: page for page in pages}
        self._documents = Documents(state.repository) if state.repository else None

    def document(self, slug: str) -> Document | None:
        page = self.pages.get(slug)
        if page is None or self._documents is None:
            return None
        return self._documents.document(page)


def _write(kept: Path, pages: Sequence[PagePreview], before: _Side, after: _Side) -> None:
    """Each side of each page, with marks where a page is on both."""
    for page in pages:
        old, new = before.document(page.was or page.slug), after.document(page.slug)
        if old and new:
            mark_changes(old.blocks, new.blocks)
        for side, document in (("before", old), ("after", new)):
            if document is not None:
                file = kept / _file_name(side, page.slug)
                file.write_text(document.text(), encoding="utf-8")


def _faults(state: _State, pages: Sequence[RenderedPage]) -> list[Diagnostic]:
    return [*state.diagnostics, *(fault for page in pages for fault in page.diagnostics)]


def _own_files(sides: Sides) -> frozenset[str]:
    """The files that the change touches, as the documentation calls them."""
    return frozenset(_below(sides, each.path) for each in sides.changes())


def _moved(sides: Sides, before: _State, after: _State) -> dict[str, str]:
    """Where pages were before whose files have got another name: old slugs by new ones."""
    old, new = _slugs(before), _slugs(after)
    files = {
        _below(sides, c.path): _below(sides, c.old_path) for c in sides.changes() if c.old_path
    }
    found = {new.get(path): old.get(was) for path, was in files.items()}
    return {
        slug: was
        for slug, was in found.items()
        if slug and was and slug not in before.keys and was not in after.keys
    }


def _slugs(state: _State) -> dict[str, str]:
    """The pages by their files."""
    if state.repository is None:
        return {}
    pages = state.repository.site.pages
    return {pages[slug].file: slug for slug in state.keys}


def _below(sides: Sides, path: str) -> str:
    return path.removeprefix(f"{sides.root}/" if sides.root else "")


def _changed(
    before: _State, after: _State, own: frozenset[str], moved: Mapping[str, str]
) -> list[str]:
    """Pages that differ: those whose own file did first, else in the order of the site."""
    gone = set(moved.values())
    slugs = dict.fromkeys((*after.keys, *(slug for slug in before.keys if slug not in gone)))
    found = [slug for slug in slugs if before.keys.get(slug) != after.keys.get(slug)]
    return sorted(found, key=lambda slug: _meta(before, after, slug).file not in own)


def _meta(before: _State, after: _State, slug: str) -> PageMeta:
    state = after if slug in after.keys else before
    assert state.repository is not None  # noqa: S101 - it has the page
    return state.repository.site.pages[slug]


def _page(
    before: _State, after: _State, slug: str, own: frozenset[str], moved: Mapping[str, str]
) -> PagePreview:
    meta, was = _meta(before, after, slug), moved.get(slug, "")
    return PagePreview(
        slug=slug,
        title=meta.title,
        file=meta.file,
        before=(was or slug) in before.keys,
        after=slug in after.keys,
        is_own=meta.file in own,
        was=was,
    )


def _file_name(side: str, slug: str) -> str:
    return f"{side}-{hashlib.sha256(slug.encode()).hexdigest()[:32]}.html"
