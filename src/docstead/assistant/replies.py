"""Replies made of quotes and links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from docstead.assistant.conversation import AnswerSource, ContextItem
from docstead.assistant.events import SourceFound, TextDelta
from docstead.assistant.extractive.confidence import is_sure, traits_of
from docstead.assistant.extractive.definitions import DefinitionQuestion
from docstead.assistant.extractive.evidence import Excerpt
from docstead.assistant.extractive.name_lookup import AskedNames, looked_up, repeated_code
from docstead.assistant.extractive.quotes import Quote, QuoteFinder, rendered
from docstead.assistant.retrieval import RetrievedPassages
from docstead.assistant.section_links import listed, section_link
from docstead.assistant.writing.fragments import fragment_url
from docstead.assistant.writing.markdown_units import visible
from docstead.base.texts import count_words
from docstead.markup.words import ShellTexts
from docstead.search.chunks import blocks

_LEAST_OF_PAGE = 8  # words of an opening that answers
_LONGEST_SHOWN = 120  # characters shown of a selection or question
_URL = re.compile(r"[^)\s]+")
_LINK_BEGINS, _LINK_ENDS = "**[", ")**"
_ENGLISH = ShellTexts()
_PartsAndOthers = tuple[Sequence[Quote], Sequence[Quote]]


def quoted(
    found: RetrievedPassages, selected: Sequence[ContextItem] = (), words: ShellTexts = _ENGLISH
) -> Iterator[SourceFound | TextDelta]:
    """Yield quotes with links, below the reader's selection, and further sections as a list.

    Yields nothing if no quote fits or the first one is not likely to answer. All quoted sections
    are sources; they are chosen from more sections than a model gets, but are never more.
    """
    answer = _opening(found, found.page) or _best_parts(found) or _opening(found, found.section)
    if answer is None:
        return
    parts, others = answer
    shown = [each.excerpt for each in parts]
    urls = [fragment_url(each.excerpt.link, each.markdown) for each in parts]
    links = [section_link(each.excerpt, each.markdown, found) for each in others]
    excerpts = (*shown, *(each.excerpt for each in others))
    yield from _sources(zip(excerpts, (*urls, *(e.url for e in links)), strict=True))
    yield from repair_note(found, words)
    if items := [_shown(item.text) for item in selected if item.text.strip()]:
        yield TextDelta(f"{words.selected.replace('{text}', ', '.join(items))}\n\n")
    yield TextDelta(f"{words.quoted}\n")
    for part, url in zip(parts, urls, strict=True):
        yield from (TextDelta(text) for text in rendered(part, url))
    if links:
        yield TextDelta(f"\n{words.more_sections}\n\n")
        yield from listed(links)


def _best_parts(found: RetrievedPassages) -> _PartsAndOthers | None:
    """Return the best quote with further parts of its page, and other quotes."""
    extractive = QuoteFinder(found.stems, blocks)
    candidates = found.candidates if found.covered else ()
    most = len(found.excerpts)
    quotes = extractive.quotes(found.asked, found.words, candidates, most)
    if not quotes or not _is_sure(found, quotes[0]):
        return None
    parts = extractive.completed(found.asked, found.words, quotes[0], candidates)[:most]
    shown = [each.excerpt for each in parts]
    return parts, [each for each in quotes if each.excerpt not in shown][: most - len(parts)]


def _opening(found: RetrievedPassages, page: Sequence[Excerpt]) -> _PartsAndOthers | None:
    """Return what a page or section that is asked for says first, and its further sections."""
    extractive = QuoteFinder(found.stems, blocks)
    most = len(found.excerpts)
    parts = extractive.opening(found.words, page)[:most]
    if sum(count_words(each.markdown) for each in parts) < _LEAST_OF_PAGE:
        return None
    links = {each.excerpt.link for each in parts}
    others: dict[str, Quote] = {}
    for each in page:
        if each.link not in links:
            others.setdefault(each.link, Quote(each, each.markdown))
    return parts, list(others.values())[: most - len(parts)]


def _is_sure(found: RetrievedPassages, quote: Quote) -> bool:
    """Report whether the first quote is likely to answer; always without semantic similarity."""
    excerpt, asked = quote.excerpt, AskedNames(found.asked)
    if found.nearness is None or excerpt.cosine is None:
        return True
    if asked.is_all and looked_up(quote.markdown, asked):
        return True
    if _is_defined(found, excerpt) or _is_page_of(found, excerpt) or _repeats(found, excerpt):
        return True
    if found.named and excerpt.page.endswith(f"/{found.named}"):
        return True
    return is_sure(
        traits_of(
            excerpt,
            quote.markdown,
            found.candidates,
            found.words,
            found.stems,
            lead=found.nearness.lead,
        )
    )


def _is_defined(found: RetrievedPassages, excerpt: Excerpt) -> bool:
    """Report whether a "what is" question is answered by a definition of its name."""
    meant = DefinitionQuestion(found.asked, found.words, found.stems, blocks)
    return bool(meant and meant.introduced(excerpt))


def _is_page_of(found: RetrievedPassages, excerpt: Excerpt) -> bool:
    """Report whether only this page has exactly the question's words as title: "install it"."""
    words = frozenset(stem for each in found.words for stem in each.stems)
    named = {each.page for each in found.candidates if found.stems(each.title) == words}
    return named == {excerpt.page}


def _repeats(found: RetrievedPassages, excerpt: Excerpt) -> bool:
    """Report whether only this page has code that the question repeats, such as a message."""
    repeated = repeated_code(found.asked, excerpt.markdown)
    if not repeated:
        return False
    others = (each.markdown for each in found.candidates if each.page != excerpt.page)
    return bool(repeated.difference(*(repeated_code(found.asked, each) for each in others)))


def quoted_links(answer: str) -> Iterator[str]:
    """Yield the links of sections that an earlier answer quotes in full."""
    for line in answer.split("\n"):
        words, _, url = line.removesuffix(_LINK_ENDS).rpartition("](")
        is_link = words.startswith(_LINK_BEGINS) and line.endswith(_LINK_ENDS)
        if is_link and _URL.fullmatch(url):
            yield url.partition(":~:")[0].rstrip("#")


def repair_note(found: RetrievedPassages, words: ShellTexts = _ENGLISH) -> Iterator[TextDelta]:
    """Yield the corrected question if words were misspelled."""
    if found.repaired:
        yield TextDelta(f"{words.repaired.replace('{query}', _shown(found.repaired))}\n\n")


def _shown(said: str) -> str:
    """Return the beginning of a selection or question as code, because it may be anything."""
    text = " ".join(visible(said.replace("`", "'")).split())
    return f"`{text if len(text) <= _LONGEST_SHOWN else f'{text[:_LONGEST_SHOWN]}…'}`"


def one_per_page(excerpts: Iterable[Excerpt]) -> Iterator[SourceFound]:
    """Yield the best section of each page."""
    pages: dict[str, Excerpt] = {}
    for each in excerpts:
        pages.setdefault(each.link.partition("#")[0], each)
    yield from _sources((each, each.link) for each in pages.values())


def _sources(addressed: Iterable[tuple[Excerpt, str]]) -> Iterator[SourceFound]:
    """Yield one source for each section, in order."""
    found: dict[str, AnswerSource] = {}
    for excerpt, url in addressed:
        found.setdefault(excerpt.link, AnswerSource(id=excerpt.link, url=url, title=excerpt.name))
    yield from map(SourceFound, found.values())
