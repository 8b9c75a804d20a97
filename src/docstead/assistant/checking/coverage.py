"""Share of a sentence's words that spans of a passage contain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docstead.assistant.checking.facts import SHORTEST_ALIKE, TextFacts
from docstead.assistant.checking.spans import MOST_SPANS, ExcerptSpans, SpanWindow

_CONTEXT_CREDIT = 0.9  # weight of a word that only occurs in title and headings
_ALIKE_CREDIT = 0.85  # weight of a word with a common prefix
_LONGER_WINDOW = 0.03  # penalty of each further span
_NEARLY_WHOLE = 0.75


def windows_with(
    claim: TextFacts, material: ExcerptSpans, least: float
) -> list[tuple[SpanWindow, float]]:
    """Return windows with at least this fraction of the claim's words, best first.

    A sentence that is nearly equal to one of the passage is compared with that one only, so that
    neighbors do not supply numbers and names.
    """
    words = [_FoundWord(word, material) for word in claim.word_set]
    if not words or sum(word.most for word in words) / len(words) < least:
        return []
    single = _coverages(words, len(material.spans), 1)
    if max(single, default=0.0) >= _NEARLY_WHOLE:
        chosen = [(1, start, score) for start, score in enumerate(single) if score >= _NEARLY_WHOLE]
    else:
        chosen = [
            (size, start, score - _LONGER_WINDOW * (size - 1))
            for size in range(1, MOST_SPANS + 1)
            for start, score in enumerate(_coverages(words, len(material.spans), size))
        ]
    best = sorted((each for each in chosen if each[2] >= least), key=lambda each: -each[2])
    return [(material.window(start, size), score) for size, start, score in best]


class _FoundWord:
    """The spans of a passage with a word, and those with a form of it."""

    __slots__ = ("alike", "elsewhere", "exact", "most")

    def __init__(self, word: str, material: ExcerptSpans) -> None:
        self.exact = material.spans_with.get(word, ())
        is_in_context = word in material.context.word_set
        #: Weight in spans that lack the word and its forms.
        self.elsewhere = _CONTEXT_CREDIT if is_in_context else 0.0
        self.alike = () if is_in_context else _spans_with_forms(word, material)
        self.most = 1.0 if self.exact else self.elsewhere or (_ALIKE_CREDIT if self.alike else 0.0)


def _spans_with_forms(word: str, material: ExcerptSpans) -> Sequence[int]:
    forms = material.word_beginnings.get(word[:SHORTEST_ALIKE], ())
    return [span for form in forms if _alike(word, form) for span in material.spans_with[form]]


def _coverages(words: Sequence[_FoundWord], spans: int, size: int) -> list[float]:
    """Return the fraction of the words in each window of so many spans."""
    windows = max(0, spans - size + 1)
    totals = [0.0] * windows
    for word in words:
        exact = _starts(word.exact, size, windows)
        for start in exact:
            totals[start] += 1.0
        if word.elsewhere:
            for start in range(windows):
                totals[start] += 0.0 if start in exact else word.elsewhere
        elif word.alike:
            for start in _starts(word.alike, size, windows) - exact:
                totals[start] += _ALIKE_CREDIT
    return [total / len(words) for total in totals]


def _starts(spans: Iterable[int], size: int, windows: int) -> set[int]:
    """Return the first spans of all windows that contain one of these spans."""
    return {
        start for span in spans for start in range(max(0, span - size + 1), min(span + 1, windows))
    }


def credit(word: str, span: TextFacts, context: TextFacts) -> float:
    """Return the weight of a word of a sentence: 1 if the span contains it."""
    if word in span.word_set:
        return 1.0
    if word in context.word_set:
        return _CONTEXT_CREDIT
    return _ALIKE_CREDIT if is_form_of(word, span) else 0.0


def is_form_of(word: str, text: TextFacts) -> bool:
    """Report whether a text has a word, or one that is a form of the same."""
    alike = text.word_beginnings.get(word[:SHORTEST_ALIKE], ())
    return word in text.word_set or any(_alike(word, other) for other in alike)


def _alike(word: str, other: str) -> bool:
    """Report whether words are forms that stemming keeps apart: `configur`, `configuration`."""
    shorter, longer = sorted((word, other), key=len)
    enough = len(shorter) >= max(SHORTEST_ALIKE, len(longer) - 4)
    return enough and longer.startswith(shorter[: max(SHORTEST_ALIKE, len(shorter) - 1)])
