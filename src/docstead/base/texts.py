"""Texts as they may be kept and shown."""

from __future__ import annotations

import re
from math import ceil
from typing import Any

from docstead.base.units import MINUTE_SECONDS

# Controls that no text needs, and those that make it look like other text; PostgreSQL
# keeps every character but the first of them.
_HARMFUL = dict.fromkeys([*range(9), 11, 12, *range(14, 32), *range(127, 160), 0x202D, 0x202E])
_INVISIBLE = "\u00a0\u200d"  # a space that holds words together, and parts of one emoji
_WIDE = re.compile(r"[\u3040-\u9fff\uac00-\ud7af]")  # scripts that put no blanks between words


def clean(text: str) -> str:
    """The text without control characters and without overrides of its direction."""
    return text.translate(_HARMFUL)


def blanked(text: str) -> str:
    """As `clean`, with a blank for each character, so that positions stay."""
    return text.translate(dict.fromkeys(_HARMFUL, " "))


def printable(text: str) -> str:
    """One line for a terminal: what it would obey or hide is written as an escape."""
    if text.isprintable():
        return text
    shown = (c if c.isprintable() or c in _INVISIBLE else ascii(c)[1:-1] for c in text)
    return "".join(shown)


def shortened(text: str, length: int) -> str:
    """The text in at most so many characters, cut after a word; "" for none."""
    if len(text) <= length:
        return text
    if length < 1:
        return ""
    start = text[: length - 1]
    whole = start if text[length - 1] == " " else start.rpartition(" ")[0]
    # Where blanks are rare, words are not what stands between them.
    kept = whole if 2 * len(whole) >= length else start
    return f"{kept.rstrip(' ,;:')}…"


def counted(number: int, noun: str) -> str:
    """ "1 page", "1,204 pages"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def duration(seconds: int) -> str:
    """The time in words, rounded up: "15 seconds", "43 minutes", "24 hours and 5 minutes"."""
    if seconds <= 2 * MINUTE_SECONDS and seconds % MINUTE_SECONDS:
        return counted(seconds, "second")
    minutes = ceil(seconds / MINUTE_SECONDS)
    hours, rest = divmod(minutes, 60)
    if hours > 1 and rest:
        return f"{counted(hours, 'hour')} and {counted(rest, 'minute')}"
    return counted(minutes, "minute") if rest else counted(hours, "hour")


def stopped(text: str) -> str:
    """The text as a sentence, with a full stop unless it ends in a mark of its own."""
    return text if text.endswith((".", "?", "!", ":", "…")) else f"{text}."


def without_lone_surrogates(value: Any) -> Any:
    """The same value; JSON escapes may spell half a character, which no file can hold."""
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if isinstance(value, dict):
        return {without_lone_surrogates(k): without_lone_surrogates(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [without_lone_surrogates(item) for item in value]
    return value


def count_words(text: str) -> int:
    """Words; two characters of a script without blanks count as one."""
    wide = 0 if text.isascii() else (len(_WIDE.findall(text)) + 1) // 2
    return len(text.split()) + wide
