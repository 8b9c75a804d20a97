"""Shared files of a site: style sheet, scripts and favicon."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from html import escape

from docstead.content.config import THEMES, SiteConfig
from docstead.content.slugs import repository_path
from docstead.content.style_settings import BackgroundSettings, LightAndDark
from docstead.markup.assets import BuiltAssets
from docstead.markup.highlight import pygments_css
from docstead.theme.colors.code_look import code_look_css
from docstead.theme.colors.colors import color_css
from docstead.theme.fonts import UP, SiteFonts

_OF_FEATURES = {
    "math": ("math.css",),
    "islands": ("islands.js",),
    "diagrams": ("diagrams.js", "diagrams.css"),
    "mermaid": ("mermaid.js", "mermaid-all.js"),
}
_PAGE_SCRIPT = "page.js"
# Each reads its settings in an attribute of the script element.
_OF_ALL_PAGES = ("components.js", "assistant.js", "readers.js", "integrations.js")
_PLAIN_PATH = re.compile(r"[\w./@%+ -]+")


def site_files(
    config: SiteConfig,
    built: BuiltAssets,
    fonts: SiteFonts,
    utilities: str = "",
    *,
    has_styles: bool = False,
) -> dict[str, bytes]:
    """Return the files that every page links to, by plain name.

    `utilities` is the style sheet of the utility classes in use; `has_styles` means that the site
    has its own style sheets or scripts.

    Raises:
        AssetsMissing: a shipped file is missing.
    """
    layers = (
        color_css(config.colors, config.background, has_styles=has_styles),
        built.read("shell.css").decode(),
        _look_css(config.theme, built),
        built.read("banner.css").decode() if _has_banner(config) else "",
        built.read("decorations.css").decode() if config.background.decoration else "",
        fonts.css,
        _background_css(config.background),
        built.read("components.css").decode(),
        pygments_css(),
        code_look_css(config),
        utilities,
    )
    return {
        "site.css": "\n".join(layer for layer in layers if layer).encode(),
        "shell.js": built.read("shell.js"),
        "components.js": built.read("browser.js"),
        "extras.css": built.read("extras.css"),
        "extras.js": built.read("extras.js"),
        "favicon.svg": _favicon(config).encode(),
    }


def with_page_script(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Join the scripts of all pages into one file. Where one fails, the others run."""
    scripts = (files[name] for name in _OF_ALL_PAGES if name in files)
    guarded = (b"try{%s}catch(error){reportError(error)}\n" % script for script in scripts)
    others = {name: data for name, data in files.items() if name not in _OF_ALL_PAGES}
    return {**others, _PAGE_SCRIPT: b'"use strict";' + b"".join(guarded)}


def _look_css(theme: str, built: BuiltAssets) -> str:
    """Return the style sheet of a theme; the other style sheets are those of `mint`."""
    return "" if theme == THEMES[0] else built.read(f"look-{theme}.css").decode()


def _has_banner(config: SiteConfig) -> bool:
    return bool(config.banner) or any(each.banner for each in config.languages.values())


def feature_files(page_features: Collection[str], built: BuiltAssets) -> dict[str, bytes]:
    """Return the files for optional browser features. Raises `AssetsMissing`."""
    asked = (names for feature, names in _OF_FEATURES.items() if feature in page_features)
    return {name: built.read(name) for names in asked for name in names}


def _background_css(background: BackgroundSettings) -> str:
    """Return the CSS of a background image (`background.image`)."""
    image = background.image
    both = image if isinstance(image, LightAndDark) else LightAndDark(image, image)
    light, dark = _picture(both.light), _picture(both.dark)
    rules = f"body{{background-image:{light};background-size:cover}}\n" if light else ""
    if dark:
        rules += f"html[data-theme=dark] body{{background-image:{dark};background-size:cover}}\n"
    return rules


def _picture(path: str | None) -> str:
    if not path or "//" in path or not _PLAIN_PATH.fullmatch(path):
        return ""
    return f'url("{UP}{repository_path(path)}")'


def _favicon(config: SiteConfig) -> str:
    letter = escape(next((char for char in config.name if char.isalnum()), "D").upper())
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
        f'<rect width="32" height="32" rx="8" fill="{escape(config.colors.primary)}"/>'
        '<text x="16" y="22.5" font-family="system-ui,sans-serif" font-size="19" '
        f'font-weight="700" text-anchor="middle" fill="#fff">{letter}</text></svg>'
    )
