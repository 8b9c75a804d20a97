"""Conversion of a page's HTML to sections of Markdown, for search, answers and agents.

Every heading begins a section, also within tabs, steps and accordions, which are reduced to titles
and contents. Headings in quotes, lists and tables become bold text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

from lxml import etree

from docstead.base.elements import Element
from docstead.content.pages import Section
from docstead.markup.content_words import ENGLISH, ContentTexts
from docstead.markup.markdown_blocks import fenced, indented, language_in, table_line
from docstead.markup.markdown_inline import (
    InlineRenderer,
    classes,
    is_block,
    is_silent,
    plain_text,
    squeeze,
    text_of,
)
from docstead.markup.rendered import Heading

_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_SUMMARY_TITLES = ("ds-accordion-title", "ds-expandable-title")
_MOST_DIGITS = 9
_CALLOUTS = {"note", "info", "tip", "check", "warning", "danger"}


class CodeText(Protocol):
    """A code block, represented in the HTML by `<ds-fence data-n>`."""

    @property
    def code(self) -> str: ...

    @property
    def language(self) -> str: ...

    @property
    def title(self) -> str | None: ...


class SharedFields(Protocol):
    """Lists of fields, represented in the HTML by `<ds-shared data-n>`."""

    def blocks(self, number: int) -> Sequence[str]: ...


@dataclass(slots=True)
class _OpenSection:
    anchor: str
    path: tuple[str, ...]
    blocks: list[str] = field(default_factory=list)


class PageBody:
    """HTML of a page's body, with links as root-absolute paths."""

    def __init__(self, html: str) -> None:
        self._root = _parse(html)

    def sections(
        self,
        fences: Sequence[CodeText] = (),
        shared: SharedFields | None = None,
        words: ContentTexts = ENGLISH,
    ) -> tuple[Section, ...]:
        """Return all sections; `fences` and `shared` hold the blocks they refer to."""
        return self._walked(fences, shared, words).sections()

    def blocks(self, shared: SharedFields) -> tuple[str, ...]:
        """Return the Markdown of HTML without headings."""
        return self._walked((), shared, ENGLISH).blocks()

    def headings(self, within: str) -> tuple[Heading, ...]:
        """Return headings with anchors, in order, in the first element with this class."""
        part = None if self._root is None else _first(self._root, within)
        return () if part is None else tuple(_headings(part))

    def _walked(
        self, fences: Sequence[CodeText], shared: SharedFields | None, words: ContentTexts
    ) -> _Walker:
        walker = _Walker(fences, shared, words)
        if self._root is not None:
            walker.flow(self._root)
        return walker


def _headings(part: Element) -> Iterator[Heading]:
    for element in part.iter(*_HEADINGS):
        if anchor := element.get("id"):
            yield Heading(_HEADINGS[str(element.tag)], plain_text(element), anchor)


def _parse(html: str) -> Element | None:
    if not html.strip():
        return None
    # lxml.html's elements have more features, and cost twice as much.
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, collect_ids=False)
    # The breaks in long names are no text, and each would be an element.
    return etree.fromstring(f"<div>{html.replace('<wbr/>', '')}</div>".encode(), parser)


