"""Confidence in the first quote, because a wrong quote is worse than links.

A logistic model of seven features that need no further model calls. `evals/runners/confidence.py`
fits the weights and prints results per threshold on held-out documentation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, replace

from docstead.assistant.extractive.evidence import (
    Excerpt,
    QuestionWord,
    Stems,
    evidence_in,
    share_of,
)

_LINK = "]("


@dataclass(frozen=True, slots=True)
class QuoteTraits:
    """Features of the first quote, and their weights."""

    covered: float  # coverage of the question's words by the quote and its headings
    cosine: float  # of its section
    lead: float  # gap between the documentation's best passage and the others
    ahead: float  # score of its section relative to the best section of another page
    titled: float  # coverage by the page's title, which all its sections share
    leads: float  # number of rankings that its section leads: search, words, similarity
    links: float  # per word: lists of links are not answers


_WEIGHTS = QuoteTraits(
    covered=1.762,
    cosine=2.44,
    lead=2.811,
    ahead=1.845,
    titled=-1.081,
    leads=0.168,
    links=-2.777,
)
_BIAS = -4.066
_LEAST = -0.95  # from -0.85 to here, far more first quotes are good than bad


def is_sure(traits: QuoteTraits) -> bool:
    """Report whether the quote is presented as an answer."""
    pairs: Iterable[tuple[float, float]] = zip(astuple(_WEIGHTS), astuple(traits), strict=True)
    return _BIAS + sum(weight * value for weight, value in pairs) > _LEAST


def traits_of(
    excerpt: Excerpt,
    markdown: str,
    excerpts: Sequence[Excerpt],
    words: Sequence[QuestionWord],
    stems: Stems,
    *,
    lead: float,
) -> QuoteTraits:
    """Return the features of a part of one of these excerpts, in search order.

    Translations do not count: a page in four languages would compete with itself.
    """
    excerpts = [each for each in excerpts if each.is_for_readers_of(excerpt.language)]
    evidence = evidence_in(replace(excerpt, markdown=markdown), words, stems)
    others = (each.score for each in excerpts if each.page != excerpt.page)
    first = (
        excerpts[0],
        max(excerpts, key=lambda each: each.share),
        max(excerpts, key=lambda each: each.cosine or 0.0),
    )
    return QuoteTraits(
        covered=evidence.coverage,
        cosine=excerpt.cosine or 0.0,
        lead=lead,
        ahead=excerpt.score - max(others, default=0.0),
        titled=share_of(words, stems(excerpt.title)),
        leads=sum(each is excerpt for each in first),
        links=markdown.count(_LINK) / (1 + len(markdown.split())),
    )
