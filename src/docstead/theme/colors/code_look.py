"""Colors of code blocks: from a theme, or light or dark on all pages (`styling.codeblocks`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from docstead.content.config import Colors, SiteConfig
from docstead.content.style_settings import LightAndDark
from docstead.markup.highlight_css import ADDED, HIGHLIGHTED, REMOVED, TOKENS
from docstead.repository.code_themes import CodeTheme, code_theme
from docstead.theme.colors.colors import block_colors, page_colors, written
from docstead.theme.colors.contrast import best_text, mix, readable, rgb
from docstead.theme.colors.oklch import Rgb

_LIGHT = re.compile(r"light|latte|dawn|lotus|min-white|day\b", re.IGNORECASE)
_FOLLOWING = ("system", "css-variables")
#: Variables of the theme "css-variables", and the token classes that they color.
_VARIABLES = {
    "keyword": "k",
    "string": "s",
    "comment": "c",
    "constant": "m",
    "function": "f",
    "parameter": "v",
    "punctuation": "p",
    "link": "a",
}
_BLOCKS = ":is(.ds-code,.ds-code-group)"
_PERCENT = 100


class _BlockColors(NamedTuple):
    """Colors of light or dark code blocks, from a theme or built in."""

    is_light: bool
    theme: CodeTheme | None


def code_look_css(config: SiteConfig) -> str:
    """Return the CSS of a site's code blocks, or "" if they follow the page."""
    chosen = config.styling.code_themes
    if chosen == "css-variables":
        return _named_by_the_site()
    both = chosen if isinstance(chosen, LightAndDark) else LightAndDark(chosen, chosen)
    light, dark = _look(both.light), _look(both.dark)
    if light and light == dark:
        return f"@media screen{{{_BLOCKS}{{{_rules(light, config)}}}}}\n"
    return "".join(
        _on_pages(scheme, rules)
        for scheme, look in (("light", light), ("dark", dark))
        if (rules := _rules_on_pages(scheme, look, config))
    )


def _rules_on_pages(scheme: str, look: _BlockColors | None, config: SiteConfig) -> str:
    """Return how blocks differ from the built-in look on light or dark pages, or ""."""
    if look and look != _BlockColors(scheme == "light", None):
        return _rules(look, config)
    at = 0 if scheme == "light" else 1
    tokens = _readable_tokens(TOKENS[at], page_colors(config.colors, config.background)[at])
    built_in = {f"code-{name}": rgb(color) for name, color in TOKENS[at].items()}
    return written({name: each for name, each in tokens.items() if each != built_in[name]})


def _look(name: str | None) -> _BlockColors | None:
    """Return the colors for a setting; None if it is unknown or follows the page."""
    if not name or name in _FOLLOWING:
        return None
    theme = code_theme(name)
    if theme is None:
        return _BlockColors(bool(_LIGHT.search(name)), None)
    return _BlockColors(theme.is_light, theme if theme.tokens else None)


def _on_pages(scheme: str, rules: str) -> str:
    """Restrict rules to light or dark pages, and exclude print."""
    return (
        f"@media screen{{html[data-theme={scheme}] {_BLOCKS}{{{rules}}}}}\n"
        f"@media screen and (prefers-color-scheme:{scheme})"
        f"{{html:not([data-theme]) {_BLOCKS}{{{rules}}}}}\n"
    )


def _rules(look: _BlockColors, config: SiteConfig) -> str:
    if look.theme:
        colors = _theme_variables(look.theme, config.colors)
    else:
        at = 0 if look.is_light else 1
        block = page_colors(config.colors, config.background)[at]
        colors = written(block | _readable_tokens(TOKENS[at], block))
    scheme = "light" if look.is_light else "dark"
    return f"color-scheme:{scheme};color:var(--ds-fg);{colors}"


def _theme_variables(theme: CodeTheme, colors: Colors) -> str:
    """Return the theme's colors, adjusted to readable contrast."""
    block = block_colors(colors, theme.background, theme.foreground, is_light=theme.is_light)
    block["code-bg"] = rgb(theme.background)
    foreground = _readable_tokens({"fg": theme.foreground}, block)["code-fg"]
    return written(block | {"fg": foreground} | _readable_tokens(theme.tokens, block))


def _readable_tokens(tokens: Mapping[str, str], block: Mapping[str, Rgb]) -> dict[str, Rgb]:
    """Return token colors, readable on the background of blocks and on marked lines."""
    paper = block["code-bg"]
    marks = (
        paper,
        _marked(block["primary"], HIGHLIGHTED[1], paper),
        *(_marked(rgb(color), percent, paper) for color, percent in (ADDED, REMOVED)),
    )
    ink = best_text(paper)
    return {
        f"code-{name}": readable(rgb(color), paper, ink, marks=marks)
        for name, color in tokens.items()
    }


def _marked(color: Rgb, percent: int, paper: Rgb) -> Rgb:
    return mix(color, paper, percent / _PERCENT)


def _named_by_the_site() -> str:
    """Return rules for colors that the site sets in variables of Shiki or of the original.

    They exclude print: the colors may be light, and their background is not printed.
    """
    tokens = "".join(
        f".ds-code .{token}{{color:{_token(name, token)}}}" for name, token in _VARIABLES.items()
    )
    back = _variable("", "background", "var(--ds-code-bg)", "color-")
    fore = _variable("", "foreground", "var(--mint-color-text,inherit)")
    return f"@media screen{{{_BLOCKS}{{background:{back};color:{fore}}}\n{tokens}}}\n"


def _token(name: str, token: str) -> str:
    otherwise = f"var(--ds-code-{token})"
    if name == "string":  # templates have their own color in Shiki, but not here
        otherwise = _variable("token", "string-expression", otherwise)
    return _variable("token", name, otherwise)


def _variable(group: str, name: str, otherwise: str, original: str = "") -> str:
    """Return `var(--shiki-token-keyword,var(--mint-token-keyword,…))`."""
    full = f"{group}-{name}" if group else name
    return f"var(--shiki-{full},var(--mint-{original}{full},{otherwise}))"
