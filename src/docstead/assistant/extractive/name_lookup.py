"""Lookup of listed names: parameters, fields, settings and status codes.

Listed are fields ("`name` (type)" and the following text), table rows by their first cell, list
items that begin with a name, and statuses of an operation ("**404**").
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

_MOST_ENTRIES = 3
_MOST_LINES = 16  # characters of one entry
_LEAST_SAID = 3  # words of an item after its name

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_FIELD = re.compile(r"(?P<indent>\s*)`(?P<name>/?[^`/\n]+)`(?: \([^\n]*\))?\s*$")
_STATUS = re.compile(r"(?P<indent>\s*)\*\*(?P<name>[1-5]\d\d)\b[^*\n]{0,40}\*\*\s*$")
_ITEM = re.compile(
    r"(?P<indent>\s*)(?:[-*+]|\d+[.)])\s+(?:\*\*)?(?P<name>`[^`\n]+`(?:(?:, | / | or )`[^`\n]+`)*"
    r"|(?<=\*\*)[^*`\n]{1,60})(?:\*\*)?\s*(?P<rest>.*)$"
)
_BOLD = re.compile(r"\s*\*\*[^*\n]+\*\*\s*$")
_ROW = re.compile(r"\s*\|(?P<name>(?:[^|\\]|\\.)+)\|")
_RULE = re.compile(r"\s*\|[\s|:-]+$")
_CODE = re.compile(r"`([^`]+)`")
_TOKEN = re.compile(r"[\w$@/][\w.$@/\[\]-]*")
_IDENTIFIER = re.compile(r"\w[_.$/-]\w|[a-z][A-Z]|^[A-Z][A-Z\d_]{3,}$|^[1-5]\d\d$|^-{1,2}\w|\(\)$")
_KINDS = (
    r"(?:param(?:eter)?|option|field|setting|argument|arg|variable|property|header|flag|attribute"
    r"|prop)s?"
)
_KIND = re.compile(_KINDS, re.IGNORECASE)
_OF_A_KIND = re.compile(
    # Anchored at the start of a name: other starts would take quadratic time.
    rf"(?<![\w.$-])[.$-]*\b([\w.$-]+)\s+{_KINDS}\b|\b{_KINDS}\s+(?:called\s+|named\s+)?([\w.$-]+)",
    re.IGNORECASE,
)


# Words of a question that asks for nothing but the entry of a name.
_OTHER_WORDS_TEXT = """
a about an and are as by can code codes default defaults do does error errors exactly explain for
get gets give happen happens have header how i if in is it its look me mean meaning means my of on
or please required response return returned returns s set show stand stands status tell that the
there this to type types up use used uses value values we what when which why will with work works
you
"""
_OTHER_WORDS = frozenset(_OTHER_WORDS_TEXT.split())


@dataclass(frozen=True, slots=True)
class NameDescription:
    """Description of a name. `table` is the head of its table."""

    names: tuple[str, ...]
    markdown: str
    table: str = ""


class AskedNames:
    """Names in a question. `is_all` means that it asks for nothing else."""

    def __init__(self, question: str) -> None:
        coded = {name.strip() for name in _CODE.findall(question)}
        tokens = {token.rstrip(".-/") for token in _TOKEN.findall(question)}
        clear = {each for each in tokens if _IDENTIFIER.search(each)}
        self._clear = {_bare(each) for each in coded | clear}
        # An ordinary word counts as a name if the question states its kind.
        said = (word for pair in _OF_A_KIND.findall(question) for word in pair if word)
        self._all = self._clear | {_bare(each) for each in said}

        words = (token.rstrip(".-/") for token in _TOKEN.findall(_CODE.sub(" ", question)))
        self.is_all = all(
            _bare(word) in self._clear or word.lower() in _OTHER_WORDS or _KIND.fullmatch(word)
            for word in words
        )

    def __bool__(self) -> bool:
        return bool(self._all)

    def asks_for(self, entry: NameDescription) -> bool:
        return not self._all.isdisjoint(map(_bare, entry.names))

    def is_clear(self, entry: NameDescription) -> bool:
        """Report whether an entry can only mean the name."""
        return not self._clear.isdisjoint(map(_bare, entry.names))


def looked_up(markdown: str, asked: AskedNames) -> str:
    """Return the entries of a text with these names, or ""."""
    if not asked:
        return ""
    found = [entry for entry in entries(markdown) if asked.asks_for(entry)]
    clear = [entry for entry in found if asked.is_clear(entry)]
    return _written((clear or found)[:_MOST_ENTRIES])


def is_listed(markdowns: Iterable[str], asked: AskedNames) -> bool:
    """Report whether a text lists the only name in the question, so that it is the answer."""
    if not asked or not asked.is_all:
        return False
    return any(asked.is_clear(entry) for each in markdowns for entry in entries(each))


def repeated_code(question: str, markdown: str) -> frozenset[str]:
    """Return code of several words that a question has, too: `402 Payment Required`."""
    asked = " ".join(question.lower().split())
    text = "\n".join(_outside_fences(markdown.splitlines()))
    phrases = {" ".join(code.lower().split()) for code in _CODE.findall(text) if " " in code}
    return frozenset(
        phrase
        for phrase in phrases
        if phrase in asked and re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", asked)
    )


def entries(markdown: str) -> Iterator[NameDescription]:
    lines = list(_outside_fences(markdown.splitlines()))
    head: list[str] = []
    for position, line in enumerate(lines):
        if row := _ROW.match(line):
            if len(head) > 1 and not _RULE.match(line):
                yield NameDescription(_names(row["name"]), line.strip(), "\n".join(head[:2]))
            head.append(line.strip())
            continue
        head = []
        if item := _ITEM.match(line):
            if len(item["rest"].split()) >= _LEAST_SAID:
                yield NameDescription(
                    _names(item["name"]), _entry(lines, position, item["indent"], is_item=True)
                )
        elif field := _FIELD.match(line) or _STATUS.match(line):
            yield NameDescription(
                _names(field["name"]), _entry(lines, position, field["indent"], is_item=False)
            )


def _entry(lines: Sequence[str], position: int, indent: str, *, is_item: bool) -> str:
    """Return a line and those that belong to it, up to the next entry."""
    kept = [lines[position]]
    for line in lines[position + 1 : position + _MOST_LINES]:
        text = line.strip()
        outside = bool(text) and len(line) - len(line.lstrip()) < len(indent)
        if outside or _BOLD.match(line) or _FIELD.match(line):
            break
        if is_item and text and not line.startswith(f"{indent} "):
            break
        if text.startswith(("#", "```", "~~~", "|")):
            break
        kept.append(line)
    return textwrap.dedent("\n".join(kept)).strip()


def _written(found: Iterable[NameDescription]) -> str:
    """Return rows, grouped below their table heads."""
    parts: list[str] = []
    table = ""
    for entry in found:
        if entry.table and entry.table == table:
            parts[-1] += f"\n{entry.markdown}"
        else:
            parts.append(f"{entry.table}\n{entry.markdown}".strip())
        table = entry.table
    return "\n\n".join(dict.fromkeys(parts))


def _outside_fences(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines with those of code fences blanked."""
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
            yield "```"
        else:
            fence = mark[1] if mark else ""
            yield line


def _names(text: str) -> tuple[str, ...]:
    coded = _CODE.findall(text)
    return tuple(coded) if coded else (text.replace("**", "").strip(" :—-"),)


def _bare(name: str) -> str:
    """Normalize a name: without brackets, quotes and case."""
    return re.sub(r"\(.*\)$|^-+|[\"'\[\]{}:?]", "", name.strip()).lower()
