"""Untrusted Markdown as safe HTML, without raw HTML and images."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from docstead.dashboard.diffs import visible

_TOP = 2  # one level below the page's heading
_DEEPEST = 6
_TASK = re.compile(r"<li>\n?(<p>)?\[( |x|X)\] ")
_LINK = re.compile(r"https?://[^\s/]", re.IGNORECASE)


def prose(text: str) -> Markup:
    """Render a description or comment as HTML."""
    parser = _parser()
    tokens = parser.parse(text)
    _shift_headings(tokens)
    html: str = parser.renderer.render(tokens, parser.options, {})
    return visible(_TASK.sub(_task, html))


def prose_line(text: str) -> Markup:
    """Render one sentence as HTML, without a paragraph."""
    html: str = _parser().renderInline(text)
    return visible(html)


def _shift_headings(tokens: Sequence[Token]) -> None:
    """Shift headings below the page's heading, without skipping levels."""
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
    parser.validateLink = _is_harmless  # type: ignore[method-assign]
    parser.add_render_rule("link_open", _link)
    return parser


def _is_harmless(url: str) -> bool:
    return _LINK.match(url) is not None


def _link(renderer: Any, tokens: Sequence[Token], index: int, *rest: Any) -> str:
    tokens[index].attrSet("rel", "noopener noreferrer nofollow")
    html: str = renderer.renderToken(tokens, index, *rest)
    return html
