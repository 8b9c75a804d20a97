"""The task of builders that makes a preview of a change.

Both states are read and rendered by the code that publishes. The documents that come out
need nothing else: styles and pictures are inside them, scripts are left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from docstead.agent.reviews.change_marks import mark_changes
from docstead.agent.reviews.documents import DocumentRenderer, PageDocument, SharedParts
from docstead.agent.tools.checks import compared
from docstead.agent.tools.documentation_states import DocumentationReader, DocumentationState
from docstead.content.diagnostics import Diagnostic, Severity
from docstead.content.pages import PageMeta
from docstead.markup.rendered import RenderedPage
from docstead.publishing.builders import BuilderTask, TaskContext
from docstead.rendering import Engine

MAX_PAGES = 300  # that are rendered for one change; the rest is counted

LISTED, WRITTEN = "listed", "written"  # notes to the host


class PagePreview(msgspec.Struct, frozen=True):
    """A page that looks different. `before` and `after` say on which sides it is."""

    slug: str
    title: str
    file: str
    before: bool
    after: bool
    is_own: bool  # whether its own file changed, or only something that it uses
    was: str = ""  # the slug that it had before, where that was another


class ChangePreview(msgspec.Struct, frozen=True):
    """Effect of a change on the site."""

    pages: tuple[PagePreview, ...]
    left_out: int  # pages that were too many to render
    new: tuple[Diagnostic, ...]
    fixed: int
    standing: int

    @property
    def passed(self) -> bool:
        return not any(diagnostic.severity is not Severity.INFO for diagnostic in self.new)


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


def preview(wanted: PreviewRequest, context: TaskContext) -> ChangePreview:
    """Render both states of the pages that differ, and compare the diagnostics.

    Notes to the host: `listed` with the pages before the first is rendered, then `written`
    with the names of files after each page.
    """
    empty, states = (
        DocumentationState(None, ()),
        DocumentationReader(),
    )  # most pages are the same on both sides
    before = empty if wanted.is_new else states.read_once(Path(wanted.before))
    after = empty if wanted.is_gone else states.read_once(Path(wanted.after), before)
    is_unreadable = after.repository is None and not wanted.is_gone
    own, moved = frozenset(wanted.files), _moved(wanted.renames, before, after)
    # Pages are not gone because docs.json cannot be read.
    slugs = [] if is_unreadable else _changed(before, after, own, moved)
    pages = tuple(_page(before, after, slug, own, moved) for slug in slugs[:MAX_PAGES])
    listed = ChangePreview(pages, len(slugs) - len(pages), (), 0, 0)
    context.note(LISTED, listed)
    target = Path(wanted.target)
    target.mkdir(exist_ok=True)
    old, new = _write(target, pages, (before, after), wanted, context)
    if is_unreadable:
        return msgspec.structs.replace(listed, new=after.diagnostics)
    report = compared((*before.diagnostics, *old), (*after.diagnostics, *new), wanted.names)
    return msgspec.structs.replace(
        listed, new=report.new, fixed=report.fixed, standing=len(report.standing)
    )


PREVIEW = BuilderTask(
    "docstead.agent.reviews.preview_task:PREVIEW", preview, PreviewRequest, ChangePreview
)

DiagnosticList = list[Diagnostic]


def _write(
    target: Path,
    pages: Sequence[PagePreview],
    states: tuple[DocumentationState, DocumentationState],
    wanted: PreviewRequest,
    context: TaskContext,
) -> tuple[DiagnosticList, DiagnosticList]:
    """Write the documents of each page as soon as it is rendered on both sides.

    Returns the diagnostics of the rendered pages, before and after.
    """
    found: tuple[DiagnosticList, DiagnosticList] = ([], [])
    workers = max(1, wanted.workers // 2)
    with context.engine(workers) as one, context.engine(workers) as other:
        streams = [
            _rendered(engine, state, slugs)
            for engine, state, slugs in zip((one, other), states, _slugs_of(pages), strict=True)
        ]
        writer = _Writer(target, pages, states)  # while the workers render
        for side, page in _in_turn(streams):
            found[side].extend(page.diagnostics)
            if names := writer.take(side, page):
                context.note(WRITTEN, names)
    return found


def _slugs_of(pages: Sequence[PagePreview]) -> tuple[list[str], list[str]]:
    """Return the slugs to render, before and after."""
    before = [page.was or page.slug for page in pages if page.before]
    return before, [page.slug for page in pages if page.after]


def _rendered(
    engine: Engine, state: DocumentationState, slugs: Sequence[str]
) -> Iterator[RenderedPage]:
    if state.repository is None:
        return iter(())
    return engine.render(state.repository, slugs, first_batch=1)


def _in_turn(streams: Sequence[Iterator[RenderedPage]]) -> Iterator[tuple[int, RenderedPage]]:
    """Return pages of both sides in turn, with the number of the side."""
    left = dict(enumerate(streams))
    while left:
        for side, stream in tuple(left.items()):
            page = next(stream, None)
            if page is None:
                del left[side]
            else:
                yield side, page


class _Writer:
    """Writes the documents of pages whose sides are all rendered."""

    def __init__(
        self,
        target: Path,
        pages: Sequence[PagePreview],
        states: tuple[DocumentationState, DocumentationState],
    ) -> None:
        self._target = target
        self._parts = SharedParts(target)
        self._documents = [
            DocumentRenderer(state.repository, self._parts) if state.repository else None
            for state in states
        ]
        self._pages = (
            {page.was or page.slug: page for page in pages if page.before},
            {page.slug: page for page in pages if page.after},
        )
        self._waiting: dict[str, dict[int, RenderedPage]] = {}
        for documents in self._documents:
            if documents is not None:
                documents.prepare()

    def take(self, side: int, rendered: RenderedPage) -> tuple[str, ...]:
        """Take a side of a page; return the names of the files that are complete now."""
        page = self._pages[side][rendered.slug]
        revisions = self._waiting.setdefault(page.slug, {})
        revisions[side] = rendered
        if len(revisions) < page.before + page.after:
            return ()
        del self._waiting[page.slug]
        return self._write(page, revisions)

    def _write(self, page: PagePreview, revisions: Mapping[int, RenderedPage]) -> tuple[str, ...]:
        made = {side: self._document(side, rendered) for side, rendered in revisions.items()}
        old, new = made.get(0), made.get(1)
        if old and new:
            mark_changes(old.blocks, new.blocks)
        names = []
        for side, document in made.items():
            name = file_name(("before", "after")[side], page.slug)
            text = document.text()
            (self._target / name).write_text(text, encoding="utf-8", errors="replace")
            names.append(name)
        return (*self._parts.new_files(), *names)

    def _document(self, side: int, rendered: RenderedPage) -> PageDocument:
        documents = self._documents[side]
        assert documents is not None  # noqa: S101 - its pages were rendered
        return documents.document(rendered)


def _moved(
    renames: Mapping[str, str], before: DocumentationState, after: DocumentationState
) -> dict[str, str]:
    """Return the old slugs of pages whose files were renamed, by their new ones."""
    old, new = _slugs(before), _slugs(after)
    found = {new.get(path): old.get(was) for was, path in renames.items()}
    return {
        slug: was
        for slug, was in found.items()
        if slug and was and slug not in before.keys and was not in after.keys
    }


def _slugs(state: DocumentationState) -> dict[str, str]:
    """The pages by their files."""
    if state.repository is None:
        return {}
    pages = state.repository.site.pages
    return {pages[slug].file: slug for slug in state.keys}


def _changed(
    before: DocumentationState,
    after: DocumentationState,
    own: frozenset[str],
    moved: Mapping[str, str],
) -> list[str]:
    """Pages that differ: those whose own file did first, else in the order of the site."""
    gone = set(moved.values())
    slugs = dict.fromkeys((*after.keys, *(slug for slug in before.keys if slug not in gone)))
    found = [slug for slug in slugs if before.keys.get(slug) != after.keys.get(slug)]
    return sorted(found, key=lambda slug: _meta(before, after, slug).file not in own)


def _meta(before: DocumentationState, after: DocumentationState, slug: str) -> PageMeta:
    state = after if slug in after.keys else before
    assert state.repository is not None  # noqa: S101 - it has the page
    return state.repository.site.pages[slug]


def _page(
    before: DocumentationState,
    after: DocumentationState,
    slug: str,
    own: frozenset[str],
    moved: Mapping[str, str],
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
