"""The ids of the shell, which style sheets and scripts of authors know by name."""

from __future__ import annotations

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
    "table-of-contents-layout",
    "table-of-contents",
    "contents-title",
)


def shell_ids(html: str) -> Mapping[str, str]:
    """The id of each place of the shell; where the page has a heading of that id, another."""
    return {
        name.replace("-", "_"): f"ds-{name}" if f' id="{name}"' in html else name for name in _NAMES
    }
