"""Definitions of names in documentation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from docstead.assistant.extractive.evidence import Excerpt, QuestionWord, Stems

_ASKS = re.compile(
    r"\s*(?:(?:what(?:'s| is) )?the meaning of|what(?:'s| is| are| does)|define|explain)\b",
    re.IGNORECASE,
)
_END = re.compile(r"(?:\s+mean)?[\s?!.]*$", re.IGNORECASE)
_ARTICLE = re.compile(r"^\s*(?:an?|the)\s+", re.IGNORECASE)
_PROSE = re.compile(r"\s*(?:\*\*|[*_])?[^\W_]")
_MARKS = re.compile(r"[*_`]")
# "Hooks are added to …" describes usage, "A hook is not …" exclusions.
_LIMITED = r"(?:not|only|also|now|still|always|never|no)"
_IS = re.compile(rf"(?:is|are)\b(?! (?:{_LIMITED}|built|made|(?!used)\w+ed)\b)", re.IGNORECASE)
_DOES = re.compile(
    r"(?:lets?|allows?|means?|refers?|represents?|describes?|enables?|defines?|provides?|gives?)\b"
)
# Part of a longer name, or a remark.
_ELSE = re.compile(rf"[^a-z]|(?i:[^.]*\b(?:is|are) {_LIMITED}\b)")
_IN_BRACKETS = re.compile(r"\([^)]*\)\s*")
_FIRST_BLOCKS = 4
_LEAST_WORDS = 5  # "New in version 2" does not describe its subject
_OF_THAT_NAME, _BEGINS = 4, 5  # ranks


class DefinitionQuestion:
    """The name whose meaning a question asks for. False for other questions."""

    def __init__(
        self,
        question: str,
        words: Sequence[QuestionWord],
        stems: Stems,
        blocks: Callable[[str], Iterable[str]],
    ) -> None:
        asks = _ASKS.match(question)
        name = _END.sub("", question[asks.end() :]) if asks else ""
        self._name = stems(name)
        self._length = len(_ARTICLE.sub("", name).split())
        self._words = frozenset(stem for word in words for stem in word.stems)
        self._stems = stems
        self._blocks = blocks

    def __bool__(self) -> bool:
        return bool(self._name)

    def introduced(self, excerpt: Excerpt) -> tuple[int, str] | None:
        """Return how well an excerpt defines the name, 0 for best, and the defining text."""
        first = list(islice(self._blocks(excerpt.markdown), _FIRST_BLOCKS + 1))
        ranked = [
            (rank, position)
            for position, block in enumerate(first[:_FIRST_BLOCKS])
            if is_prose(block)
            for rank in self._ranks(excerpt, block, is_first=position == 0)
        ]
        if not ranked:
            return None
        rank, position = min(ranked)
        shown = 2 if first[position].rstrip().endswith(":") else 1
        return rank, "\n\n".join(first[position : position + shown])

    def _ranks(self, excerpt: Excerpt, block: str, *, is_first: bool) -> Iterator[int]:
        names = [self._stems(name) for name in (excerpt.title, *excerpt.heading_path)]
        is_opening = not excerpt.heading_path
        said = self._said(block)
        if said and any(self._name <= name for name in (names[0], names[-1])):
            if _IS.match(said):
                yield 0 if is_opening else 1
            if _DOES.match(said):
                yield 2 if is_opening else 3
        if len(block.split()) < _LEAST_WORDS:
            return
        if is_first and names[-1] in (self._name, self._words):
            yield _OF_THAT_NAME
        if said and is_opening and not _ELSE.match(said):
            yield _BEGINS

    def _said(self, block: str) -> str:
        """Return what a paragraph says about a name at its start."""
        text = _ARTICLE.sub("", _MARKS.sub("", block))
        words = text.split(maxsplit=self._length)
        if len(words) <= self._length or self._stems(" ".join(words[:-1])) != self._name:
            return ""
        return _IN_BRACKETS.sub("", words[-1], count=1)


def is_prose(block: str) -> bool:
    """Report whether a block is a paragraph rather than a list, table, code or field."""
    return bool(_PROSE.match(block))
