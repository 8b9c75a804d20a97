"""Incremental split of streamed Markdown into units that can be checked and removed.

A unit is a sentence, a heading, a whole code fence or a whole table. It is emitted as soon as it is
known to be complete, so that answers are streamed by sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

LONGEST_SENTENCE = 2_000  # maximum characters; a longer unit is split at a space
# Control characters, lone surrogates, bidirectional marks and invisible characters, which
# hide text from readers.
_WINDOW = 2 * LONGEST_SENTENCE  # characters searched for the end of a sentence
_LONGEST_ROW = 2 * LONGEST_SENTENCE
_HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    r"\ufeff\ufff9-\ufffb\ue000-\uf8ff\ud800-\udfff\U000e0000-\U000e0fff]"
)
_BLANK_LINE = re.compile(r"[ \t]*\n")
_FENCE = re.compile(r"[ \t]*(?:>[ \t]?|[-*+][ \t]+|\d{1,4}[.)][ \t]+)*(`{3,}|~{3,})")
_TABLE = re.compile(r"[ \t]*(?:>[ \t]?)*\|")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]")
_LEAD = re.compile(
    r"(?:[ \t]|>|(?:[-*+]|\d{1,4}[.)])(?=[ \t]|$)[ \t]*(?:\[[ xX]\][ \t])?|#{1,6}[ \t])*"
)
_NEW_BLOCK = re.compile(r"[ \t]*(?:>|[-*+][ \t]|\d{1,4}[.)][ \t]|#{1,6}[ \t]|`{3,}|~{3,}|\||\n)")
_MAY_BE_BLOCK = re.compile(r"[ \t]*(?:[-*+]|\d{1,4}[.)]?|#{1,6}|`{1,2}|~{1,2})?\Z")
_MARKS = r"(?:[ \t]*\[\^?\d+(?:[ \t]*,[ \t]*\^?\d+)*\])*"
_END = re.compile(rf"(?:[.!?…]+[*_\"'”’)\]]*|:[*_]*(?=[ \t]*\Z)|[。！？]+[」』）”]*){_MARKS}")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|fig|resp|incl|max|min|dr|mr|ms|st)|(?<![\w.])[A-Z]"
    r"|(?:^|[\s(])\.{1,3})\.?\Z",
    re.IGNORECASE,
)
_HARD_END = re.compile(r"[.!?…:。！？|][*_\"'”’)\]]*" + _MARKS + r"[ \t]*\Z")
_MAY_MATTER = re.compile(r"[\[\]`<|\n\\&]")
_WIDE_END = "。！？"
_LINK = re.compile(r"\[[^\[\]\n]*\]\((?:[^()\n]|\([^()\n]*\))*\)")
_MAY_BE_LINK = re.compile(r"\[[^\[\]\n]*(?:\](?:\((?:[^()\n]|\([^()\n]*\)?)*)?)?\Z")


class UnitKind(Enum):
    PROSE = "prose"
    HEADING = "heading"
    FENCE = "fence"
    TABLE = "table"
    BREAK = "break"  #: Blank lines and other text without content.


@dataclass(frozen=True, slots=True)
class MarkdownUnit:
    """`lead` is the list mark or indentation before the text, `tail` the whitespace after it."""

    kind: UnitKind
    text: str
    lead: str = ""
    tail: str = ""

    @property
    def markdown(self) -> str:
        return self.lead + self.text + self.tail


class MarkdownSplitter:
    """Splits text passed to `add`; `rest` returns what is left. Hidden characters are dropped.

    With `by_word`, sentences are emitted in parts, if they are not checked.
    """

    def __init__(self, *, by_word: bool = False) -> None:
        self._by_word = by_word
        self._held = ""
        self._at_line_start = True
        self._searched = 0  # start of the last line of an open fence or table

    def add(self, piece: str) -> Iterator[MarkdownUnit]:
        self._held += visible(piece)
        yield from self._complete(final=False)

    def rest(self) -> Iterator[MarkdownUnit]:
        yield from self._complete(final=True)

    def _complete(self, *, final: bool) -> Iterator[MarkdownUnit]:
        while self._held:
            unit = self._next(final=final)
            if unit is None:
                return
            self._held = self._held[len(unit.markdown) :]
            self._searched = 0
            self._at_line_start = unit.markdown.endswith("\n")
            yield unit

    def _block(self, text: str, *, final: bool) -> MarkdownUnit | None:
        """Return the fence or table at the start, or None while it is incomplete."""
        if mark := _FENCE.match(text):
            block = _fence(text, mark, self._searched, final=final)
        elif _TABLE.match(text) and not _is_overlong_row(text):
            block = _table(text, self._searched, final=final)
        else:
            return _NO_BLOCK
        self._searched = text.rfind("\n") + 1
        return block

    def _next(self, *, final: bool) -> MarkdownUnit | None:
        text = self._held
        blank = _blank_length(text)
        if blank:
            return MarkdownUnit(UnitKind.BREAK, text[:blank])
        if self._at_line_start:
            if not final and "\n" not in text and _MAY_BE_BLOCK.match(text):
                return None
            block = self._block(text, final=final)
            if block is not _NO_BLOCK:
                return block
        sentence = _sentence(text, at_line_start=self._at_line_start, final=final)
        if sentence is None and self._by_word:
            return _words(text, at_line_start=self._at_line_start)
        return sentence


_NO_BLOCK = MarkdownUnit(UnitKind.BREAK, "")


def visible(text: str) -> str:
    """Return the text without invisible characters."""
    return _HIDDEN.sub("", text)


def _blank_length(text: str) -> int:
    found = _BLANK_LINE.match(text)
    return found.end() if found else 0


def _fence(text: str, mark: re.Match[str], searched: int, *, final: bool) -> MarkdownUnit | None:
    first_line_end = text.find("\n", mark.end())
    if first_line_end >= 0:
        closing = re.compile(rf"^[ \t]*(?:>[ \t]?)*{re.escape(mark[1])}[`~]*[ \t]*(?:\n|\Z)", re.M)
        end = closing.search(text, max(first_line_end + 1, searched))
        if end and (end[0].endswith("\n") or final):
            return MarkdownUnit(UnitKind.FENCE, text[: end.end()])
    if not final:
        return None
    # Text after a truncated answer must not become part of its code.
    return MarkdownUnit(UnitKind.FENCE, text if text.endswith("\n") else f"{text}\n")


def _is_overlong_row(text: str, position: int = 0) -> bool:
    """Report whether a line is too long for a row, so that it is split like prose."""
    end = text.find("\n", position)
    return (len(text) if end < 0 else end) - position > _LONGEST_ROW


def _table(text: str, searched: int, *, final: bool) -> MarkdownUnit | None:
    position = searched
    while position < len(text) and _TABLE.match(text, position):
        if _is_overlong_row(text, position):
            break
        end = text.find("\n", position)
        if end < 0:
            return MarkdownUnit(UnitKind.TABLE, text) if final else None
        position = end + 1
    if position == len(text) and not final:
        return None  # another row may follow
    return MarkdownUnit(UnitKind.TABLE, text[:position])


def _sentence(text: str, *, at_line_start: bool, final: bool) -> MarkdownUnit | None:
    lead = _LEAD.match(text)[0] if at_line_start else ""  # type: ignore[index]
    kind = UnitKind.HEADING if _HEADING.match(text) else UnitKind.PROSE
    is_long = len(text) > _WINDOW
    end = _sentence_end(
        text[:_WINDOW], len(lead), is_heading=kind is UnitKind.HEADING, final=final and not is_long
    )
    if end is None and is_long:
        end = _forced_cut(text)
    if end is None:
        return None
    body = text[len(lead) : end]
    said = body.rstrip()
    if not said:
        return MarkdownUnit(UnitKind.BREAK, body, lead)
    return MarkdownUnit(kind, said, lead, body[len(said) :])


def _words(text: str, *, at_line_start: bool) -> MarkdownUnit | None:
    """Return complete words of plain text; possible code or links wait for their end."""
    lead = _LEAD.match(text)[0] if at_line_start else ""  # type: ignore[index]
    said = text[len(lead) : max(len(lead), text.rfind(" "))].rstrip()
    if not said or _MAY_MATTER.search(said):
        return None
    return MarkdownUnit(UnitKind.PROSE, said, lead)


def _sentence_end(text: str, start: int, *, is_heading: bool, final: bool) -> int | None:
    """Return the end of the sentence at `start` with its whitespace; None if unknown."""
    position = start
    while position < len(text):
        stop = _next_stop(text, position)
        if stop is None:
            break
        if text[stop] == "\n":
            ends = is_heading or _line_ends(text, start, stop, final=final)
            if ends is None:
                return None
            if ends:
                return stop + 1
            position = stop + 1
            continue
        found = None if is_heading else _END.match(text, stop)
        end = found.end() if found else stop + 1
        verdict = _ends_here(text, start, stop, end, final=final) if found else False
        if verdict is None:
            return None
        if verdict:
            return end + _blanks(text, end)
        position = max(end, stop + 1)
    if final:
        return len(text)
    return _forced_cut(text) if len(text) > LONGEST_SENTENCE else None


def _next_stop(text: str, position: int) -> int | None:
    """Return the next line end or sentence end outside of code and link targets."""
    while position < len(text):
        character = text[position]
        if character == "`":
            position = _code_end(text, position)
        elif character == "[":
            position = _bracket_end(text, position)
        elif character in ".!?…。！？\n":
            return position
        else:
            position += 1
    return None


def _code_end(text: str, position: int) -> int:
    """Return the end of the code span that begins here; code spans end within their line."""
    marks = re.compile(r"`+").match(text, position)
    assert marks is not None  # noqa: S101 - the caller stands at one
    closing, line_end = text.find(marks[0], marks.end()), text.find("\n", marks.end())
    if closing >= 0 and (line_end < 0 or closing < line_end):
        return closing + len(marks[0])
    return marks.end() if line_end >= 0 else len(text)


def _bracket_end(text: str, position: int) -> int:
    """Return the end of a link, or of the bracket only; the text's end while unknown."""
    if link := _LINK.match(text, position):
        return link.end()
    return len(text) if _MAY_BE_LINK.match(text, position) else position + 1


