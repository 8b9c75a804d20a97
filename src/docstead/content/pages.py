"""Pages, modules, sites and repositories."""

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
    file: str  # path in the repository; for generated pages that of their source
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
    groups: tuple[str, ...] = ()  # groups that may find it in search; empty for everyone
    url: str | None = None  # target of the navigation entry instead of the page
    canonical: str | None = None
    method: str | None = None  # for API pages: GET, POST, …, WEBHOOK or QUERY
    language: str | None = None  # from the first position in the navigation
    version: str | None = None
    in_navigation: bool = False
    hide_api_marker: bool = False
    symbol: str | None = None  # for library pages: class, function, …
    playground: str | None = None  # overrides `api.playground.display` of the site
    timestamp: bool | None = None  # show the last change; None for the site's setting
    updated: str | None = None  # date of the last change, as written: a date, or date and time
    # Title ("" for the page's own) and path or URL; None for automatic selection.
    related: tuple[tuple[str, str], ...] | None = None
    contextual: Mapping[str, Any] | None = None  # overrides the site's, as written
    metatags: Mapping[str, str] = field(default_factory=dict)  # og:*, twitter:*, robots


@dataclass(frozen=True)
class Page:
    meta: PageMeta
    # MDX without frontmatter; "" for generated pages.
    body: PackedText = PackedText()  # noqa: RUF009 - a descriptor, which each page shares
    body_line: int = 1  # first line of the body in the file
    reference: ReferenceEntry | None = None

    def changed(self, meta: PageMeta, reference: ReferenceEntry | None = None) -> Page:
        """Return a copy with other metadata and, if given, reference; the body stays compressed."""
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
    """Everything that chrome, search and answers need in addition to page bodies."""

    config: SiteConfig
    navigation: Navigation
    pages: Mapping[str, PageMeta]  # by slug
    assistant: AssistantNotes = field(default_factory=AssistantNotes)
    # Width and height of images in CSS pixels, by root-relative path.
    image_sizes: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    skills: tuple[Skill, ...] = ()  # published for agents instead of a generated one


@dataclass(frozen=True, slots=True)
class Repository:
    """A documentation repository. `assets` are root-relative paths of static files."""

    root: Path
    site: Site
    pages: Mapping[str, Page]  # by slug
    modules: Mapping[str, PageModule]  # by root-absolute path
    assets: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    grammars: tuple[Grammar, ...] = ()  # custom languages of the repository


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with its text, up to the next heading."""

    anchor: str  # "" before the first heading
    heading_path: tuple[str, ...]  # headings below the page's title, from the top
    markdown: str  # readable text: fences and lists kept, components simplified
