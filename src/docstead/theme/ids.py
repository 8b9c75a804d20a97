"""The ids of the shell, which style sheets and scripts of authors know by name."""

from __future__ import annotations

import re
from collections.abc import Mapping

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
    """The id of each place of the shell; where the page has a heading of that id, another."""
    taken = set(_TAKEN.findall(html))
    return {name.replace("-", "_"): f"ds-{name}" if name in taken else name for name in _NAMES}
