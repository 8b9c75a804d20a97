"""Generated text files of a site, rendered as `content.generated_files` lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from docstead.content.generated_files import (
    AGENT_CARD,
    AGENT_SKILLS,
    API_CATALOG,
    GENERATED_FILES,
    LLMS,
    LLMS_PART,
    MCP_SERVER,
    MCP_SERVER_JSON,
    ROBOTS,
    SERVER_CARD,
    SERVER_CARDS,
    SITEMAP,
    SKILL,
    SKILLS_FILE,
    SKILLS_INDEX,
    FileCondition,
    FileOrigin,
)
from docstead.markup.rendered import RenderedPage, has_updates
from docstead.outputs.discovery import (
    agent_card,
    api_catalog,
    mcp_server,
    server_card,
    server_cards,
)
from docstead.outputs.feeds import feed_xml
from docstead.outputs.llms import LlmsTexts
from docstead.outputs.sitemap import robots_txt, sitemap_xml
from docstead.outputs.skill import agent_skills, single_skill, skill_files, skills_index
from docstead.theme.document import PageShell

if TYPE_CHECKING:
    from docstead.content.assistant_notes import Skill


class GeneratedTexts:
    """Generated text files of a site, served in the same way as its pages.

    Static files of the repository override generated files of the same name.
    """

    def __init__(self, shell: PageShell) -> None:
        self.site = shell.site
        self.links = shell.links
        self.is_hidden = shell.is_hidden
        self.base_url = shell.links.absolute("/").rstrip("/")
        self.llms = LlmsTexts(shell.site, shell.links, shell.contexts)
        self._own_files = shell.own_files

    def texts(self, origin: FileOrigin = FileOrigin.SITE) -> Mapping[str, bytes]:
        """Files of this origin by path: `SITE` or `PART`."""
        texts: dict[str, str] = {}
        for file in GENERATED_FILES:
            if file.origin is origin and self._fulfilled >= file.needs:
                found = RENDERERS[file.path](self)
                texts |= {file.path: found} if isinstance(found, str) else found
        return {
            path: text.encode()
            for path, text in texts.items()
            if text and path not in self._own_files
        }

    def llms_full(self, pages: Iterable[RenderedPage]) -> Iterator[str]:
        """Yield llms-full.txt by page, without pages that are not public."""
        return iter(()) if self.is_hidden else self.llms.full(pages)

    def llms_full_digest(self, slug: str) -> str:
        """Return a digest of all inputs of a page in llms-full.txt except its Markdown."""
        return "" if self.is_hidden else self.llms.full_digest(slug)

    def feed(self, rendered: RenderedPage) -> str | None:
        """Return the feed of a changelog; None for other pages, and for sites without a URL."""
        url = self.links.public(rendered.slug).rstrip("/")
        if not url or not has_updates(rendered):
            return None
        meta, root = self.site.pages[rendered.slug], self.links.absolute("")
        return feed_xml(meta, rendered, site=self.site.config.name, url=url, root=root)

    def markdown(self, rendered: RenderedPage) -> str:
        """Return the Markdown version of a page."""
        return self.llms.page(rendered)

    @cached_property
    def skills(self) -> Sequence[Skill]:
        """Skills of the authors, or a generated one."""
        return self.site.skills or (self.llms.made_skill(self.base_url),)

    @cached_property
    def _fulfilled(self) -> frozenset[FileCondition]:
        conditions = {
            FileCondition.URL: bool(self.base_url),
            FileCondition.VISIBLE: not self.is_hidden,
            FileCondition.MCP: bool(self.links.tools),
        }
        return frozenset(need for need, is_met in conditions.items() if is_met)


#: Renderers of the catalog's entries by path. One with a `*` returns its files by path.
RENDERERS: Mapping[str, Callable[[GeneratedTexts], str | Mapping[str, str]]] = {
    LLMS: lambda texts: texts.llms.index(),
    LLMS_PART: lambda texts: texts.llms.parts(),
    SITEMAP: lambda texts: sitemap_xml(texts.site, texts.links, hidden=texts.is_hidden),
    ROBOTS: lambda texts: robots_txt(texts.links, hidden=texts.is_hidden),
    API_CATALOG: lambda texts: api_catalog(texts.site, texts.base_url),
    SERVER_CARD: lambda texts: server_card(texts.site, texts.links.tools),
    SERVER_CARDS: lambda texts: server_cards(texts.site, texts.links.tools),
    MCP_SERVER: lambda texts: mcp_server(texts.site, texts.links.tools),
    MCP_SERVER_JSON: lambda texts: mcp_server(texts.site, texts.links.tools),
    AGENT_CARD: lambda texts: agent_card(texts.site, texts.base_url, texts.skills),
    AGENT_SKILLS: lambda texts: agent_skills(texts.skills, texts.base_url),
    SKILLS_INDEX: lambda texts: skills_index(texts.skills),
    SKILLS_FILE: lambda texts: skill_files(texts.skills),
    SKILL: lambda texts: single_skill(texts.skills),
}
