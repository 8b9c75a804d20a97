"""Which part of a section to quote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docstead.assistant.extractive.evidence import QuestionWord, Stems
from docstead.base.texts import count_words
from docstead.search.chunks import introduces, label

_MOST_SENTENCES = 3
_LEAST_WEIGHT_OF_SECOND = 0.25
_MOST_INTRODUCTION_WORDS = 45
_CODE_CREDIT = 0.6
_LENGTH_PENALTY = 0.012  # per word: of two that say the same, the shorter
_POSITION_BONUS = 0.15  # for the first paragraph, which says what the section is about
_STEPS_BONUS = 0.6  # for step lists and code when the question asks how

_PICTURES = re.compile(r"(?:!\[[^\]\n]*\]\([^)\n]*\)\s*)+")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ORDERED = re.compile(r"\s*(?P<number>\d{1,3})[.)]\s")
_ITEM = re.compile(r"(?:[-*+]|\d+[.)])\s")
_TABLE_ROW = re.compile(r"\s*\|")
_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)\s+(?=[^a-z])|(?<=[。！？])")


@dataclass(frozen=True, slots=True)
class QuotedSection:
    """The blocks of a section, and what is looked for in them."""

    blocks: tuple[str, ...]
    words: tuple[QuestionWord, ...]
    stems: Stems

    def weight(self, text: str) -> float:
        """The share of the question's words in this text, rare ones weighing more."""
        found = self.stems(text)
        total = sum(word.rarity for word in self.words) or 1.0
        return sum(word.rarity * word.credit(found) for word in self.words) / total


def select(section: QuotedSection, *, how_to: bool, most: int) -> str:
    """Return the part of a section that answers, as Markdown; "" for a section without text.

    It has at most `most` words, unless a single block of code, row of a table or list of steps
    has more: those are quoted whole. A section that is short enough is quoted as it is: the
    answer is often not in the sentence that has the question's words, but in the next one.
    Pictures at its beginning are left out.
    """
    chosen = _selected(section, how_to=how_to, most=most)
    pictures = _PICTURES.match(chosen)
    return chosen[pictures.end() :] if pictures else chosen


def _selected(section: QuotedSection, *, how_to: bool, most: int) -> str:
    blocks = section.blocks
    if count_words("\n".join(blocks)) <= most:
        return "\n\n".join(blocks)
    best, *others = sorted(range(len(blocks)), key=lambda place: -_value(section, place, how_to))
    quoted = dict(_with_context(section, best, how_to, most))
    for place in others:
        left = most - count_words("\n".join(quoted.values()))
        quoted = dict(_more(section, place, how_to, left)) | quoted
    return "\n\n".join(quoted[place] for place in sorted(quoted))


def _more(section: QuotedSection, place: int, how_to: bool, left: int) -> Iterator[tuple[int, str]]:
    """Yield a further block with its context if it says more of what was asked, and fits."""
    block = section.blocks[place]
    if count_words(block) <= left and section.weight(block) >= _LEAST_WEIGHT_OF_SECOND:
        more = dict(_with_context(section, place, how_to, left))
        if count_words("\n".join(more.values())) <= left:
            yield from more.items()


def _value(section: QuotedSection, place: int, how_to: bool) -> float:
    block = section.blocks[place]
    weight = section.weight(block)
    if _FENCE.match(block):
        weight *= _CODE_CREDIT
    if how_to and (_ORDERED.match(block) or _is_code(section, place + 1)):
        weight += _STEPS_BONUS * (0.3 + weight)
    if place == 0:
        weight += _POSITION_BONUS
    return weight


def _with_context(
    section: QuotedSection, place: int, how_to: bool, most: int
) -> Iterator[tuple[int, str]]:
    """Yield a block, and the next ones without which it says nothing, each with its place."""
    block = section.blocks[place]
    if how_to and _ORDERED.match(block):
        yield from _procedure(section, place, most)
        return
    announces = introduces(block)
    is_prose = not (_FENCE.match(block) or _ITEM.match(block) or _TABLE_ROW.match(block))
    if is_prose:
        if place > 0 and label(section.blocks[place - 1]):
            yield place - 1, section.blocks[place - 1]
        text = _sentences(section, block, most, last=announces)
    else:
        if place > 0:
            yield from ((place - 1, each) for each in _introduction(section, place - 1))
        text = _shortened(section, block, most)
    yield place, text
    following = section.blocks[place + 1] if place + 1 < len(section.blocks) else ""
    if following and (announces or (is_prose and how_to and _FENCE.match(following))):
        yield place + 1, _shortened(section, following, most - count_words(text))


