"""The task of builders that makes a preview of a change.

Both states are read and rendered by the code that publishes. The documents that come out
need nothing else: styles and pictures are inside them, scripts are left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from docstead.agent.reviews.documents import Document, Documents
from docstead.agent.reviews.marks import mark_changes
from docstead.agent.tools.checks import compared
from docstead.base.errors import SourceUnreadable
from docstead.content.diagnostics import Diagnostic, Severity
from docstead.content.loader import load_repository
from docstead.content.pages import PageMeta, Repository
from docstead.content.settings_file import SETTINGS
from docstead.publishing.builders import Task, TaskContext
from docstead.site.engine import PageKeys
from docstead.site.rendered import RenderedPage

MAX_PAGES = 100  # that are rendered for one change; the rest is counted


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


class PreviewRequest(msgspec.Struct, frozen=True):
    """Two states of the documentation in folders, and what changed between them.

    Documents are written to the folder `target`. `renames` has new paths of files by their
    old ones, from the root of the documentation; `names` has those of the repository.
    """

    before: str
    after: str
    is_new: bool  # there was no documentation before
    is_gone: bool
    files: tuple[str, ...]
    renames: dict[str, str]
    names: dict[str, str]
    target: str
    workers: int


@dataclass(frozen=True, slots=True)
class _State:
    repository: Repository | None  # None where it cannot be published at all
    diagnostics: tuple[Diagnostic, ...]
    keys: dict[str, str]  # of pages, by slug


def preview(wanted: PreviewRequest, context: TaskContext) -> Preview:
    before = _read(Path(wanted.before), is_empty=wanted.is_new)
    after = _read(Path(wanted.after), is_empty=wanted.is_gone)
    own, moved = frozenset(wanted.files), _moved(wanted.renames, before, after)
    slugs = _changed(before, after, own, moved)
    shown = slugs[:MAX_PAGES]
    old = _rendered(before, [moved.get(slug, slug) for slug in shown], wanted, context)
    new = _rendered(after, shown, wanted, context)
    pages = tuple(_page(before, after, slug, own, moved) for slug in shown)
    target = Path(wanted.target)
    target.mkdir(exist_ok=True)
    _write(target, pages, _Side(before, old), _Side(after, new))
    report = compared(_faults(before, old), _faults(after, new), wanted.names)
    return Preview(pages, len(slugs) - len(shown), report.new, report.fixed, len(report.standing))


PREVIEW = Task("docstead.agent.reviews.preview_task:PREVIEW", preview, PreviewRequest, Preview)


def _rendered(
    state: _State, slugs: Sequence[str], wanted: PreviewRequest, context: TaskContext
) -> list[RenderedPage]:
    if state.repository is None:
        return []
    with context.engine(wanted.workers) as engine:
        return list(engine.render(state.repository, [slug for slug in slugs if slug in state.keys]))


def _read(root: Path, *, is_empty: bool) -> _State:
    try:
        repository = load_repository(root)
    except SourceUnreadable as error:
        fault = Diagnostic(SETTINGS, 0, 0, Severity.ERROR, "unreadable-settings", error.message)
        return _State(None, () if is_empty else (fault,), {})
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
                file = kept / file_name(side, page.slug)
                file.write_text(document.text(), encoding="utf-8")


def _faults(state: _State, pages: Sequence[RenderedPage]) -> list[Diagnostic]:
    return [*state.diagnostics, *(fault for page in pages for fault in page.diagnostics)]


def _moved(renames: Mapping[str, str], before: _State, after: _State) -> dict[str, str]:
    """Where pages were before whose files have got another name: old slugs by new ones."""
    old, new = _slugs(before), _slugs(after)
    found = {new.get(path): old.get(was) for was, path in renames.items()}
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


def file_name(side: str, slug: str) -> str:
    """The name of a document: `side` is `before` or `after`."""
    return f"{side}-{hashlib.sha256(slug.encode()).hexdigest()[:32]}.html"
