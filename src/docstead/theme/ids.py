"""Ids of the shell, which custom style sheets and scripts rely on."""

from __future__ import annotations

import re
from functools import lru_cache
from types import SimpleNamespace

_NAMES = (
    "banner",
    "navbar",
    "topbar-cta-button",
    "sidebar",
    "navigation-items",
    "content-container",
    "content-area",
    "header",
    "page-title",
    "content",
    "pagination",
    "footer",
    "content-side-layout",
    "table-of-contents-layout",
    "table-of-contents",
    "contents-title",
)
_TAKEN = re.compile(rf' id="({"|".join(_NAMES)})"')


def shell_ids(html: str) -> SimpleNamespace:
    """Return the id of each part of the shell, with alternatives for ids that headings use."""
    return _ids(frozenset(_TAKEN.findall(html)))


@lru_cache(maxsize=64)
def _ids(taken: frozenset[str]) -> SimpleNamespace:
    found = {each.replace("-", "_"): f"ds-{each}" if each in taken else each for each in _NAMES}
    return SimpleNamespace(**found)  # templates read attributes faster than items
