"""Finished documents that are kept for the next request."""

from __future__ import annotations

from docstead.hosting.served_document import RecentDocuments, document


def test_the_last_document_beyond_the_limit_is_kept_too() -> None:
    """Each request for a long llms-full.txt rendered it again."""
    recent = RecentDocuments(1_000)
    small, large, larger = (document(b"x" * size, "image/png") for size in (900, 2_000, 3_000))
    recent.add(("small",), small)
    recent.add(("large",), large)
    assert recent.get(("large",)) is large
    assert recent.get(("small",)) is small
    recent.add(("larger",), larger)
    assert recent.get(("larger",)) is larger
    assert recent.get(("large",)) is None
    assert recent.get(("small",)) is small
