"""HTML tags in descriptions of specifications.

Tags with a Markdown equivalent and plain text content are applied: external links, strong and
emphasized text, code, line breaks. Their other attributes are dropped, and all other tags are shown
literally.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline

_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_LINK = re.compile(
    r"""<a\s(?:[^<>"']|"[^"<>]*")*?\bhref="(https?://[^"<>\s]+)"(?:\s[^<>]*)?>([^<]+)</a>""",
    re.IGNORECASE,
)
_WORDS = re.compile(r"<(b|strong|i|em|code)>([^<]+)</\1>", re.IGNORECASE)
_NAMES = {"b": "strong", "strong": "strong", "i": "em", "em": "em"}


def apply_tags(parser: MarkdownIt) -> None:
    """Add these tags to the parser and return it."""
    parser.inline.ruler.before("autolink", "tags", _tag)


def _tag(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "<":
        return False
    for pattern, write in ((_BREAK, _write_break), (_LINK, _write_link), (_WORDS, _write_words)):
        found = pattern.match(state.src, state.pos, state.posMax)
        if found:
            if not silent:
                write(state, found)
            state.pos = found.end()
            return True
    return False


def _write_break(state: StateInline, _: re.Match[str]) -> None:
    state.push("hardbreak", "br", 0)


def _write_link(state: StateInline, found: re.Match[str]) -> None:
    url = state.md.normalizeLink(unescape(found[1]))
    if not state.md.validateLink(url):
        state.push("text", "", 0).content = found[0]
        return
    state.push("link_open", "a", 1).attrs = {"href": url}
    state.push("text", "", 0).content = unescape(found[2])
    state.push("link_close", "a", -1)


def _write_words(state: StateInline, found: re.Match[str]) -> None:
    tag = _NAMES.get(found[1].lower())
    if tag is None:
        state.push("code_inline", "code", 0).content = unescape(found[2])
        return
    state.push(f"{tag}_open", tag, 1)
    state.push("text", "", 0).content = unescape(found[2])
    state.push(f"{tag}_close", tag, -1)
