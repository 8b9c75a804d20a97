"""Selection of the part of a section to quote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from docstead.assistant.extractive.evidence import QuestionWord, Stems, share_of
from docstead.base.texts import count_words
from docstead.search.chunks import blocks as blocks_of
from docstead.search.chunks import introduces, label

_MOST_SENTENCES = 3
_LEAST_WEIGHT_OF_SECOND = 0.25
_MOST_INTRODUCTION_WORDS = 45
_MOST_OF_TABLE = 250  # words of a table that compares
_CODE_CREDIT = 0.6
_LENGTH_PENALTY = 0.012  # per word, so that the shorter of equals wins
_POSITION_BONUS = 0.15  # bonus of the first paragraph, which introduces the section
_STEPS_BONUS = 0.6  # bonus of step lists and code for how-to questions

_PICTURES = re.compile(r"(?:!\[[^\]\n]*\]\([^)\n]*\)\s*)+")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ORDERED = re.compile(r"\s*(?P<number>\d{1,3})[.)]\s")
_ITEM = re.compile(r"(?:[-*+]|\d+[.)])\s")
_NOTE = re.compile(r"^> ?", re.MULTILINE)
_TABLE_ROW = re.compile(r"\s*\|")
_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)\s+(?=[^a-z])|(?<=[。！？])")


@dataclass(frozen=True, slots=True)
class QuotedSection:
    """Blocks of a section, and the question's words.

    `keeps_tables` is set for comparisons: rows that a question does not name answer it, too.
    """

    blocks: tuple[str, ...]
    words: tuple[QuestionWord, ...]
    stems: Stems
    keeps_tables: bool = False

    def weight(self, text: str) -> float:
        """Return the weighted fraction of the question's words in a text."""
        return share_of(self.words, self.stems(text))


def select(section: QuotedSection, *, how_to: bool, most: int) -> dict[int, str]:
    """Return the part of a section that answers: Markdown by the position of its block.

    It has at most `most` words, unless a single code block, table row or list of steps is longer.
    Short sections are quoted whole, because the answer is often in the sentence after the one with
    the question's words.
    """
    blocks = section.blocks
    if count_words("\n".join(blocks)) <= most:
        return dict(enumerate(blocks))
    best, *others = sorted(
        range(len(blocks)), key=lambda position: -_value(section, position, how_to)
    )
    quoted = dict(_with_context(section, best, how_to, most))
    for position in others:
        left = most - count_words("\n".join(quoted.values()))
        quoted = dict(_more(section, position, how_to, left)) | quoted
    return quoted


def beginning(section: QuotedSection, most: int) -> dict[int, str]:
    """Return the first blocks that have at most `most` words: Markdown by position.

    If the first one is longer, it is the part of it that would be selected.
    """
    quoted: dict[int, str] = {}
    left = most
    for position, block in enumerate(section.blocks):
        left -= count_words(block)
        if left < 0:
            break
        quoted[position] = block
    while quoted and max(quoted) + 1 < len(section.blocks) and _introduces_next(quoted):
        del quoted[max(quoted)]
    return quoted or select(replace(section, blocks=section.blocks[:2]), how_to=True, most=most)


def _introduces_next(quoted: Mapping[int, str]) -> bool:
    last = quoted[max(quoted)]
    return introduces(last) or bool(label(last))


def joined(quoted: Mapping[int, str]) -> str:
    """Return the Markdown of blocks, in order and without leading images."""
    text = "\n\n".join(quoted[position] for position in sorted(quoted))
    pictures = _PICTURES.match(text)
    return text[pictures.end() :] if pictures else text


def _more(
    section: QuotedSection, position: int, how_to: bool, left: int
) -> Iterator[tuple[int, str]]:
    """Yield another block with its context if it adds coverage and fits."""
    block = section.blocks[position]
    if count_words(block) <= left and section.weight(block) >= _LEAST_WEIGHT_OF_SECOND:
        more = dict(_with_context(section, position, how_to, left))
        if count_words("\n".join(more.values())) <= left:
            yield from more.items()


def _value(section: QuotedSection, position: int, how_to: bool) -> float:
    block = section.blocks[position]
    weight = section.weight(block)
    if _FENCE.match(block):
        weight *= _CODE_CREDIT
    if how_to and (_ORDERED.match(block) or _is_code(section, position + 1)):
        weight += _STEPS_BONUS * (0.3 + weight)
    if position == 0:
        weight += _POSITION_BONUS
    return weight