def _procedure(section: QuotedSection, place: int, most: int) -> Iterator[tuple[int, str]]:
    """Yield the steps around this one, with what is between them, before and announced by them.

    Markdown that has code or pictures between its steps makes a block of each.
    """
    blocks = section.blocks
    steps = [at for at, block in enumerate(blocks) if _ORDERED.match(block)]
    first = last = steps.index(place)
    while first > 0 and _number(blocks[steps[first]]) > _number(blocks[steps[first - 1]]):
        first -= 1
    while last + 1 < len(steps) and _number(blocks[steps[last + 1]]) > _number(blocks[steps[last]]):
        last += 1
    begin, end = steps[first], steps[last] + 1
    if begin > 0:
        yield from ((begin - 1, each) for each in _introduction(section, begin - 1))
    yield from ((at, blocks[at]) for at in range(begin, end))
    if end < len(blocks) and blocks[end - 1].rstrip().removesuffix("**").endswith(":"):
        yield end, _shortened(section, blocks[end], most)


def _number(block: str) -> int:
    """Return the number that a step begins with."""
    digits = _ORDERED.match(block)
    return int(digits["number"]) if digits else 0


def _introduction(section: QuotedSection, place: int) -> Iterator[str]:
    """The sentence before a list, a table or code, where it is one."""
    block = section.blocks[place]
    if _FENCE.match(block) or _ITEM.match(block) or _TABLE_ROW.match(block):
        return
    if len(block.split()) <= _MOST_INTRODUCTION_WORDS:
        yield block
    else:
        yield _SENTENCE_END.split(block.strip())[-1]


def _shortened(section: QuotedSection, block: str, most: int) -> str:
    """A table or a list with its best entries. Code and steps are not cut."""
    if _TABLE_ROW.match(block):
        head, rows = block.splitlines()[:2], block.splitlines()[2:]
        left = most - count_words("\n".join(head))
        return "\n".join([*head, *_best(section, rows, left)])
    if _ITEM.match(block) and not _ORDERED.match(block):
        return "\n".join(_best(section, _items(block), most))
    return block


def _items(block: str) -> list[str]:
    items: list[str] = []
    for line in block.splitlines():
        if _ITEM.match(line) or not items:
            items.append(line)
        else:
            items[-1] += "\n" + line
    return items


def _sentences(section: QuotedSection, block: str, most: int, *, last: bool) -> str:
    """The best sentences of a paragraph and what is between them; at least one."""
    sentences = [each for each in _SENTENCE_END.split(block.strip()) if each]
    if len(sentences) <= _MOST_SENTENCES and count_words(block) <= most:
        return block.strip()
    for count in range(_MOST_SENTENCES, 0, -1):
        text = _best_run(section, sentences, count, last=last)
        if count == 1 or count_words(text) <= most:
            return text
    return ""


def _best_run(section: QuotedSection, sentences: Sequence[str], count: int, *, last: bool) -> str:
    """So many sentences in a row, or all if there are no more."""
    if last:
        return " ".join(sentences[-count:])
    values = [section.weight(s) - _LENGTH_PENALTY * len(s.split()) for s in sentences]
    start = max(
        range(max(1, len(sentences) - count + 1)),
        key=lambda first: sum(values[first : first + count]) - 0.01 * first,
    )
    return " ".join(sentences[start : start + count])


def _best(section: QuotedSection, parts: Sequence[str], most: int) -> list[str]:
    """The best parts of at most so many words together, at least one, in their own order."""
    chosen: list[int] = []
    for place in sorted(range(len(parts)), key=lambda place: -section.weight(parts[place])):
        most -= count_words(parts[place])
        if chosen and most < 0:
            break
        chosen.append(place)
    return [parts[place] for place in sorted(chosen)]


def _is_code(section: QuotedSection, place: int) -> bool:
    return place < len(section.blocks) and bool(_FENCE.match(section.blocks[place]))
