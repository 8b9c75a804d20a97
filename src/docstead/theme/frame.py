"""Shared parts of a site's pages: logo, navbar, banner, footer and theme."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from markupsafe import Markup

from docstead.content.config import Banner, LinkItem, SiteConfig, ThemedValue
from docstead.markup.icons import IconSet
from docstead.theme.links import marked
from docstead.theme.markup import inline_markdown, short_hash
from docstead.theme.sidebar.sidebar import MenuEntry

ImageSize = tuple[int, int]  # width and height in CSS pixels

_SOCIAL_ICONS = {
    "x": "x-twitter",
    "twitter": "x-twitter",
    "website": "globe",
    "website-url": "globe",
    "hacker-news": "hacker-news",
    "earth-americas": "earth-americas",
    "podcast": "podcast",
}
_SOCIAL_NAMES = {
    "x": "X",
    "x-twitter": "X",
    "twitter": "X",
    "github": "GitHub",
    "gitlab": "GitLab",
    "linkedin": "LinkedIn",
    "youtube": "YouTube",
    "hacker-news": "Hacker News",
    "earth-americas": "Website",
}
_BANNER_COLORS = {"warning": "#b45309", "critical": "#b91c1c"}


@dataclass(frozen=True, slots=True)
class BannerView:
    html: Markup
    id: str  # changes with the content, so that a new banner is shown after an old one was closed
    dismissible: bool
    light: str | None
    dark: str | None


@dataclass(frozen=True, slots=True)
class ContentColumn:
    header: str | None
    items: tuple[MenuEntry, ...]


@dataclass(frozen=True, slots=True)
class ShellFrame:
    """Shared parts of pages; links are marked."""

    name: str
    look: str
    logo: ThemedValue | None
    logo_sizes: tuple[ImageSize | None, ImageSize | None]  # light, dark
    logo_href: str
    favicons: tuple[tuple[str, str | None], ...]  # URL, color scheme
    links: tuple[MenuEntry, ...]
    primary: MenuEntry | None
    banner: BannerView | None
    socials: tuple[MenuEntry, ...]
    columns: tuple[ContentColumn, ...]
    theme: str | None  # light or dark if the site does not follow the reader's system
    theme_switch: bool
    decoration: str | None


def build_frame(
    config: SiteConfig,
    icons: IconSet,
    assets: Collection[str],
    favicon: str,
    sizes: Mapping[str, ImageSize],
) -> ShellFrame:
    """Build the frame; `favicon` is the default, and missing images are omitted.

    `sizes` are those of images by path.
    """
    items = _MenuItems(config.icon_library, icons)
    default = config.appearance.default
    return ShellFrame(
        name=config.name,
        look=config.theme,
        logo=_logo(config, assets),
        logo_sizes=_logo_sizes(config, assets, sizes),
        logo_href=marked((config.logo and config.logo.href) or "/"),
        favicons=_favicons(config, assets) or ((marked(favicon), None),),
        links=tuple(items.entry(item) for item in config.navbar.links),
        primary=items.entry(config.navbar.primary) if config.navbar.primary else None,
        banner=_banner(config.banner) if config.banner else None,
        socials=tuple(items.social(item) for item in config.footer.socials),
        columns=tuple(
            ContentColumn(column.header, tuple(items.entry(item) for item in column.items))
            for column in config.footer.columns
        ),
        theme=default if default in ("light", "dark") else None,
        theme_switch=not config.appearance.strict,
        decoration=_decoration(config.background.decoration),
    )


def in_language(config: SiteConfig, language: str | None) -> SiteConfig:
    """Return the settings with a language's own navbar, footer and banner."""
    own = config.languages.get(language or "")
    if own is None:
        return config
    return replace(
        config,
        navbar=own.navbar or config.navbar,
        footer=own.footer or config.footer,
        banner=own.banner or config.banner,
    )


class _MenuItems:
    """Converts links of the settings to entries with icons."""

    def __init__(self, library: str, icons: IconSet) -> None:
        self._library = library
        self._icons = icons

    def entry(self, item: LinkItem) -> MenuEntry:
        kind = item.kind if item.kind in ("github", "discord") else None
        name = item.icon or kind
        label = item.label or _SOCIAL_NAMES.get(kind or "", (kind or "").title())
        return MenuEntry(
            label=label or _host(item.href),
            href=marked(item.href),
            icon=self._icon(name, item.icon_type),
            description="icon" if name and not item.label and not kind else None,
        )

    def social(self, item: LinkItem) -> MenuEntry:
        platform = item.label
        return MenuEntry(
            label=_SOCIAL_NAMES.get(platform, platform.replace("-", " ").title()),
            href=marked(item.href),
            icon=self._icon(_SOCIAL_ICONS.get(platform, platform), None, "fontawesome")
            or self._icon("globe", None, "fontawesome"),
        )

    def _icon(self, name: str | None, icon_type: str | None, library: str = "") -> Markup:
        icon = self._icons.svg(name, icon_type, library or self._library) if name else ""
        return Markup(icon)  # noqa: S704


def _logo(config: SiteConfig, assets: Collection[str]) -> ThemedValue | None:
    pictures = _logo_pictures(config, assets)
    return pictures and ThemedValue(marked(pictures.light), marked(pictures.dark))


def _logo_pictures(config: SiteConfig, assets: Collection[str]) -> ThemedValue | None:
    """Return the logo's files; a site with one theme needs only that one's."""
    if config.logo is None:
        return None
    pictures, appearance = config.logo.image, config.appearance
    if _exists(pictures.light, assets) and _exists(pictures.dark, assets):
        return pictures
    by_theme = {"light": pictures.light, "dark": pictures.dark}
    only = by_theme.get(appearance.default) if appearance.strict else None
    return ThemedValue(only, only) if only and _exists(only, assets) else None


def _logo_sizes(
    config: SiteConfig, assets: Collection[str], sizes: Mapping[str, ImageSize]
) -> tuple[ImageSize | None, ImageSize | None]:
    """Return width and height of the logo, which reserve its space while it loads."""
    pictures = _logo_pictures(config, assets)
    if pictures is None:
        return None, None
    return sizes.get(pictures.light.lstrip("/")), sizes.get(pictures.dark.lstrip("/"))


def _favicons(config: SiteConfig, assets: Collection[str]) -> tuple[tuple[str, str | None], ...]:
    icon = config.favicon
    if icon is None or not (_exists(icon.light, assets) and _exists(icon.dark, assets)):
        return ()
    if icon.light == icon.dark:
        return ((marked(icon.light), None),)
    return ((marked(icon.light), "light"), (marked(icon.dark), "dark"))


def _exists(path: str, assets: Collection[str]) -> bool:
    """Report whether an image path refers to a file of the site; other hosts are not used."""
    return "//" not in path and (not assets or path.lstrip("/") in assets)


def _banner(banner: Banner) -> BannerView:
    fixed = _BANNER_COLORS.get(banner.kind)
    return BannerView(
        html=inline_markdown(banner.content),
        id=short_hash(banner.content),
        dismissible=banner.dismissible,
        light=banner.color.light if banner.color else fixed,
        dark=banner.color.dark if banner.color else fixed,
    )


def _decoration(name: str | None) -> str | None:
    return name if name in ("gradient", "grid", "windows") else None


def _host(href: str) -> str:
    return (urlsplit(href).hostname or href).removeprefix("www.")
