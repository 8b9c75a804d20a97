"""Paths reserved for the service, below which repositories publish nothing."""

from __future__ import annotations

BUNDLE_MARKER = "_docs/export.json"  # identifies folders that an export wrote
RESERVED_FOLDERS = frozenset({"_docs", "_files", "_islands", "_llms", "_sites"})


def is_reserved(path: str) -> bool:
    """Report whether a root-relative path is reserved, with or without a leading slash.

    Case is ignored, because bundles may be stored on case-insensitive file systems.
    """
    return path.lstrip("/").partition("/")[0].casefold() in RESERVED_FOLDERS
