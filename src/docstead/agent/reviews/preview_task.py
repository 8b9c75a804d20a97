"""Builder task that renders the preview of a change.

Both versions are read and rendered by the publishing code. The resulting documents are
self-contained: styles and images are embedded, scripts removed.
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
from docstead.rendering import RenderingEngine

MAX_PAGES = 300  # rendered for one change; further pages are only counted

LISTED, WRITTEN = "listed", "written"  # kinds of notes to the host


class PagePreview(msgspec.Struct, frozen=True):
    """A changed page. `before` and `after` report in which versions it exists."""

    slug: str
    title: str
    file: str
    before: bool
    after: bool
    is_own: bool  # whether its own file changed, or only content that it uses
    was: str = ""  # former slug, if it was different


class ChangePreview(msgspec.Struct, frozen=True):
    """Effect of a change on the site."""

    pages: tuple[PagePreview, ...]
    left_out: int  # pages beyond the limit
    new: tuple[Diagnostic, ...]
    fixed: int
    standing: int

    @property
    def passed(self) -> bool:
        return not any(diagnostic.severity is not Severity.INFO for diagnostic in self.new)


class PreviewRequest(msgspec.Struct, frozen=True):
    """Two versions of the documentation in folders, and the changes between them.

    Documents are written to the folder `target`. `renames` maps old paths to new ones, relative to
    the documentation; `names` relative to the repository.
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


def preview(request: PreviewRequest, context: TaskContext) -> ChangePreview:
    """Render both versions of the changed pages, and compare the diagnostics.

    Notes to the host: `listed` with the pages before the first is rendered, then `written` with the
    names of files after each page. The result does not contain pages that only might have changed,
    and are rendered the same.
    """
    empty, states = (
        DocumentationState(None, ()),
        DocumentationReader(),
    )  # most pages are equal in both versions
    before = empty if request.is_new else states.read_once(Path(request.before))
    after = empty if request.is_gone else states.read_once(Path(request.after), before)
    is_unreadable = after.repository is None and not request.is_gone
    own, moved = frozenset(request.files), _moved(request.renames, before, after)
    # An unreadable docs.json does not mean that the pages were removed.
    slugs = [] if is_unreadable else _changed(before, after, own, moved)
    pages = tuple(_page(before, after, slug, own, moved) for slug in slugs[:MAX_PAGES])
    listed = ChangePreview(pages, len(slugs) - len(pages), (), 0, 0)
    context.note(LISTED, listed)
    target = Path(request.target)
    target.mkdir(exist_ok=True)
    equal, (old, new) = _write(target, pages, (before, after), request, context)
    if is_unreadable:
        return msgspec.structs.replace(listed, new=after.diagnostics)
    report = compared((*before.diagnostics, *old), (*after.diagnostics, *new), request.names)
    return msgspec.structs.replace(
        listed,
        pages=tuple(page for page in pages if page.is_own or page.slug not in equal),
        new=report.new,
        fixed=report.fixed,
        standing=len(report.standing),
    )


PREVIEW = BuilderTask(
    "docstead.agent.reviews.preview_task:PREVIEW", preview, PreviewRequest, ChangePreview
)

DiagnosticList = list[Diagnostic]


def _write(
    target: Path,
    pages: Sequence[PagePreview],
    states: tuple[DocumentationState, DocumentationState],
    request: PreviewRequest,
    context: TaskContext,
) -> tuple[set[str], tuple[DiagnosticList, DiagnosticList]]:
    """Write the documents of each page as soon as both versions are rendered.

    Returns the slugs of pages that are rendered the same, and the diagnostics before and after.
    """
    found: tuple[DiagnosticList, DiagnosticList] = ([], [])
    workers = max(1, request.workers // 2)
    with context.engine(workers) as one, context.engine(workers) as other:
        streams = [
            _rendered(engine, state, slugs)
            for engine, state, slugs in zip((one, other), states, _slugs_of(pages), strict=True)
        ]
        writer = _Writer(target, pages, states)  # while the workers are rendering
        for side, page in _in_turn(streams):
            found[side].extend(page.diagnostics)
            if names := writer.take(side, page):
                context.note(WRITTEN, names)
    return writer.equal, found


def _slugs_of(pages: Sequence[PagePreview]) -> tuple[list[str], list[str]]:
    """Return the slugs to render, before and after."""
    before = [page.was or page.slug for page in pages if page.before]
    return before, [page.slug for page in pages if page.after]


def _rendered(
    engine: RenderingEngine, state: DocumentationState, slugs: Sequence[str]
) -> Iterator[RenderedPage]:
    if state.repository is None:
        return iter(())
    return engine.render(state.repository, slugs, first_batch=1)


def _in_turn(streams: Sequence[Iterator[RenderedPage]]) -> Iterator[tuple[int, RenderedPage]]:
    """Yield pages of both versions alternately, with the number of the version."""
    left = dict(enumerate(streams))
    while left:
        for side, stream in tuple(left.items()):
            page = next(stream, None)
            if page is None:
                del left[side]
            else:
                yield side, page


class _Writer:
    """Writes the documents of pages whose versions are all rendered."""

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
        self.equal: set[str] = set()  # slugs of pages whose versions are the same
        for documents in self._documents:
            if documents is not None:
                documents.prepare()

    def take(self, side: int, rendered: RenderedPage) -> tuple[str, ...]:
        """Add a version of a page; return the names of files that are now complete."""
        page = self._pages[side][rendered.slug]
        revisions = self._waiting.setdefault(page.slug, {})
        revisions[side] = rendered
        if len(revisions) < page.before + page.after:
            return ()
        del self._waiting[page.slug]
        return self._write(page, revisions)

    def _write(self, page: PagePreview, revisions: Mapping[int, RenderedPage]) -> tuple[str, ...]:
        if len({(each.html, each.script) for each in revisions.values()}) < len(revisions):
            self.equal.add(page.slug)
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
    """Return the former slugs of pages whose files were renamed, by new slug."""
    old, new = _slugs(before), _slugs(after)
    found = {new.get(path): old.get(was) for was, path in renames.items()}
    return {
        slug: was
        for slug, was in found.items()
        if slug and was and slug not in before.keys and was not in after.keys
    }


def _slugs(state: DocumentationState) -> dict[str, str]:
    """Return the slugs of pages by file."""
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
    """Return changed pages: those whose own file changed first, then in site order."""
    gone = set(moved.values())
    slugs = dict.fromkeys((*after.keys, *(slug for slug in before.keys if slug not in gone)))
    # Keys do not contain titles and descriptions.
    mine = {slug for slug in slugs if _meta(before, after, slug).file in own}
    found = [s for s in slugs if s in mine or before.keys.get(s) != after.keys.get(s)]
    return sorted(found, key=lambda slug: slug not in mine)


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
    """Return the file name of a document: `side` is `before` or `after`."""
    return f"{side}-{hashlib.sha256(slug.encode()).hexdigest()[:32]}.html"
