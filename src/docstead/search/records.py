"""Stored passages, and the fields of the index."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec
import tantivy

from docstead.search.documents import Passage

FORMAT = "2"  # increased if fields or their contents change
FORMAT_FILE = "docstead-format"
UNSET = ""  # filter value for "no version", "no language", "unrestricted"


class PassageRecord(msgspec.Struct, array_like=True):
    slug: str
    title: str
    heading_path: tuple[str, ...]
    anchor: str
    markdown: str
    language: str | None
    version: str | None
    boost: float

    def passage(self, score: float) -> Passage:
        return Passage(
            slug=self.slug,
            title=self.title,
            heading_path=self.heading_path,
            anchor=self.anchor,
            markdown=self.markdown,
            score=score,
            language=self.language,
            version=self.version,
            digest=self.digest,
        )

    @property
    def digest(self) -> int:
        """Digest of name and text, 64 bits, which identifies its vector in all editions."""
        text = "\0".join((self.title, *self.heading_path, self.markdown))
        return int.from_bytes(hashlib.sha256(text.encode(errors="replace")).digest()[:8], "big")


def digest_term(digest: int) -> str:
    return f"{digest:016x}"


def schema() -> Any:
    made = tantivy.SchemaBuilder()
    made.add_text_field("text", tokenizer_name="whitespace", index_option="position")
    made.add_text_field("words", tokenizer_name="whitespace", index_option="basic")
    for name in ("slug", "language", "version", "tag", "group", "digest"):
        made.add_text_field(name, tokenizer_name="raw", index_option="basic")
    made.add_bytes_field("passage", stored=True)  # not indexed, because it is never searched whole
    return made.build()


def opened(directory: Path) -> tantivy.Index:
    """Open an index.

    Raises:
        ValueError, OSError: the folder contains no index of this format.
    """
    if (directory / FORMAT_FILE).read_text() != FORMAT:
        raise ValueError("of another format")
    return tantivy.Index.open(str(directory))
