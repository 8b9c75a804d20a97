"""Diagnostics that a workspace adds to its base.

They are those of `docstead check`, made by the same code. Pages are rendered only if their inputs
changed, and diagnostics are cached by page key.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from docstead.agent.reviews.documents import whole_document
from docstead.agent.tools.documentation_states import DocumentationReader, DocumentationState
from docstead.base.errors import NotFound, SourceUnreadable
from docstead.base.lru_cache import LruCache
from docstead.content.diagnostics import Diagnostic, Severity
from docstead.content.pages import Page, Repository
from docstead.content.slugs import PAGE_SUFFIXES, base_path, path_of, slug_of
from docstead.markup.rendered import RenderedPage
from docstead.publishing.link_graph import ORPHAN, LinkGraph
from docstead.publishing.page_notes import PageNotes
from docstead.rendering import RenderingEngine
from docstead.repository.config_reader import read_config
from docstead.repository.positions import Diagnostics
from docstead.repository.settings_file import LEGACY_SETTINGS, SETTINGS, read_settings

if TYPE_CHECKING:
    from docstead.agent.workspace.workspace import Workspace

_REMEMBERED_PAGES = 10_000
_REMEMBERED_BASES = 16
_REMEMBERED_REPORTS = 4  # with the whole state of each
_STOPPED = "page-stopped"  # also reported for good pages on a busy machine
_QUOTED = re.compile(r"'(/[^'#?]*)")  # a URL path in a message
_INDEX = re.compile(r"\[\d+\]")  # index of a list item, which may be shifted

Engines = Callable[[], AbstractContextManager[RenderingEngine]]
_Comparison = tuple[Path, str, bool]  # folder, tree of the base, everything
_KnownPages = tuple[str, tuple[str, ...], bool]  # tree of the base, slugs, everything


@dataclass(frozen=True, slots=True)
class CheckReport:
    """`new` are diagnostics that the base does not have; `fixed` counts those that are gone.

    `standing` are those that the base has as well, as far as they were checked.
    """

    new: tuple[Diagnostic, ...]
    fixed: int
    standing: tuple[Diagnostic, ...]

    @property
    def passed(self) -> bool:
        return not any(diagnostic.severity is not Severity.INFO for diagnostic in self.new)


class CheckedWorkspace(Protocol):
    """The part of a workspace that checks use."""

    @property
    def root(self) -> Path: ...
    @property
    def base_tree(self) -> str: ...
    def renames(self) -> dict[str, str]: ...
    def base(self) -> AbstractContextManager[Path]: ...


class WorkspaceChecks(Protocol):
    """Interface of checks: `WorkspaceChecker`, or `ConfinedChecker` in builders."""

    def compare(self, workspace: Workspace, *, everything: bool = False) -> CheckReport: ...
    def preview(self, workspace: Workspace, slug: str) -> tuple[str, tuple[Diagnostic, ...]]: ...
    def document(self, workspace: Workspace, slug: str) -> str: ...
    def base_path(self, workspace: Workspace) -> str: ...


def base_path_of(root: Path) -> str:
    """Return the base path at which a repository expects its site.

    Raises:
        SourceUnreadable: the settings cannot be read.
    """
    found = read_settings(root, Diagnostics())
    found.check(Diagnostics())
    return base_path(read_config(found.keys))


class WorkspaceChecker:
    """Checks workspaces; shared by a node, as it caches diagnostics of pages."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._seen = LruCache[str, PageNotes](_REMEMBERED_PAGES)
        self._bases = LruCache[str, DocumentationState](_REMEMBERED_BASES)
        self._states = DocumentationReader()
        self._reports = LruCache[_Comparison, tuple[DocumentationState, CheckReport]](
            _REMEMBERED_REPORTS
        )
        self._said_before = LruCache[_KnownPages, tuple[Diagnostic, ...]](_REMEMBERED_BASES)

    def compare(self, workspace: CheckedWorkspace, *, everything: bool = False) -> CheckReport:
        """Compare the workspace with its base; with `everything` also unchanged pages."""
        now = self._states.read(workspace.root)
        asked = (workspace.root, workspace.base_tree, everything)
        known = self._reports.get(asked)
        if known is not None and known[0] is now:
            return known[1]
        report = self._compared(workspace, now, everything=everything)
        if _is_lasting((*report.new, *report.standing)):
            self._reports.put(asked, (now, report))
        return report

    def _compared(
        self, workspace: CheckedWorkspace, now: DocumentationState, *, everything: bool
    ) -> CheckReport:
        base, renames = self._base(workspace), workspace.renames()
        before, after = set(base.keys.values()), set(now.keys.values())
        changed = [slug for slug, key in now.keys.items() if everything or key not in before]
        gone = [slug for slug, key in base.keys.items() if everything or key not in after]
        around = [] if everything else _links_to(now, {*changed, *gone})
        said = self._said(now, [*changed, *around])
        is_new = _new_files(now, base, renames)
        found = list(_with_orphans(said, is_new, everything=everything))
        old = tuple(slug for slug in (*gone, *around) if slug in base.keys)
        known = self._known(workspace, old, everything=everything) if found else ()
        known_diagnostics, diagnostics = [*base.diagnostics, *known], [*now.diagnostics, *found]
        report = compared(known_diagnostics, diagnostics, renames)
        # If nothing can be read, nothing is fixed.
        return report if now.repository is not None else replace(report, fixed=0)

    def preview(self, workspace: CheckedWorkspace, slug: str) -> tuple[str, tuple[Diagnostic, ...]]:
        """Return a page as readable text with its diagnostics.

        Raises:
            NotFound: the page does not exist.
        """
        _, page = self._page(workspace, slug)
        return page.markdown, page.diagnostics

    def document(self, workspace: CheckedWorkspace, slug: str) -> str:
        """Return a page as a self-contained document.

        Raises:
            NotFound: the page does not exist.
        """
        return whole_document(*self._page(workspace, slug))

    def base_path(self, workspace: CheckedWorkspace) -> str:
        """Return the base path at which the repository expects its site.

        Raises:
            SourceUnreadable: the settings cannot be read.
        """
        return base_path_of(workspace.root)

    def _page(self, workspace: CheckedWorkspace, slug: str) -> tuple[Repository, RenderedPage]:
        state = self._states.read(workspace.root)
        repository = state.repository
        if repository is None:
            raise SourceUnreadable(state.diagnostics[0].message)
        if slug not in repository.pages:
            raise NotFound(f"there is no page {slug!r}")
        with self._engines() as engine:
            return repository, next(iter(engine.render(repository, [slug])))

    def _known(
        self, workspace: CheckedWorkspace, slugs: tuple[str, ...], *, everything: bool
    ) -> tuple[Diagnostic, ...]:
        """Return the diagnostics of these pages at the base, cached because it is immutable."""
        asked = (workspace.base_tree, slugs, everything)
        known = self._said_before.get(asked)
        if known is not None:
            return known
        state = self._reread_base(workspace)
        said = tuple(_with_orphans(self._said(state, slugs), everything=everything))
        if _is_lasting(said):
            self._said_before.put(asked, said)
        return said

    def _base(self, workspace: CheckedWorkspace) -> DocumentationState:
        tree = workspace.base_tree
        known = self._bases.get(tree)
        if known is not None:
            return known
        # Keep only what comparisons need, because a repository takes megabytes.
        state = replace(self._reread_base(workspace), repository=None)
        self._bases.put(tree, state)
        return state

    def _reread_base(self, workspace: CheckedWorkspace) -> DocumentationState:
        with workspace.base() as folder:
            return self._states.read_once(folder)

    def _said(self, state: DocumentationState, slugs: Sequence[str]) -> list[Diagnostic]:
        """Return the diagnostics of rendering these pages, and of links among them."""
        repository = state.repository
        if repository is None or not slugs:
            return []
        graph = LinkGraph(repository.site)
        found: list[Diagnostic] = []
        for page in self._rendered(repository, state.keys, slugs).values():
            graph.add(page)
            found += page.diagnostics
        targets = self._rendered(repository, state.keys, sorted(graph.targets()))
        return found + list(graph.diagnostics(targets.__getitem__))

    def _rendered(
        self, repository: Repository, keys: Mapping[str, str], slugs: Sequence[str]
    ) -> dict[str, PageNotes]:
        seen = {slug: self._seen.get(keys[slug]) for slug in slugs}
        known = {slug: page for slug, page in seen.items() if page is not None}
        unknown = [slug for slug in slugs if slug not in known]
        if unknown:
            with self._engines() as engine:
                for page in engine.render(repository, unknown):
                    known[page.slug] = PageNotes.of(page)
                    if _is_lasting(page.diagnostics):
                        self._seen.put(keys[page.slug], known[page.slug])
        return known


