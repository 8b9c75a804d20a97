"""Pages, the modules they import, and what a repository is as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docstead.content.assistant_notes import AssistantNotes, Skill
from docstead.content.config import SiteConfig
from docstead.content.diagnostics import Diagnostic
from docstead.content.grammars import Grammar
from docstead.content.navigation import Navigation
from docstead.content.packed_text import PackedText
from docstead.content.reference_entries import ReferenceEntry


@dataclass(frozen=True, slots=True)
class PageMeta:
    """Metadata of a page: path, frontmatter and position in the navigation."""

    slug: str  # "index", "guides/start": no leading slash, no extension
    file: str  # path in the repository; for generated pages the file they come from
    title: str
    description: str | None = None
    sidebar_title: str | None = None
    icon: str | None = None
    icon_type: str | None = None
    tag: str | None = None
    mode: str = "default"  # default, wide, custom, frame, center or assistant
    hidden: bool = False
    noindex: bool = False
    searchable: bool = True
    deprecated: bool = False
    rss: bool = False
    hide_footer_pagination: bool = False
    boost: float = 1.0
    keywords: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()  # of readers whose search may find it; empty is everybody
    url: str | None = None  # the navigation entry leads there instead
    canonical: str | None = None
    method: str | None = None  # on API pages: GET, POST, …, WEBHOOK or QUERY
    language: str | None = None  # of the first place in the navigation
    version: str | None = None
    in_navigation: bool = False
    hide_api_marker: bool = False
    symbol: str | None = None  # on pages of a library: class, function, …
    playground: str | None = None  # in place of the site's `api.playground.display`
    timestamp: bool | None = None  # whether the page says when it was changed; None is the site's
    updated: str | None = None  # when that was, as the author wrote it: a date, or date and time
    # Title, "" for the page's own, and path or address; None leaves the choice to the site.
    related: tuple[tuple[str, str], ...] | None = None
    contextual: Mapping[str, Any] | None = None  # in place of the site's, as it is written
    metatags: Mapping[str, str] = field(default_factory=dict)  # og:*, twitter:*, robots


@dataclass(frozen=True)
class Page:
    meta: PageMeta
    # MDX without frontmatter; "" for generated pages.
    body: PackedText = PackedText()  # noqa: RUF009 - a descriptor, which each page shares
    body_line: int = 1  # line of the file on which the body begins
    reference: ReferenceEntry | None = None

    def changed(self, meta: PageMeta, reference: ReferenceEntry | None = None) -> Page:
        """Return a copy with other metadata, and a reference if given; the body stays packed."""
        copy = object.__new__(Page)
        copy.__dict__.update(self.__dict__, meta=meta, reference=reference or self.reference)
        return copy


@dataclass(frozen=True, slots=True)
class PageModule:
    """A file that pages may import: `.mdx`, `.md`, `.jsx` or `.tsx`. Never a page."""

    path: str  # root-absolute, "/snippets/note.mdx"
    source: str
    source_line: int = 1
    digest: str = ""  # SHA-256 of the source, hexadecimal


@dataclass(frozen=True, slots=True)
class Site:
    """All that the shell, search and answers need in addition to page bodies."""

    config: SiteConfig
    navigation: Navigation
    pages: Mapping[str, PageMeta]  # by slug
    assistant: AssistantNotes = field(default_factory=AssistantNotes)
    # Width and height of pictures in CSS pixels, by path from the root.
    image_sizes: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    skills: tuple[Skill, ...] = ()  # handed to agents in place of one that is made of the pages


@dataclass(frozen=True, slots=True)
class Repository:
    """A whole documentation repository. `assets` are paths of static files from the root."""

    root: Path
    site: Site
    pages: Mapping[str, Page]  # by slug
    modules: Mapping[str, PageModule]  # by root-absolute path
    assets: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    grammars: tuple[Grammar, ...] = ()  # of languages that the repository describes itself


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it, up to the next heading."""

    anchor: str  # "" before the first heading
    heading_path: tuple[str, ...]  # headings from the page's title down, the title left out
    markdown: str  # readable text: fences and lists kept, components lowered
