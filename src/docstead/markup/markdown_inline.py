"""Conversion of inline HTML to Markdown, and classification of blocks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import cast

from docstead.base.elements import Element
from docstead.markup.rendered import LINK_MARK

_INLINE = frozenset(
    re.findall(
        r"\w+",
        "a abbr b bdi bdo br button cite code data del dfn em font i img input ins kbd label mark "
        "math q s samp select small span strike strong sub sup svg template time u var wbr",
    )
)
_MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*", "del": "~~", "s": "~~", "strike": "~~"}
_MEDIA = frozenset({"img", "video", "iframe", "audio"})
_CODE = frozenset({"code", "kbd", "samp"})
_SKIPPED = frozenset({"script", "style", "svg", "button", "input", "select", "template"})
_SKIPPED_CLASSES = frozenset(
    {
        "ds-heading-anchor",
        "ds-tooltip-body",
        "ds-step-marker",
        "ds-card-arrow",
        "sr-only",
        "katex-html",
    }
)
#: Classes of images that are shown in light or in dark mode only.
_COLOR_MODES = frozenset({"dark:hidden", "dark:block", "dark:inline", "dark:inline-block"})
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_UNEVEN = ("\n", "  ", "\t", "\r", "\f")
_AROUND_BREAK = re.compile(r" ?\x00 ?")


def classes(element: Element) -> frozenset[str]:
    names = element.get("class")
    return _split(names) if names else frozenset()


@lru_cache(maxsize=1_024)
def _split(names: str) -> frozenset[str]:
    return frozenset(names.split())


def is_skipped(element: Element) -> bool:
    """Report whether an element has no textual content."""
    if is_silent(element.tag, element.get("class")):
        return True
    return element.tag == "a" and element.get("data-footnote-backref") is not None


@lru_cache(maxsize=2_048)
def is_silent(tag: object, names: str | None) -> bool:
    """Report whether elements with this tag and these classes have no textual content."""
    if tag in _SKIPPED or not isinstance(tag, str):
        return True
    return bool(names) and not _SKIPPED_CLASSES.isdisjoint(_split(names or ""))


def is_block(element: Element) -> bool:
    """Report whether an element is a block, or an inline element that contains blocks."""
    if element.tag not in _INLINE:
        return isinstance(element.tag, str)
    if element.tag in ("a", "span", "font") and len(element):
        return any(is_block(child) for child in element)
    return False


def squeeze(text: str) -> str:
    """Return a line of text per `<br>`, with whitespace collapsed."""
    if not text or text.isspace():
        return ""
    line = _BLANKS.sub(" ", text) if any(map(text.__contains__, _UNEVEN)) else text
    return (_AROUND_BREAK.sub("\n", line) if "\x00" in line else line).strip()


def text_of(element: Element) -> str:
    """Return all text of an element unchanged, without markup."""
    if not len(element):
        return element.text or ""
    return "".join(cast(Iterator[str], element.itertext()))


def plain_text(element: Element) -> str:
    """Return the text of an element as one line, without markup."""
    return " ".join("".join(_texts(element)).split())


def _texts(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if not is_skipped(child):
            yield from _texts(child)
        yield child.tail or ""


class InlineRenderer:
    """Converts inline elements; whitespace is collapsed later by `squeeze`."""

    def of(self, element: Element) -> str:
        """Return the content of an element."""
        text = element.text or ""
        if not len(element):
            return text
        parts = [text]
        for child in element:
            parts.append(self.element(child))
            parts.append(child.tail or "")
        return "".join(parts)

    def element(self, element: Element) -> str:
        """Return the element without the text after it."""
        tag = str(element.tag)
        if is_skipped(element) or tag == "ds-humans":
            return ""
        if lower := _LOWER.get(tag):
            return lower(self, element)
        mark = _MARKS.get(tag)
        return _wrapped(mark, self.of(element)) if mark else self.of(element)

    def link(self, element: Element, text: str) -> str:
        href = plain_path(element.get("href") or "")
        label = squeeze(text)
        if not href or not label:
            return text
        return f"[{label}]({href})"

    def media(self, element: Element) -> str:
        source = element.get("src") or element.get("data") or _source_of(element)
        path = plain_path(source or "")
        if not path or path.startswith("data:") or _is_second_picture(element):
            return ""
        if element.tag == "img":
            return f"![{squeeze(element.get('alt') or '')}]({path})"
        return f"[{squeeze(element.get('title') or str(element.tag))}]({path})"


def _is_second_picture(element: Element) -> bool:
    """Report whether an image shows the previous one again, for the other color mode."""
    if element.tag != "img" or not element.get("alt"):
        return False
    previous = element.getprevious()
    if previous is None or previous.tag != "img" or (previous.tail or "").strip():
        return False
    modes = (_COLOR_MODES.intersection(classes(each)) for each in (previous, element))
    return previous.get("alt") == element.get("alt") and all(modes)


def plain_path(link: str) -> str:
    return link.removeprefix(LINK_MARK)


def _source_of(element: Element) -> str | None:
    source = element.find(".//source")
    return None if source is None else source.get("src")


def _wrapped(mark: str, text: str) -> str:
    bare = text.strip()
    if not bare:
        return text
    start = text[: len(text) - len(text.lstrip())]
    return f"{start}{mark}{bare}{mark}{text[len(text.rstrip()) :]}"


def _code(text: str) -> str:
    bare = " ".join(text.split())
    if not bare:
        return ""
    return f"`` {bare} ``" if "`" in bare else f"`{bare}`"


def _formula(element: Element) -> str:
    source = element.find(".//annotation")
    text = text_of(element if source is None else source).strip()
    mark = "$$" if element.get("display") == "block" else "$"
    return f"{mark}{text}{mark}"


_LOWER: dict[str, Callable[[InlineRenderer, Element], str]] = {
    "br": lambda _, __: "\x00",
    "a": lambda inline, element: inline.link(element, inline.of(element)),
    "math": lambda _, element: _formula(element),
    **dict.fromkeys(_MEDIA, InlineRenderer.media),
    **dict.fromkeys(_CODE, lambda _, element: _code(text_of(element))),
}