def _line_ends(text: str, start: int, stop: int, *, final: bool) -> bool | None:
    """Report whether a line's end ends a sentence; None if the next line decides."""
    if _HARD_END.search(text, start, stop):
        return True
    after = text[stop + 1 :]
    if _NEW_BLOCK.match(after):
        return True
    if not final and (not after or _MAY_BE_BLOCK.match(after)):
        return None
    return False


def _ends_here(text: str, start: int, stop: int, end: int, *, final: bool) -> bool | None:
    """Report whether the mark at `stop` ends the sentence; None if the next character decides."""
    following = text[end:].lstrip(" \t")[:1]
    if not following:
        return True if final else None
    if text[stop] in _WIDE_END or following == "\n":
        return True
    if not text[end].isspace() or (following != "[" and _ABBREVIATION.search(text, start, stop)):
        return False
    if following == "[":
        return _is_no_mark(text[end:].lstrip(" \t"), final=final)
    return not following.islower()


def _is_no_mark(text: str, *, final: bool) -> bool | None:
    """Report whether text that begins with a bracket is not a citation."""
    if re.match(r"\[\^?\d[\d,^ \t]*\](?!\()", text):
        return False
    if re.match(r"\[\^?\d*[\d,^ \t]*\]?\Z", text) and not final:
        return None
    return True


def _blanks(text: str, position: int) -> int:
    found = re.compile(r"[ \t]*").match(text, position)
    return len(found[0]) if found else 0


def _forced_cut(text: str) -> int:
    blank = text.rfind(" ", 0, LONGEST_SENTENCE)
    return blank + 1 if blank > 0 else LONGEST_SENTENCE
