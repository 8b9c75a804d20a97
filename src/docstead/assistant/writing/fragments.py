"""URLs with text fragments, which scroll to the quoted text.

Browsers look for them in the displayed text within one line. Markdown syntax, images, and content
that pages display differently are therefore excluded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from docstead.assistant.checking.facts import plain
from docstead.assistant.writing.markdown_units import MarkdownSplitter, MarkdownUnit, UnitKind
from docstead.assistant.writing.table_rows import cells, is_rule
from docstead.base.texts import count_words

_SHORT = 12  # words of the fragment; of longer quotes start and end
_END = 5
_BEHIND = 3
_LEAST = 2
_LEAST_CHARACTERS = 12  # of a single one
_LEAST_OF_CODE = 30
_LEAST_WORDS = 5  # words that are almost certainly unique on a page
_MOST_CHARACTERS = 200  # words at each end
_NOT_SHOWN = re.compile(
    r"!\[[^\]]*\]\([^)]*\)"  # pictures
    r"|^\*\*(?:Note|Info|Tip|Check|Warning|Danger):\*\*"  # callouts show an icon
    r"|^`[^`]+` \([^)]*\)$|^\*\*[^*]+\*\*$"  # heads of fields, names of tabs
    r"|^\[[ xX]\](?= )",  # checkboxes
    re.MULTILINE,
)
_MERMAID_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})mermaid\b")
_IMPORT = re.compile(r"(?:import|from|use|using|package|require|include|#include)\b|<\?php|#!")


@dataclass(frozen=True, slots=True)
class _DisplayedWords:
    """Words that a page displays in one line. `behind` are those of the next cell."""

    text: str
    behind: str = ""


def fragment_url(link: str, quoted: str) -> str:
    """Return the link with a text fragment of the first words that identify this Markdown.

    Other browsers open the section only.
    """
    units = MarkdownSplitter()
    found = [words for unit in (*units.add(quoted), *units.rest()) for words in _shown(unit)]
    candidates = (w for w in found if count_words(f"{w.text} {w.behind}") >= _LEAST_WORDS)
    words = next(candidates, None) or max(
        found, key=lambda w: len(w.text), default=_DisplayedWords("")
    )
    directive = _directive(words)
    return f"{link}{'' if '#' in link else '#'}:~:text={directive}" if directive else link


def _directive(words: _DisplayedWords) -> str:
    named = words.text.split()
    is_little = count_words(words.text) < _LEAST and len(words.text) < _LEAST_CHARACTERS
    if is_little and not words.behind:
        return ""
    if len(named) > _SHORT:
        directive = f"{_escaped(named[:_END])},{_escaped(named[-_END:])}"
    elif named and len(words.text) <= _MOST_CHARACTERS:
        directive = _escaped(named)
    else:
        return ""
    behind = words.behind.split()[:_BEHIND]
    return f"{directive},-{_escaped(behind)}" if behind else directive


def _shown(unit: MarkdownUnit) -> Iterator[_DisplayedWords]:
    """Yield the lines of a unit as displayed."""
    match unit.kind:
        case UnitKind.PROSE:
            lines = map(_plain, _NOT_SHOWN.sub("\n", unit.text).split("\n"))
            yield from (_DisplayedWords(line) for line in lines if line)
        case UnitKind.FENCE if not _MERMAID_FENCE.match(unit.text):
            code = map(str.strip, unit.text.strip().splitlines()[1:-1])
            yield from (_DisplayedWords(line) for line in code if _is_informative_code(line))
        case UnitKind.TABLE:
            rows = map(cells, unit.text.splitlines()[1:])
            for row in (each for each in rows if not is_rule(each)):
                first, second = (*row, "")[:2]
                yield _DisplayedWords(_plain(first), _plain(second))
        case _:
            return


def _is_informative_code(line: str) -> bool:
    """Report whether a line of code is probably unique; fragments match the first occurrence."""
    return len(line) >= _LEAST_OF_CODE and not _IMPORT.match(line)


def _plain(markdown: str) -> str:
    return " ".join(plain(markdown).split())


def _escaped(words: Sequence[str]) -> str:
    """Escape hyphens and commas, which are syntax of the directive."""
    return quote(" ".join(words), safe="").replace("-", "%2D")