def _with_context(
    section: QuotedSection, position: int, how_to: bool, most: int
) -> Iterator[tuple[int, str]]:
    """Yield a block with its position, and the following ones that it needs."""
    block = section.blocks[position]
    if how_to and _ORDERED.match(block):
        yield from _procedure(section, position, most)
        return
    announces = introduces(block)
    is_prose = not (_FENCE.match(block) or _ITEM.match(block) or _TABLE_ROW.match(block))
    if is_prose:
        if position > 0 and label(section.blocks[position - 1]):
            yield position - 1, section.blocks[position - 1]
        text = _sentences(section, block, most, last=announces)
    else:
        if position > 0:
            yield from ((position - 1, each) for each in _introduction(section, position - 1))
        text = shortened(section, block, most)
    yield position, text
    following = section.blocks[position + 1] if position + 1 < len(section.blocks) else ""
    if following and (announces or (is_prose and how_to and _FENCE.match(following))):
        yield position + 1, shortened(section, following, most - count_words(text))


def _procedure(section: QuotedSection, position: int, most: int) -> Iterator[tuple[int, str]]:
    """Yield the steps around a step, with the text between and before them.

    Markdown with code or images between steps has a block for each.
    """
    blocks = section.blocks
    steps = [at for at, block in enumerate(blocks) if _ORDERED.match(block)]
    numbers = [step_number(blocks[at]) for at in steps]
    first = last = steps.index(position)
    while first > 0 and numbers[first] > numbers[first - 1]:
        first -= 1
    while last + 1 < len(steps) and numbers[last + 1] > numbers[last]:
        last += 1
    begin, end = steps[first], steps[last] + 1
    if begin > 0:
        yield from ((begin - 1, each) for each in _introduction(section, begin - 1))
    yield from ((at, blocks[at]) for at in range(begin, end))
    if end < len(blocks) and blocks[end - 1].rstrip().removesuffix("**").endswith(":"):
        yield end, shortened(section, blocks[end], most)


def step_number(block: str) -> int:
    """Return the number of a step, 0 for other blocks."""
    digits = _ORDERED.match(block)
    return int(digits["number"]) if digits else 0


def _introduction(section: QuotedSection, position: int) -> Iterator[str]:
    """Yield the sentence that introduces a list, a table or code."""
    block = section.blocks[position]
    if _FENCE.match(block) or _ITEM.match(block) or _TABLE_ROW.match(block):
        return
    if len(block.split()) <= _MOST_INTRODUCTION_WORDS:
        yield block
    else:
        yield _SENTENCE_END.split(block.strip())[-1]


def shortened(section: QuotedSection, block: str, most: int) -> str:
    """Shorten a table or list to its best entries. Code and steps are not shortened."""
    if _TABLE_ROW.match(block):
        if section.keeps_tables and count_words(block) <= _MOST_OF_TABLE:
            return block
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
    """Return the best sentences of a paragraph and those between them; at least one."""
    if _NOTE.match(block):
        return _part_of_note(section, block, most)
    said = sentences(block.strip())
    if len(said) <= _MOST_SENTENCES and count_words(block) <= most:
        return block.strip()
    for count in range(_MOST_SENTENCES, 0, -1):
        text = _best_run(section, said, count, last=last)
        if count == 1 or count_words(text) <= most:
            return text
    return ""


def _part_of_note(section: QuotedSection, note: str, most: int) -> str:
    if count_words(note) <= most:
        return note
    # Notes within notes are left out, because they may be nested without a limit.
    blocks = (each for each in blocks_of(_NOTE.sub("", note)) if not _NOTE.match(each))
    inside = replace(section, blocks=tuple(blocks))
    said = joined(select(inside, how_to=False, most=most))
    return "\n".join(f"> {line}".rstrip() for line in said.splitlines())


def _best_run(section: QuotedSection, sentences: Sequence[str], count: int, *, last: bool) -> str:
    """Return the best run of this many sentences."""
    if last:
        return "".join(sentences[-count:])
    values = [section.weight(s) - _LENGTH_PENALTY * len(s.split()) for s in sentences]
    start = max(
        range(max(1, len(sentences) - count + 1)),
        key=lambda first: sum(values[first : first + count]) - 0.01 * first,
    )
    return "".join(sentences[start : start + count]).rstrip()


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, each with the spaces behind it."""
    ends = (found.end() for found in _SENTENCE_END.finditer(text))
    return [text[begin:end] for begin, end in pairwise((0, *ends, len(text))) if begin < end]


def is_fence(block: str) -> bool:
    """Report whether a block is code."""
    return bool(_FENCE.match(block))


def _best(section: QuotedSection, parts: Sequence[str], most: int) -> list[str]:
    """Return the best parts within the word limit, at least one, in original order."""
    chosen: list[int] = []
    for position in sorted(
        range(len(parts)), key=lambda position: -section.weight(parts[position])
    ):
        most -= count_words(parts[position])
        if chosen and most < 0:
            break
        chosen.append(position)
    return [parts[position] for position in sorted(chosen)]


def _is_code(section: QuotedSection, position: int) -> bool:
    return position < len(section.blocks) and bool(_FENCE.match(section.blocks[position]))
