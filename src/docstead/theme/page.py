"""Content of a page between header and footer."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from markupsafe import Markup

from docstead.content.contexts import NavigationContexts, PagePosition
from docstead.content.navigation import NavNode
from docstead.content.pages import PageMeta, Site
from docstead.content.slugs import find_page
from docstead.markup.rendered import LINK_MARK, Heading, RenderedPage
from docstead.reference.common.text import markdown
from docstead.theme.actions import PageActions
from docstead.theme.feedback import FeedbackView
from docstead.theme.links import marked
from docstead.theme.markup import inline_markdown, plain_line
from docstead.theme.pictures import with_sizes
from docstead.theme.related import RelatedPages
from docstead.theme.sidebar.sidebar import MenuEntry, SidebarRenderer, page_link

_EMPTY_HEAD = re.compile(r"<th( [^<>]*)?></th>")  # empty table heads
_ICON_LINK = re.compile(
    r"<a ([^<>]*)>\s*(<svg class=\"ds-icon(?:(?!</?svg).)*</svg>)\s*</a>", re.DOTALL
)
_HREF = re.compile(r'href="([^"]+)"')
# A pattern with a literal prefix is searched several times faster than alternatives.
_EXTRAS = re.compile(
    r'class="ds-(?:tile|repo|mermaid|tree|color|prompt|update|code-menu|not-found)[ "]'
)
_IMAGE_BUTTONS = " data-image-actions="
_ISLAND = "<ds-island "
_CODE = re.compile(r"<(?:code|pre|kbd|samp)[ >]|<ds-island ")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_DAY_LENGTH = 10
ISLANDS = "_islands"  # distinguishes authors' scripts from ours
_TRAIL_THEMES = ("aspen", "palm")  # themes for deep navigation show the whole path to a page
_TOC_DEPTH = 2  # heading levels, from the highest of the page
_NO_SIDEBAR = ("custom", "center", "assistant")
_NO_CONTENTS = ("custom", "frame", "center", "wide", "assistant")
_NO_TITLE = ("custom", "frame")


@dataclass(frozen=True, slots=True)
class PlaygroundView:
    """Connection of the page's playground: proxy and credentials."""

    proxy: str  # path of the proxy, or "" if the browser sends requests itself
    credentials: bool  # whether the browser sends cookies


@dataclass(frozen=True, slots=True)
class PageView:
    """Content of a page; links are marked. `contents` contains (depth, anchor, text)."""

    slug: str
    mode: str
    title: str
    description: Markup | None
    deprecated: bool
    html: Markup
    eyebrow: tuple[MenuEntry, ...] = ()
    contents: tuple[tuple[int, str, str], ...] = ()
    previous: MenuEntry | None = None
    next: MenuEntry | None = None
    listing: tuple[MenuEntry, ...] = ()
    listing_kind: str | None = None
    markdown: str | None = None
    features: tuple[str, ...] = ()  # browser features that its content needs
    island_file: str | None = None  # script of its islands
    playground: PlaygroundView | None = None
    actions: PageActions | None = None
    related: tuple[MenuEntry, ...] = ()
    updated: str | None = None  # date in ISO 8601
    feed: str | None = None
    feedback: FeedbackView | None = None
    has_feed_button: bool = False

    @property
    def has_sidebar(self) -> bool:
        return self.mode not in _NO_SIDEBAR

    @property
    def has_title(self) -> bool:
        return self.mode not in _NO_TITLE

    @property
    def has_footer(self) -> bool:
        return self.mode != "custom"

    @property
    def has_pagination(self) -> bool:
        return self.mode not in _NO_TITLE

    @property
    def has_extras(self) -> bool:
        """Whether the page has components of `extras.css`, or scripts that may render some."""
        if _ISLAND in self.html or _IMAGE_BUTTONS in self.html:
            return True
        return _EXTRAS.search(self.html) is not None

    @property
    def has_code(self) -> bool:
        """Whether something on the page is set in the font of code."""
        return _CODE.search(self.html) is not None or "<code" in (self.description or "")


