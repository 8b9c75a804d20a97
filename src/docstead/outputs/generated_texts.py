"""Generated text files of a site: sitemap, feeds, and files for agents.

Hosting and exports serve them; `content.generated_files` defines their paths.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from docstead.content.generated_files import LLMS, ROBOTS, SITEMAP
from docstead.markup.rendered import RenderedPage, has_updates
from docstead.outputs.feeds import feed_xml
from docstead.outputs.llms import LlmsTexts
from docstead.outputs.sitemap import robots_txt, sitemap_xml
from docstead.theme.document import Shell


class GeneratedTexts:
    """Generated text files of a site, served in the same way as its pages.

    Hidden sites have none for agents and search engines. Static files of the repository override
    generated files of the same name.
    """

    def __init__(self, shell: Shell) -> None:
        self._site = shell.site
        self._links = shell.links
        self._contexts = shell.contexts
        self._own_files = shell.own_files
        self._is_hidden = shell.is_hidden

    def texts(self) -> Mapping[str, bytes]:
        """sitemap.xml, robots.txt, llms.txt and files for agents, by path."""
        texts = {
            **({} if self._is_hidden else self._llms.for_agents()),
            SITEMAP: sitemap_xml(self._site, self._links, hidden=self._is_hidden),
            ROBOTS: robots_txt(self._links, hidden=self._is_hidden),
            LLMS: "" if self._is_hidden else self._llms.index(),
        }
        return {
            name: text.encode()
            for name, text in texts.items()
            if text and name not in self._own_files
        }

    def llms_parts(self) -> Mapping[str, bytes]:
        """Index of each part of the site, by the first segment of paths."""
        parts = {} if self._is_hidden else self._llms.parts()
        return {name: text.encode() for name, text in parts.items()}

    def llms_full(self, pages: Iterable[RenderedPage]) -> Iterator[str]:
        """Yield llms-full.txt by page, without pages that are not public."""
        return iter(()) if self._is_hidden else self._llms.full(pages)

    def feed(self, rendered: RenderedPage) -> str | None:
        """Return the feed of a changelog; None for other pages, and for sites without a URL."""
        address = self._links.public(rendered.slug).rstrip("/")
        if not address or not has_updates(rendered):
            return None
        meta, root = self._site.pages[rendered.slug], self._links.absolute("")
        return feed_xml(meta, rendered, site=self._site.config.name, address=address, root=root)

    def markdown(self, rendered: RenderedPage) -> str:
        """Return the Markdown version of a page."""
        return self._llms.page(rendered)

    @cached_property
    def _llms(self) -> LlmsTexts:
        return LlmsTexts(self._site, self._links, self._contexts)
