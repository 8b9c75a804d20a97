"""Text for language models: llms.txt, llms-full.txt and Markdown versions of pages."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from docstead.base.texts import shortened
from docstead.content.generated_files import LLMS_FULL, LLMS_PART
from docstead.content.navigation import NavNode, NodeKind
from docstead.content.pages import PageMeta, Site
from docstead.content.public_pages import public_pages
from docstead.content.slugs import find_page
from docstead.content.written_settings import members
from docstead.markup.rendered import LINK_MARK, RenderedPage
from docstead.outputs.discovery import specifications
from docstead.outputs.skill import SkillPage, made_skill

if TYPE_CHECKING:
    from docstead.content.assistant_notes import Skill
    from docstead.content.contexts import NavigationContexts
    from docstead.theme.links import SiteLinks

MAX_CHARACTERS = 100_000  # of llms.txt, to fit into a model's context
_DESCRIPTION_LENGTHS = (300, 160, 80, 0)  # tried in turn until the file fits
_CHOICES = (NodeKind.LANGUAGE, NodeKind.VERSION)
# Each begins with distinct characters, which makes the search ten times faster.
_LINKS = [
    re.compile(rf"({start}){LINK_MARK}?/([^)\s\"#?>]*)")
    for start in (r"\]\(", r"\]:\s*<?", r"href=\"", r"src=\"")
]
_LEFT_OUT = "\nLeft out for length: {count} pages. All of them are in {full}.\n"


@dataclass(frozen=True, slots=True)
class _IndexLine:
    section: str
    title: str
    url: str
    description: str

    def text(self, length: int) -> str:
        described = shortened(self.description, length)
        return f"- [{self.title}]({self.url})" + (f": {described}" if described else "")


class LlmsTexts:
    """Creates the texts of one site."""

    def __init__(self, site: Site, links: SiteLinks, contexts: NavigationContexts) -> None:
        self._site = site
        self._links = links
        self._contexts = contexts

    def index(self) -> str:
        """Return llms.txt: default language and version only, within `MAX_CHARACTERS`."""
        return self._whole(list(self._lines()))

    def _whole(self, lines: list[_IndexLine], part: str = "") -> str:
        """Return the index of these lines, shortened to fit; `part` is added to the name."""
        for length in _DESCRIPTION_LENGTHS:
            text = self._index(lines, length, part=part)
            if len(text) <= MAX_CHARACTERS:
                return text
        kept = len(lines)
        while len(text) > MAX_CHARACTERS and kept:
            kept = max(0, kept - max(1, (len(text) - MAX_CHARACTERS) // 200))
            text = self._index(lines[:kept], 0, part=part, left_out=len(lines) - kept)
        return text

    def parts(self) -> dict[str, str]:
        """Return an index of each part of the site, by first path segment: `_llms/x.md`."""
        found: dict[str, list[_IndexLine]] = {}
        for section, slug in self._everything():
            segment, slash, _ = slug.partition("/")
            if slash:
                line = self._page_line(section, self._site.pages[slug])
                found.setdefault(segment, []).append(line)
        return {part_file(name): self._whole(lines, f": {name}") for name, lines in found.items()}

    def made_skill(self, base_url: str) -> Skill:
        """Return the skill of a site at `base_url` whose authors wrote none."""
        pages = [
            SkillPage(line.section, line.title, line.url, shortened(line.description, 160))
            for line in self._lines()
        ]
        config = self._site.config
        return made_skill(config.name, _flat(config.description or ""), base_url, pages)

    def page(self, rendered: RenderedPage) -> str:
        """Return the Markdown of a page; links within the site lead to Markdown too."""
        meta = self._site.pages[rendered.slug]
        prefix = self._links.prefix(rendered.slug)
        body = self._relinked(rendered.markdown, prefix)
        specification = self._specification(rendered)
        return f"{_heading(meta)}{self._instructions('> ')}{body}\n{specification}"

    def _specification(self, rendered: RenderedPage) -> str:
        """Return the page's operation from its OpenAPI file (`markdown.schema`)."""
        is_enabled = members(self._site.config.extra.markdown).get("schema") is not False
        if not rendered.specification or not is_enabled:
            return ""
        return f"\n## OpenAPI\n\n```json\n{rendered.specification}\n```\n"

    def _instructions(self, quote: str = "") -> str:
        """Return the site's instructions for agents (`markdown.instructions`)."""
        given = members(self._site.config.extra.markdown).get("instructions")
        lines = [given] if isinstance(given, str) else given
        if not isinstance(lines, list | tuple) or not lines:
            return ""
        text = "\n".join(("## Agent Instructions", "", *map(str, lines)))
        return "\n".join(f"{quote}{line}".rstrip() for line in text.splitlines()) + "\n\n"

    def full(self, pages: Iterable[RenderedPage]) -> Iterator[str]:
        """Yield llms-full.txt by page."""
        for rendered in pages:
            if rendered.slug in self._public and not rendered.failed:
                yield self._full_page(rendered)

    def full_digest(self, slug: str) -> str:
        """Return a digest of all inputs of a page in llms-full.txt except its Markdown."""
        if slug not in self._public:
            return ""
        inputs = f"{self._full_heading(slug)}\0{self._full_root}\0{self._paths}"
        return hashlib.sha256(inputs.encode(errors="surrogatepass")).hexdigest()

    @cached_property
    def _public(self) -> frozenset[str]:
        return frozenset(public_pages(self._site))

    @cached_property
    def _paths(self) -> str:
        """Digest of the pages to which links may lead."""
        paths = "\n".join(sorted(self._site.pages))
        return hashlib.sha256(paths.encode(errors="surrogatepass")).hexdigest()

    @property
    def _full_root(self) -> str:
        return self._links.absolute("/") or "/"

    def _full_page(self, rendered: RenderedPage) -> str:
        body = self._relinked(rendered.markdown, self._full_root)
        return f"{self._full_heading(rendered.slug)}{body}\n\n\n"

    def _full_heading(self, slug: str) -> str:
        source = self._links.public(slug) or self._links.public_path(slug)
        return _heading(self._site.pages[slug], source)

    def _index(
        self, lines: list[_IndexLine], length: int, *, part: str = "", left_out: int = 0
    ) -> str:
        config = self._site.config
        text = f"# {config.name}{part}\n"
        if config.description:
            text += f"\n> {_flat(config.description)}\n"
        if instructions := self._instructions():
            text += f"\n{instructions.rstrip()}\n"
        section = None
        for line in lines:
            if line.section != section:
                section = line.section
                text += f"\n## {section}\n\n"
            text += line.text(length) + "\n"
        if left_out:
            text += _LEFT_OUT.format(count=left_out, full=self._url(LLMS_FULL))
        return text

    def _lines(self) -> Iterator[_IndexLine]:
        seen: set[str] = set()
        for section, slug in self._ordered():
            if slug in self._public and slug not in seen:
                seen.add(slug)
                yield self._page_line(section, self._site.pages[slug])
        titles = ("OpenAPI Specs", "AsyncAPI Specs", "GraphQL Schemas")
        for title, files in zip(titles, specifications(self._site), strict=True):
            for file in files:
                yield _IndexLine(title, file, file if "://" in file else self._url(file), "")
        for node in self._site.navigation.everywhere:
            if node.href and "://" in node.href:
                yield _IndexLine("Optional", node.label, node.href, node.description or "")

    def _everything(self) -> Iterator[tuple[str, str]]:
        """Yield public pages of all languages and versions, like `_ordered`."""
        public = dict.fromkeys(public_pages(self._site))
        named = dict[str, str]()
        for root in self._site.navigation.roots:
            for section, node in self._labelled(root):
                for slug in node.pages():
                    named.setdefault(slug, section)
        yield from ((named.get(slug, "More"), slug) for slug in public)

    def _labelled(self, node: NavNode) -> Iterator[tuple[str, NavNode]]:
        if node.kind in _CHOICES or any(child.kind in _CHOICES for child in node.children):
            for child in node.children:
                yield from self._labelled(child)
        else:
            yield "Docs" if node.kind is NodeKind.PAGE else node.label, node

    def _page_line(self, section: str, meta: PageMeta) -> _IndexLine:
        url = self._url(self._links.markdown_of(meta.slug))
        return _IndexLine(section, _flat(meta.title), url, _flat(meta.description or ""))

    def _url(self, path: str) -> str:
        return self._links.absolute(f"/{path}") or f"/{path}"

    def _ordered(self) -> Iterator[tuple[str, str]]:
        """Yield section and slug in navigation order, other pages last."""
        for section, node in self._sections(self._site.navigation.roots):
            for slug in node.pages():
                yield section, slug
        listed = set(self._site.navigation.pages())
        yield from (("More", slug) for slug in sorted(self._site.pages) if slug not in listed)

    def _sections(self, nodes: tuple[NavNode, ...]) -> Iterator[tuple[str, NavNode]]:
        choice = next((node for node in nodes if node.kind in _CHOICES), None)
        if choice is not None:
            default = next((node for node in nodes if node.default), choice)
            yield from self._sections(default.children)
            return
        for node in nodes:
            is_page = node.kind is NodeKind.PAGE
            if any(child.kind in _CHOICES for child in node.children):
                yield from self._sections(node.children)
            else:
                yield "Docs" if is_page else node.label, node

    def _relinked(self, markdown: str, prefix: str) -> str:
        def url(match: re.Match[str]) -> str:
            slug = find_page(self._site, match[2])
            target = match[2] if slug is None else self._links.markdown_of(slug)
            return f"{match[1]}{prefix}{target}"

        for link in _LINKS:
            markdown = link.sub(url, markdown)
        return markdown.replace(f"{LINK_MARK}/", prefix)


def part_file(segment: str) -> str:
    return LLMS_PART.replace("*", segment)


def _heading(meta: PageMeta, source: str = "") -> str:
    parts = [f"# {meta.title}"]
    if source:
        parts.append(f"Source: {source}")
    if meta.description:
        parts.append(f"> {_flat(meta.description)}")
    return "\n\n".join(parts) + "\n\n"


def _flat(text: str) -> str:
    """Return the first paragraph, on one line."""
    return " ".join(text.strip().split("\n\n")[0].split())
