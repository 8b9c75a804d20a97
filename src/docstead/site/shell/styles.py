"""The shared files of a site: one style sheet, the scripts and a favicon."""

from __future__ import annotations

from html import escape

from docstead.content.config import SiteConfig
from docstead.site.assets import BuiltAssets
from docstead.site.highlight import pygments_css
from docstead.site.shell.colors import color_css
from docstead.site.shell.fonts import Fonts


def site_files(
    config: SiteConfig, built: BuiltAssets, fonts: Fonts, utilities: str = ""
) -> dict[str, bytes]:
    """The files that every page links to, by plain name. Raises `AssetsMissing`.

    `utilities` is the style sheet of the utility classes that the pages use.
    """
    layers = (
        color_css(config.colors, config.background),
        built.read("shell.css").decode(),
        fonts.css,
        built.read("components.css").decode(),
        pygments_css(),
        utilities,
    )
    return {
        "site.css": "\n".join(layer for layer in layers if layer).encode(),
        "shell.js": built.read("shell.js"),
        "components.js": built.read("browser.js"),
        "favicon.svg": _favicon(config).encode(),
    }


def _favicon(config: SiteConfig) -> str:
    letter = escape(next((char for char in config.name if char.isalnum()), "D").upper())
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
        f'<rect width="32" height="32" rx="8" fill="{escape(config.colors.primary)}"/>'
        '<text x="16" y="22.5" font-family="system-ui,sans-serif" font-size="19" '
        f'font-weight="700" text-anchor="middle" fill="#fff">{letter}</text></svg>'
    )
