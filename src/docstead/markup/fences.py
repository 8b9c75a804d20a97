"""Options after the language of a fenced code block: title and display."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_MOST_LINES = 10_000
_WORD = re.compile(
    r"""(?P<key>[A-Za-z][\w-]*)=(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'"""
    r"""|\{(?P<braces>[^{}]*)\}|(?P<bare>[^\s{}]+))"""
    r"""|\{(?P<lines>[\d\s,-]+)\}|"(?P<quoted>[^"]*)"|(?P<word>\S+)"""
)
_FLAGS = frozenset({"lines", "wrap", "expandable", "nocopy", "twoslash"})
_CUT = re.compile(r"^[ \t]*//[ \t]*---cut(?:-before)?---[ \t]*\n", re.MULTILINE)
_CUT_AFTER = re.compile(r"^[ \t]*//[ \t]*---cut-after---[ \t]*$", re.MULTILINE)
_NOTE = re.compile(
    r"^[ \t]*//[ \t]*(?:\^[?|^]|@[A-Za-z][\w-]*(?:[:,][^\n]*)?[ \t]*$)[^\n]*(?:\n|\Z)", re.MULTILINE
)
_NUMBERS = re.compile(r"(?<!\d)(\d{1,5})(?!\d)(?:\s*-\s*(\d{1,5})(?!\d))?")


@dataclass(frozen=True, slots=True)
class FenceMeta:
    """Line numbers count from 1."""

    title: str | None = None
    icon: str | None = None
    lines: bool = False
    wrap: bool = False
    expandable: bool = False
    nocopy: bool = False
    highlight: frozenset[int] = frozenset()
    focus: frozenset[int] = frozenset()
    added: frozenset[int] = frozenset()
    removed: frozenset[int] = frozenset()
    mark: str | None = None  # text to highlight wherever it occurs
    twoslash: bool = False  # Twoslash code, which contains notes for a compiler

    @property
    def marks_lines(self) -> bool:
        """Whether lines must be marked up individually."""
        return bool(
            self.lines or self.wrap or self.highlight or self.focus or self.added or self.removed
        )

    @classmethod
    def parse(cls, info: str) -> FenceMeta:
        """Parse the text after the language: a bare title, flags and `key=value`."""
        return cls.of(_read(info)) if info.strip() else cls()

    @classmethod
    def of(cls, options: Mapping[str, object]) -> FenceMeta:
        """Return the options of `<CodeBlock>`."""
        title = options.get("title") or options.get("filename")
        icon, mark = options.get("icon"), options.get("mark")
        return cls(
            title=str(title) if title else None,
            icon=str(icon) if icon else None,
            lines=_flag(options.get("lines")),
            wrap=_flag(options.get("wrap")),
            expandable=_flag(options.get("expandable")),
            nocopy=_flag(options.get("nocopy")),
            highlight=_numbers(options.get("highlight")),
            focus=_numbers(options.get("focus")),
            mark=str(mark) if mark else None,
            twoslash=_flag(options.get("twoslash")),
        )


def without_compiler_notes(code: str) -> str:
    """Return the visible code of a `twoslash` fence.

    Code before the last cut, type queries (`// ^?`) and options (`// @errors: 2322`) are for the
    compiler only.
    """
    shown = _CUT.split(code)[-1]
    shown = _CUT_AFTER.split(shown)[0]
    return _NOTE.sub("", shown)


def _read(info: str) -> dict[str, object]:
    options: dict[str, object] = {}
    words: list[str] = []
    for match in _WORD.finditer(info):
        if key := match["key"]:
            options[key] = _value(match)
        elif match["lines"]:
            options["highlight"] = match["lines"]
        elif match["word"] in _FLAGS:
            options[match["word"]] = True
        else:
            words.append(match["quoted"] or match["word"] or "")
    if words:
        options.setdefault("title", " ".join(filter(None, words)))
    return options


def _value(match: re.Match[str]) -> str:
    names = ("double", "single", "braces", "bare")
    text = next(match[name] for name in names if match[name] is not None)
    return text.strip().strip("\"'")


def _flag(value: object) -> bool:
    return value is not None and str(value).lower() not in ("false", "0", "no", "off")


def _numbers(value: object) -> frozenset[int]:
    """Parse line numbers: "1-2,5", "[1,3]" and [1, 3]."""
    if value is None or isinstance(value, bool):
        return frozenset()
    return frozenset(number for number in _spans(str(value)) if 0 < number <= _MOST_LINES)


def _spans(text: str) -> Iterator[int]:
    for first, last in _NUMBERS.findall(text):
        yield from range(int(first), min(int(last or first), _MOST_LINES) + 1)
