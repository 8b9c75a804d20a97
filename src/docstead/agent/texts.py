"""Text that models write, made fit for databases, commits and forges."""

from __future__ import annotations


def storable(text: str) -> str:
    """The text without what no text column takes: NUL, and halves of characters."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
