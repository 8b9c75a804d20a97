"""Ends of quotes: a quote begins and stops where a reader would.

It begins with what its first sentence refers to, and has the steps between two steps. It shows what
it announces and continues as far as it may, so that a workaround follows its error.
Words that are left go to what precedes it, as to the configuration that it explains. It leaves out
what a page says twice, calls to action, and announcements that nothing follows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from itertools import pairwise

from docstead.assistant.extractive.definitions import is_prose
from docstead.assistant.extractive.leaning_sentences import leans
from docstead.assistant.extractive.quote_selection import (
    QuotedSection,
    is_fence,
    sentences,
    shortened,
    step_number,
)
from docstead.base.texts import count_words
from docstead.search.chunks import is_field, label

SAME = 0.8  # fraction of shared words of texts that say the same

_LEAST_SAID = 4  # stems of a paragraph that another one may repeat
_LONGEST_LABEL = 8  # words; a longer line in bold is a sentence
_ITEM = re.compile(r"^(?:[-*+]|\d+[.)])\s+", re.MULTILINE)
_COLON = re.compile(r"[:：][*_ ]*\Z")
_ACTION = re.compile(
    r"(?:join (?:our|us|the)\b.{0,60}\b(?:discord|slack|community|communities|forum|server)"
    r"|(?:contact|email|message|write to|reach out to) (?:us|our|support|sales)\b|reach out\b"
    r"|get in touch|let us know|we(?:['’]d| would) love|star us|happy (?:coding|building)"
    r"|(?:open|file|create|raise|submit) an? (?:new )?(?:issue|ticket|discussion)\b)",
    re.IGNORECASE,
)
_POLITELY = r"(?:(?:please|feel free to|you can(?: also)?|don['’]t hesitate to)\s+)?"
_IN_CASE = r"(?:if you|still|need|have|got|want|for (?:questions|help|support))\b"
_CALL = re.compile(
    rf"\W*(?:{_POLITELY}{_ACTION.pattern}|{_IN_CASE}.{{0,300}}{_ACTION.pattern}"
    rf"|[^?]{{1,60}}\?\W*(?:\Z|{_ACTION.pattern}))",
    re.IGNORECASE | re.DOTALL,
)

Blocks = Mapping[int, str]  # Markdown by the position of its block in the section


def ended(section: QuotedSection, quoted: Blocks, most: int) -> Blocks:
    """Return a quote with a sound ending; what is added fits into `most` words."""
    said = _without_calls(section, _said_once(section, quoted))
    left_out = quoted.keys() - said.keys()
    said = _begun(section, _with_steps_between(section, said, most), most)
    complete = _continued(section, _with_announced(section, said, most), left_out, most)
    complete = _preceded(section, complete, left_out, most)
    return _without_loose_ends(complete) or quoted


def is_call(block: str) -> bool:
    """Report whether each sentence of a block asks readers to do something else."""
    if is_fence(block) or not _ACTION.search(block):
        return False
    return all(map(_CALL.match, sentences(block.strip())))


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the fraction of the shorter text's words that the other has, too."""
    return len(one & other) / (min(len(one), len(other)) or 1)


def _said_once(section: QuotedSection, quoted: Blocks) -> Blocks:
    """Leave out the first or the second paragraph if the other says the same, and more.

    The description of a page is its first paragraph.
    """
    if not all(is_prose(quoted.get(position, "")) for position in (0, 1)) or _is_open(quoted[1]):
        return quoted
    words = [section.stems(quoted[position]) for position in (0, 1)]
    shorter = min((0, 1), key=lambda position: len(words[position]))
    if len(words[shorter]) < _LEAST_SAID or overlap(*words) < SAME:
        return quoted
    return _without(quoted, shorter)


def _without_calls(section: QuotedSection, quoted: Blocks) -> Blocks:
    """Leave out calls to action at the end that add no word of the question."""
    while len(quoted) > 1 and is_call(quoted[max(quoted)]):
        rest = _without(quoted, max(quoted))
        if _weight(section, quoted) > _weight(section, rest):
            return quoted
        quoted = rest
    return quoted


def _begun(section: QuotedSection, quoted: Blocks, most: int) -> Blocks:
    """Add what the first sentence refers to, or leave the sentence out if that does not fit."""
    longer = quoted
    while _begins_leaning(section, longer):
        before = _before(section, longer)
        if _words({**longer, **before}) > most:
            return _without_first(section, quoted)
        longer = {**longer, **before}
    return longer


def _begins_leaning(section: QuotedSection, quoted: Blocks) -> bool:
    """Report whether a quote refers to something before it in its section."""
    first = min(quoted)
    begins = first > 0 or _position_in(section.blocks[first], quoted[first]) > 0
    number = step_number(quoted[first])
    return begins and (number > 1 or (is_prose(quoted[first]) and leans(quoted[first])))


def _before(section: QuotedSection, quoted: Blocks) -> Blocks:
    """Return the first block of a quote with its sentence before, or the block before it."""
    first = min(quoted)
    block = section.blocks[first].strip()
    if (position := _position_in(block, quoted[first])) > 0:
        before = sentences(block[:position])[-1]
        return {first: before + quoted[first]}
    return _with_announcing(section, first - 1)


def _position_in(block: str, quoted: str) -> int:
    """Return the position of the quoted part in its block; -1 for a shortened table or list."""
    return block.strip().find(quoted.strip())


def _without_first(section: QuotedSection, quoted: Blocks) -> Blocks:
    """Leave out the first sentence of a paragraph if the rest has as many of the question's words.

    A list below a sentence needs it.
    """
    first = min(quoted)
    rest = "".join(sentences(quoted[first])[1:])
    shorter = {**quoted, first: rest}
    if not rest or _weight(section, shorter) < _weight(section, quoted):
        return quoted
    return quoted if _begins_leaning(section, shorter) else shorter