def _with_orphans(
    said: Iterable[Diagnostic],
    is_new: Callable[[str], bool] = lambda _: False,
    *,
    everything: bool,
) -> Iterator[Diagnostic]:
    """Yield diagnostics; orphan pages in new files are warnings.

    Other orphan pages are only known after all pages have been read.
    """
    for diagnostic in said:
        if diagnostic.code == ORPHAN and is_new(diagnostic.file):
            yield replace(diagnostic, severity=Severity.WARNING)
        elif everything or diagnostic.code != ORPHAN:
            yield diagnostic


def _new_files(
    now: DocumentationState, base: DocumentationState, renames: Mapping[str, str]
) -> Callable[[str], bool]:
    """Return a test for files of pages that the base does not have, and that no page names."""
    pages = now.repository.pages if now.repository is not None else {}
    made = [slug for slug in pages if slug not in base.keys]
    moved = set(renames.values())

    def is_new(file: str) -> bool:
        # Links of unchanged pages are not read, only their text.
        own = (slug for slug in made if pages[slug].meta.file == file)
        return file not in moved and not all(_is_named(slug, pages) for slug in own)

    return is_new


def _is_named(slug: str, pages: Mapping[str, Page]) -> bool:
    return any(path_of(slug) in page.body for other, page in pages.items() if other != slug)


