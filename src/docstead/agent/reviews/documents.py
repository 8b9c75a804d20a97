"""Pages as self-contained documents, for a sandboxed frame.

Style sheets, fonts and images of the site are embedded; scripts, frames and files of other hosts
are removed; links are disabled. Parts that documents share are stored once (`SharedParts`) and
inserted by `completed`.
"""

from __future__ import annotations

import base64
import hashlib
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

from lxml import html
from lxml.html import HtmlElement

from docstead.agent.reviews.change_marks import STYLE
from docstead.agent.reviews.preview_fonts import with_fonts
from docstead.base.units import MIB
from docstead.content.pages import Repository
from docstead.markup.rendered import RenderedPage
from docstead.publishing.assets import content_type
from docstead.theme.document import PageShell
from docstead.theme.markup import compile_templates
from docstead.theme.mode import ShellMode

_PICTURE_BYTES = 8 * MIB
_DOCUMENT_BYTES = 48 * MIB  # including images; further ones are omitted
_PART = re.compile(
    r"<style>/\*docstead:(?P<style>[0-9a-f]{32})\*/</style>"
    r'|"docstead:(?P<picture>[0-9a-f]{32})"'
)
_BEGIN = "docstead-begin"
_MENU = ".//*[@id='page-context-menu']"  # elements that have no effect without scripts
_LEFT_OUT = ("script", "iframe", "object", "embed", "base", "noscript", "template", "portal")


@dataclass(frozen=True, slots=True)
class PageDocument:
    """Document of a page; `blocks` are the elements of its content."""

    tree: HtmlElement
    blocks: tuple[HtmlElement, ...]

    def text(self) -> str:
        style = html.Element("style")
        style.text = STYLE
        self.tree.find("head").append(style)
        return str(html.tostring(self.tree, doctype="<!doctype html>", encoding="unicode"))


class SharedParts:
    """Style sheets and images of documents, as files of a folder named by digest."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stored: dict[str, None] = {}

    def style(self, text: str) -> str:
        """Store a style sheet; return a placeholder element."""
        # A style sheet must not contain the end tag of its element.
        escaped = text.replace("</", "<\\/")
        return f"/*docstead:{self._store('style', escaped)}*/"

    def picture(self, data: str) -> str:
        """Store an image's `data:` URL; return a placeholder attribute."""
        return f"docstead:{self._store('picture', data)}"

    def new_files(self) -> tuple[str, ...]:
        """Return the names of files stored since the last call."""
        names, self._stored = tuple(self._stored), {}
        return names

    def _store(self, kind: str, text: str) -> str:
        digest = hashlib.sha256(text.encode(errors="replace")).hexdigest()[:32]
        file = self._folder / f"{kind}-{digest}"
        if not file.exists():
            file.write_text(text, encoding="utf-8", errors="replace")
            self._stored[file.name] = None
        return digest


def completed(text: str, read: Callable[[str], str]) -> str:
    """Insert shared parts into a document; `read` returns a part by name."""
    left = _DOCUMENT_BYTES - len(text)

    def part(match: re.Match[str]) -> str:
        nonlocal left
        if match["style"]:
            return f"<style>{read('style-' + match['style'])}</style>"
        data = read("picture-" + match["picture"])
        left -= len(data)
        return f'"{data}"' if left > 0 else '""'

    return _PART.sub(part, text)


