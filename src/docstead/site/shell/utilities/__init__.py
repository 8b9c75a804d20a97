"""Utility classes that authors write in their pages (`flex mt-4 dark:hidden md:grid-cols-2`).

Each page carries rules for the classes it uses and for no others. A class that is not
known has no rule, and is then one of the site's own style sheets or of nobody.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from docstead.site.shell.utilities.declarations import declaration

_CLASS = re.compile(r' class="([^"]+)"')
_WIDTHS = {"sm": 40, "md": 48, "lg": 64, "xl": 80, "2xl": 96}  # rem
_STATES = {
    "hover": ":hover",
    "focus": ":focus",
    "focus-visible": ":focus-visible",
    "active": ":active",
    "disabled": ":disabled",
    "first": ":first-child",
    "last": ":last-child",
    "odd": ":nth-child(odd)",
    "even": ":nth-child(even)",
}


@dataclass(frozen=True, slots=True, order=True)
class _Rule:
    """Sorts as the rules of a style sheet must follow each other."""

    width: int
    dark: bool
    state: bool
    rank: int
    css: str


def utility_css(html: str) -> str:
    """Rules for the utility classes in `html`; "" where there are none."""
    names = {name for value in set(_CLASS.findall(html)) for name in value.split()}
    rules = (rule for name in names if (rule := _rule(name)) is not None)
    return "".join(rule.css for rule in sorted(rules))


@lru_cache(maxsize=4096)
def _rule(name: str) -> _Rule | None:
    if name.startswith("ds-"):
        return None
    *variants, base = name.replace("&amp;", "&").split(":")
    important = base.startswith("!")
    found = declaration(base.removeprefix("!"))
    if found is None:
        return None
    rank, declared, inner = found
    if important:
        declared = ";".join(f"{part}!important" for part in declared.split(";"))
    return _with_variants(name, variants, rank, f"{inner}{{{declared}}}")


def _with_variants(name: str, variants: list[str], rank: int, rest: str) -> _Rule | None:
    selector = "." + re.sub(r"([^\w-])", r"\\\1", name)
    dark, width = False, 0
    for variant in variants:
        if variant == "dark":
            dark = True
        elif variant in _WIDTHS:
            width = _WIDTHS[variant]
        elif variant in _STATES:
            selector += _STATES[variant]
        elif variant.removeprefix("group-") in _STATES:
            selector = f".group{_STATES[variant.removeprefix('group-')]} {selector}"
        else:
            return None
    css = f".ds-content {selector}{rest}"
    if dark:
        css = (
            f"html[data-theme=dark] {css}"
            f"@media (prefers-color-scheme:dark){{html:not([data-theme]) {css}}}"
        )
    if width:
        css = f"@media (min-width:{width}rem){{{css}}}"
    return _Rule(width, dark, ":" in selector.replace("\\:", ""), rank, css + "\n")
