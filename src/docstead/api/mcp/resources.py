"""Resources of the MCP server of a site."""

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
from docstead.content.generated_files import LLMS, SKILL, SKILLS

MARKDOWN = "text/markdown"
PLAIN = "text/plain"
_MOST = 200  # pages that are looked at for one answer
_TWIN = ".md"
_CURSOR = re.compile(r"[0-9]{1,9}")

Texts = Callable[[Deployment, str], str]  # a text about the whole site by its name, "" for none


@dataclass(frozen=True, slots=True)
class McpResource:
    uri: str
    name: str
    text: str = ""  # in lists what it is about, else all that it says
    mime_type: str = MARKDOWN


@dataclass(frozen=True)
class McpResources:
    """The pages of a site that anybody may find, as Markdown, its skills and its `llms.txt`.

    Each has the address at which the site has it, too.
    """

    editions: ReadableEditions
    site_url: Callable[[Deployment], str]
    contents: ContentSearch
    texts: Texts

    async def listed(
        self, deployment: Deployment, cursor: str | None
    ) -> tuple[list[McpResource], str | None]:
        """Some of them, and where the next begin.

        Raises:
            InvalidRequest: the cursor is none that was given.
        """
        return await to_thread.run_sync(self._listed, deployment, cursor)

    async def read(self, deployment: Deployment, uri: str) -> McpResource:
        """One of them.

        Raises:
            NotFound: there is none at this address.
        """
        return await to_thread.run_sync(self._read, deployment, uri)

    def template(self, deployment: Deployment) -> str:
        """The addresses of pages (RFC 6570)."""
        return f"{self.site_url(deployment)}/{{+path}}{_TWIN}"

    def _listed(
        self, deployment: Deployment, cursor: str | None
    ) -> tuple[list[McpResource], str | None]:
        if cursor is not None and not _CURSOR.fullmatch(cursor):
            raise InvalidRequest("cursor: give the one of the answer before, or none")
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
        path = unquote(uri.removeprefix(root)).removesuffix(_TWIN)
        page = self.contents.page(deployment, f"/{path}")
        return McpResource(uri, page["path"], page["content"])


def _about_all(edition: ReadableEdition, site_url: str) -> Iterator[McpResource]:
    yield McpResource(f"{site_url}/{LLMS}", LLMS, "Every page, with one line about each.", PLAIN)
    for each in edition.site.skills:
        yield McpResource(f"{site_url}/{SKILLS}{each.slug}/SKILL.md", each.slug, each.description)
    if not edition.site.skills:
        told = "How and when to use this documentation."
        yield McpResource(f"{site_url}/{SKILL}", SKILL, told)


def _pages(edition: ReadableEdition, links: AbsoluteLinks, some: slice) -> Iterator[McpResource]:
    for slug in list(edition.site.pages)[some]:
        if edition.index.knows(slug):
            page = edition.site.pages[slug]
            address = f"{links.to(slug)}index" if slug == "index" else links.to(slug)
            yield McpResource(f"{address}{_TWIN}", page.title, page.description or "")