def whole_document(repository: Repository, page: RenderedPage) -> str:
    """Return the complete document of one page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = DocumentRenderer(repository, SharedParts(folder)).document(page).text()
        return completed(text, lambda part: (folder / part).read_text(encoding="utf-8"))


class DocumentRenderer:
    """Renders documents of one state of the documentation."""

    def __init__(self, repository: Repository, parts: SharedParts) -> None:
        self._parts = parts
        self._seen: dict[str, str] = {}
        self._root = repository.root.resolve()
        self._shell = PageShell(repository.site, ShellMode.hosted(), repository.assets)

    def prepare(self) -> None:
        """Load the site's files and templates, which the first document needs."""
        _ = self._styles
        compile_templates()

    def document(self, page: RenderedPage) -> PageDocument:
        begin = f'<span id="{_BEGIN}"></span>'
        tree = html.document_fromstring(self._shell.page(replace(page, html=begin + page.html)))
        for element in [*_elements(tree, _LEFT_OUT), *tree.findall(_MENU)]:
            element.drop_tree()
        self._resolve_links(tree)
        self._resolve_pictures(tree)
        return PageDocument(tree, _content(tree))

    @cached_property
    def _styles(self) -> dict[str, bytes]:
        return {f"/{path}": data for path, data in self._shell.assets().items()}

    def _resolve_links(self, tree: HtmlElement) -> None:
        letters = frozenset(str(tree.text_content()))
        for link in tree.findall(".//link"):
            style = self._style(link.get("href", "")) if link.get("rel") == "stylesheet" else ""
            if style:
                link.addnext(self._style_element(style, link.get("href", ""), letters))
            link.drop_tree()
        for meta in tree.findall(".//meta[@http-equiv]"):
            meta.drop_tree()
        for anchor in tree.findall(".//a[@href]"):
            if not anchor.get("href", "").startswith("#"):
                anchor.set("href", "#")
            anchor.attrib.pop("target", None)

    def _resolve_pictures(self, tree: HtmlElement) -> None:
        for element in _elements(tree, ("img", "source", "video", "audio", "track", "input")):
            element.attrib.pop("srcset", None)
            for name in ("src", "poster"):
                if name in element.attrib:
                    self._resolve_picture(element, name)

    def _resolve_picture(self, element: HtmlElement, name: str) -> None:
        data = self._picture(element.get(name, ""))
        if data:
            element.set(name, data)
        else:
            del element.attrib[name]

    def _style_element(self, style: str, url: str, letters: frozenset[str]) -> HtmlElement:
        element = html.Element("style")
        element.text = self._parts.style(with_fonts(style, url, letters, self._bytes))
        return element

    def _style(self, url: str) -> str:
        return (self._bytes(url) or b"").decode("utf-8", "replace")

    def _bytes(self, url: str) -> bytes | None:
        """Return a file of the shell or of the repository."""
        data = self._styles.get(url)
        return self._file(url) if data is None else data

    def _picture(self, url: str) -> str:
        if url.startswith("data:image/"):
            return url
        if url not in self._seen:
            self._seen[url] = self._stored_picture(url)
        return self._seen[url]

    def _stored_picture(self, url: str) -> str:
        kind, data = content_type(url.partition("?")[0]), self._file(url)
        if data is None or len(data) > _PICTURE_BYTES or not kind.startswith("image/"):
            return ""
        encoded = base64.b64encode(data).decode()
        return self._parts.picture(f"data:{kind};base64,{encoded}")

    def _file(self, url: str) -> bytes | None:
        """Return a file of the repository if the URL refers to one."""
        path = self._path(url)
        try:
            return path.read_bytes() if path is not None and path.is_file() else None
        except OSError:
            return None

    def _path(self, url: str) -> Path | None:
        if not url.startswith("/") or url.startswith("//") or "%00" in url:
            return None
        try:
            path = (self._root / unquote(url.partition("?")[0]).lstrip("/")).resolve()
        except (OSError, ValueError):
            return None
        return path if path.is_relative_to(self._root) else None


def _content(tree: HtmlElement) -> tuple[HtmlElement, ...]:
    """Return the elements after the marker before the content, and remove the marker."""
    begin = tree.find(f".//span[@id='{_BEGIN}']")
    blocks = tuple(each for each in begin.itersiblings() if isinstance(each.tag, str))
    begin.drop_tree()
    return blocks


def _elements(tree: HtmlElement, tags: Sequence[str]) -> list[HtmlElement]:
    return [element for tag in tags for element in tree.findall(f".//{tag}")]
