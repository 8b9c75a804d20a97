"""Ids of the shell, which custom style sheets and scripts rely on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

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


def shell_ids(html: str) -> Mapping[str, str]:
    """Return the id of each part of the shell, with alternatives for ids that headings use."""
    return _ids(frozenset(_TAKEN.findall(html)))


@lru_cache(maxsize=64)
def _ids(taken: frozenset[str]) -> Mapping[str, str]:
    return {name.replace("-", "_"): f"ds-{name}" if name in taken else name for name in _NAMES}
