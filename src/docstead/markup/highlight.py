"""Code blocks: highlighted by Pygments, with title, line numbers and marks.

    <div class="ds-code code-block" data-has-header data-language="python"
         data-title="app.py" [data-lines] [data-wrap] [data-expandable] [data-nocopy]
         [data-focused]>
      <div class="ds-code-head"><div>icon <span class="ds-code-title">app.py</span></div></div>
      <div><pre><code class="language-python">…</code></pre></div>
    </div>

The header, its content and the code's box are named in `data-component-part`. If lines are
numbered, wrapped or marked, each is a `<span class="ds-line">` with the marks `ds-hl`, `ds-focus`,
`ds-add` or `ds-del`; numbers and signs are added by CSS, so that the text of `code` is the code
only. Tokens have one-letter classes (`k`, `s`, …).
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class_by_name, get_all_lexers
from pygments.token import Token

from docstead.markup.content_words import ENGLISH, ContentTexts
from docstead.markup.fences import FenceMeta
from docstead.markup.highlight_calls import tokens
from docstead.markup.highlight_css import pygments_css
from docstead.markup.json_code import json_lines
from docstead.markup.jsx import NAMES, with_own_rules
from docstead.markup.language_aliases import LANGUAGE_ALIASES
from docstead.markup.lexing import TokenType, quick_lexer
from docstead.markup.marked_text import with_marked_text
from docstead.markup.mdx import MARKDOWN, with_elements

if TYPE_CHECKING:
    from docstead.markup.grammars import SiteGrammars

__all__ = [
    "FenceMeta",
    "highlight",
    "highlighted_lines",
    "language_name",
    "panel",
    "pygments_css",
    "title",
]

_LONGEST = 200_000  # characters; longer blocks are not highlighted
_SHORT = 5_000  # characters that every lexer handles quickly
_SECONDS = 5.0  # processor time of a longer block; the longest ordinary ones take a tenth of it
_TAB, _MOST_INDENT = 2, 16  # characters, of wrapped lines
_TOKENS = 256  # tokens between checks of the time
_CLASSES: dict[TokenType, str] = {
    Token.Comment: "c",
    Token.Comment.Preproc: "k",
    Token.Comment.PreprocFile: "s",
    Token.Keyword: "k",
    Token.Keyword.Constant: "m",
    Token.Keyword.Type: "t",
    Token.Literal: "m",
    Token.Literal.String: "s",
    Token.Literal.String.Doc: "c",
    Token.Literal.String.Interpol: "v",
    Token.Literal.String.Escape: "m",
    Token.Literal.Number: "m",
    Token.Name.Attribute: "a",
    Token.Name.Builtin: "b",
    Token.Name.Class: "t",
    Token.Name.Constant: "m",
    Token.Name.Decorator: "f",
    Token.Name.Entity: "m",
    Token.Name.Exception: "t",
    Token.Name.Function: "f",
    Token.Name.Namespace: "t",
    Token.Name.Tag: "g",
    Token.Name.Variable: "v",
    Token.Operator.Word: "k",
    Token.Generic.Deleted: "gd",
    Token.Generic.Inserted: "gi",
    Token.Generic.Heading: "k",
    Token.Generic.Subheading: "f",
    Token.Generic.Emph: "ge",
    Token.Generic.Strong: "gs",
    Token.Generic.Prompt: "c",
}
_ICON = '<i class="icon code-block-icon" data-component-part="icon-svg" data-ds-icon="{}"></i>'
_MORE = '<i data-ds-icon="chevrons-up-down" data-ds-library="lucide"></i>'
_PART = ' data-component-part="{}"'
PANEL_PARTS = ("code-block-root", "code-group-tab-content")
_ROWS_WITHOUT_FOLD = 12
_MARKER = re.compile(
    r"(?<![ \t])[ \t]*+(?://|#|--|;|%|<!--|/\*|\{/\*)[ \t]*"
    r"\[!code[ \t]+(?P<kind>\+\+|--|hl|highlight|focus)(?::(?P<count>\d{1,4}))?\]"
    r"[ \t]*+(?:-->|\*/\}|\*/)?[ \t]*+$"
)


def highlight(
    code: str,
    language: str,
    meta: FenceMeta | None = None,
    grammars: SiteGrammars | None = None,
    words: ContentTexts = ENGLISH,
) -> str:
    """Return the block as HTML. Unknown languages are plain text."""
    name = language.strip().lower()
    pre, meta, count = _pre(code, name, meta or FenceMeta(), grammars)
    return (
        f'<div class="ds-code code-block"{_attributes(name, meta)}>{_header(meta)}'
        f'<div data-component-part="code-block-root">{pre}</div>{_footer(meta, count, words)}</div>'
    )


def panel(
    code: str,
    language: str,
    meta: FenceMeta,
    grammars: SiteGrammars | None = None,
    words: ContentTexts = ENGLISH,
    *,
    is_first: bool,
) -> str:
    """Return a block of a group, which has the header.

    Parts are named in the visible block; a script updates them.
    """
    name = language.strip().lower()
    pre, meta, count = _pre(code, name, meta, grammars)
    role = ' role="tabpanel"' if is_first else ""
    root, content = (_PART.format(each) if is_first else "" for each in PANEL_PARTS)
    return (
        f'<div class="ds-code ds-code-panel"{role}{_attributes(name, meta)}>'
        f"<div{root}><div{content}>{pre}</div></div>{_footer(meta, count, words)}</div>"
    )


def title(language: str, meta: FenceMeta) -> str:
    """Return icon and title of a block as HTML; the language if it has neither."""
    icon = _ICON.format(escape(meta.icon)) if meta.icon else ""
    return icon + escape(meta.title or ("" if icon else language))


def language_name(language: str) -> str:
    """Return the name of a language as readers know it, such as "C++" for `cpp`."""
    name = language.strip().lower()
    lexer = _lexer(LANGUAGE_ALIASES.get(name, name))
    return language if lexer is None else lexer.name


def _pre(
    code: str, name: str, meta: FenceMeta, grammars: SiteGrammars | None
) -> tuple[str, FenceMeta, int]:
    """Return the `pre` element, the options with those in the code, and the number of lines."""
    lines, meta = _without_markers(code, meta)
    text = "\n".join(lines)
    own = grammars.lines(text, name) if grammars else None
    shown = _tokenized(text, LANGUAGE_ALIASES.get(name, name)) if own is None else _written(own)
    if meta.mark:
        shown = tuple(with_marked_text(line, meta.mark) for line in shown)
    body = _marked(shown, lines, meta) if meta.marks_lines else "\n".join(shown)
    pre = f'<pre><code class="language-{escape(name or "text")}">{body}</code></pre>'
    return pre, meta, len(lines)


def highlighted_lines(code: str, language: str) -> tuple[str, ...]:
    """Return the HTML of each line; no tag spans several lines."""
    name = language.strip().lower()
    return _tokenized(code, LANGUAGE_ALIASES.get(name, name))


def _attributes(language: str, meta: FenceMeta) -> str:
    given = {
        "data-has-header": bool(meta.title or meta.icon),
        "data-language": language,
        "data-title": meta.title,
        "data-lines": meta.lines,
        "data-wrap": meta.wrap,
        "data-expandable": meta.expandable,
        "data-nocopy": meta.nocopy,
        "data-focused": bool(meta.focus),
    }
    return "".join(
        f' {name}="{escape(value) if isinstance(value, str) else ""}"'
        for name, value in given.items()
        if value
    )


def _footer(meta: FenceMeta, count: int, words: ContentTexts) -> str:
    """Return the button that expands a long block."""
    if not meta.expandable or count <= _ROWS_WITHOUT_FOLD:
        return ""
    return (
        '<div class="ds-code-more" data-component-part="code-block-footer">'
        '<button type="button" data-component-part="code-block-footer-button" '
        f'aria-expanded="false">{_MORE}{words.see_all_lines.format(count=count)}</button></div>'
    )


def _header(meta: FenceMeta) -> str:
    if not meta.title and not meta.icon:
        return ""
    icon = _ICON.format(escape(meta.icon)) if meta.icon else ""
    title = f'<span class="ds-code-title">{escape(meta.title)}</span>' if meta.title else ""
    return (
        '<div class="ds-code-head" data-component-part="code-block-header">'
        '<div class="ds-code-name" data-component-part="code-block-header-filename">'
        f"{icon}{title}</div></div>"
    )


def _marked(shown: Iterable[str], lines: Iterable[str], meta: FenceMeta) -> str:
    """Return each line in an element. Wrapped ones continue below their own indentation."""
    marked = []
    for number, (line, code) in enumerate(zip(shown, lines, strict=False), 1):
        names = " ".join(
            name
            for name, numbers in (
                ("ds-line", None),
                ("ds-hl", meta.highlight),
                ("ds-focus", meta.focus),
                ("ds-add", meta.added),
                ("ds-del", meta.removed),
            )
            if numbers is None or number in numbers
        )
        indent = _indentation(code) if meta.wrap else 0
        style = f' style="--ds-indent:{indent}"' if indent else ""
        marked.append(f'<span class="{names}"{style}>{line}\n</span>')
    return "".join(marked)


def _indentation(line: str) -> int:
    """Return the width of the spaces before a line, at most half of a narrow column."""
    spaces = line[: len(line) - len(line.lstrip())]
    return min(_MOST_INDENT, len(spaces.expandtabs(_TAB)))


def _without_markers(code: str, meta: FenceMeta) -> tuple[list[str], FenceMeta]:
    """Remove `[!code …]` comments from lines, and return them as marks."""
    lines = code.split("\n")
    if "[!code" not in code:
        return lines, meta
    found: dict[str, set[int]] = {"++": set(), "--": set(), "highlight": set(), "focus": set()}
    for at, line in enumerate(lines):
        if match := _MARKER.search(line):
            kind = "highlight" if match["kind"] == "hl" else match["kind"]
            found[kind].update(range(at + 1, at + 1 + int(match["count"] or 1)))
            lines[at] = line[: match.start()]
    return lines, replace(
        meta,
        added=meta.added | found["++"],
        removed=meta.removed | found["--"],
        highlight=meta.highlight | found["highlight"],
        focus=meta.focus | found["focus"],
    )


_PHP = frozenset({"php", "php3", "php4", "php5"})
# Start of an element in expression position, in JavaScript.
_ELEMENT = re.compile(
    r"(?:^|[(=&?:,>]|\breturn)[ \t]*<(?:>|[A-Za-z][\w.]*(?:[ \t]*/?>|[ \t\n]+[A-Za-z{]))",
    re.MULTILINE,
)


@lru_cache(maxsize=2_048)
def _tokenized(code: str, language: str) -> tuple[str, ...]:
    """Return the HTML of each line; no tag spans several lines."""
    is_part = language in _PHP and "<?" not in code
    if language in ("javascript", "js") and _has_elements(code):
        language = "jsx"
    if language == "json" and len(code) <= _LONGEST and (lines := json_lines(code)):
        return lines
    lexer = _lexer(language, is_part=is_part) if len(code) <= _LONGEST else None
    if lexer is None:
        return tuple(escape(code, quote=False).split("\n"))
    try:
        html = "".join(_span(name, text) for name, text in _merged(lexer, code))
    except _TookTooLong:
        return tuple(escape(code, quote=False).split("\n"))
    # Lexers append a line break.
    return tuple(html.split("\n")[: code.count("\n") + 1])


def _has_elements(code: str) -> bool:
    return _ELEMENT.search(code) is not None


def _written(lines: Iterable[Iterable[tuple[str, str]]]) -> tuple[str, ...]:
    return tuple("".join(_span(name, text) for name, text in line) for line in lines)


def _span(name: str, text: str) -> str:
    html = escape(text, quote=False)
    if not name:
        return html
    if "\n" not in html:
        return f'<span class="{name}">{html}</span>'
    lines = (f'<span class="{name}">{line}</span>' if line else "" for line in html.split("\n"))
    return "\n".join(lines)


def _merged(lexer: Lexer, code: str) -> Iterator[tuple[str, str]]:
    """Merge adjacent tokens of a class; whitespace joins the preceding token."""
    current = merged = ""
    found = tokens(lexer, code)
    for kind, text in found if len(code) <= _SHORT else _in_time(found):
        name = _class_of(kind)
        if name == current or (text.isspace() and "\n" not in text):
            merged += text
            continue
        if merged:
            yield current, merged
        current, merged = name, text
    if merged:
        yield current, merged


class _TookTooLong(Exception):
    """A lexer took quadratic time, as by searching for an end from each character."""


def _in_time(found: Iterable[tuple[TokenType, str]]) -> Iterator[tuple[TokenType, str]]:
    """Yield the tokens; raise `_TookTooLong` if they take too much processor time."""
    ends = time.thread_time() + _SECONDS
    for number, token in enumerate(found):
        if number % _TOKENS == 0 and time.thread_time() > ends:
            raise _TookTooLong
        yield token


@lru_cache(maxsize=512)
def _class_of(kind: TokenType) -> str:
    while kind is not Token:
        if kind in _CLASSES:
            return _CLASSES[kind]
        if kind.parent is None:
            break
        kind = kind.parent
    return ""


@lru_cache(maxsize=256)
def _lexer(language: str, *, is_part: bool = False) -> Lexer | None:
    """Return the lexer of a language; for PHP without `<?php` as needed."""
    if language not in _names():
        return None
    # Some lexers recognize a comment in the last line only before a line break.
    kind: type[Lexer] = find_lexer_class_by_name(language)
    if kind.name == "Text only":
        return None
    if kind.name in NAMES:
        kind = with_own_rules(kind)
    elif kind.name == MARKDOWN:
        kind = with_elements(kind)
    return quick_lexer(kind, stripnl=False, ensurenl=True, startinline=is_part)


@lru_cache(maxsize=1)
def _names() -> frozenset[str]:
    """Return the known names, because Pygments searches for plugins for unknown ones."""
    return frozenset(name for _, names, _, _ in get_all_lexers(plugins=False) for name in names)