def _is_lasting(said: Iterable[Diagnostic]) -> bool:
    """Report whether repeated checks would give the same diagnostics."""
    return all(diagnostic.code != _STOPPED for diagnostic in said)


def _links_to(state: DocumentationState, slugs: Set[str]) -> list[str]:
    """Return other pages with possible links to anchors of these pages."""
    names = {posixpath.basename(slug.removesuffix("/index")) for slug in slugs}
    named = re.compile(rf"(?:{'|'.join(map(re.escape, names))})(?:/|\.mdx?)?#")
    pages = state.repository.pages if state.repository and slugs else {}
    return [
        slug
        for slug, page in pages.items()
        # Most pages have none, which this test finds many times faster than the pattern.
        if slug not in slugs and any(map(page.body.__contains__, names)) and named.search(page.body)
    ]


def compared(
    before: Iterable[Diagnostic], after: Iterable[Diagnostic], renames: Mapping[str, str]
) -> CheckReport:
    """Compare diagnostics, ignoring line numbers and mapping renamed files to their new paths."""
    paths = {_url_path(old): _url_path(new) for old, new in renames.items()}
    left = Counter(_sameness(diagnostic, renames, paths) for diagnostic in set(before))
    new: list[Diagnostic] = []
    standing: list[Diagnostic] = []
    for diagnostic in sorted(set(after), key=_position):
        same = _sameness(diagnostic, {}, {})
        known = left[same] > 0
        left[same] -= known
        (standing if known else new).append(diagnostic)
    return CheckReport(tuple(new), sum(left.values()), tuple(standing))


def _sameness(
    diagnostic: Diagnostic, renames: Mapping[str, str], paths: Mapping[str, str]
) -> tuple[str, str, str]:
    message = _INDEX.sub("[]", diagnostic.message)
    if paths:
        message = _QUOTED.sub(lambda match: f"'{paths.get(match[1], match[1])}", message)
    file = renames.get(diagnostic.file, diagnostic.file)
    # docs.json and mint.json are the same settings file.
    file = SETTINGS if file == LEGACY_SETTINGS else file
    return file, diagnostic.code, message


def _url_path(file: str) -> str:
    return path_of(slug_of(file)) if file.endswith(PAGE_SUFFIXES) else f"/{file}"


def _position(diagnostic: Diagnostic) -> tuple[str, int, int, str, str]:
    return diagnostic.file, diagnostic.line, diagnostic.column, diagnostic.code, diagnostic.message
