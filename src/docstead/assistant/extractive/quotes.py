"""Extractive answers by quotes, which cannot invent facts.

Sections that are nearly as likely as the best one are quoted, four at most by default: the entry of
a name if one is listed, otherwise the part with the best coverage, and for how-to questions
complete step lists with the code that follows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from docstead.assistant.extractive.answer_types import CODE_OR_STEP, compares, reports_trouble
from docstead.assistant.extractive.answerability import NEARLY_WHOLE
from docstead.assistant.extractive.code_groups import one_of_each_group
from docstead.assistant.extractive.definitions import DefinitionQuestion, is_prose
from docstead.assistant.extractive.evidence import Excerpt, QuestionWord, Stems, evidence_in
from docstead.assistant.extractive.excerpt_scores import ExcerptScorer
from docstead.assistant.extractive.leaning_sentences import leans
from docstead.assistant.extractive.name_lookup import AskedNames, looked_up
from docstead.assistant.extractive.quotable_blocks import quotable
from docstead.assistant.extractive.quote_endings import SAME, ended, is_call, overlap
from docstead.assistant.extractive.quote_selection import QuotedSection, beginning, joined, select
from docstead.base.texts import count_words
from docstead.search.chunks import introduces

PAGE_SIZE = 5  # default number of results that a client requests
_CONSIDERED = 10  # excerpts considered for up to that many results
_MOST_SECTIONS = 4
_MOST_OF_A_PAGE = 2  # maximum number of sections
# Maximum gap between the best and a further section: if one stands out, others are not
# relevant; if none does, the answer is often in the third or fourth.
_NEARLY = 2.5
_SHARE_OF_BEST = 0.4  # minimum coverage and score of a further section, relative to the best
_SHARE_OF_FIRST = 0.6  # weight of an entry if the question has other words
_MOST_WORDS = 120  # words of the first quote with further parts of its page
_MOST_FURTHER = 2  # parts
_LEAST_WORDS = 25  # minimum number of words left for a part
_SHARE_OF_PART = 0.6  # minimum score of the part, relative to the first quote's section
_LEAST_COSINE = 0.4  # minimum score of a section that is moved before the first
_SHOWS = 1.0  # bonus of code or steps in a quote
_HOW_TO = re.compile(
    r"\bhow\b(?! (?:does|is|are|did|many|much|long|often|large|big)\b)|\bsteps?\b|\bset ?up\b"
    r"|\b(?:install|configure|create|add|enable|deploy|run|connect|migrate|implement|example)\b",
    re.IGNORECASE,
)

# Blocks without content: lists of subheadings (which short lists resemble), references
# to other pages, and lists of links, as cards are in Markdown.
_LONGEST_OF_NOTHING = 1_000  # characters
_OUTLINE = re.compile(r"(?:- (?:\S+ ){0,7}\S*[^\s.:;!](?:\n|\Z))+")
_POINTER = re.compile(
    r"(?:for (?:more|further|full)\b[^.\n]*?, )?(?:please )?"
    r"(?:see|view|read|check out|refer to|visit|find|learn more)\b[^.\n]*\]\([^)\s]+\)[^.\n]*\.?",
    re.IGNORECASE,
)
_SHORT = 12  # words of a sentence that mainly points to another page
_POINTS = re.compile(
    r"(?:\b(?:see|view|refer to|more information|learn more)\b[^\n]*\]\([^)\s]+\)"
    r"|\[(?:here|this page|this guide)\]\()",
    re.IGNORECASE,
)
_CARDS = re.compile(r"(?:- \[[^\]\n]*\]\([^)\s]*\)(?:\n+  [^\n]*)*\s*)+")


@dataclass(frozen=True, slots=True)
class _SelectedBlocks:
    """Blocks of a section that are quoted, by their positions."""

    section: QuotedSection
    quoted: dict[int, str]

    @property
    def markdown(self) -> str:
        return joined(self.quoted)

    def ended(self, most: int) -> str:
        """Return the Markdown with a sound ending."""
        return joined(ended(self.section, self.quoted, most))


@dataclass(frozen=True, slots=True)
class Quote:
    """Verbatim part of an excerpt, as Markdown."""

    excerpt: Excerpt
    markdown: str
    score: float | None = None  # None for entries and definitions, which precede other parts
    selection: _SelectedBlocks | None = field(default=None, compare=False, repr=False)


class QuoteFinder:
    """Finds quotes. `stems` normalizes words, `blocks` splits Markdown."""

    def __init__(self, stems: Stems, blocks: Callable[[str], Iterable[str]]) -> None:
        self._stems = stems
        self._blocks = blocks

    def quotes(
        self,
        question: str,
        words: Sequence[QuestionWord],
        excerpts: Sequence[Excerpt],
        page_size: int = PAGE_SIZE,
    ) -> tuple[Quote, ...]:
        """Return quotes, best first, for a covered question.

        A larger `page_size` considers more excerpts and quotes more sections.
        """
        excerpts = excerpts[: considered(page_size)]
        if not excerpts:
            return ()
        chosen: list[Quote] = []
        for quote in self._candidates(question, words, excerpts):
            is_quoted = any(quote.excerpt is each.excerpt for each in chosen)
            of_its_page = sum(quote.excerpt.page == each.excerpt.page for each in chosen)
            if is_quoted or of_its_page == _MOST_OF_A_PAGE:
                continue
            if not self._is_similar(quote.markdown, chosen):
                chosen.append(quote)
        saying = [each for each in chosen if not _is_reference(each)] or chosen[:1]
        saying = [each for each in saying if not _is_outline(each, excerpts)] or saying[:1]
        if not saying:
            return ()
        first, *others = self._showing_first(saying)
        others = [each for each in others if not _says_nothing(_OUTLINE, each)]
        return (first, *others)[: _most_sections(page_size)]

    def opening(self, words: Sequence[QuestionWord], page: Sequence[Excerpt]) -> tuple[Quote, ...]:
        """Return what a page says first; its sections are in reading order.

        They end at the first that does not fit. A sentence or two about the page come in addition.
        """
        parts: list[Quote] = []
        left = _MOST_WORDS
        for excerpt in page:
            section = self._section(excerpt, words)
            selection = _SelectedBlocks(section, beginning(section, left))
            part = Quote(excerpt, selection.markdown, selection=selection)
            if not part.markdown or not self._adds_to_page(part, parts, page):
                continue
            length = count_words(part.markdown)
            if parts and (length > left or left < _LEAST_WORDS or len(parts) > _MOST_FURTHER):
                break
            parts.append(replace(part, markdown=selection.ended(left)))
            left -= length if parts[1:] or length >= _LEAST_WORDS else 0
        return tuple(parts)

    def _adds_to_page(self, part: Quote, parts: Sequence[Quote], page: Sequence[Excerpt]) -> bool:
        if parts:
            return self._adds(part, parts, page)
        return not (_is_reference(part) or _is_outline(part, page))

    def completed(
        self,
        question: str,
        words: Sequence[QuestionWord],
        first: Quote,
        excerpts: Sequence[Excerpt],
    ) -> tuple[Quote, ...]:
        """Return the first quote with further parts of its page, at most 120 words in total.

        The right page is found more often than the right section. Entries, and code or steps with
        nearly all words of the question, suffice.
        """
        parts = [self._ended(question, words, first, _MOST_WORDS)]
        if self._is_enough(question, words, first):
            return tuple(parts)
        for excerpt in excerpts:
            left = _MOST_WORDS - sum(count_words(each.markdown) for each in parts)
            if len(parts) > _MOST_FURTHER or left < _LEAST_WORDS:
                break
            is_of_page = excerpt.page == first.excerpt.page and excerpt is not first.excerpt
            if is_of_page and excerpt.score >= _SHARE_OF_PART * first.excerpt.score:
                part = self._part(question, words, excerpt, left)
                if count_words(part.markdown) <= left and self._adds(part, parts, excerpts):
                    shown = self._ended(question, words, part, left)
                    parts += [] if _leans_on_unquoted(shown) else [shown]
        return tuple(parts)

    def _is_enough(self, question: str, words: Sequence[QuestionWord], first: Quote) -> bool:
        if looked_up(first.markdown, AskedNames(question)):
            return True
        said = evidence_in(replace(first.excerpt, markdown=first.markdown), words, self._stems)
        # An error's output does not answer a question about it.
        shows = bool(CODE_OR_STEP.search(first.markdown)) and not reports_trouble(question)
        return shows and said.coverage >= NEARLY_WHOLE

    def _adds(self, part: Quote, parts: Sequence[Quote], excerpts: Sequence[Excerpt]) -> bool:
        """Report whether a part adds information to others."""
        if _is_reference(part) or _says_nothing(_OUTLINE, part) or _is_outline(part, excerpts):
            return False
        if all(map(is_call, self._blocks(part.markdown))):
            return False
        # Entries link to their section only.
        first = parts[0].excerpt
        is_entry = part.excerpt.link == first.link and part.excerpt.name != first.name
        return not (is_entry or self._is_contained(part.markdown, parts))

    def _showing_first(self, quotes: Sequence[Quote]) -> Sequence[Quote]:
        """Move a quote with code or steps before one of its page without them.

        Its score must be nearly as high: most readers want to do something.
        """
        first = quotes[0]
        if first.score is None or CODE_OR_STEP.search(first.markdown):
            return quotes
        near = min(first.excerpt.cosine or 0.0, _LEAST_COSINE)
        for each in quotes[1:]:
            is_near = (each.excerpt.cosine or 0.0) >= near
            if each.score is None or each.excerpt.page != first.excerpt.page or not is_near:
                continue
            if each.score > first.score - _SHOWS and CODE_OR_STEP.search(each.markdown):
                return [each, *(other for other in quotes if other is not each)]
        return quotes

    def _candidates(
        self, question: str, words: Sequence[QuestionWord], excerpts: Sequence[Excerpt]
    ) -> Iterator[Quote]:
        yield from self._entries(question, excerpts)
        defined = self._definitions(question, words, excerpts)
        yield from defined
        for part in self._parts(question, words, excerpts):
            # A definition is sufficient; lists of fields with that name would only follow it.
            if not defined or is_prose(part.markdown):
                yield part

    def _definitions(
        self, question: str, words: Sequence[QuestionWord], excerpts: Sequence[Excerpt]
    ) -> list[Quote]:
        """Return passages that define the name in question, best first."""
        meant = DefinitionQuestion(question, words, self._stems, self._blocks)
        found = [(meant.introduced(each), each) for each in excerpts] if meant else []
        ranked = [(said, each) for said, each in found if said]
        ranked.sort(key=lambda pair: pair[0][0])
        return [Quote(excerpt, markdown) for (_, markdown), excerpt in ranked]

    def _entries(self, question: str, excerpts: Sequence[Excerpt]) -> Iterator[Quote]:
        """Yield entries for names in the question.

        A name among other words is looked up in the best excerpts only.
        """
        asked = AskedNames(question)
        least = 0.0 if asked.is_all else _SHARE_OF_FIRST * excerpts[0].score
        for excerpt in excerpts:
            if excerpt.score < least:
                break
            if entry := looked_up(excerpt.markdown, asked):
                yield Quote(excerpt, entry)

    def _parts(
        self, question: str, words: Sequence[QuestionWord], excerpts: Sequence[Excerpt]
    ) -> Iterator[Quote]:
        parts = [self._part(question, words, excerpt, _MOST_WORDS) for excerpt in excerpts]
        yield from (each for each in self._best_first(question, words, parts) if each.markdown)

    def _part(
        self, question: str, words: Sequence[QuestionWord], excerpt: Excerpt, most: int
    ) -> Quote:
        selection = self._selected(question, words, excerpt, most)
        return Quote(excerpt, selection.markdown, selection=selection)

    def _ended(
        self, question: str, words: Sequence[QuestionWord], quote: Quote, most: int
    ) -> Quote:
        """Return a quote as it is shown. Entries and definitions are complete."""
        selection = quote.selection or self._selected(question, words, quote.excerpt, most)
        if selection.markdown != quote.markdown:
            return quote
        return replace(quote, markdown=selection.ended(most))

    def _selected(
        self, question: str, words: Sequence[QuestionWord], excerpt: Excerpt, most: int
    ) -> _SelectedBlocks:
        section = replace(self._section(excerpt, words), keeps_tables=compares(question))
        quoted = select(section, how_to=bool(_HOW_TO.search(question)), most=most)
        return _SelectedBlocks(section, quoted)

    def _section(self, excerpt: Excerpt, words: Sequence[QuestionWord]) -> QuotedSection:
        blocks = tuple(quotable(self._blocks(excerpt.markdown)))
        whole = QuotedSection(blocks, tuple(words), self._stems)
        return replace(whole, blocks=tuple(one_of_each_group(whole.blocks, whole.weight)))

    def _best_first(
        self, question: str, words: Sequence[QuestionWord], parts: Sequence[Quote]
    ) -> list[Quote]:
        """Rank parts, without those far below the best."""
        scorer = ExcerptScorer(question, words, self._stems, [each.excerpt for each in parts])
        found = [(scorer.of(each.excerpt, each.markdown), each) for each in parts]
        found.sort(key=lambda pair: -pair[0].total)
        best, first = found[0]
        coverage = max(score.coverage for score, _ in found)
        return [
            replace(quote, score=score.total)
            for score, quote in found
            if score.own >= best.own - _NEARLY
            if score.coverage >= _SHARE_OF_BEST * coverage
            if quote.excerpt.score >= _SHARE_OF_BEST * first.excerpt.score
        ]

    def _is_contained(self, markdown: str, parts: Sequence[Quote]) -> bool:
        """Report whether a part says it; one that is much shorter does not."""
        new = self._stems(markdown)
        return any(len(new & self._stems(each.markdown)) >= SAME * len(new) for each in parts)

    def _is_similar(self, markdown: str, chosen: Sequence[Quote]) -> bool:
        new = self._stems(markdown)
        return any(overlap(new, self._stems(each.markdown)) >= SAME for each in chosen)


def considered(page_size: int) -> int:
    """Return the number of excerpts to consider."""
    return max(_CONSIDERED, _CONSIDERED * page_size // PAGE_SIZE)


def _most_sections(page_size: int) -> int:
    return max(min(page_size, _MOST_SECTIONS), _MOST_SECTIONS * page_size // PAGE_SIZE)


def rendered(quote: Quote, url: str) -> Iterator[str]:
    """Yield the quote as Markdown below a link, in pieces fit for streaming."""
    yield f"\n**[{escaped(quote.excerpt.name)}]({url})**\n\n"
    for line in quote.markdown.splitlines():
        yield f"> {line}\n" if line else ">\n"


def _says_nothing(kind: re.Pattern[str], quote: Quote) -> bool:
    text = quote.markdown.strip()
    return len(text) <= _LONGEST_OF_NOTHING and bool(kind.fullmatch(text))


def _is_reference(quote: Quote) -> bool:
    """Report whether it only refers to another section, or introduces what is not quoted."""
    text = quote.markdown
    if count_words(text) < _SHORT and is_prose(text):
        return is_pointer(text) or all(map(introduces, text.split("\n\n")))
    return _says_nothing(_POINTER, quote) or _says_nothing(_CARDS, quote)


def _leans_on_unquoted(quote: Quote) -> bool:
    """Report whether it begins with a reference to something before it in its section."""
    first = quote.markdown.partition("\n")[0]
    begins_section = quote.excerpt.markdown.lstrip().startswith(first)
    return is_prose(first) and leans(first) and not begins_section


def is_pointer(sentence: str) -> bool:
    """Report whether a short sentence mainly points to another page."""
    return count_words(sentence) < _SHORT and bool(_POINTS.search(sentence))


def _is_outline(quote: Quote, excerpts: Sequence[Excerpt]) -> bool:
    """Report whether it only lists subheadings, one of which was retrieved."""
    lines = quote.markdown.splitlines()
    if not all(line.startswith("- ") for line in lines):
        return False
    path, page = quote.excerpt.heading_path, quote.excerpt.page
    below = (e.heading_path for e in excerpts if e.page == page and e.heading_path != path)
    return any(f"- {each[len(path)]}" in lines for each in below if each[: len(path)] == path)


def escaped(name: str) -> str:
    """Escape a name for link text."""
    return re.sub(r"([\[\]])", r"\\\1", name)
