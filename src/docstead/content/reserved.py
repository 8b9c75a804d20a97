"""Paths reserved for the service, below which repositories publish nothing."""

from __future__ import annotations

BUNDLE_MARKER = "_docs/export.json"  # identifies folders that an export wrote
CACHE_TAG = "CACHEDIR.TAG"  # identifies caches of any program (https://bford.info/cachedir/)
CACHE_SIGNATURE = "Signature: 8a477f597d28d172789f06886806bc55"  # first line of the tag
RESERVED_FOLDERS = frozenset({"_docs", "_files", "_islands", "_llms", "_sites"})


def is_reserved(path: str) -> bool:
    """Report whether a root-relative path is reserved, with or without a leading slash.

    Case is ignored, because bundles may be stored on case-insensitive file systems.
    """
    return path.lstrip("/").partition("/")[0].casefold() in RESERVED_FOLDERS
