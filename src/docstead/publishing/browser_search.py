"""The files of the browser's search, from the pages of an edition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docstead.content.pages import Site
from docstead.search.stop_words import STOP_WORDS
from docstead.search.words import Analyser
from docstead.site.rendered import RenderedPage
from docstead.site.shell import Shell
from docstead.site.visibility import is_searchable


def search_files(
    shell: Shell, site: Site, pages: Iterable[RenderedPage]
) -> Iterator[tuple[str, bytes]]:
    """Path and contents of each; none where the site's readers have no such search."""
    bundle = shell.search_bundle(Analyser(), STOP_WORDS)
    if bundle is None:
        return
    for page in pages:
        meta = site.pages[page.slug]
        if not page.failed and is_searchable(site, meta):
            bundle.add(meta, page)
    yield from bundle.files()
