"""Jinja environment of the theme, and conversion of short texts to HTML."""

from __future__ import annotations

import hashlib
import re
import sys
from contextlib import suppress
from functools import lru_cache
from html import unescape
from pathlib import Path

import jinja2
import re2
from jinja2 import Environment, FileSystemBytecodeCache, PackageLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup, escape

from docstead.base.texts import shortened
from docstead.markup.line_breaks import breakable
from docstead.theme.links import marked

_LONGEST_LINE = 300
_CODE = re.compile(r"`([^`]+)`")
# Matched in linear time: a repository may contain a million unclosed brackets.
_LINK = re2.compile(r"\[([^\]]+)\]\(([^)\s\p{Z}]+)\)")
_BOLD = re.compile(r"\*\*(.+?)\*\*|__(.+?)__")
_ITALIC = re.compile(r"(?<![\w*])\*([^*]+)\*(?![\w*])|(?<!\w)_([^_]+)_(?!\w)")


class _CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates, stored like compiled modules where the installation allows it."""

    def __init__(self) -> None:
        super().__init__(f"{Path(__file__).parent}/__pycache__", f"%s.{jinja2.__version__}.cache")

    def dump_bytecode(self, bucket: Bucket) -> None:
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                super().dump_bytecode(bucket)


@lru_cache(maxsize=1)
def templates() -> Environment:
    """Return the templates, with autoescaping."""
    environment = Environment(
        loader=PackageLoader("docstead.theme"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
        bytecode_cache=_CompiledTemplates(),
    )
    environment.filters["marked"] = marked
    environment.filters["breakable"] = breakable
    environment.globals["glyph"] = glyph
    return environment


@lru_cache(maxsize=64)
def glyph(name: str) -> Markup:
    """Return the SVG of an icon of the shell, which is the same on every page."""
    glyphs = templates().get_template("glyphs.html").module
    return Markup(glyphs.glyph(name))  # type: ignore[attr-defined]  # noqa: S704


def compile_templates() -> None:
    """Load all templates ahead of the first page; compiling them takes longer than many pages."""
    environment = templates()
    for name in environment.list_templates():
        environment.get_template(name)


def inline_markdown(text: str) -> Markup:
    """Render links, bold, italic, code and entities, which is all that a banner may contain."""
    kept: list[str] = []

    def keep(html: str) -> str:
        kept.append(html)
        return f"\x00{len(kept) - 1}\x00"

    html = str(escape(unescape(text).replace("\x00", "").strip()))
    html = _CODE.sub(lambda m: keep(f"<code>{m[1]}</code>"), html)
    if "](" in html:
        html = _LINK.sub(lambda m: keep(f'<a href="{marked(m[2])}">') + m[1] + keep("</a>"), html)
    html = _BOLD.sub(lambda m: f"<strong>{m[1] or m[2]}</strong>", html)
    html = _ITALIC.sub(lambda m: f"<em>{m[1] or m[2]}</em>", html)
    return Markup(re.sub("\x00(\\d+)\x00", lambda m: kept[int(m[1])], html))  # noqa: S704


def plain_line(text: str) -> str:
    """Return the first paragraph as plain text, for previews and search engines."""
    first = " ".join(text.strip().split("\n\n")[0].split())
    text = _LINK.sub(r"\1", first) if "](" in first else first
    bare = text.replace("`", "").replace("**", "")
    return shortened(bare, _LONGEST_LINE)


def short_hash(text: str) -> str:
    """Return the first eight characters of a hash."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]
