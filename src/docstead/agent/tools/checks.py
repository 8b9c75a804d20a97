"""Diagnostics of the documentation that its base does not have.

The diagnostics are those of `docstead check`: the same reading, the same rendering. A page
is rendered only if what it depends on has changed, and what was said of it is remembered
under its key.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from docstead.agent.reviews.documents import whole_document
from docstead.agent.tools.documentation_states import DocumentationReader, DocumentationState
from docstead.base.errors import NotFound, SourceUnreadable
from docstead.base.lru_cache import LruCache
from docstead.content.diagnostics import Diagnostic, Severity
from docstead.content.pages import Repository
from docstead.content.slugs import PAGE_SUFFIXES, base_path, path_of, slug_of
from docstead.markup.rendered import RenderedPage
from docstead.publishing.link_graph import LinkGraph
from docstead.publishing.page_notes import PageNotes
from docstead.rendering import Engine
from docstead.repository.config_reader import read_config
from docstead.repository.parse_cache import ParseCache
from docstead.repository.positions import Diagnostics
from docstead.repository.settings_file import LEGACY_SETTINGS, SETTINGS, read_settings

if TYPE_CHECKING:
    from docstead.agent.workspace.workspace import Workspace

_REMEMBERED_PAGES = 10_000
_REMEMBERED_BASES = 16
_REMEMBERED_REPORTS = 4  # with the whole state that each is about
_ORPHAN = "orphan-page"
_STOPPED = "page-stopped"  # which a machine with much else to do says of good pages, too
_QUOTED = re.compile(r"'(/[^'#?]*)")  # an address in a message
_INDEX = re.compile(r"\[\d+\]")  # of what stands in a list: others may have come before it

Engines = Callable[[], AbstractContextManager[Engine]]
_Comparison = tuple[Path, str, bool]  # folder, tree of the base, everything
_KnownPages = tuple[str, tuple[str, ...], bool]  # tree of the base, slugs, everything


@dataclass(frozen=True, slots=True)
class CheckReport:
    """`new` are diagnostics that the base does not have; `fixed` counts those that are gone.

    `standing` are those that the base has as well, as far as was looked.
    """

    new: tuple[Diagnostic, ...]
    fixed: int
    standing: tuple[Diagnostic, ...]

    @property
    def passed(self) -> bool:
        return not any(diagnostic.severity is not Severity.INFO for diagnostic in self.new)


class CheckedWorkspace(Protocol):
    """The part of a workspace that checks look at."""

    @property
    def root(self) -> Path: ...
    @property
    def base_tree(self) -> str: ...
    def renames(self) -> dict[str, str]: ...
    def base(self) -> AbstractContextManager[Path]: ...


class WorkspaceChecks(Protocol):
    """Check of workspaces: by `WorkspaceChecker`, or by `ConfinedChecker` in builders."""

    def compare(self, workspace: Workspace, *, everything: bool = False) -> CheckReport: ...
    def preview(self, workspace: Workspace, slug: str) -> tuple[str, tuple[Diagnostic, ...]]: ...
    def document(self, workspace: Workspace, slug: str) -> str: ...
    def base_path(self, workspace: Workspace) -> str: ...


def base_path_of(root: Path) -> str:
    """The path below which a repository expects its site. Raises `SourceUnreadable`."""
    found = read_settings(root, Diagnostics())
    found.check(Diagnostics())
    return base_path(read_config(found.keys))


class WorkspaceChecker:
    """Checks workspaces; one for a whole node, as it remembers what pages had to say."""

    def __init__(self, engines: Engines, memory: ParseCache | None = None) -> None:
        self._engines = engines
        self._seen = LruCache[str, PageNotes](_REMEMBERED_PAGES)
        self._bases = LruCache[str, DocumentationState](_REMEMBERED_BASES)
        self._states = DocumentationReader(memory)
        self._reports = LruCache[_Comparison, tuple[DocumentationState, CheckReport]](
            _REMEMBERED_REPORTS
        )
        self._said_before = LruCache[_KnownPages, tuple[Diagnostic, ...]](_REMEMBERED_BASES)

    def compare(self, workspace: CheckedWorkspace, *, everything: bool = False) -> CheckReport:
        """The workspace against its base. With `everything`, also pages that nobody changed."""
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
        base = self._base(workspace)
        before, after = set(base.keys.values()), set(now.keys.values())
        changed = [slug for slug, key in now.keys.items() if everything or key not in before]
        gone = [slug for slug, key in base.keys.items() if everything or key not in after]
        around = [] if everything else _leading_to(now, {*changed, *gone})
        found = self._said(now, [*changed, *around], everything=everything)
        old = tuple(slug for slug in (*gone, *around) if slug in base.keys)
        known = self._known(workspace, old, everything=everything) if found else ()
        known_diagnostics, diagnostics = [*base.diagnostics, *known], [*now.diagnostics, *found]
        report = compared(known_diagnostics, diagnostics, workspace.renames())
        # Nothing is fixed where nothing can be read.
        return report if now.repository is not None else replace(report, fixed=0)

    def preview(self, workspace: CheckedWorkspace, slug: str) -> tuple[str, tuple[Diagnostic, ...]]:
        """A page as readable text, and what is wrong with it. Raises `NotFound`."""
        _, page = self._page(workspace, slug)
        return page.markdown, page.diagnostics

    def document(self, workspace: CheckedWorkspace, slug: str) -> str:
        """A page as readers see it, as a document that needs nothing else. Raises `NotFound`."""
        return whole_document(*self._page(workspace, slug))

    def base_path(self, workspace: CheckedWorkspace) -> str:
        """The path below which the repository expects its site. Raises `SourceUnreadable`."""
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
        """Return the diagnostics of rendering these pages at the base, which never changes."""
        asked = (workspace.base_tree, slugs, everything)
        known = self._said_before.get(asked)
        if known is not None:
            return known
        state = self._reread_base(workspace)
        said = tuple(self._said(state, slugs, everything=everything))
        if _is_lasting(said):
            self._said_before.put(asked, said)
        return said

    def _base(self, workspace: CheckedWorkspace) -> DocumentationState:
        tree = workspace.base_tree
        known = self._bases.get(tree)
        if known is not None:
            return known
        # Only what comparing needs is kept: a repository takes megabytes.
        state = replace(self._reread_base(workspace), repository=None)
        self._bases.put(tree, state)
        return state

    def _reread_base(self, workspace: CheckedWorkspace) -> DocumentationState:
        with workspace.base() as folder:
            return self._states.read_once(folder)

    def _said(
        self, state: DocumentationState, slugs: Sequence[str], *, everything: bool
    ) -> list[Diagnostic]:
        """Return the diagnostics of rendering these pages, and of the links among them."""
        repository = state.repository
        if repository is None or not slugs:
            return []
        graph = LinkGraph(repository.site)
        found: list[Diagnostic] = []
        for page in self._rendered(repository, state.keys, slugs).values():
            graph.add(page)
            found += page.diagnostics
        targets = self._rendered(repository, state.keys, sorted(graph.targets()))
        # Only who has heard of all pages knows which of them nobody leads to.
        links = graph.diagnostics(targets.__getitem__)
        return found + [f for f in links if everything or f.code != _ORPHAN]

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


def _is_lasting(said: Iterable[Diagnostic]) -> bool:
    """Whether the same will be said another time."""
    return all(diagnostic.code != _STOPPED for diagnostic in said)


def _leading_to(state: DocumentationState, slugs: Set[str]) -> list[str]:
    """Other pages that may lead to parts of these: their text names a page and a part."""
    names = {posixpath.basename(slug.removesuffix("/index")) for slug in slugs}
    named = re.compile(rf"(?:{'|'.join(map(re.escape, names))})(?:/|\.mdx?)?#")
    pages = state.repository.pages if state.repository and slugs else {}
    return [
        slug
        for slug, page in pages.items()
        # Most pages name none: that is told many times faster than what the pattern asks.
        if slug not in slugs and any(map(page.body.__contains__, names)) and named.search(page.body)
    ]


def compared(
    before: Iterable[Diagnostic], after: Iterable[Diagnostic], renames: Mapping[str, str]
) -> CheckReport:
    """Diagnostics are compared without their lines and renamed things: their
    file, and that to which a link of theirs leads.
    """
    addresses = {_address(old): _address(new) for old, new in renames.items()}
    left = Counter(_sameness(diagnostic, renames, addresses) for diagnostic in set(before))
    new: list[Diagnostic] = []
    standing: list[Diagnostic] = []
    for diagnostic in sorted(set(after), key=_place):
        same = _sameness(diagnostic, {}, {})
        known = left[same] > 0
        left[same] -= known
        (standing if known else new).append(diagnostic)
    return CheckReport(tuple(new), sum(left.values()), tuple(standing))


def _sameness(
    diagnostic: Diagnostic, renames: Mapping[str, str], addresses: Mapping[str, str]
) -> tuple[str, str, str]:
    message = _INDEX.sub("[]", diagnostic.message)
    if addresses:
        message = _QUOTED.sub(lambda match: f"'{addresses.get(match[1], match[1])}", message)
    file = renames.get(diagnostic.file, diagnostic.file)
    # The settings are the same file when mint.json becomes docs.json.
    file = SETTINGS if file == LEGACY_SETTINGS else file
    return file, diagnostic.code, message


def _address(file: str) -> str:
    return path_of(slug_of(file)) if file.endswith(PAGE_SUFFIXES) else f"/{file}"


def _place(diagnostic: Diagnostic) -> tuple[str, int, int, str, str]:
    return diagnostic.file, diagnostic.line, diagnostic.column, diagnostic.code, diagnostic.message
