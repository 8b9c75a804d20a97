"""Markdown that somebody else wrote, as HTML that can do no harm: no tags, no pictures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from docstead.dashboard.diffs import visible

_TOP = 2  # the level below the page's own heading
_DEEPEST = 6
_TASK = re.compile(r"<li>\n?(<p>)?\[( |x|X)\] ")
_LINK = re.compile(r"https?://[^\s/]", re.IGNORECASE)


def prose(text: str) -> Markup:
    """The HTML of a description or a comment."""
    parser = _parser()
    tokens = parser.parse(text)
    _settle_headings(tokens)
    html: str = parser.renderer.render(tokens, parser.options, {})
    return visible(_TASK.sub(_task, html))


def prose_line(text: str) -> Markup:
    """The HTML of one sentence, without a paragraph around it."""
    html: str = _parser().renderInline(text)
    return visible(html)


def _settle_headings(tokens: Sequence[Token]) -> None:
    """Headings are below that of the page, and none is left out on the way down."""
    headings = [token for token in tokens if token.type in ("heading_open", "heading_close")]
    tags = sorted({token.tag for token in headings})
    for token in headings:
        token.tag = f"h{min(_DEEPEST, _TOP + tags.index(token.tag))}"


def _task(match: re.Match[str]) -> str:
    sign, label = ("☐", "to do") if match[2] == " " else ("☑", "done")
    return f'<li class="task">{match[1] or ""}<span role="img" aria-label="{label}">{sign}</span> '


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True})
    parser.enable(["table", "strikethrough"]).disable(["image"])
    parser.validateLink = _is_harmless  # type: ignore[method-assign, assignment]
    parser.add_render_rule("link_open", _link)
    return parser


def _is_harmless(address: str) -> bool:
    return _LINK.match(address) is not None


def _link(renderer: Any, tokens: Sequence[Token], index: int, *rest: Any) -> str:
    tokens[index].attrSet("rel", "noopener noreferrer nofollow")
    html: str = renderer.renderToken(tokens, index, *rest)
    return html
