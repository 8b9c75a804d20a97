"""Resources of a site's MCP server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from anyio import to_thread

from docstead.accounts.tenancy import Deployment
from docstead.api.assistant.contents import ContentSearch, ReadableEditions
from docstead.assistant.conversation import ReadableEdition
from docstead.assistant.links import AbsoluteLinks
from docstead.base.errors import InvalidRequest, NotFound
from docstead.content.generated_files import LLMS, SKILL
from docstead.outputs.skill import skill_file

MARKDOWN = "text/markdown"
PLAIN = "text/plain"
_MOST = 200  # pages checked per response
_MARKDOWN_SUFFIX = ".md"
_CURSOR = re.compile(r"[0-9]{1,9}")

Texts = Callable[[Deployment, str], str]  # returns a site-wide text file by name, or ""


@dataclass(frozen=True, slots=True)
class McpResource:
    uri: str
    name: str
    text: str = ""  # a description in lists, otherwise the contents
    mime_type: str = MARKDOWN


@dataclass(frozen=True)
class McpResources:
    """Public pages of a site as Markdown, its skills and its `llms.txt`.

    Resources have the URLs that they have on the site.
    """

    editions: ReadableEditions
    site_url: Callable[[Deployment], str]
    contents: ContentSearch
    texts: Texts

    async def listed(
        self, deployment: Deployment, cursor: str | None
    ) -> tuple[list[McpResource], str | None]:
        """Return a page of resources, and the cursor of the next page.

        Raises:
            InvalidRequest: the cursor is invalid.
        """
        return await to_thread.run_sync(self._listed, deployment, cursor)

    async def read(self, deployment: Deployment, uri: str) -> McpResource:
        """Return a resource with its contents.

        Raises:
            NotFound: there is no resource with this URI.
        """
        return await to_thread.run_sync(self._read, deployment, uri)

    def template(self, deployment: Deployment) -> str:
        """Return the URI template of pages (RFC 6570)."""
        return f"{self.site_url(deployment)}/{{+path}}{_MARKDOWN_SUFFIX}"

    def _listed(
        self, deployment: Deployment, cursor: str | None
    ) -> tuple[list[McpResource], str | None]:
        if cursor is not None and not _CURSOR.fullmatch(cursor):
            raise InvalidRequest("cursor: must be the cursor of the previous response")
        start = int(cursor or 0)
        edition = self.editions.current(deployment)
        if edition is None:
            return [], None
        site_url = self.site_url(deployment)
        about = _about_all(edition, site_url) if start == 0 else ()
        end = start + _MOST
        pages = _pages(edition, AbsoluteLinks(site_url), slice(start, end))
        more = str(end) if end < len(edition.site.pages) else None
        return [*about, *pages], more

    def _read(self, deployment: Deployment, uri: str) -> McpResource:
        root = f"{self.site_url(deployment)}/"
        edition = self.editions.current(deployment)
        if edition is None or not uri.startswith(root):
            raise NotFound(f"There is no resource {uri!r}.")
        for each in _about_all(edition, root.rstrip("/")):
            if each.uri == uri:
                text = self.texts(deployment, uri.removeprefix(root))
                return McpResource(uri, each.name, text, each.mime_type)
        path = unquote(uri.removeprefix(root)).removesuffix(_MARKDOWN_SUFFIX)
        page = self.contents.page(deployment, f"/{path}")
        return McpResource(uri, page["path"], page["content"])


def _about_all(edition: ReadableEdition, site_url: str) -> Iterator[McpResource]:
    yield McpResource(f"{site_url}/{LLMS}", LLMS, "Index of all pages with descriptions.", PLAIN)
    for each in edition.site.skills:
        yield McpResource(f"{site_url}/{skill_file(each)}", each.slug, each.description)
    if not edition.site.skills:
        summary = "How and when to use this documentation."
        yield McpResource(f"{site_url}/{SKILL}", SKILL, summary)


def _pages(edition: ReadableEdition, links: AbsoluteLinks, some: slice) -> Iterator[McpResource]:
    for slug in list(edition.site.pages)[some]:
        if edition.index.knows(slug):
            page = edition.site.pages[slug]
            url = f"{links.to(slug)}index" if slug == "index" else links.to(slug)
            yield McpResource(f"{url}{_MARKDOWN_SUFFIX}", page.title, page.description or "")
