"""Rendered content of a page, without chrome.

Links and media of the site are `LINK_MARK` and a root-absolute path in the HTML
(`href="\\ue000/guides/start#install"`): their URLs depend on how the site is served (at a root,
below a path, as files).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from docstead.content.diagnostics import Diagnostic
from docstead.content.pages import Section

LINK_MARK = "\ue000"


@dataclass(frozen=True, slots=True)
class Heading:
    level: int  # 2 to 6
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class RenderedPage:
    slug: str
    html: str
    headings: tuple[Heading, ...]
    sections: tuple[Section, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    failed: bool = False  # the HTML is an error notice
    features: tuple[str, ...] = ()  # required browser features: "tabs", "mermaid", …
    classes: tuple[str, ...] = ()  # of its elements, as written
    script: str = ""  # script of the page's islands, loaded after `islands.js`
    specification: str = ""  # JSON: the page's operation in its OpenAPI file
    link_lines: tuple[tuple[str, int, int], ...] = ()  # internal link, line, column of its source
    agents_markdown: str | None = None  # if agents read other Markdown than that of the sections

    @property
    def markdown(self) -> str:
        """The page as readable Markdown, for agents."""
        return joined(self.sections) if self.agents_markdown is None else self.agents_markdown


def joined(sections: Iterable[Section]) -> str:
    return "\n\n".join(section.markdown for section in sections if section.markdown)


def has_updates(page: RenderedPage) -> bool:
    """Report whether the page is a changelog."""
    return 'class="ds-update-label"' in page.html
