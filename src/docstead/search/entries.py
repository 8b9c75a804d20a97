"""Entries of a section: questions with their answers, and errors with what to do.

Documentation writes them as a line in bold and the text below it, as accordions are in Markdown,
or as rows of a table of symptoms. Each is a passage of its own with that line, or the first cell,
as its last heading, so that it is found and quoted without the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from docstead.search.chunks import body_blocks, label, split_blocks

_QUESTION = re.compile(r"Q\d+[.:)]|.*\?$")
_NUMBER = re.compile(r"Q\d+[.:)]\s*")
_ANSWER = re.compile(r"\s*A:\s+")
_LISTING = re.compile(
    r"\b(?:faqs?|questions|troubleshoot\w*|problems|issues|errors|pitfalls)\b", re.IGNORECASE
)  # headings of sections with entries that are no questions
_SYMPTOMS = re.compile(
    r"\s*\|[\s*]*(?:symptom|problem|question|issue|error message|(?:what )?you see)s?[\s*]*\|",
    re.IGNORECASE,
)  # the first cell of such a table
_ROW = re.compile(r"\s*\|\s*(?P<first>(?:[^|\\]|\\.)+?)\s*\|")
_HEAD_LINES = 2
_LEAST_WORDS = 3  # of such an entry: "Solution" is part of one


def split_entries(markdown: str, headings: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the passages of a section, each with the label of its entry, "" for one of none.

    `headings` are those of the section, the title of its page included.
    """
    for name, own in _entries(body_blocks(markdown), headings):
        for piece in split_blocks(each for each in own if not _SYMPTOMS.match(each)):
            yield name, piece
        for table in filter(_SYMPTOMS.match, own):
            yield from _rows(table)


def _entries(blocks: Iterable[str], headings: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the label and the blocks of each entry; first "" and the blocks before them."""
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
    """Yield the first cell of each row, and the row below the head of its table."""
    lines = table.splitlines()
    head = "\n".join(lines[:_HEAD_LINES])
    for line in lines[_HEAD_LINES:]:
        if row := _ROW.match(line):
            yield row["first"].replace("`", "").replace("**", ""), f"{head}\n{line}"