def _with_steps_between(section: QuotedSection, quoted: Blocks, most: int) -> Blocks:
    """Add the blocks between two steps, or leave the later one out if they do not fit."""
    steps = [position for position in sorted(quoted) if step_number(quoted[position])]
    for one, other in pairwise(steps):
        skips = step_number(quoted[other]) - _last_step(quoted[one]) > 1
        if skips and one in quoted:
            between = {each: section.blocks[each] for each in range(one + 1, other)}
            longer = {**between, **quoted}
            fits = _words(longer) <= most
            quoted = longer if fits else {k: v for k, v in quoted.items() if k < other}
    return quoted


def _last_step(block: str) -> int:
    """Return the number of the last step of a block."""
    numbers = (step_number(line) for line in block.splitlines() if line[:1].isdigit())
    return max(numbers, default=step_number(block))


def _with_announced(section: QuotedSection, quoted: Blocks, most: int) -> Blocks:
    """Add what quoted blocks announce, as far as it fits."""
    for position in range(1, len(section.blocks)):
        if _comes_next(section, quoted, position) and _needs_next(section, position - 1):
            left = most - _words(quoted)
            text = shortened(section, section.blocks[position], left)
            quoted = {**quoted, position: text} if count_words(text) <= left else quoted
    return quoted


def _continued(section: QuotedSection, quoted: Blocks, left_out: Set[int], most: int) -> Blocks:
    """Add whole blocks that follow quoted ones, up to a new topic or as far as they fit."""
    for position in range(1, len(section.blocks)):
        block = section.blocks[position]
        follows = position not in left_out and _comes_next(section, quoted, position)
        if follows and not _begins_topic(block, quoted[position - 1]):
            longer = {**_with_needed(section, position), **quoted}
            quoted = longer if _words(longer) <= most else quoted
    return quoted


def _preceded(section: QuotedSection, quoted: Blocks, left_out: Set[int], most: int) -> Blocks:
    """Add whole blocks that precede quoted ones, back to another topic or as far as they fit."""
    for position in reversed(range(len(section.blocks) - 1)):
        block, after = section.blocks[position : position + 2]
        precedes = position not in left_out and _comes_before(section, quoted, position)
        if precedes and not (is_call(block) or _begins_topic(after, block)):
            longer = {**_with_announcing(section, position), **quoted}
            quoted = longer if _words(longer) <= most else quoted
    return quoted


def _with_announcing(section: QuotedSection, position: int) -> Blocks:
    """Return a block with those that announce it."""
    begin = position
    while begin > 0 and _needs_next(section, begin - 1):
        begin -= 1
    return {each: section.blocks[each] for each in range(begin, position + 1)}


def _with_needed(section: QuotedSection, position: int) -> Blocks:
    """Return a block with those that it announces."""
    end = position + 1
    while end < len(section.blocks) and _needs_next(section, end - 1):
        end += 1
    return {each: section.blocks[each] for each in range(position, end)}


def _needs_next(section: QuotedSection, position: int) -> bool:
    """Report whether a block announces the next, or is a paragraph above code."""
    block, following = section.blocks[position], section.blocks[position + 1 : position + 2]
    return _is_open(block) or (is_prose(block) and any(map(is_fence, following)))


def _comes_next(section: QuotedSection, quoted: Blocks, position: int) -> bool:
    """Report whether the quote stops at the end of the block before this one."""
    before = quoted.get(position - 1, "").rstrip()
    whole = section.blocks[position - 1].rstrip()
    return bool(before) and position not in quoted and whole.endswith(before)


def _comes_before(section: QuotedSection, quoted: Blocks, position: int) -> bool:
    """Report whether the quote begins at the start of the block after this one."""
    first_line = quoted.get(position + 1, "").lstrip().partition("\n")[0]
    after = section.blocks[position + 1].lstrip()
    return bool(first_line) and position not in quoted and after.startswith(first_line)


def _begins_topic(block: str, before: str) -> bool:
    """Report whether a block is about something else: a label, field, variant of code, call."""
    is_variant = is_fence(block) and is_fence(before)
    asks_for_action = bool(_ACTION.search(block))
    return bool(label(block)) or is_field(block) or is_variant or asks_for_action


def _without_loose_ends(quoted: Blocks) -> Blocks:
    """Leave out announcements of what is not quoted."""
    kept: dict[int, str] = {}
    for position in sorted(quoted, reverse=True):
        text = quoted[position].rstrip()
        is_loose = _is_open(text) and position + 1 not in kept
        if said := _without_last(text) if is_loose else text:
            kept[position] = said
    return kept


def _is_open(block: str) -> bool:
    """Report whether a block announces the next: a label, or one that ends with a colon."""
    return bool(_COLON.search(block)) or 0 < len(label(block).split()) <= _LONGEST_LABEL


def _without_last(block: str) -> str:
    """Return a block without its last sentence, or "" if it has no other; no label.

    An item of a list that is a single sentence is left out.
    """
    if label(block):
        return ""
    marks = list(_ITEM.finditer(block))
    begin = marks[-1].end() if marks else 0
    said = sentences(block[begin:])[:-1]
    end = marks[-1].start() if marks and not said else begin
    return (block[:end] + "".join(said)).rstrip()


def _without(quoted: Blocks, position: int) -> Blocks:
    return {each: text for each, text in quoted.items() if each != position}


def _words(quoted: Blocks) -> int:
    return count_words("\n".join(quoted.values()))


def _weight(section: QuotedSection, quoted: Blocks) -> float:
    return section.weight("\n".join(quoted.values()))
