"""Conversion of a page's HTML to an article of a combined document.

Ids get a prefix per page. Links to pages become links to `TARGET` with such an id, which the
assembled PDF resolves. Scripts, frames and files of other hosts are removed or replaced by links.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote, urljoin

from lxml import etree

from docstead.base.elements import Element
from docstead.markup.rendered import LINK_MARK
from docstead.rendering.chromium import ORIGIN

#: Prefix of unresolved links within the PDF, followed by "#" and an id.
TARGET = f"{ORIGIN}/to"

_DROPPED = ("script", "noscript", "template", "object", "embed", "link", "meta", "base", "dialog")
_FRAMES = ("iframe", "video", "audio")
_REFERENCES = ("for", "headers", "list", "aria-labelledby", "aria-describedby", "aria-controls")
_FRAGMENTS = ("href", "{http://www.w3.org/1999/xlink}href", "xlink:href")
_LOCAL_URL = re.compile(r"""url\(\s*["']?#([^"')]+)["']?\s*\)""")
_WEB = re.compile(r"(?:https?|mailto|tel):", re.IGNORECASE)
_MEDIA = re.compile(r"https?://|//", re.IGNORECASE)
# Characters that are invalid in XML and HTML, and that lxml rejects.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")

_SHORT_LINES = 20  # lines of code that are kept on one page
_ROOT, _OWN = f"{LINK_MARK}/", f"{ORIGIN}/"  # attributes in stored HTML, and in documents
_UNSAFE = re.compile(r"[^A-Za-z0-9-]")


@dataclass(frozen=True, slots=True)
class PageArticle:
    """HTML of a page, and its ids that may be link targets."""

    html: str
    ids: tuple[str, ...]
    has_styles: bool


@dataclass(frozen=True, slots=True)
class LinkTargets:
    """`page` returns the page's number in the PDF for a marked link, and the fragment.

    `public` returns the URL of the published site for a path, or "".
    """

    page: Callable[[str], tuple[int, str] | None]
    public: Callable[[str], str]


def page_id(number: int) -> str:
    """Return the id of the article of a page."""
    return f"p{number}"


def anchor_id(number: int, anchor: str) -> str:
    """Return the id of a page's anchor, in characters that URLs and PDF names do not escape."""
    return f"{page_id(number)}-{_UNSAFE.sub(_escaped, anchor)}"


def article(html: str, number: int, links: LinkTargets) -> PageArticle:
    """Return the HTML of page `number` without content that cannot be printed."""
    root = _parsed(html)
    if root is None:
        return PageArticle("", (), has_styles=False)
    _ArticleWriter(number, links).rewrite(root)
    text = "".join((root.text or "", *(_html(child) for child in root)))
    ids = tuple(found for each in root.iter() if (found := each.get("id")))
    styles = root.find(".//style") is not None
    return PageArticle(text.replace(_ROOT, _OWN), ids, styles)


def _escaped(char: re.Match[str]) -> str:
    return f"_{ord(char[0]):x}_"


def _parsed(html: str) -> Element | None:
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    clean = _CONTROL.sub("", html)
    document = etree.fromstring(f"<div>{clean}</div>".encode(), parser)
    return document.find("./body/div")


def _html(element: Element) -> str:
    return etree.tostring(element, method="html", encoding="unicode")


class _ArticleWriter:
    def __init__(self, number: int, links: LinkTargets) -> None:
        self._number = number
        self._links = links

    def rewrite(self, root: Element) -> None:
        for element in list(root.iter()):
            tag = str(element.tag)
            if tag in _DROPPED:
                _drop(element)
            elif tag in _FRAMES:
                self._replace(element, element.get("src") or _first_source(element))
            elif tag == "img" and _MEDIA.match(element.get("src") or ""):
                self._replace(element, element.get("src") or "")
            else:
                self._attributes(element, tag)

    def _attributes(self, element: Element, tag: str) -> None:
        for key, value in _attributes_of(element):
            if key.startswith("on") or key in ("srcset", "loading", "ping", "autofocus"):
                del element.attrib[key]
            elif key == "id":
                element.set("id", self._id(value))
            elif key in _REFERENCES:
                element.set(key, " ".join(map(self._id, value.split())))
            elif "url(" in value:
                element.set(key, _LOCAL_URL.sub(self._local_url, value).replace(_ROOT, _OWN))
            elif key != "href" and LINK_MARK in value:
                element.set(key, value.replace(_ROOT, _OWN))
        if tag in ("a", "area"):
            self._link(element)
        else:
            self._fragment(element)
        if tag == "details":
            element.set("open", "")
        if tag == "pre" and "".join(map(str, element.itertext())).count("\n") < _SHORT_LINES:
            element.set("data-short", "")

    def _fragment(self, element: Element) -> None:
        """Update references within drawings, such as `<use href="#arrow">`."""
        for name in _FRAGMENTS:
            value = element.get(name) or ""
            if value.startswith("#"):
                element.set(name, f"#{self._id(value[1:])}")
            elif value:
                element.set(name, value.replace(_ROOT, _OWN))

    def _link(self, element: Element) -> None:
        written = [str(element.attrib.pop(name, "")) for name in _FRAGMENTS]
        if found := self._destination(next(filter(None, written), "")):
            element.set("href", found)

    def _destination(self, href: str) -> str:
        if href.startswith("#"):
            return f"{TARGET}#{self._id(unquote(href[1:]))}" if len(href) > 1 else ""
        if not href.startswith(LINK_MARK):
            return href if _WEB.match(href) else ""
        path = href.removeprefix(LINK_MARK)
        if (page := self._links.page(path)) is None:
            return self._links.public(path)
        number, fragment = page
        anchor = unquote(fragment)
        return f"{TARGET}#{anchor_id(number, anchor) if anchor else page_id(number)}"

    def _id(self, anchor: str) -> str:
        return anchor_id(self._number, anchor)

    def _local_url(self, found: re.Match[str]) -> str:
        return f"url(#{self._id(found[1])})"

    def _replace(self, element: Element, source: str) -> None:
        """Replace an element with a link to its source, with its name."""
        url = self._links.public(source[1:]) if source.startswith(LINK_MARK) else source
        url = urljoin("https:", url) if url.startswith("//") else url
        own = element.get("title") or element.get("alt") or element.get("aria-label")
        name = own or ("" if element.tag == "img" else url)  # decorative
        link = etree.Element("a", {"class": f"ds-pdf-media {element.get('class') or ''}"})
        link.text = name
        if _WEB.match(url):
            link.set("href", url)
        link.tail = element.tail
        if name and (parent := element.getparent()) is not None:
            parent.replace(element, link)
        else:
            _drop(element)


def _attributes_of(element: Element) -> list[tuple[str, str]]:
    return [(str(name), str(value)) for name, value in element.attrib.items()]


def _first_source(element: Element) -> str:
    found: Iterator[str] = (each.get("src", "") for each in element.iter("source"))
    return next(filter(None, found), "")


def _drop(element: Element) -> None:
    """Remove an element, but not the text after it."""
    parent, before = element.getparent(), element.getprevious()
    if parent is None:
        return
    if element.tail and before is not None:
        before.tail = (before.tail or "") + element.tail
    elif element.tail:
        parent.text = (parent.text or "") + element.tail
    element.tail = None
    parent.remove(element)
