"""Files of the browser search, built from the pages of an edition."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol

import msgspec

from docstead.base.decoders import msgpack_decoder
from docstead.content.navigation import NodeKind
from docstead.content.pages import PageMeta, Site
from docstead.content.public_pages import is_searchable
from docstead.markup.rendered import RenderedPage
from docstead.outputs.search_bundle import (
    BundleState,
    PageContribution,
    ScopeKey,
    SearchBundle,
    scope_key,
)
from docstead.search.analyser import Analyser
from docstead.search.stop_words import STOP_WORDS
from docstead.theme.document import PageShell

_FEW = 64  # pages that are replaced in an index; with more, it is joined again
_INDEX = "search"
CONTRIBUTIONS = f"{_INDEX}/"  # start of the names of results that only changed pages need

ReadPage = Callable[[str], RenderedPage]


class PageResults(Protocol):
    """Results that were derived from pages, by name and digest of their inputs."""

    def get(self, name: str, digest: str) -> bytes | None: ...

    def put(self, name: str, digest: str, value: bytes) -> None: ...

    def keep(self, names: Iterable[str]) -> None:
        """Keep these results, although nobody asks for them."""
        ...


class IndexedPage(msgspec.Struct, frozen=True, array_like=True):
    """The index that has a page, and a digest of all that the page's contribution depends on."""

    scope: ScopeKey
    digest: str


class KeptIndex(msgspec.Struct, array_like=True):
    """An index, and its pages in order."""

    pages: dict[str, IndexedPage]
    bundle: BundleState


_CONTRIBUTION = msgpack_decoder(PageContribution)
_KEPT_INDEX = msgpack_decoder(KeptIndex)


class BrowserSearch:
    """Collects pages one by one; without browser search there are no files.

    Contributions of pages are taken from `results`, if they are there.
    """

    def __init__(self, shell: PageShell, site: Site, results: PageResults | None = None) -> None:
        self._site = site
        self._results = results
        self._shell = shell
        self._bundle = self._begun() if shell.features.search else None
        self._pages: dict[str, IndexedPage] = {}
        self._is_renewed = False

    def renew(self, keys: Mapping[str, str], read: ReadPage) -> None:
        """Begin with the index of the last export, if that can be changed to the new one.

        `keys` are those of the pages in order. Few pages have changed, and none of them has more or
        fewer sections than before.
        """
        if self._bundle is None:
            return
        metas = {slug: self._site.pages[slug] for slug in keys}
        self._pages = {
            slug: IndexedPage(scope_key(meta), _digest(self._bundle, meta, keys[slug]))
            for slug, meta in metas.items()
            if is_searchable(self._site, meta)
        }
        last = self._last_index()
        if last is None or list(last.pages) != list(self._pages):
            return
        changed = [slug for slug, page in self._pages.items() if last.pages[slug] != page]
        found = [self._change(slug, last.pages[slug], read) for slug in changed[: _FEW + 1]]
        changes = [each for each in found if each is not None]
        if len(changes) < len(changed):
            return
        self._bundle = self._begun(last.bundle)
        for meta, old, new in changes:
            self._bundle.replace(meta, old, new)
        self._is_renewed = True

    def made(self, slug: str, read: ReadPage) -> PageContribution | None:
        """Return what a page adds, or None if it is not searched or known already.

        It is read if that is needed.
        """
        if self._bundle is None or self._is_renewed:
            return None
        if not is_searchable(self._site, self._site.pages[slug]):
            return None
        indexed = self._pages.get(slug)
        known = self._known(slug, indexed) if indexed else None
        if known is not None:
            return known
        page = read(slug)
        return None if page.failed else self._made(self._bundle, page)

    def add(self, slug: str, contribution: PageContribution) -> None:
        """Add a page after all others."""
        if self._bundle is not None:
            self._bundle.add(self._site.pages[slug], contribution)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield path and contents of each file, after all pages have been added."""
        if self._bundle is None:
            return iter(())
        if self._results is not None:
            kept = msgspec.msgpack.encode(KeptIndex(self._pages, self._bundle.state))
            self._results.put(_INDEX, "", kept)
            self._results.keep(map(_name, self._pages))
        return self._bundle.files()

    def _begun(self, state: BundleState | None = None) -> SearchBundle:
        versions = self._shell.contexts.labels(NodeKind.VERSION)
        return SearchBundle(Analyser(), self._shell.search_location, STOP_WORDS, state, versions)

    def _last_index(self) -> KeptIndex | None:
        found = self._results.get(_INDEX, "") if self._results else None
        try:
            return _KEPT_INDEX.decode(found) if found is not None else None
        except msgspec.DecodeError:
            return None

    def _change(
        self, slug: str, before: IndexedPage, read: ReadPage
    ) -> tuple[PageMeta, PageContribution, PageContribution] | None:
        """Return a page with its contributions before and now, if one can replace the other."""
        old = self._known(slug, before)
        if self._bundle is None or old is None or before.scope != self._pages[slug].scope:
            return None
        new = self._made(self._bundle, read(slug))
        return (self._site.pages[slug], old, new) if len(old.entries) == len(new.entries) else None

    def _known(self, slug: str, indexed: IndexedPage) -> PageContribution | None:
        found = self._results.get(_name(slug), indexed.digest) if self._results else None
        try:
            return _CONTRIBUTION.decode(found) if found is not None else None
        except msgspec.DecodeError:
            return None

    def _made(self, bundle: SearchBundle, page: RenderedPage) -> PageContribution:
        made = bundle.contribution(self._site.pages[page.slug], page)
        indexed = self._pages.get(page.slug)
        if self._results is not None and indexed is not None:
            self._results.put(_name(page.slug), indexed.digest, msgspec.msgpack.encode(made))
        return made


def search_files(
    shell: PageShell, site: Site, pages: Iterable[RenderedPage]
) -> Iterator[tuple[str, bytes]]:
    """Yield path and contents of each search file for these pages."""
    search = BrowserSearch(shell, site)
    for page in pages:
        contribution = search.made(page.slug, {page.slug: page}.__getitem__)
        if contribution is not None:
            search.add(page.slug, contribution)
    return search.files()


def _name(slug: str) -> str:
    return f"{CONTRIBUTIONS}{slug}"


def _digest(bundle: SearchBundle, meta: PageMeta, key: str) -> str:
    """Return a digest of everything that the contribution of a page depends on."""
    inputs = msgspec.json.encode((key, meta, bundle.location_of(meta)))
    return hashlib.sha256(inputs).hexdigest()
