"""Which part of a section to quote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docstead.models.evidence import Stems, Word

_MOST_SENTENCES = 3
_MOST_WORDS_OF_SECOND = 90
_LEAST_WEIGHT_OF_SECOND = 0.25
_MOST_INTRODUCTION_WORDS = 45
_MOST_CODE_LINES = 40
_MOST_LIST_ITEMS = 12
_MOST_TABLE_ROWS = 6
_CODE_CREDIT = 0.6
_LENGTH_PENALTY = 0.012  # per word: of two that say the same, the shorter
_POSITION_BONUS = 0.15  # for the first paragraph, which says what the section is about
_STEPS_BONUS = 0.6  # for step lists and code when the question asks how

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ORDERED = re.compile(r"\s*\d+[.)]\s")
_ITEM = re.compile(r"(?:[-*+]|\d+[.)])\s")
_TABLE_ROW = re.compile(r"\s*\|")
_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)\s+(?=[^a-z])|(?<=[。！？])")


@dataclass(frozen=True, slots=True)
class Section:
    """The blocks of a section, and what is looked for in them."""

    blocks: tuple[str, ...]
    words: tuple[Word, ...]
    stems: Stems

    def weight(self, text: str) -> float:
        """The share of the question's words in this text, rare ones weighing more."""
        found = self.stems(text)
        total = sum(word.rarity for word in self.words) or 1.0
        return sum(word.rarity * word.credit(found) for word in self.words) / total


def select(section: Section, *, how_to: bool, whole: int) -> str:
    """The part worth quoting, as Markdown; "" for a section without text.

    One of at most `whole` words is quoted as it is: what says it shortest is often not in the
    sentence that has the question's words, but in one beside it.
    """
    if not section.blocks:
        return ""
    if sum(len(block.split()) for block in section.blocks) <= whole:
        return "\n\n".join(section.blocks)
    places = range(len(section.blocks))
    best, *others = sorted(places, key=lambda place: -_value(section, place, how_to))
    quoted = {best: list(_with_context(section, best, how_to))}
    more = next((p for p in others if _adds(section, p, "\n".join(quoted[best]))), None)
    if more is not None:
        quoted[more] = list(_with_context(section, more, how_to))
    parts = [part for place in sorted(quoted) for part in quoted[place]]
    return "\n\n".join(dict.fromkeys(parts))


def _adds(section: Section, place: int, said: str) -> bool:
    """Whether a block that is no longer than a paragraph says more of what was asked."""
    block = section.blocks[place]
    if block in said or len(block.split()) > _MOST_WORDS_OF_SECOND:
        return False
    return section.weight(block) >= _LEAST_WEIGHT_OF_SECOND


def _value(section: Section, place: int, how_to: bool) -> float:
    block = section.blocks[place]
    weight = section.weight(block)
    if _FENCE.match(block):
        weight *= _CODE_CREDIT
    if how_to and (_ORDERED.match(block) or _is_code(section, place + 1)):
        weight += _STEPS_BONUS * (0.3 + weight)
    if place == 0:
        weight += _POSITION_BONUS
    return weight


def _with_context(section: Section, place: int, how_to: bool) -> Iterator[str]:
    block = section.blocks[place]
    announces = block.rstrip().removesuffix("**").endswith(":")
    is_prose = not (_FENCE.match(block) or _ITEM.match(block) or _TABLE_ROW.match(block))
    if is_prose:
        yield _sentences(section, block, last=announces)
    else:
        if place > 0:
            yield from _introduction(section, place - 1)
        yield _shortened(section, block)
    following = section.blocks[place + 1] if place + 1 < len(section.blocks) else ""
    if following and (announces or (is_prose and how_to and _FENCE.match(following))):
        yield _shortened(section, following)


def _introduction(section: Section, place: int) -> Iterator[str]:
    """The sentence before a list, a table or code, where it is one."""
    block = section.blocks[place]
    if _FENCE.match(block) or _ITEM.match(block) or _TABLE_ROW.match(block):
        return
    if len(block.split()) <= _MOST_INTRODUCTION_WORDS:
        yield block
    else:
        yield _SENTENCE_END.split(block.strip())[-1]


def _shortened(section: Section, block: str) -> str:
    if _FENCE.match(block):
        return _shortened_code(block)
    if _TABLE_ROW.match(block):
        head, rows = block.splitlines()[:2], block.splitlines()[2:]
        return "\n".join([*head, *_best(section, rows, _MOST_TABLE_ROWS)])
    if _ITEM.match(block) and not _ORDERED.match(block):
        return "\n".join(_best(section, _items(block), _MOST_LIST_ITEMS))
    return block


def _shortened_code(block: str) -> str:
    lines = block.splitlines()
    if len(lines) <= _MOST_CODE_LINES + 2:
        return block
    return "\n".join([*lines[: _MOST_CODE_LINES + 1], "…", lines[-1]])


def _items(block: str) -> list[str]:
    items: list[str] = []
    for line in block.splitlines():
        if _ITEM.match(line) or not items:
            items.append(line)
        else:
            items[-1] += "\n" + line
    return items


def _sentences(section: Section, block: str, *, last: bool) -> str:
    """The best sentences of a paragraph and what stands between them."""
    sentences = [each for each in _SENTENCE_END.split(block.strip()) if each]
    if len(sentences) <= _MOST_SENTENCES:
        return block.strip()
    values = [section.weight(s) - _LENGTH_PENALTY * len(s.split()) for s in sentences]
    if last:
        return " ".join(sentences[-_MOST_SENTENCES:])
    start = max(
        range(len(sentences) - _MOST_SENTENCES + 1),
        key=lambda first: sum(values[first : first + _MOST_SENTENCES]) - 0.01 * first,
    )
    return " ".join(sentences[start : start + _MOST_SENTENCES])


def _best(section: Section, parts: Sequence[str], most: int) -> list[str]:
    """The best parts, in their own order."""
    places = sorted(range(len(parts)), key=lambda place: -section.weight(parts[place]))[:most]
    return [parts[place] for place in sorted(places)]


def _is_code(section: Section, place: int) -> bool:
    return place < len(section.blocks) and bool(_FENCE.match(section.blocks[place]))
