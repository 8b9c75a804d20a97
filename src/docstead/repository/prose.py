"""Non-prose parts of an MDX page, which replacements of words skip.

Blocks are read across lines. Each kind is searched in the text without the previous ones, and
searches only move forward, so the time is linear even for hostile pages.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from docstead.repository.frontmatter import split
from docstead.repository.markdown_text import Ranges, blanked, code_ranges, enclosed
from docstead.repository.positions import Diagnostics

_HEAD_VALUE = re.compile(
    r"(?:title|sidebarTitle|description|keywords|[\w-]+:(?:title|description))[ \t]*:(?=\s)"
    r"|[\"'](?:og|twitter):(?:title|description)[\"'][ \t]*:(?=\s)"
)
_HEAD_KEY = re.compile(r"[^\s-]")  # begins an entry; other lines continue the previous one
_EMPTY_LINE = re.compile(r"\n[ \t]*(?=\n)")
_MODULE_LINE = re.compile(r"^(?:import|export)\b(?=[ \t]*[\w{*\"'])", re.MULTILINE)
_BRACES = re.compile(r"\\.|[{}\"'`]", re.DOTALL)
_TAG = re.compile(r"(?<!\\)</?(?:(?P<name>[A-Za-z][\w.:-]*)|(?=>))")
_TAG_PART = re.compile(r"[\"'<>]")
_CODE_ELEMENTS = frozenset({"code", "pre", "samp", "kbd", "style", "script"})
_URL = re.compile(
    r"(?:https?://|mailto:)\S+|(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+"
    r"|\]\([^()]{0,2000}(?:\([^()]{0,200}\)[^()]{0,2000}){0,20}\)"
)
_DEFINITION = re.compile(r"^ {0,3}\[(?P<label>[^\[\]\n^]{1,200})\]:[ \t]*\S.*$", re.MULTILINE)
_LABEL = re.compile(r"\[(?P<note>\^)?(?P<label>[^\[\]\n]{1,200})\]")


def markup_ranges(page: str) -> Ranges:
    """Return the disjoint non-prose ranges of a page, in order.

    These are code, comments, tags with attributes, expressions, imports and exports, formulas,
    URLs, reference labels, and frontmatter except titles, descriptions and keywords.
    """
    text = page.replace("\r\n", " \n")
    found: Ranges = []
    for find in (_head, code_ranges, _formulas, _program, _tags, _references, _urls):
        ranges = find(text)
        found += ranges
        text = blanked(text, ranges)
    return list(_merged(found))


def _head(text: str) -> Ranges:
    """Return lines of the frontmatter; of those with prose only the key."""
    body = len(text) - len(split(text, "", Diagnostics()).body)
    found: Ranges = []
    at, is_prose = 0, False
    for line in text[:body].splitlines(keepends=True):
        value = _HEAD_VALUE.match(line)
        if value or _HEAD_KEY.match(line) or line.startswith("---"):
            is_prose = value is not None
        start = at + (value.end() if value else 0)
        if value or not is_prose:
            found.append((at, start if value else at + len(line)))
        at += len(line)
    return found


def _formulas(text: str) -> Ranges:
    return enclosed(text, "$$", "$$")


def _program(text: str) -> Ranges:
    """Return expressions, and blocks of imports and exports."""
    expressions = _expressions(text)
    return list(_merged([*expressions, *_modules(text, expressions)]))


def _expressions(text: str) -> Ranges:
    """Return pairs of braces. Quotes within them begin strings, except within words ("don't")."""
    found: Ranges = []
    opened: list[int] = []
    at = 0
    while mark := _BRACES.search(text, at):
        at, sign = mark.end(), mark.group()
        if sign == "{":
            opened.append(mark.start())
        elif sign == "}" and opened:
            start = opened.pop()
            while found and found[-1][0] > start:
                found.pop()
            found.append((start, at))
        elif opened and len(sign) == 1 and sign in "\"'`":
            at = _string_end(text, mark.start()) or at
    return found


def _string_end(text: str, start: int) -> int | None:
    """Return the end of a string literal; those in single quotes end within their line."""
    end = text.find(text[start], start + 1)
    if end < 0 or text[start - 1 : start].isalnum():
        return None
    is_broken = text[start] != "`" and text.find("\n", start, end) >= 0
    return None if is_broken else end + 1


def _modules(text: str, expressions: Ranges) -> Iterator[tuple[int, int]]:
    done = 0
    for line in _MODULE_LINE.finditer(text):
        start = line.start()
        if start < done or not _begins_block(text, start, done):
            continue
        done = start
        while done < len(text):
            empty = _EMPTY_LINE.search(text, done)
            done = empty.end() if empty else len(text)
            at = bisect_right(expressions, (done, done)) - 1
            if at < 0 or not expressions[at][0] < done < expressions[at][1]:
                break
            done = expressions[at][1]
        yield start, done


def _begins_block(text: str, start: int, done: int) -> bool:
    """Report whether only whitespace precedes on the line, or a block start in the page."""
    before = text[text.rfind("\n", 0, max(start - 1, 0)) + 1 : start]
    return not before.strip() or start == done


def _tags(text: str) -> Ranges:
    """Return tags, and whole elements that contain code."""
    found: Ranges = []
    at, element = 0, ""
    while tag := _TAG.search(text, at):
        at, is_closed = _tag_end(text, tag.end())
        if not is_closed:
            continue
        name = (tag["name"] or "").lower()
        is_opening = text[tag.start() + 1] != "/"
        if element:
            found[-1] = (found[-1][0], at) if name == element and not is_opening else found[-1]
            element = "" if name == element and not is_opening else element
            continue
        found.append((tag.start(), at))
        if is_opening and name in _CODE_ELEMENTS and text[at - 2] != "/":
            element = name
    return found


def _tag_end(text: str, at: int) -> tuple[int, bool]:
    """Return the end of a tag and True, or the offset at which to continue and False."""
    while part := _TAG_PART.search(text, at):
        if part.group() == ">":
            return part.end(), True
        if part.group() == "<":
            return part.start(), False
        end = text.find(part.group(), part.end())
        if end < 0:
            return part.end(), False
        at = end + 1
    return len(text), False


def _references(text: str) -> Ranges:
    """Return link definitions, their labels, and footnote marks."""
    definitions = list(_DEFINITION.finditer(text))
    labels = {_label(each) for each in definitions}
    found = [each.span() for each in definitions]
    for each in _LABEL.finditer(text):
        is_second = text[each.start() - 1 : each.start()] == "]"
        if each["note"] or is_second or _label(each) in labels:
            found.append(each.span())
    return list(_merged(found))


def _label(match: re.Match[str]) -> str:
    return " ".join(match["label"].lower().split())


def _urls(text: str) -> Ranges:
    return [each.span() for each in _URL.finditer(text)]


def _merged(ranges: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the ranges in order, merging overlaps."""
    held: tuple[int, int] | None = None
    for start, end in sorted(ranges):
        if held and start < held[1]:
            held = held[0], max(held[1], end)
            continue
        if held:
            yield held
        held = start, end
    if held:
        yield held