class _Walker:
    def __init__(
        self, fences: Sequence[CodeText], shared: SharedFields | None, words: ContentTexts
    ) -> None:
        self._fences = fences
        self._words = words
        self._shared = shared
        self._inline = InlineRenderer()
        self._levels: list[tuple[int, str]] = []
        self._done: list[_OpenSection] = [_OpenSection("", ())]
        self._nested = 0  # number of open quotes, lists and tables

    def sections(self) -> tuple[Section, ...]:
        return tuple(
            Section(each.anchor, each.path, "\n\n".join(each.blocks))
            for each in self._done
            if each.blocks
        )

    def blocks(self) -> tuple[str, ...]:
        return tuple(self._done[0].blocks)

    def flow(self, element: Element) -> None:
        """Convert blocks in order; text and inline elements between them are paragraphs."""
        run = element.text or ""
        for child in element:
            if is_block(child):
                if run:
                    self._paragraph(run)
                self._block(child)
                run = ""
            else:
                run += self._inline.element(child)
            if tail := child.tail:
                run += tail
        if run:
            self._paragraph(run)

    def _paragraph(self, run: str) -> None:
        self._put(squeeze(run))

    def _put(self, text: str) -> None:
        if text:
            self._done[-1].blocks.append(text)

    def _block(self, element: Element) -> None:
        _lowering(str(element.tag), element.get("class"))(self, element)

    def _within(self, element: Element) -> list[str]:
        """Return the blocks of an element that is quoted or indented as a whole."""
        if not len(element):
            text = squeeze(element.text or "")
            return [text] if text else []
        self._nested += 1
        self._done.append(_OpenSection("", ()))
        self.flow(element)
        self._nested -= 1
        return self._done.pop().blocks

    # --- plain elements -----------------------------------------------------

    def _heading(self, element: Element) -> None:
        text = squeeze(self._inline.of(element))
        level = _HEADINGS[str(element.tag)]
        if self._nested:
            self._put(f"**{text}**" if text else "")
            return
        title = plain_text(element)
        self._levels = [each for each in self._levels if each[0] < level] + [(level, title)]
        path = tuple(name for _, name in self._levels)
        self._done.append(_OpenSection(element.get("id") or "", path))
        self._put(f"{'#' * level} {text}")

    def _list(self, element: Element) -> None:
        ordered = element.tag == "ol"
        number = _integer(element.get("start"), 1)
        lines = []
        for item in element.iterchildren("li"):
            mark = f"{number}. " if ordered else "- "
            number += 1
            lines.append(self._item(item, mark))
        self._put("\n".join(filter(None, lines)))

    def _item(self, item: Element, mark: str) -> str:
        blocks = self._within(item)
        if not blocks:
            return ""
        separator = "\n" if len(blocks) > 1 and blocks[1].startswith(("- ", "1. ")) else "\n\n"
        return indented(mark, _task(item) + separator.join(blocks))

    def _quote(self, element: Element, label: str = "") -> None:
        blocks = self._within(element)
        if label:
            mark = f"**{label}{self._words.colon.rstrip()}**"
            blocks = [f"{mark} {blocks[0]}", *blocks[1:]] if blocks else []
        text = "\n\n".join(blocks)
        self._put("\n".join(f"> {line}".rstrip() for line in text.split("\n")) if text else "")

    def _table(self, element: Element) -> None:
        rows = [self._row(row) for row in element.iter("tr")]
        rows = [row for row in rows if row]
        if not rows:
            return
        width = max(len(row) for row in rows)
        lines = [table_line(row + [""] * (width - len(row))) for row in rows]
        self._put("\n".join([lines[0], table_line(["---"] * width), *lines[1:]]))

    def _row(self, row: Element) -> list[str]:
        cells = (" ".join(self._within(cell)) for cell in row.iterchildren("td", "th"))
        return [cell.replace("\n", " ").replace("|", "\\|") for cell in cells]

    def _code(self, element: Element) -> None:
        code = element.find(".//code")
        source = element if code is None else code
        language = "mermaid" if "mermaid-source" in classes(element) else ""
        name = element.get("data-language") or language_in(source.get("class")) or language
        self._put(fenced(text_of(source).rstrip("\n"), name, element.get("data-title")))

    def _fence(self, element: Element) -> None:
        fence = self._fences[int(element.get("data-n") or 0)]
        self._put(fenced(fence.code, fence.language, fence.title))

    def _source(self, element: Element) -> None:
        title = element.get("data-title") or None
        self._put(fenced(text_of(element).rstrip("\n"), element.get("data-language") or "", title))

    def _shared_fields(self, element: Element) -> None:
        if self._shared is not None:
            self._done[-1].blocks += self._shared.blocks(int(element.get("data-n") or 0))

    def _rule(self, _: Element) -> None:
        self._put("---")

    def _embedded(self, element: Element) -> None:
        self._put(self._inline.media(element))

    def _definition(self, element: Element) -> None:
        self._put("\n\n".join(f": {block}" for block in self._within(element)))

    def _details(self, element: Element) -> None:
        summary = element.find("summary")
        if summary is not None:
            titles = (each for each in summary.iter() if each.get("class") in _SUMMARY_TITLES)
            text = squeeze(self._inline.of(next(titles, summary)))
            self._put(f"**{text}**" if text else "")
        self.flow(element)

    # --- components ---------------------------------------------------------

    def _callout(self, element: Element) -> None:
        label = self._callout_label(element.get("data-callout") or "")
        body = _first(element, "ds-callout-body")
        self._quote(element if body is None else body, label)

    def _callout_label(self, kind: str) -> str:
        """Return the label in English of what authors call, for instance, `Check`."""
        if kind not in _CALLOUTS:
            return ""
        return kind.title() if self._words == ENGLISH else str(getattr(self._words, kind))

    def _titled(self, element: Element) -> None:
        title = element.get("data-title") or element.get("data-view") or ""
        self._put(f"**{squeeze(title)}**" if title.strip() else "")
        self.flow(element)

    def _tree(self, element: Element) -> None:
        self._put("\n".join(self._nodes(element)))

    def _nodes(self, element: Element) -> Iterator[str]:
        """Yield files and folders as list items, folders in bold."""
        for node in element.iterchildren("div"):
            if "ds-tree-file" in classes(node):
                yield indented("- ", " ".join(self._within(node)))
            elif (row := _first(node, "ds-tree-row")) is not None:
                name = " ".join(self._within(row))
                inner = _first(node, "ds-tree-list")
                shown = name if row.get("aria-expanded") is None else f"**{name}**"
                nodes = () if inner is None else self._nodes(inner)
                yield indented("- ", "\n".join((shown, *nodes)))

    def _color(self, element: Element) -> None:
        values = [plain_text(element), element.get("data-dark") or ""]
        self._put(" / ".join(filter(None, values)))

    def _tags(self, element: Element) -> None:
        self._put("\n".join(f"- {squeeze(self._inline.of(tag))}" for tag in element))

    def _step_title(self, element: Element) -> None:
        if element.tag in _HEADINGS:
            self._heading(element)
        else:
            self._put(f"**{squeeze(self._inline.of(element))}**")

    def _card(self, element: Element) -> None:
        title, text = _first(element, "ds-card-title"), _first(element, "ds-card-text")
        name = squeeze(self._inline.of(title)) if title is not None else ""
        link = element if element.tag == "a" else _first(element, "ds-card-link")
        if link is element or (not name and link is not None):
            label = name or link.get("aria-label") or squeeze(plain_text(element))
            name = squeeze(self._inline.link(link, label))
        parts = [name, *(self._within(text) if text is not None else [])]
        self._put(indented("- ", "\n\n".join(filter(None, parts))) if any(parts) else "")

    def _field(self, element: Element) -> None:
        if (head := _first(element, "ds-field-head")) is not None:
            self._put(self._field_label(head))
        if (body := _first(element, "ds-field-body")) is not None:
            self.flow(body)

    def _field_label(self, head: Element) -> str:
        name = _first(head, "ds-field-name")
        pills = (pill for pill in head.iter("div", "span") if "ds-field-pill" in classes(pill))
        facts = ", ".join(squeeze(self._inline.of(pill)) for pill in pills)
        label = f"`{text_of(name)}`" if name is not None else ""
        return " ".join(filter(None, [label, f"({facts})" if facts else ""]))

    def _skip(self, _: Element) -> None:
        return


