"""Writing of an index: a new folder, or an update of the previous one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import tantivy

from docstead.base.units import MIB
from docstead.content.pages import Section
from docstead.search.analyser import Analyser
from docstead.search.documents import SearchDocument
from docstead.search.entries import split_entries
from docstead.search.records import (
    FORMAT,
    FORMAT_FILE,
    UNSET,
    PassageRecord,
    digest_term,
    opened,
    schema,
)

_HEAP_BYTES = 50 * MIB
_MOST_OUTLINED = 1_000  # subheadings per heading, which pages may repeat
_MOST_SEGMENTS = 8  # each update adds a segment that queries must search


def build(documents: Iterable[SearchDocument], directory: Path) -> None:
    """Write an index of these documents to an empty folder."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / FORMAT_FILE).write_text(FORMAT)
    _add(tantivy.Index(schema(), path=str(directory)), documents, gone=())


def is_renewable(directory: Path) -> bool:
    """Report whether the folder contains an index that `renew` may update again."""
    try:
        return opened(directory).searcher().num_segments < _MOST_SEGMENTS
    except (ValueError, OSError):
        return False


def renew(directory: Path, documents: Iterable[SearchDocument], gone: Iterable[str]) -> None:
    """Replace the documents with the slugs `gone` by these."""
    _add(opened(directory), documents, gone)


def _add(index: tantivy.Index, documents: Iterable[SearchDocument], gone: Iterable[str]) -> None:
    analyser = Analyser()
    # One writer thread creates one segment, which is smallest and fastest to open.
    with index.writer(heap_size=_HEAP_BYTES, num_threads=1) as writer:
        for slug in gone:
            writer.delete_documents_by_term("slug", slug)
        for document in documents:
            for row in _rows(document, analyser):
                writer.add_document(tantivy.Document(**row))


def _rows(document: SearchDocument, analyser: Analyser) -> Iterator[dict[str, Any]]:
    topic, extra = document.topic, " ".join(document.keywords)
    for anchor, path, markdown in _pieces(document):
        record = _record(document, anchor, path, markdown)
        # Title and headings have double weight.
        named = "\n".join(filter(None, (document.title, topic, document.operation, *path)))
        words = analyser.words(f"{named}\n{named}\n{extra}\n{markdown}")
        yield {
            "text": " ".join(map(analyser.stem, words)),
            "words": " ".join(dict.fromkeys(words)),
            "slug": document.slug,
            "language": document.language or UNSET,
            "version": document.version or UNSET,
            "tag": document.tag or UNSET,
            "group": list(document.groups) or [UNSET],
            "digest": digest_term(record.digest),
            "passage": msgspec.json.encode(record),
        }
        topic, extra = "", ""


def _pieces(document: SearchDocument) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Yield anchor, headings and text of each passage; a page without text has one.

    The page's description is treated as its first paragraph.
    """
    about = document.description or ""
    outlines = cache(partial(_outlines, document.sections))
    first = document.sections[0] if document.sections else None
    if first is None or (about and first.anchor):
        yield "", (), about
    for section in document.sections:
        markdown = section.markdown
        if section is first and about and not section.anchor and about not in markdown:
            markdown = f"{about}\n\n{markdown}"
        path = section.heading_path
        pieces = list(split_entries(markdown, (document.title, *path)))
        for label, piece in pieces or [("", outlines().get(path, ""))]:
            yield section.anchor, (*path, label) if label else path, piece


def _outlines(sections: Sequence[Section]) -> dict[tuple[str, ...], str]:
    """Return Markdown lists of subheadings, for headings without their own text."""
    below: dict[tuple[str, ...], dict[str, None]] = {}
    for section in sections:
        path = section.heading_path
        for depth, name in enumerate(path):
            below.setdefault(path[:depth], {})[name] = None
    return {
        path: "\n".join(f"- {name}" for name in islice(names, _MOST_OUTLINED))
        for path, names in below.items()
    }


def _record(
    document: SearchDocument, anchor: str, path: tuple[str, ...], markdown: str
) -> PassageRecord:
    return PassageRecord(
        slug=document.slug,
        title=document.title,
        heading_path=path,
        anchor=anchor,
        markdown=markdown,
        language=document.language,
        version=document.version,
        boost=document.boost,
    )
