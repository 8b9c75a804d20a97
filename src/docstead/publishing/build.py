"""Build of an edition's file from a checkout.

Pages whose key is in the previous edition are copied instead of rendered. A page that cannot be
rendered becomes a diagnostic and a notice. An unreadable source raises `SourceUnreadable` and
leaves no file behind.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from docstead import __version__
from docstead.base.errors import SourceUnreadable
from docstead.content.diagnostics import Diagnostic, Severity
from docstead.content.generic_titles import groups_of_generic_titles
from docstead.content.pages import Repository
from docstead.content.public_pages import is_searchable
from docstead.content.slugs import PAGE_SUFFIXES
from docstead.markup.rendered import RenderedPage
from docstead.publishing.assets import stored_assets
from docstead.publishing.diagnostic_limits import limited_diagnostics
from docstead.publishing.duplicate_pages import DuplicatePages
from docstead.publishing.edition import Edition
from docstead.publishing.edition_file import EditionWriter
from docstead.publishing.edition_format import StoredAsset, UtilityStyles
from docstead.publishing.folders import files_of
from docstead.publishing.link_graph import LinkGraph
from docstead.publishing.remote_assets import FetchedFile, RemoteAssetReader
from docstead.publishing.remote_files import RemoteReaders
from docstead.publishing.values import FileChanges, FileDigest, GitCheckout
from docstead.rendering import PageKeys, RenderingEngine
from docstead.repository.modules import is_snippet

if TYPE_CHECKING:
    from docstead.repository.parse_cache import ParseCache
    from docstead.search.documents import SearchDocument

_STOPPED = "page-stopped"
_FEW = 8  # indexes are updated if at most one of this many pages changed
_KEPT_EARLY = 64  # pages held in memory until it is their turn
_UNREAD = ("not-utf8", "unreadable-file", "file-too-large")

Progress = Callable[[int, int], None]  # finished pages, total pages


@dataclass(frozen=True, slots=True)
class BuildReport:
    """Result of a build.

    `pages` are those of the source: `rendered` in this build, `reused` from the previous edition,
    or `left_out` because their files could not be read. `failed` counts pages that were left out
    and pages that show an error notice.
    """

    commit: str
    digest: str  # digest of all that readers can see
    pages: int
    rendered: int
    reused: int
    left_out: int
    failed: int
    diagnostics: tuple[Diagnostic, ...]
    assets: tuple[StoredAsset, ...]
    changes: FileChanges  # compared with the previous edition
    seconds: float


def without_pages(report: BuildReport) -> SourceUnreadable:
    """Return an error that names the first broken navigation entry, or the navigation."""
    codes = ("missing-page", "no-pages")
    found = (
        diagnostic for code in codes for diagnostic in report.diagnostics if diagnostic.code == code
    )
    diagnostic = next(found)
    position = f"{diagnostic.file}:{diagnostic.line}:{diagnostic.column}"
    return SourceUnreadable(
        f"{position}: the navigation lists no existing page, so there is nothing to publish"
    )


def build_edition(
    checkout: GitCheckout,
    engine: RenderingEngine,
    previous: Edition | None,
    target: Path,
    progress: Progress | None = None,
    *,
    remote: RemoteReaders | None = None,
    parse_cache: ParseCache | None = None,
    engine_version: str | None = None,
    indexed: bool = True,
    kept: bool = True,
    meanwhile: Callable[[int], None] | None = None,
) -> BuildReport:
    """Write the edition of a checkout to `target`.

    Without `remote`, no file at a URL is read. A `parse_cache` from an earlier build speeds up
    reading, and a known `engine_version` the keys of pages. Editions that are not searched need not
    be `indexed`; those that are not `kept` are written without compression and page keys.
    `meanwhile` is called once with the number of pages while they are rendered.

    Raises:
        SourceUnreadable: the configuration is missing or invalid; with its position.
    """
    from docstead.loading.loader import read_repository

    begun = time.monotonic()
    _prepare(engine, checkout, previous)
    assets = None
    if remote is not None:
        assets = RemoteAssetReader(remote.asset, previous.fetched if previous else None)
    reading = read_repository(
        checkout.path,
        read_remote=remote.specification if remote else None,
        read_artifact=remote.artifact if remote else None,
        read_asset=assets.read if assets else None,
        parse_cache=parse_cache,
        limits=checkout.limits,
    )
    with _opened(target, packed=kept) as writer:
        keys = PageKeys(reading.repository, parse_cache, engine_version) if kept else None
        build = _EditionBuild(reading.repository, writer, previous, keys)
        build.copy_known_pages()
        duplicates = DuplicatePages(reading.repository, build.stale)
        pages = duplicates.each(engine.render(reading.repository, duplicates.originals))
        # The following runs while pages are rendered.
        fetched = tuple(assets.files.values()) if assets else ()
        build.complete(reading.finished(), files_of(checkout), fetched)
        if meanwhile is not None:
            meanwhile(len(reading.repository.pages))
        build.add_pages(pages, progress or _silent, indexed=indexed)
        return build.finish(checkout.revision.commit, begun)


def _prepare(engine: RenderingEngine, checkout: GitCheckout, previous: Edition | None) -> None:
    """Start the workers that will probably be needed while the source is read."""
    if previous is None:
        engine.prepare()
    elif previous.commit != checkout.revision.commit:
        engine.prepare(1)


@contextmanager
def _opened(target: Path, *, packed: bool) -> Iterator[EditionWriter]:
    """Yield the writer of a file, which is removed after an error."""
    writer = EditionWriter(target, packed=packed)
    try:
        yield writer
    except BaseException:
        writer.abandon()
        target.unlink(missing_ok=True)
        raise


class _EditionBuild:
    """One build; its methods are called in order of definition."""

    def __init__(
        self,
        repository: Repository,
        writer: EditionWriter,
        previous: Edition | None,
        keys: PageKeys | None,
    ) -> None:
        self._repository = repository
        self._writer = writer
        self._previous = previous
        self._keys = keys
        self._known_keys: dict[str, str] = {}
        self._positions = {slug: position for position, slug in enumerate(repository.pages)}
        self.stale: list[str] = []
        self._failed: list[str] = []
        self._diagnostics: list[Diagnostic] = []
        self._links = LinkGraph(repository.site)
        self._early: dict[str, RenderedPage] = {}
        self._assets: tuple[StoredAsset, ...] = ()
        self._fetched: tuple[FetchedFile, ...] = ()
        self._changes = FileChanges()

    def copy_known_pages(self) -> None:
        if self._previous is None:
            self.stale = list(self._positions)
            return
        before = self._previous.page_keys()
        stopped = {slug for slug in self._previous.failed_pages() if self._was_stopped(slug)}
        known: list[str] = []
        for slug in self._positions:
            # The page may have timed out on a busy machine, so it is tried again.
            is_known = before.get(slug) == self._key(slug) and slug not in stopped
            (known if is_known else self.stale).append(slug)
        for page in self._previous.stored_pages(known):
            self._writer.copy_page(replace(page, position=self._positions[page.slug]))

    def _key(self, slug: str) -> str:
        """Return a page's key, computed on first use, while other pages are rendered."""
        if self._keys is None:
            return ""
        if slug not in self._known_keys:
            self._known_keys[slug] = self._keys.of(slug)
        return self._known_keys[slug]

    def _was_stopped(self, slug: str) -> bool:
        page = self._previous.page(slug) if self._previous else None
        return page is not None and any(
            diagnostic.code == _STOPPED for diagnostic in page.diagnostics
        )

    def complete(
        self,
        repository: Repository,
        digests: Mapping[str, FileDigest],
        fetched: tuple[FetchedFile, ...] = (),
    ) -> None:
        """Store the repository and its files, without pages."""
        self._repository = repository
        self._diagnostics += repository.diagnostics
        self._fetched = fetched
        self._assets = stored_assets(repository.assets, digests, fetched)
        self._writer.add_assets(self._assets)
        files = {path: digest.sha256 for path, digest in digests.items()}
        self._writer.add_files(files)
        self._changes = changes_between(self._previous.files() if self._previous else {}, files)

    def add_pages(
        self, pages: Iterator[RenderedPage], progress: Progress, *, indexed: bool
    ) -> None:
        """Store the remaining pages and index them as they arrive."""
        slugs = self._announced(self._stored(pages, progress))
        if not indexed:
            deque(slugs, maxlen=0)  # consumed only for their diagnostics
        else:
            # Threads of the index may still write a lock file while the folder is removed.
            with tempfile.TemporaryDirectory(
                prefix="docstead-index-", ignore_cleanup_errors=True
            ) as name:
                directory = Path(name) / "index"
                self._make_index(slugs, directory)
                self._writer.add_search_files(directory)
        self._diagnostics += self._links.diagnostics(self._writer.notes)

    def _make_index(self, slugs: Iterator[str], directory: Path) -> None:
        """Write a new index, or update the previous one after a small change."""
        from docstead.search.index_writer import build, renew

        changed = self._changed()
        few = len(changed) * _FEW <= len(self._positions)
        if not few or not self._unpacked_index(directory):
            shutil.rmtree(directory, ignore_errors=True)
            build(self._documents(slugs), directory)
            return
        fresh = list(self._documents(slug for slug in slugs if slug in changed))
        if changed:
            renew(directory, fresh, gone=changed)

    def _changed(self) -> frozenset[str]:
        """Return pages whose searchable contents have changed, and removed pages."""
        site, old = self._repository.site, self._previous.site if self._previous else None
        if old is None:
            return frozenset(site.pages)
        stale = set(self.stale)
        groups, old_groups = groups_of_generic_titles(site), groups_of_generic_titles(old)
        same = {
            slug
            for slug, meta in site.pages.items()
            if slug not in stale
            and meta == old.pages.get(slug)
            and groups.get(slug) == old_groups.get(slug)
            and is_searchable(site, meta) == is_searchable(old, meta)
        }
        return frozenset((site.pages.keys() | old.pages.keys()) - same)

    def _unpacked_index(self, directory: Path) -> bool:
        """Unpack the previous index if it can be updated; report whether it was."""
        from docstead.search.index_writer import is_renewable

        if self._previous is None or self._previous.made_by != __version__:
            return False
        self._previous.extract_search_files(directory)
        return is_renewable(directory)

    def finish(self, commit: str, begun: float) -> BuildReport:
        diagnostics = limited_diagnostics(self._diagnostics)
        site = self._repository.site
        digest = self._writer.close(
            commit=commit, site=site, diagnostics=diagnostics, utilities=self._utilities(),
            fetched=self._fetched,
        )  # fmt: skip
        left_out = len({d.file for d in self._repository.diagnostics if _leaves_out_page(d)})
        return BuildReport(
            commit=commit,
            digest=digest,
            pages=len(self._positions) + left_out,
            rendered=len(self.stale),
            reused=len(self._positions) - len(self.stale),
            left_out=left_out,
            failed=len(self._failed) + left_out,
            diagnostics=diagnostics,
            assets=self._assets,
            changes=self._changes,
            seconds=time.monotonic() - begun,
        )

    def _utilities(self) -> UtilityStyles:
        names = self._writer.class_names()
        if self._previous is not None and self._previous.made_by == __version__:
            known = self._previous.utilities
            if known.names == names:
                return known
        from docstead.markup.utilities import utility_css

        return UtilityStyles(names, utility_css(names))

    def _announced(self, rendered: Iterator[RenderedPage]) -> Iterator[str]:
        """Yield all pages in repository order after they have been stored and checked."""
        missing = set(self.stale)
        for slug in self._positions:
            while slug in missing:
                page = next(rendered)
                missing.remove(page.slug)
                if len(self._early) < _KEPT_EARLY:
                    self._early[page.slug] = page
            notes = self._writer.notes(slug)
            self._links.add(notes)
            self._diagnostics += notes.diagnostics
            if notes.failed:
                self._failed.append(slug)
            yield slug
            self._early.pop(slug, None)
        deque(rendered, maxlen=0)

    def _stored(self, pages: Iterator[RenderedPage], progress: Progress) -> Iterator[RenderedPage]:
        """Yield each page after it has been stored."""
        known, total = len(self._positions) - len(self.stale), len(self._positions)
        progress(known, total)
        for done, page in enumerate(pages, 1):
            self._writer.add_page(page, self._key(page.slug), self._positions[page.slug])
            progress(known + done, total)
            yield page

    def _documents(self, slugs: Iterable[str]) -> Iterator[SearchDocument]:
        """Yield the index documents of these pages."""
        from docstead.search.documents import document_of

        site = self._repository.site
        groups = groups_of_generic_titles(site)
        for slug in slugs:
            if is_searchable(site, meta := site.pages[slug]):
                page = self._early.get(slug) or self._writer.page(slug)
                if not page.failed:
                    yield document_of(meta, page.sections, groups.get(slug, ""))


def changes_between(before: Mapping[str, str], after: Mapping[str, str]) -> FileChanges:
    """Compare two sets of files by their digests."""
    return FileChanges(
        added=tuple(sorted(after.keys() - before.keys())),
        modified=tuple(sorted(p for p in after.keys() & before.keys() if after[p] != before[p])),
        removed=tuple(sorted(before.keys() - after.keys())),
    )


def _leaves_out_page(diagnostic: Diagnostic) -> bool:
    """Report whether a page's file could not be read at all."""
    file = diagnostic.file
    unread = diagnostic.code in _UNREAD and diagnostic.severity is Severity.ERROR
    return unread and file.endswith(PAGE_SUFFIXES) and not is_snippet(file)


def _silent(done: int, total: int) -> None:
    pass