class PageViewBuilder:
    """Creates the views of a site's pages."""

    def __init__(
        self,
        site: Site,
        contexts: NavigationContexts,
        sidebars: SidebarRenderer,
        playground: PlaygroundView | None = None,
    ) -> None:
        self._site = site
        self._playground = playground
        self._contexts = contexts
        self._sidebars = sidebars
        settings = site.config.related
        self._related_pages = RelatedPages(site, settings.limit) if settings.automatic else None
        usual = "breadcrumbs" if site.config.theme in _TRAIL_THEMES else "section"
        self._breadcrumbs = (site.config.styling.eyebrows or usual) == "breadcrumbs"

    def view(self, rendered: RenderedPage, position: PagePosition) -> PageView:
        meta = self._site.pages[rendered.slug]
        listed = self._listed_group(meta, position)
        return PageView(
            slug=meta.slug,
            mode=meta.mode,
            title=meta.title,
            description=_lead(meta.description),
            deprecated=meta.deprecated,
            html=Markup(self._content(rendered)),  # noqa: S704
            eyebrow=self._eyebrow(meta, position),
            contents=self._contents(meta, rendered.headings),
            previous=self._neighbour(meta, position.previous),
            next=self._neighbour(meta, position.next),
            listing=tuple(self._listing(listed)) if listed else (),
            listing_kind=listed.directory if listed else None,
            has_feed_button=meta.rss,
            related=tuple(self._related(meta, position)),
            updated=self._updated(meta),
            features=rendered.features,
            island_file=island_file(rendered),
            playground=self._playground_of(meta, rendered),
        )

    def _content(self, rendered: RenderedPage) -> str:
        return with_sizes(_for_listeners(rendered.html), self._site.image_sizes)

    def _playground_of(self, meta: PageMeta, rendered: RenderedPage) -> PlaygroundView | None:
        mode = meta.playground or self._site.config.api.playground
        is_shown = mode == "interactive" and "playground" in rendered.features
        return self._playground if is_shown else None

    def _eyebrow(self, meta: PageMeta, position: PagePosition) -> tuple[MenuEntry, ...]:
        groups = [node for node in position.groups if node.root != meta.slug]
        if not self._breadcrumbs:
            return tuple(MenuEntry(node.label, None) for node in groups[-1:])
        return tuple(
            MenuEntry(node.label, page_link(first) if first else None)
            for node in groups
            for first in (self._contexts.first_page(node),)
        )

    def _contents(
        self, meta: PageMeta, headings: tuple[Heading, ...]
    ) -> tuple[tuple[int, str, str], ...]:
        if meta.mode in _NO_CONTENTS or not headings:
            return ()
        top = min(heading.level for heading in headings)
        return tuple(
            (heading.level - top, heading.anchor, heading.text)
            for heading in headings
            if heading.level - top < _TOC_DEPTH and heading.anchor
        )

    def _neighbour(self, meta: PageMeta, slug: str | None) -> MenuEntry | None:
        if slug is None or meta.hide_footer_pagination:
            return None
        other = self._site.pages[slug]
        return MenuEntry(other.sidebar_title or other.title, page_link(slug))

    def _related(self, meta: PageMeta, position: PagePosition) -> Iterator[MenuEntry]:
        """Yield pages that the author listed, or similar ones, each once and never itself."""
        links = self._near(meta, position) if meta.related is None else meta.related
        for title, link in dict.fromkeys(links):
            slug = None if "://" in link else find_page(self._site, link)
            other = self._site.pages.get(slug or "")
            if other is meta or (other is None and not title):
                continue
            label = title or (other.title if other else "")
            text = plain_line(other.description or "") if other else ""
            yield MenuEntry(label, marked(link), description=text or None)

    def _near(self, meta: PageMeta, position: PagePosition) -> list[tuple[str, str]]:
        """Return similar pages; none for pages without text or with other links."""
        is_front = meta.slug == self._contexts.home or meta.mode in _NO_TITLE
        if self._related_pages is None or is_front or meta.hidden:
            return []
        beside = (position.previous, position.next)
        return [("", f"/{slug}") for slug in self._related_pages.of(meta, beside)]

    def _updated(self, meta: PageMeta) -> str | None:
        """Return the date of the last change, if the page or the site shows it."""
        is_shown = self._site.config.timestamps if meta.timestamp is None else meta.timestamp
        day = (meta.updated or "")[:_DAY_LENGTH]
        return day if is_shown and _DAY.fullmatch(day) else None

    def _listed_group(self, meta: PageMeta, position: PagePosition) -> NavNode | None:
        group = position.groups[-1] if position.groups else None
        lists = group is not None and group.root == meta.slug
        return group if lists and group and group.directory in ("card", "accordion") else None

    def _listing(self, group: NavNode) -> Iterator[MenuEntry]:
        for node in group.children:
            first = self._contexts.first_page(node)
            if first is None or not self._contexts.shown(node):
                continue
            meta = self._site.pages[first]
            is_page = node.slug is not None
            yield MenuEntry(
                label=meta.sidebar_title or meta.title if is_page else node.label,
                href=page_link(first),
                icon=self._sidebars.icon(meta.icon if is_page else node.icon, node.icon_type),
                description=meta.description if is_page else node.description,
            )


def island_file(rendered: RenderedPage) -> str | None:
    """Return the path of the script of a page's islands, with a hash, or None."""
    if not rendered.script:
        return None
    digest = hashlib.sha256(rendered.script.encode()).hexdigest()[:12]
    return f"{ISLANDS}/{rendered.slug}.{digest}.js"


def slug_of_island_file(path: str) -> str:
    """Return the slug of the page that such a path belongs to."""
    return path.removeprefix(f"{ISLANDS}/").rsplit(".", 2)[0]


def _for_listeners(html: str) -> str:
    """Improve accessibility: empty table heads, links that contain only an icon."""
    if "></th>" in html:
        html = _EMPTY_HEAD.sub(r"<td\1></td>", html)
    return _ICON_LINK.sub(_named_link, html) if '<svg class="ds-icon' in html else html


def _named_link(link: re.Match[str]) -> str:
    attributes, icon = link.groups()
    href = _HREF.search(attributes)
    if href is None or "aria-label" in attributes:
        return link[0]
    name = urlsplit(href[1]).hostname or href[1].lstrip(LINK_MARK)
    return f'<a {attributes} aria-label="{name.removeprefix("www.")}">{icon}</a>'


def _lead(description: str | None) -> Markup | None:
    """Return a description as HTML; those of specifications may have several paragraphs."""
    if not description:
        return None
    if "\n" not in description.strip():
        return Markup("<p>{}</p>").format(inline_markdown(description))
    return Markup(markdown(description))  # noqa: S704
