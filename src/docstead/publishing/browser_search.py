"""Files of the browser search, built from the pages of an edition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docstead.content.pages import Site
from docstead.content.public_pages import is_searchable
from docstead.markup.rendered import RenderedPage
from docstead.outputs.search_bundle import SearchBundle
from docstead.search.analyser import Analyser
from docstead.search.stop_words import STOP_WORDS
from docstead.theme.document import Shell


class BrowserSearch:
    """Collects pages one by one; without browser search there are no files."""

    def __init__(self, shell: Shell, site: Site) -> None:
        self._site = site
        self._bundle = (
            SearchBundle(Analyser(), shell.search_place, STOP_WORDS)
            if shell.features.search
            else None
        )

    def collecting(self, pages: Iterable[RenderedPage]) -> Iterator[RenderedPage]:
        """Yield the pages after adding each of them to the search."""
        for page in pages:
            meta = self._site.pages[page.slug]
            if self._bundle and not page.failed and is_searchable(self._site, meta):
                self._bundle.add(meta, page)
            yield page

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield path and contents of each file, after all pages have been added."""
        return iter(()) if self._bundle is None else self._bundle.files()


def search_files(
    shell: Shell, site: Site, pages: Iterable[RenderedPage]
) -> Iterator[tuple[str, bytes]]:
    """Yield path and contents of each search file for these pages."""
    search = BrowserSearch(shell, site)
    for _ in search.collecting(pages):
        pass
    return search.files()
