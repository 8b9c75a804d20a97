"""Splitting of sections into passages, the unit of search and quotes.

Long sections are split between blocks. A code fence, list or table is one block and is only split,
between its lines, if it is too long; each part of a table repeats its head.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from docstead.base.texts import count_words

MOST_WORDS = 200  # By measurement, longer passages rank worse and shorter ones quote worse.
_WORD_CHARACTERS = 50  # bounds a piece to 10,000 characters

_FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
_LABEL = re.compile(r"\s*\*\*(?P<text>[^*\n]+)\*\*:?\s*")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s")
_OWN_HEADING = re.compile(r"\A\s*#{1,6}\s[^\n]*\n?")
_TABLE_ROW = re.compile(r"^\s*\|")
_TABLE_HEAD_LINES = 2
_FIELD = re.compile(r"^\s*`[^`\n]+` \([^\n]*\)\s*$")  # a parameter
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")


def split_section(markdown: str) -> list[str]:
    """Split a section into pieces of at most `MOST_WORDS`; [] if it is blank.

    The heading is omitted, because every passage has its heading path in addition to its text.
    """
    return split_blocks(body_blocks(markdown))


def body_blocks(markdown: str) -> Iterator[str]:
    """Return the blocks of a section without its own heading."""
    return blocks(without_own_heading(markdown))


def without_own_heading(markdown: str) -> str:
    return _OWN_HEADING.sub("", markdown)


def split_blocks(found: Iterable[str]) -> list[str]:
    """Group blocks into pieces of at most `MOST_WORDS`, none ending with an introduction."""
    pieces: list[list[str]] = []
    size = 0
    for block in _fitting(found):
        words = _size(block)
        if not pieces or size + words > MOST_WORDS:
            pieces.append(_introducing(pieces[-1]) if pieces else [])
            size = _size("\n".join(pieces[-1]))
        pieces[-1].append(block)
        size += words
    return ["\n\n".join(piece) for piece in pieces]


def introduces(block: str) -> bool:
    """Report whether a block introduces the next: a line in bold, or one that ends with a colon."""
    text = block.rstrip()
    is_prose = not (_FENCE.match(text) or _ITEM.match(text) or _TABLE_ROW.match(text))
    return is_prose and (text.removesuffix("**").endswith(":") or bool(_LABEL.fullmatch(text)))


def label(block: str) -> str:
    """Return the text of a block that is a line in bold, or ""."""
    found = _LABEL.fullmatch(block)
    return found["text"].strip() if found else ""


def is_field(block: str) -> bool:
    """Report whether a block is a parameter with its description."""
    return bool(_FIELD.match(block.partition("\n")[0]))


def _introducing(piece: list[str]) -> list[str]:
    """Remove and return the introducing blocks at the end of a piece, unless all are."""
    begin = len(piece)
    while begin > 0 and introduces(piece[begin - 1]):
        begin -= 1
    taken = piece[begin:] if begin else []
    del piece[begin if begin else len(piece) :]
    return taken


def blocks(markdown: str) -> Iterator[str]:
    """Yield paragraphs, lists, tables and fences unchanged.

    Indented text after a list item, and items separated by blank lines, belong to one list; the
    first paragraph after a parameter belongs to it.
    """
    block: list[str] = []
    for line, inside_fence in _lines(markdown):
        if block and not inside_fence and _begins_block(block, line):
            yield "\n".join(block).rstrip()
            block = []
        if block or line.strip():
            block.append(line)
    if block:
        yield "\n".join(block).rstrip()


def _lines(markdown: str) -> Iterator[tuple[str, bool]]:
    """Yield each line, and whether it continues a fence."""
    fence = ""
    for line in markdown.splitlines():
        yield line, bool(fence)
        mark = _FENCE.match(line)
        if fence and mark and mark[1].startswith(fence) and line.strip() == mark[1]:
            fence = ""
        elif mark and not fence:
            fence = mark[1]


def _begins_block(block: list[str], line: str) -> bool:
    """Report whether a line outside of fences starts a new block."""
    if not line.strip():
        return False
    if _FIELD.match(block[0]) and not any(each.strip() for each in block[1:]):
        return bool(_FIELD.match(line) or _FENCE.match(line))
    if _ITEM.match(block[0]) and (line[0].isspace() or _ITEM.match(line)):
        return False
    if _FENCE.match(line) or _FENCE.match(block[0]):
        return True
    return not block[-1].strip()


def _fitting(found: Iterable[str]) -> Iterator[str]:
    for block in found:
        if _size(block) <= MOST_WORDS:
            yield block
        elif _FENCE.match(block):
            yield from _cut_fence(block)
        elif _TABLE_ROW.match(block):
            yield from _cut_table(block)
        else:
            yield from _cut_lines(block.splitlines(), MOST_WORDS)


def _cut_fence(block: str) -> Iterator[str]:
    opening, *body = block.splitlines()
    mark = _FENCE.match(opening)
    closing = mark[1] if mark else "```"
    if _size(opening) > MOST_WORDS // 2:
        opening = closing
    if body and body[-1].strip() == closing:
        body.pop()
    for part in _cut_lines(body, MOST_WORDS):
        yield f"{opening}\n{part}\n{closing}"


def _cut_table(block: str) -> Iterator[str]:
    """Yield the parts of a table, each with its head."""
    lines = block.splitlines()
    head = "\n".join(lines[:_TABLE_HEAD_LINES])
    if _size(head) > MOST_WORDS:  # too long to be repeated
        yield from _cut_lines(lines, MOST_WORDS)
        return
    left = max(MOST_WORDS - _size(head), MOST_WORDS // 2)
    for part in _cut_lines(lines[_TABLE_HEAD_LINES:], left):
        yield f"{head}\n{part}"


def _cut_lines(lines: list[str], most_words: int) -> Iterator[str]:
    part: list[str] = []
    size = 0
    for line in _short_lines(lines, most_words):
        words = _size(line)
        if part and size + words > most_words:
            yield "\n".join(part)
            part, size = [], 0
        part.append(line)
        size += words
    if part:
        yield "\n".join(part)


def _short_lines(lines: list[str], most_words: int) -> Iterator[str]:
    """Yield lines that fit into a piece; longer ones are split at sentences, or anywhere."""
    for line in lines:
        if _size(line) <= most_words:
            yield line
        else:
            for sentence in _SENTENCE_END.split(line):
                yield from _cut_words(sentence, most_words)


def _cut_words(sentence: str, most_words: int) -> Iterator[str]:
    if _size(sentence) <= most_words:
        yield sentence
    elif len(words := sentence.split()) > most_words:
        for i in range(0, len(words), most_words):
            yield from _cut(" ".join(words[i : i + most_words]), most_words * _WORD_CHARACTERS)
    else:
        is_wide = count_words(sentence) > most_words
        yield from _cut(sentence, most_words * (1 if is_wide else _WORD_CHARACTERS))


def _cut(text: str, length: int) -> Iterator[str]:
    return (text[i : i + length] for i in range(0, len(text), length))


def _size(text: str) -> int:
    """Count words; a word that no language has counts as several."""
    return max(count_words(text), len(text) // _WORD_CHARACTERS)
