"""Entries within a section: questions with answers, and errors with solutions.

They are written as a line in bold with the text below (as accordions are in Markdown), or as rows
of a table of symptoms. Each entry is a separate passage whose last heading is that line or the
first cell, so that it is found and quoted separately.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from docstead.search.chunks import body_blocks, label, split_blocks

_QUESTION = re.compile(r"Q\d+[.:)]|.*\?$")
_NUMBER = re.compile(r"Q\d+[.:)]\s*")
_ANSWER = re.compile(r"\A\s*A:\s+")
_LISTING = re.compile(
    r"\b(?:faqs?|questions|troubleshoot\w*|problems|issues|errors|pitfalls)\b", re.IGNORECASE
)  # headings of sections with entries that are not questions
_SYMPTOMS = re.compile(
    r"\s*\|[\s*]*(?:symptom|problem|question|issue|error message|(?:what )?you see)s?[\s*]*\|",
    re.IGNORECASE,
)  # first cell of such a table
_ROW = re.compile(r"\s*\|(?P<first>(?:[^|\\]|\\.)+)\|")
_HEAD_LINES = 2
_LONGEST_HEAD = 2_000  # characters; every row repeats it
_LEAST_WORDS = 3  # labels within such an entry, such as "Solution"


def split_entries(markdown: str, headings: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the passages of a section with the label of their entry, or "".

    `headings` are those of the section, including the page's title.
    """
    for name, own in _entries(body_blocks(markdown), headings):
        for piece in split_blocks(each for each in own if not _SYMPTOMS.match(each)):
            yield name, piece
        for table in filter(_SYMPTOMS.match, own):
            yield from _rows(table)


def _entries(blocks: Iterable[str], headings: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield label and blocks of each entry, first "" and the blocks before them."""
    lists = any(map(_LISTING.search, headings))
    name, own = "", list[str]()
    for block in blocks:
        begun = _entry_label(block, lists=lists)
        if begun and (own or not name):
            yield name, own
            name, own = begun, []
        else:
            own.append(_ANSWER.sub("", block, count=1) if name and not own else block)
    yield name, own


def _entry_label(block: str, *, lists: bool) -> str:
    text = label(block)
    is_one = _QUESTION.match(text) or (lists and len(text.split()) >= _LEAST_WORDS)
    return _NUMBER.sub("", text) if is_one else ""


def _rows(table: str) -> Iterator[tuple[str, str]]:
    """Yield the first cell of each row, and the row with the table's head."""
    lines = table.splitlines()
    head = "\n".join(lines[:_HEAD_LINES])[:_LONGEST_HEAD]
    for line in lines[_HEAD_LINES:]:
        if row := _ROW.match(line):
            first = row["first"].strip()
            name = first.replace("`", "").replace("**", "")
            for piece in split_blocks([f"{head}\n{line}"]):
                yield name, piece
