"""Rendered content of one page, without the page shell.

Links and media of the site itself stand in the HTML as `LINK_MARK` and a root-absolute
path (`href="\\ue000/guides/start#install"`): where they lead depends on how the site is
served (at a root, below a path, as files), which only the shell knows.
"""

from __future__ import annotations

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
    failed: bool = False  # the HTML is a notice that names the fault
    features: tuple[str, ...] = ()  # what the page needs of the browser: "tabs", "mermaid", …
    classes: tuple[str, ...] = ()  # of its elements, as authors wrote them
    script: str = ""  # brings the islands of the page to life, after `islands.js`
    specification: str = ""  # JSON: what an OpenAPI file says of the operation that it is about
    link_lines: tuple[tuple[str, int, int], ...] = ()  # internal link, line, column of its source

    @property
    def markdown(self) -> str:
        """The whole page as readable Markdown."""
        return "\n\n".join(section.markdown for section in self.sections if section.markdown)


def has_updates(page: RenderedPage) -> bool:
    """Return whether the page is a changelog."""
    return 'class="ds-update-label"' in page.html
