"""Sanitization and formatting of text."""

from __future__ import annotations

import re
from math import ceil
from typing import Any

from docstead.base.units import MINUTE_SECONDS

# Control characters that are never needed, and those that disguise text; PostgreSQL
# rejects only the first.
_HARMFUL = dict.fromkeys([*range(9), 11, 12, *range(14, 32), *range(127, 160), 0x202D, 0x202E])
_INVISIBLE = "\u00a0\u200d"  # no-break space, and parts of emoji
_SIGN_IN_TOKEN = re.compile(r"(?<=/sign-in/)[^/]+")
_WIDE = re.compile(r"[\u3040-\u9fff\uac00-\ud7af]")  # scripts without spaces between words


def clean(text: str) -> str:
    """Remove control characters and overrides of text direction."""
    return text.translate(_HARMFUL)


def blanked(text: str) -> str:
    """Like `clean`, but replace each character with a space to keep positions."""
    return text.translate(dict.fromkeys(_HARMFUL, " "))


def printable(text: str) -> str:
    """Return a single line for a terminal, with control and invisible characters escaped."""
    if text.isprintable():
        return text
    shown = (c if c.isprintable() or c in _INVISIBLE else ascii(c)[1:-1] for c in text)
    return "".join(shown)


def logged_path(path: str) -> str:
    """Return a request's path as one line, without the token of a one-time sign-in link."""
    return printable(_SIGN_IN_TOKEN.sub("…", path))


def shortened(text: str, length: int) -> str:
    """Truncate a text after a word to at most `length` characters."""
    if len(text) <= length:
        return text
    if length < 1:
        return ""
    start = text[: length - 1]
    whole = start if text[length - 1] == " " else start.rpartition(" ")[0]
    # In scripts with few spaces, words are not delimited by them.
    kept = whole if 2 * len(whole) >= length else start
    return f"{kept.rstrip(' ,;:')}…"


def without_middle(text: str, length: int) -> str:
    """Return the two ends of a text, together at most `length` characters, on separate lines."""
    if len(text) <= length:
        return text
    return f"{text[: length // 2]}\n{text[-(length // 2) :]}"


def counted(number: int, noun: str) -> str:
    """Return a count, such as "1 page" or "1,204 pages"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def duration(seconds: int) -> str:
    """Return a duration rounded up, such as "15 seconds" or "24 hours and 5 minutes"."""
    if seconds <= 2 * MINUTE_SECONDS and seconds % MINUTE_SECONDS:
        return counted(seconds, "second")
    minutes = ceil(seconds / MINUTE_SECONDS)
    hours, rest = divmod(minutes, 60)
    if hours > 1 and rest:
        return f"{counted(hours, 'hour')} and {counted(rest, 'minute')}"
    return counted(minutes, "minute") if rest else counted(hours, "hour")


def stopped(text: str) -> str:
    """Return the text with a full stop, unless it ends with punctuation."""
    return text if text.endswith((".", "?", "!", ":", "…")) else f"{text}."


def without_lone_surrogates(value: Any) -> Any:
    """Replace lone surrogates, which JSON escapes may contain but files cannot."""
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if isinstance(value, dict):
        return {without_lone_surrogates(k): without_lone_surrogates(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [without_lone_surrogates(item) for item in value]
    return value


def count_words(text: str) -> int:
    """Count words; two characters of a script without spaces count as one."""
    wide = 0 if text.isascii() else (len(_WIDE.findall(text)) + 1) // 2
    return len(text.split()) + wide
