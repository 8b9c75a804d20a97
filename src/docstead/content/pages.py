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
from docstead.content.setting_keys import COMPUTED, about, setting


@dataclass(frozen=True, slots=True)
class PageMeta:
    """Metadata of a page: path, frontmatter and position in the navigation.

    Fields that are not computed declare the keys of the frontmatter.
    """

    slug: str = field(metadata=COMPUTED)  # "index", "guides/start": no leading slash, no extension
    file: str = field(metadata=COMPUTED)  # in the repository; for generated pages of their source
    title: str = field(
        metadata=about(
            "heading of the page and title of the browser tab", shown_default="from the file name"
        )
    )
    description: str | None = setting(
        None, "text below the title; also for search engines, link previews and `llms.txt`"
    )
    sidebar_title: str | None = setting(None, "name in the navigation", shown_default="`title`")
    icon: str | None = setting(None, "icon in the navigation")
    icon_type: str | None = setting(None, "style of that icon")
    tag: str | None = setting(None, "label in the navigation")
    mode: str = setting(
        "default",
        "layout of the page: `default`, `wide`, `center`, `frame`, `custom` or `assistant`, see "
        "below",
        choices=("default", "wide", "center", "frame", "custom", "assistant"),
    )
    hidden: bool = setting(
        False,
        "like `noindex`, and also keeps the page out of the navigation; it is still published at "
        "its path",
    )
    noindex: bool = setting(
        False,
        "keeps the page out of search, answers, sitemap, `llms.txt` and search engines; it stays "
        "in the navigation",
    )
    searchable: bool = setting(
        True,
        "`false` keeps the page out of search and answers; it stays in the sitemap and in "
        "`llms.txt`",
    )
    deprecated: bool = setting(False, "marks the page as deprecated")
    rss: bool = setting(False, "shows the feed button of a changelog")
    hide_footer_pagination: bool = setting(
        False, "hides the links to the previous and the next page"
    )
    boost: float = setting(1.0, "multiplies the page's scores in search", shown_default="`1`")
    keywords: tuple[str, ...] = setting(
        (),
        "words that find the page although its text does not contain them",
        type="list of strings",
    )
    groups: tuple[str, ...] = setting(
        (),
        "publishes the page [for these groups](/guides/host#pages-for-groups) only",
        type="list of strings",
    )
    url: str | None = setting(None, "makes the entry in the navigation a link to this URL")
    canonical: str | None = setting(None, "canonical URL of the page")
    method: str | None = setting(
        None,
        "operation that the page describes itself: `GET https://api.example.com/users/{id}`",
        key="api",
    )  # GET, POST, …, WEBHOOK or QUERY
    language: str | None = field(default=None, metadata=COMPUTED)  # first in the navigation
    version: str | None = setting(None, "version that the page belongs to")
    in_navigation: bool = field(default=False, metadata=COMPUTED)
    hide_api_marker: bool = setting(False, "hides the method in the navigation")
    symbol: str | None = field(default=None, metadata=COMPUTED)  # of library pages: class, …
    playground: str | None = setting(
        None,
        "`interactive`, `simple`, `none` or `auth`: form of this operation",
        choices=("interactive", "simple", "none", "auth"),
        shown_default="as `docs.json` says",
    )
    timestamp: bool | None = setting(
        None, "shows when the page was last changed", shown_default="as `docs.json` says"
    )
    updated: str | None = setting(
        None, "that date", key="lastUpdatedDate", type="date", shown_default="from git"
    )  # as written: a date, or date and time
    # Title ("" for the page's own) and path or URL; None for automatic selection.
    related: tuple[tuple[str, str], ...] | None = setting(
        None,
        "[related pages](/guides/reading#related-pages): paths, URLs or `{Title: link}`",
        type="list or `false`",
        shown_default="as `docs.json` says",
    )
    contextual: Mapping[str, Any] | None = setting(
        None,
        "[menu of the page](/guides/reading#page-menu), in place of the site's",
        shown_default="as `docs.json` says",
    )
    metatags: Mapping[str, str] = field(default_factory=dict, metadata=COMPUTED)  # og:*, robots


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
