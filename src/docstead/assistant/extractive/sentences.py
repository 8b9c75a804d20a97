"""Single sentences of passages, and their coverage of a question's words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docstead.assistant.extractive.evidence import Excerpt, QuestionWord, Stems, prose_and_code

_END = re.compile(r"(?<=[.!?:])\s+|\n+")
# Including an unclosed fence, because searching for each again would be quadratic.
_LINK_TARGET = re.compile(r"\]\([^)]*\)?")
_MARKS = " #|-*>\t"
_SHORTEST = 3  # words
_LIKELIEST = 6
_AT_FIRST = 2  # of them


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    heading: str  # of its section
    stems: frozenset[str]
    is_prose: bool


class ExcerptSentences:
    """Sentences of excerpts, for a question with at least one word."""

    def __init__(
        self, excerpts: Sequence[Excerpt], words: Sequence[QuestionWord], stems: Stems
    ) -> None:
        self.excerpts = excerpts
        self.words = words
        self._total = sum(word.rarity for word in words) or 1.0
        self._all = [s for each in excerpts for s in _sentences(each, stems)]
        self._anywhere = frozenset().union(
            *(stems(each.name) | stems(each.markdown) for each in excerpts)
        )

    def likeliest_first(self) -> Iterator[list[str]]:
        """Yield the sentences with the best coverage, each with its heading, best first."""
        prose = [s for s in self._all if s.is_prose]
        best = sorted(prose, key=lambda s: -self._share(s.stems))
        texts = list(dict.fromkeys(f"{s.heading}: {s.text}" for s in best))[:_LIKELIEST]
        yield from filter(None, (texts[:_AT_FIRST], texts[_AT_FIRST:]))

    def share_with(self, form: re.Pattern[str]) -> float:
        """Return the maximum coverage by a sentence of this type, 0 to 1."""
        return max((self._share(s.stems) for s in self._all if form.search(s.text)), default=0.0)

    def missed_name(self) -> float:
        """Return the weight of the most important name that occurs in no excerpt."""
        names = (word for word in self.words if word.is_name)
        return max((word.rarity * (1 - word.credit(self._anywhere)) for word in names), default=0.0)

    def _share(self, stems: frozenset[str]) -> float:
        return sum(word.rarity * word.credit(stems) for word in self.words) / self._total


def _sentences(excerpt: Excerpt, stems: Stems) -> Iterator[_Sentence]:
    heading = (excerpt.title, *excerpt.heading_path)[-1]
    prose, code = prose_and_code(excerpt.markdown)
    for part, is_prose in ((prose, True), (code, False)):
        for each in _END.split(_LINK_TARGET.sub(_without_target, part)):
            if text := each.strip(_MARKS):
                is_said = is_prose and len(text.split()) >= _SHORTEST
                yield _Sentence(text, heading, stems(text), is_said)


def _without_target(link: re.Match[str]) -> str:
    return "]" if link[0].endswith(")") else link[0]
