"""The shared files of a site: one style sheet, the scripts and a favicon."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from html import escape
from typing import Any

from docstead.content.config import SiteConfig
from docstead.site.assets import FOLDER, BuiltAssets
from docstead.site.highlight import pygments_css
from docstead.site.shell.colors import color_css

_FORMATS = {"woff2": "woff2", "woff": "woff", "ttf": "truetype", "otf": "opentype"}
_QUOTED = str.maketrans(dict.fromkeys("\"'\\;{}<>()\n", ""))


def site_files(
    config: SiteConfig, built: BuiltAssets, assets: Collection[str], utilities: str = ""
) -> dict[str, bytes]:
    """The files that every page links to, by plain name. Raises `AssetsMissing`.

    `utilities` is the style sheet of the utility classes that the pages use.
    """
    layers = (
        color_css(config.colors, config.background),
        _font_css(config.fonts, assets),
        built.read("shell.css").decode(),
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


def _font_css(fonts: Mapping[str, Any], assets: Collection[str]) -> str:
    """Fonts of the repository itself; those of other hosts are named but never asked for."""
    body = _mapping(fonts.get("body")) or fonts
    heading = _mapping(fonts.get("heading")) or body
    faces = dict.fromkeys(_face(font, assets) for font in (body, heading))
    families = (("sans", body), ("heading", heading))
    variables = "".join(
        f'--ds-font-{name}:"{family}",var(--ds-font-system);'
        for name, font in families
        if (family := str(font.get("family") or "").translate(_QUOTED))
    )
    rules = f":root{{{variables}}}" if variables else ""
    return "".join(face for face in faces if face) + rules


def _face(font: Mapping[str, Any], assets: Collection[str]) -> str:
    source = str(font.get("source") or "").translate(_QUOTED).lstrip("/")
    family = str(font.get("family") or "").translate(_QUOTED)
    if not source or not family or (assets and source not in assets) or "://" in source:
        return ""
    kind = _FORMATS.get(source.rpartition(".")[2], "woff2")
    up = "../" * (FOLDER.count("/") + 1)
    return (
        f'@font-face{{font-family:"{family}";font-display:swap;font-weight:100 900;'
        f'src:url("{up}{source}") format("{kind}");}}'
    )


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
