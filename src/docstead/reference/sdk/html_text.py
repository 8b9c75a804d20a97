"""Conversion of HTML from documentation tools to Markdown and plain text.

Only elements that descriptions may contain are kept. The resulting Markdown is rendered like any
other description.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from textwrap import dedent
from typing import cast

from lxml import etree

from docstead.base.elements import Element
from docstead.content.symbols import SymbolText
from docstead.markup.markdown_inline import classes
from docstead.reference.sdk.model import joined, link

# : Returns the id of the symbol that a URL refers to, or "".
FindSymbol = Callable[[str], str]

_DEPTH_LIMIT = 60
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_WORD = re.compile(r"\S+")
_PUNCTUATION = ".,;:!?)"
_BEGINS = re.compile(r"(?:#{1,6}\s|[-+>]\s|\d+[.)]\s|~~~|={2,}$|-{2,}$)")
_LANGUAGE = re.compile(r"\b(?:highlight-|language-|lang-|brush:\s*)(\w+)")
_PLAIN = frozenset({"default", "none", "notranslate", "text", "source"})
_TITLES = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "dt"})
_SILENT = frozenset(
    {"script", "style", "svg", "button", "input", "select", "textarea", "template", "head"}
    | {"iframe", "object", "embed", "audio", "video", "form", "noscript", "img", "math"}
)
_INLINE = frozenset(
    {"a", "abbr", "acronym", "b", "bdi", "big", "br", "cite", "code", "del", "dfn", "em", "font"}
    | {"i", "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike", "strong"}
    | {"sub", "sup", "time", "tt", "u", "var", "wbr"}
)
_MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*", "cite": "*", "var": "*", "dfn": "*"}
_CODE = frozenset({"code", "tt", "kbd", "samp"})


def parsed(html: str | bytes) -> Element | None:
    """Return the root of parsed HTML, or None if it is blank."""
    if not html.strip():
        return None
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, no_network=True)
    data = html.encode() if isinstance(html, str) else html
    return etree.fromstring(data, parser)


def texts_of(element: Element) -> Iterator[str]:
    """Yield the text nodes of an element."""
    return cast(Iterator[str], element.itertext())


def text_of(element: Element) -> str:
    """Return the text of an element on one line."""
    return _BLANKS.sub(" ", "".join(texts_of(element))).strip()


def words_of(elements: Iterable[Element | str], find: FindSymbol) -> SymbolText:
    """Return text as pairs with the ids of the symbols that its links refer to."""
    parts = (each if isinstance(each, str) else _words(each, find, 0) for each in elements)
    return tuple((_BLANKS.sub(" ", text), id_) for text, id_ in joined(*parts))


def content_of(element: Element) -> Iterator[Element | str]:
    """Yield the child nodes of an element, text and elements, in order."""
    yield element.text or ""
    for child in element:
        yield child
        yield child.tail or ""


def _words(element: Element, find: FindSymbol, depth: int) -> SymbolText:
    if not isinstance(element.tag, str) or element.tag in _SILENT or depth > _DEPTH_LIMIT:
        return ()
    # Links of type parameters lead to their own declaration.
    is_link = element.tag == "a" and not (element.get("title") or "").startswith("type parameter")
    if is_link and (id_ := find(element.get("href") or "")):
        return (("".join(texts_of(element)), id_),)
    parts = (
        each if isinstance(each, str) else _words(each, find, depth + 1)
        for each in content_of(element)
    )
    return joined(*parts)


def markdown_of(elements: Iterable[Element | str], find: FindSymbol) -> str:
    """Convert elements and the text between them to Markdown."""
    return "\n\n".join(_HtmlTextWriter(find).flow(elements, 0))


class _HtmlTextWriter:
    def __init__(self, find: FindSymbol) -> None:
        self._find = find

    def flow(self, elements: Iterable[Element | str], depth: int) -> list[str]:
        """Return a list of blocks; consecutive inline content is a paragraph."""
        blocks: list[str] = []
        run = ""
        for each in elements:
            if isinstance(each, str):
                run += _shown(each)
            elif not isinstance(each.tag, str) or each.tag in _SILENT or depth > _DEPTH_LIMIT:
                continue
            elif self._is_inline(each):
                run += self._inline(each, depth + 1)
            else:
                _add(blocks, _paragraph(run))
                run = ""
                for block in self._block(each, depth + 1):
                    _add(blocks, block)
        _add(blocks, _paragraph(run))
        return blocks

    def _is_inline(self, element: Element) -> bool:
        if element.tag not in _INLINE:
            return False
        return all(child.tag in _INLINE for child in element.iterdescendants(etree.Element))

    def _block(self, element: Element, depth: int) -> Iterable[str]:
        tag, names = str(element.tag), classes(element)
        if tag == "pre" or (tag == "div" and "highlight" in names):
            return (_fenced(element),)
        if tag in _TITLES or (tag == "p" and names & {"rubric", "admonition-title"}):
            return (_bold(text_of(element)),)
        if tag == "table":
            return (self._table(element, depth),)
        if tag in ("ul", "ol"):
            return (self._list(element, depth),)
        inner = self.flow(content_of(element), depth)
        return (_quoted(inner),) if tag == "blockquote" or "admonition" in names else inner

    def _list(self, element: Element, depth: int) -> str:
        lines = []
        for number, item in enumerate(element.iterchildren("li"), 1):
            mark = f"{number}. " if element.tag == "ol" else "- "
            text = "\n\n".join(self.flow(content_of(item), depth))
            indent = "\n" + " " * len(mark)
            lines.append(mark + text.replace("\n", indent).replace(f"{indent}\n", "\n\n"))
        return "\n".join(line for line in lines if line.strip("-. 0123456789"))

    def _table(self, element: Element, depth: int) -> str:
        parts = (element, *element.iterchildren("thead", "tbody", "tfoot"))
        rows = [
            [self._cell(cell, depth) for cell in row.iterchildren("td", "th")]
            for part in parts  # not those of nested tables
            for row in part.iterchildren("tr")
        ]
        rows = [row for row in rows if row]
        if not rows:
            return ""
        width = max(map(len, rows))
        lines = [f"| {' | '.join(row + [''] * (width - len(row)))} |" for row in rows]
        return "\n".join([lines[0], f"|{' --- |' * width}", *lines[1:]])

    def _cell(self, cell: Element, depth: int) -> str:
        text = " ".join(self.flow(content_of(cell), depth))
        return text.replace("\n", " ").replace("|", "\\|")

    def _inline(self, element: Element, depth: int) -> str:
        tag = str(element.tag)
        if "headerlink" in classes(element) or depth > _DEPTH_LIMIT:
            return ""
        if tag == "br":
            return "\n"
        if tag in _CODE:
            return self._code(element)
        text = "".join(
            _shown(each) if isinstance(each, str) else self._inline(each, depth + 1)
            for each in content_of(element)
            if isinstance(each, str) or (isinstance(each.tag, str) and each.tag in _INLINE)
        )
        if tag == "a":
            return self._link(element, text)
        bare = text.strip()
        mark = _MARKS.get(tag, "")
        if not mark or not bare or mark in bare or bare[0] in "*`" or bare[-1] in "*`":
            return text
        return text.replace(bare, f"{mark}{bare}{mark}", 1)

    def _code(self, element: Element) -> str:
        """Return code in backticks; code that consists of one link becomes a link."""
        text = text_of(element)
        inner = list(element.iter("a"))
        shown = _as_code(text)
        if len(inner) == 1 and text_of(inner[0]) == text:
            return self._link(inner[0], shown)
        return shown

    def _link(self, element: Element, text: str) -> str:
        url = element.get("href") or ""
        if id_ := self._find(url):
            return link(text.strip(), id_)
        is_web = url.startswith(("https://", "http://")) and not re.search(r"[\s<>]", url)
        return f"[{text.strip()}](<{url}>)" if is_web and text.strip() else text


def _shown(text: str) -> str:
    """Return text as Markdown; words that look like markup are put in backticks."""
    return _WORD.sub(_shown_word, _BLANKS.sub(" ", text))


def _shown_word(match: re.Match[str]) -> str:
    word = match[0]
    bare = word.strip("(").rstrip(_PUNCTUATION)
    is_marked = "*" in bare or "__" in bare or "\\" in bare or "~~" in bare
    is_marked = is_marked or (bare.startswith("_") and "_" in bare[1:])
    if not is_marked or "`" in bare:
        return word
    before, _, after = word.partition(bare)
    return f"{before}{_as_code(bare)}{after}"


def _as_code(text: str) -> str:
    if not text:
        return ""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _paragraph(run: str) -> str:
    text = "\n".join(line.strip() for line in run.split("\n")).strip()
    text = re.sub(r" {2,}", " ", text)
    return f"\\{text}" if _BEGINS.match(text) and not text[0].isdigit() else text


def _bold(text: str) -> str:
    return f"**{text.replace('*', '')}**" if text else ""


def _quoted(blocks: list[str]) -> str:
    text = "\n\n".join(blocks)
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n")) if text else ""


def _fenced(element: Element) -> str:
    names = " ".join(
        each.get("class") or ""
        for each in (element, *element.iterancestors("div"), *element.iterdescendants("code"))
    )
    named = (name for name in _LANGUAGE.findall(names) if name not in _PLAIN)
    source = dedent("".join(texts_of(element)).strip("\n")).rstrip()
    language = next(named, "python" if source.startswith(">>>") else "")
    fence = "```"
    while fence in source:
        fence += "`"
    return f"{fence}{language}\n{source}\n{fence}"


def _add(blocks: list[str], block: str) -> None:
    if block.strip():
        blocks.append(block)
