"""Paths that the service answers itself. A repository publishes nothing below them."""

from __future__ import annotations

RESERVED_FOLDERS = frozenset({"_docs", "_files", "_islands", "_llms", "_sites"})


def is_reserved(path: str) -> bool:
    """Whether a path from the root of a site is reserved; a leading slash is optional.

    Bundles may be stored on file systems that ignore case, so case is ignored here too.
    """
    return path.lstrip("/").partition("/")[0].casefold() in RESERVED_FOLDERS
