"""Formats of models' answers: JSON objects, echoes, trailing follow-up questions."""

from __future__ import annotations

import json
import re

from docstead.assistant.writing.markdown_units import visible

#: The line before follow-up questions.
NEXT_MARK = "[next]"
_LEAST_REPEATED = 3
_POINTING_TEXT = "see refer to and or also the in passage passages source sources"
_POINTING = frozenset(_POINTING_TEXT.split())
_MOST_QUESTIONS = 3
_LONGEST_QUESTION = 200
_KEYS = "answer|response|reply|text|content|message|result|output"
_OBJECT = re.compile(rf"\s*(?:```\w*\s*)?\{{\s*\"(?:{_KEYS})\"\s*:\s*")
_MAY_BE_OBJECT = re.compile(r"\s*(?:`{1,3}\w*\s*)?(?:\{\s*\"?\w*\"?\s*:?\s*)?")
_LONGEST_OPENING = 60
_MARKUP = re.compile(r"://|\]\(|<|\bwww\.", re.IGNORECASE)
_LIST_MARK = re.compile(r"^[\s>*+-]*(?:\d+[.)]\s*)?")


def may_be_object(opening: str) -> bool:
    """Report whether an answer may be a JSON object with the answer as its first value."""
    if _OBJECT.match(opening):
        return True
    return len(opening) <= _LONGEST_OPENING and _MAY_BE_OBJECT.fullmatch(opening) is not None


def unwrapped(text: str) -> str:
    """Return the answer in a JSON object; other text is unchanged."""
    found = _OBJECT.match(text)
    if found is None:
        return text
    try:
        answer, _ = json.JSONDecoder(strict=False).raw_decode(text, found.end())
    except ValueError:
        return text
    return answer if isinstance(answer, str) else text


def says_nothing(text: str, question: str, *, points: bool) -> bool:
    """Report whether a sentence repeats the question, or only refers to passages: "See [1]"."""
    words = _words(text)
    repeats = len(words) >= _LEAST_REPEATED and words == _words(question)
    return repeats or bool(points and words and frozenset(words) <= _POINTING)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


class FurtherQuestions:
    """Removes the questions after `NEXT_MARK` from streamed text."""

    def __init__(self) -> None:
        self._held = ""
        self._asked: str | None = None

    def add(self, piece: str) -> str:
        """Return the text that belongs to the answer."""
        if self._asked is not None:
            self._asked += piece
            return ""
        text = self._held + piece
        before, mark, after = text.partition(NEXT_MARK)
        if mark:
            self._held, self._asked = "", after
            return before
        kept = len(text) - _length_of_beginning(text)
        self._held = text[kept:]
        return text[:kept]

    def rest(self) -> str:
        """Return text that was held back because it could begin the mark."""
        held, self._held = self._held, ""
        return held

    @property
    def questions(self) -> list[str]:
        """Return the questions without list marks, dropping lines with links or tags."""
        written = visible(self._asked or "").splitlines()
        lines = (_LIST_MARK.sub("", line).strip() for line in written)
        asked = [line for line in lines if line and len(line) <= _LONGEST_QUESTION]
        asked = [line for line in asked if not _MARKUP.search(line)]
        return list(dict.fromkeys(asked))[:_MOST_QUESTIONS]


def _length_of_beginning(text: str) -> int:
    """Return the length of a prefix of the mark at the end of a text."""
    lengths = range(min(len(text), len(NEXT_MARK) - 1), 0, -1)
    return next((length for length in lengths if NEXT_MARK.startswith(text[-length:])), 0)
