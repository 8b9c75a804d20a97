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

_DEEPEST = 6
_TOP = 2  # the level of the page's own headings above
_TASK = re.compile(r"<li>\n?(<p>)?\[( |x|X)\] ")
_LINK = re.compile(r"https?://[^\s/]", re.IGNORECASE)


def prose(text: str) -> Markup:
    """The HTML of a description or a comment."""
    return visible(_TASK.sub(_task, _parser().render(text)))


def _task(match: re.Match[str]) -> str:
    sign = "☐" if match[2] == " " else "☑"
    return f'<li class="task">{match[1] or ""}<span aria-hidden="true">{sign}</span> '


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True})
    parser.enable(["table", "strikethrough"]).disable(["image"])
    parser.validateLink = _is_harmless  # type: ignore[method-assign, assignment]
    for rule in ("heading_open", "heading_close"):
        parser.add_render_rule(rule, _heading)
    parser.add_render_rule("link_open", _link)
    return parser


def _is_harmless(address: str) -> bool:
    return _LINK.match(address) is not None


def _heading(_: Any, tokens: Sequence[Token], index: int, *__: object) -> str:
    token = tokens[index]
    level = min(_DEEPEST, int(token.tag[1]) + _TOP)
    return f"<h{level}>" if token.nesting == 1 else f"</h{level}>\n"


def _link(renderer: Any, tokens: Sequence[Token], index: int, *rest: Any) -> str:
    tokens[index].attrSet("rel", "noopener noreferrer nofollow")
    html: str = renderer.renderToken(tokens, index, *rest)
    return html
