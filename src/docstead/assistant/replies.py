"""Answers in the documentation's own words: quotes, each under its link."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from docstead.assistant.conversation import ContextItem, Source
from docstead.assistant.events import SourceFound, TextDelta
from docstead.assistant.retrieval import Found
from docstead.assistant.writing.fragments import address_of
from docstead.assistant.writing.units import visible
from docstead.models.evidence import Excerpt
from docstead.models.extractive import Extractive, rendered
from docstead.search.chunks import blocks

_LONGEST_SELECTION = 120


def quoted(found: Found, selected: Sequence[ContextItem] = ()) -> Iterator[SourceFound | TextDelta]:
    """Quotes with their sources, below what the reader had `selected`; none where nothing fits.

    They are chosen among more sections than a model is given, and are never more than those.
    """
    extractive = Extractive(found.stems, blocks)
    size = len(found.excerpts)
    quotes = (
        extractive.quotes(found.asked, found.words, found.candidates, size) if found.covered else ()
    )
    if not quotes:
        return
    addresses = [address_of(quote.excerpt.link, quote.markdown) for quote in quotes]
    yield from _sources(zip((quote.excerpt for quote in quotes), addresses, strict=True))
    if shown := [_shown(item) for item in selected if item.text.strip()]:
        yield TextDelta(f"You selected {', '.join(shown)}.\n\n")
    yield from (TextDelta(text) for text in rendered(quotes, addresses))


def _shown(item: ContextItem) -> str:
    """The beginning of a selection, as code: it may be anything."""
    text = " ".join(visible(item.text.replace("`", "'")).split())
    return f"`{text if len(text) <= _LONGEST_SELECTION else f'{text[:_LONGEST_SELECTION]}…'}`"


def one_per_page(excerpts: Iterable[Excerpt]) -> Iterator[SourceFound]:
    """The best section of each page."""
    pages: dict[str, Excerpt] = {}
    for each in excerpts:
        pages.setdefault(each.link.partition("#")[0], each)
    yield from _sources((each, each.link) for each in pages.values())


def _sources(addressed: Iterable[tuple[Excerpt, str]]) -> Iterator[SourceFound]:
    """One source for each section, in order."""
    found: dict[str, Source] = {}
    for excerpt, address in addressed:
        found.setdefault(excerpt.link, Source(id=excerpt.link, url=address, title=excerpt.name))
    yield from map(SourceFound, found.values())