def _task(item: Element) -> str:
    """Return the checkbox of a task item."""
    if "task-list-item" not in classes(item) or (box := item.find(".//input")) is None:
        return ""
    return "[ ] " if box.get("checked") is None else "[x] "


def _integer(text: str | None, fallback: int) -> int:
    if not text or not text.isdecimal() or len(text) > _MOST_DIGITS:
        return fallback
    return int(text)


def _first(element: Element, name: str) -> Element | None:
    """Return the closest child, or else the first descendant, with this class."""
    for each in element:
        if name in classes(each):
            return each
    return next((each for each in element.iterdescendants() if name in classes(each)), None)


@lru_cache(maxsize=2_048)
def _lowering(tag: str, names: str | None) -> _Lower:
    """Return the conversion function for blocks with this tag and these classes."""
    if is_silent(tag, names):
        return _Walker._skip
    own = (names or "").split()
    component = next((lower for name, lower in _COMPONENTS.items() if name in own), None)
    return component or _TAGS.get(tag, _Walker.flow)


_Lower = Callable[[_Walker, Element], None]
_TAGS: dict[str, _Lower] = {
    **dict.fromkeys(_HEADINGS, _Walker._heading),
    **dict.fromkeys(("ul", "ol"), _Walker._list),
    **dict.fromkeys(("video", "audio", "iframe", "embed", "object", "img"), _Walker._embedded),
    "blockquote": _Walker._quote,
    "table": _Walker._table,
    "pre": _Walker._code,
    "ds-fence": _Walker._fence,
    "ds-source": _Walker._source,
    "ds-shared": _Walker._shared_fields,
    "hr": _Walker._rule,
    "dd": _Walker._definition,
    "details": _Walker._details,
    "summary": _Walker._skip,
    "ds-humans": _Walker._skip,
}
_COMPONENTS: dict[str, _Lower] = {
    "ds-callout": _Walker._callout,
    "ds-tab": _Walker._titled,
    "ds-tab-list": _Walker._skip,
    "ds-tree": _Walker._tree,
    "ds-code-bar": _Walker._skip,
    "ds-color-value": _Walker._color,
    "ds-update-tags": _Walker._tags,
    "ds-view": _Walker._titled,
    "ds-view-title": _Walker._skip,
    "ds-step-title": _Walker._step_title,
    "ds-card": _Walker._card,
    "ds-field": _Walker._field,
    "ds-code": _Walker._code,
    "ds-missing-name": _Walker._skip,
}
