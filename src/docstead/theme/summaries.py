"""Summary of a page without description: its first sentences of prose.

Headings, lists, tables, quotes, images, code and labels are skipped. So is text below a label,
which describes a step, field or card: many pages share such text, and search engines rank pages
with duplicate descriptions lower.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from docstead.base.texts import shortened
from docstead.content.pages import PageMeta
from docstead.markup.fenced_code import without_fenced_code
from docstead.markup.rendered import RenderedPage

LENGTH = 160  # characters shown by search engines
_READ = 1_000  # characters of a paragraph, including markup and URLs
_SHORTEST_BYTES = 40  # of a paragraph that is not a sentence
_PARTS = re.compile(r"\n{2,}")
_FIELD = re.compile(r"`[^`]*` \([^)]*\)$")
_BOLD = re.compile(r"\*\*[^*\n]+\*\*$")
_NO_PROSE = re.compile(r"[#>|:]|[-*+] |\d+[.)] |(?:-{3,}|\*{3,})$|\$\$")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^)\s]*\)")
_PICTURE = re.compile(r"!\[[^\[\]]*\]\([^)\s]*\)")
_CODE = re.compile(r"(?<!`)(`{1,2})(?!`) ?(.+?) ?(?<!`)\1(?!`)")
_MARKS = re.compile(r"\*\*|~~|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)")
_ENDS = (".", "!", "?", "。", "！", "？")


def described(meta: PageMeta, rendered: RenderedPage) -> PageMeta:
    """Return the metadata with a description; existing ones are kept.

    Operations are described by the summary in their specification.
    """
    if meta.description or rendered.failed:
        return meta
    return replace(meta, description=summary(rendered) or (meta.title if meta.method else None))


def summary(rendered: RenderedPage) -> str:
    """Return the first paragraph as plain text, truncated after a word, or ""."""
    return shortened(next(_paragraphs(rendered), ""), LENGTH)


def _paragraphs(rendered: RenderedPage) -> Iterator[str]:
    """Yield sufficiently long paragraphs; of a section, those before its first label."""
    has_dates = "updates" in rendered.features  # labels of the page's subject
    for section in rendered.sections:
        for part in _PARTS.split(without_fenced_code(section.markdown)):
            text = part.strip()
            if _is_label(text):
                if not has_dates:
                    break
            elif text and not _NO_PROSE.match(text):
                plain = _plain(text[:_READ])
                if _says_enough(plain):
                    yield plain


def _is_label(text: str) -> bool:
    if _BOLD.match(text):  # label of a step, tab or card, or a highlighted sentence
        return not _says_enough(_plain(text))
    return _FIELD.match(text) is not None


def _plain(text: str) -> str:
    bare = _LINK.sub(r"\1", _PICTURE.sub("", text))
    return " ".join(_CODE.sub(r"\2", _MARKS.sub("", bare)).split())


def _says_enough(text: str) -> bool:
    return len(text.encode()) >= _SHORTEST_BYTES or (text.endswith(_ENDS) and " " in text)
