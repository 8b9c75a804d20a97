"""Comments on Javadoc pages: text, block tags, and link targets."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import cached_property
from urllib.parse import unquote

from docstead.base.elements import Element
from docstead.content.symbols import Parameter, SymbolText
from docstead.markup.markdown_inline import classes
from docstead.reference.sdk.html_text import content_of, markdown_of, text_of, words_of
from docstead.reference.sdk.model import apart, plain, stripped

_KNOWN = frozenset(
    {"Type Parameters", "Parameters", "Returns", "Throws", "See Also", "Default"}
    | {"All Implemented Interfaces", "All Known Implementing Classes", "Direct Known Subclasses"}
    | {"All Superinterfaces", "All Known Subinterfaces", "Enclosing class", "Enclosing interface"}
    | {"Specified by", "Overrides"}
)
_DASH = re.compile(r"^\s*[-–]\s*")


def has(element: Element, name: str) -> bool:
    """Report whether an element has a class, in the spelling of any Javadoc version."""
    requested = name.replace("-", "")
    return any(each.replace("-", "").lower() == requested for each in classes(element))


class JavadocLinks:
    """Link targets of a page: files of the folder and anchors in them."""

    def __init__(self, path: str) -> None:
        self._path = path

    def find(self, url: str) -> str:
        """Return the id of the symbol that a link refers to: path and fragment; "" if external."""
        if "://" in url or url.startswith(("mailto:", "javascript:")):
            return ""
        file, _, anchor = url.partition("#")
        holder = posixpath.dirname(self._path)
        path = posixpath.normpath(posixpath.join(holder, unquote(file))) if file else self._path
        return self.id_of(unquote(anchor), path)

    def id_of(self, anchor: str, path: str = "") -> str:
        path = path or self._path
        return f"{path}#{anchor}" if anchor else path


def block_of(holder: Element, links: JavadocLinks) -> str:
    """Return the text of a comment: the first block outside of tables and members."""
    found = next((each for each in holder if has(each, "block")), None)
    if found is None:
        inner = (each for each in holder.iter("div") if has(each, "block"))
        found = next((each for each in inner if not _is_listed(each, holder)), None)
    return "" if found is None else markdown_of(content_of(found), links.find)


def _is_listed(block: Element, holder: Element) -> bool:
    for each in block.iterancestors():
        if each is holder:
            return False
        if each.tag in ("table", "td") or has(each, "summary") or has(each, "details"):
            return True
    return False


class CommentNotes:
    """Block tags of a comment, such as parameters, return value and exceptions, by title."""

    def __init__(self, holder: Element | None, links: JavadocLinks) -> None:
        self._links = links
        self._found: dict[str, list[Element]] = {}
        self._holder = holder
        for listed in _lists(holder):
            title = ""
            for each in listed:
                if each.tag == "dt":
                    title = text_of(each).rstrip(":").strip()
                elif each.tag == "dd":
                    self._found.setdefault(title, []).append(each)

    @cached_property
    def deprecated(self) -> str | None:
        """Reason of the deprecation, "" without one; None if not deprecated."""
        for each in () if self._holder is None else self._holder.iterchildren("div"):
            if has(each, "deprecation-block") or has(each, "block"):
                marked = (e for e in each.iter("span") if has(e, "deprecated-label"))
                if next(marked, None) is not None:
                    description = (
                        e for e in each.iter("div", "span") if has(e, "deprecation-comment")
                    )
                    comment = next(description, None)
                    return "" if comment is None else self._markdown(comment)
        return None

    def text(self, title: str) -> str:
        return "\n\n".join(self._markdown(each) for each in self._found.get(title, ()))

    def words(self, title: str) -> Iterator[SymbolText]:
        for each in self._found.get(title, ()):
            yield from apart(words_of(content_of(each), self._links.find))

    def listed(self, title: str) -> Iterator[str]:
        """Yield the references under a title, without those to pages that are not imported."""
        for each in self._found.get(title, ()):
            for item in each.iter("li") if each.find(".//li") is not None else (each,):
                text = self._markdown(item)
                if text and "constant-values.html" not in text and "serialized-form" not in text:
                    yield text

    def named(self, title: str) -> tuple[Parameter, ...]:
        """Return the parameters under a title, with descriptions."""
        return tuple(
            Parameter(plain(name).strip("<>"), (), description, optional=True)
            for name, description in self.pairs(title)
        )

    def pairs(self, title: str) -> Iterator[tuple[SymbolText, str]]:
        for each in self._found.get(title, ()):
            code = each.find("code")
            if code is None:
                yield stripped(words_of(content_of(each), self._links.find)), ""
                continue
            parts = list(content_of(each))
            behind = parts[parts.index(code) + 1 :]
            if behind and isinstance(behind[0], str):
                behind[0] = _DASH.sub("", behind[0])
            name = stripped(words_of(content_of(code), self._links.find))
            yield name, markdown_of(behind, self._links.find)

    def others(self) -> Iterator[tuple[str, str]]:
        for title in self._found:
            if title not in _KNOWN and (text := self.text(title)):
                yield title, text

    def _markdown(self, element: Element) -> str:
        return markdown_of(content_of(element), self._links.find)


def _lists(holder: Element | None) -> Iterator[Element]:
    """Yield the definition lists next to a comment, and above it if it is in a separate box."""
    above = None if holder is None else holder.getparent()
    if above is not None and has(above, "class-description"):
        yield from above.iterchildren("dl")
    if holder is not None:
        yield from holder.iterchildren("dl")
