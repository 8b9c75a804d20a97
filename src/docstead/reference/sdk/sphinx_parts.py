"""Parts of an object that Sphinx describes: signature, fields and text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from urllib.parse import unquote

from docstead.base.elements import Element
from docstead.content.symbols import Parameter, SymbolKind, SymbolText
from docstead.markup.markdown_inline import classes
from docstead.reference.sdk.html_text import content_of, markdown_of, text_of, words_of
from docstead.reference.sdk.model import apart, joined, plain

_LINE = 80
_DASH = re.compile(r"\s[–-]{1,3}\s")
_VERSION = re.compile(r"^Deprecated since version ([\w.]+)[:.]?\s*")
_OBJECT: SymbolText = (("object", ""),)
_LABELS = {"classmethod", "static", "staticmethod", "abstractmethod", "async", "final"}


def symbol_id(url: str) -> str:
    """Return the id of the object that a link refers to, or "" if it is external."""
    if "://" in url:
        return ""
    return unquote(url.partition("#")[2])


@dataclass(slots=True)
class SignatureLine:
    """One signature of an object."""

    name: str
    around: str  # qualifier, with a trailing dot
    parameters: tuple[Parameter, ...]
    marks: tuple[str, ...]  # parameters and separators as written
    returns: SymbolText
    value: str | None
    is_called: bool
    labels: tuple[str, ...]
    source: tuple[str, str]

    @property
    def full_name(self) -> str:
        return f"{self.around}{self.name}"

    def code(self, kind: SymbolKind) -> str:
        """Return the signature in Python syntax."""
        if kind in (SymbolKind.CLASS, SymbolKind.ENUM):
            head = f"class {self.name}"
        elif kind is SymbolKind.TYPE:
            return f"type {self.name} = {self.value}" if self.value else f"type {self.name}"
        elif kind is SymbolKind.VARIABLE:
            type_ = f": {plain(self.returns)}" if self.returns else ""
            return f"{self.name}{type_}" + (f" = {self.value}" if self.value else "")
        else:
            head = f"{'async ' if 'async' in self.labels else ''}def {self.name}"
        if not self.is_called:
            return head
        returned = plain(self.returns)
        tail = f" -> {returned}" if returned else ""
        line = f"{head}({', '.join(self.marks)}){tail}"
        if len(line) <= _LINE or not self.marks:
            return line
        return "".join([f"{head}(\n", *(f"    {mark},\n" for mark in self.marks), f"){tail}"])


def signature_of(head: Element) -> SignatureLine:
    """Parse the `dt` element of an object."""
    reader = _SignatureHead()
    for each in head:
        reader.take(each)
    words = reader.before.split()
    return SignatureLine(
        name=reader.name or text_of(head),
        around=reader.around,
        parameters=tuple(reader.parameters),
        marks=tuple(reader.marks),
        returns=reader.type,
        value=reader.value,
        is_called=reader.is_called and "property" not in words,
        labels=tuple(word for word in words if word in _LABELS),
        source=reader.source,
    )


class _SignatureHead:
    def __init__(self) -> None:
        self.name = self.around = self.before = ""
        self.marks: list[str] = []
        self.parameters: list[Parameter] = []
        self.type: SymbolText = ()
        self.value: str | None = None
        self.source = ("", "")
        self.is_called = False

    def take(self, each: Element) -> None:
        """Read one part of the signature, by its class."""
        names = classes(each)
        if "sig-prename" in names:
            self.around = text_of(each).replace(" ", "")
        elif "sig-name" in names:
            self.name = text_of(each)
        elif "property" in names:
            self._property(each)
        elif "sig-return" in names:
            found = (e for e in each.iter("span") if "sig-return-typehint" in classes(e))
            self.type = next((words_of([e], symbol_id) for e in found), ())
        elif each.tag == "a":
            self._link(each)
        else:
            self.is_called = self.is_called or "sig-paren" in names
            for item in each.iter("em"):  # a single parameter, or a list with one per line
                if "sig-param" in classes(item):
                    self._parameter(item)

    def _property(self, each: Element) -> None:
        """Read the keywords before the name, or `: type` and `= value` after it."""
        text = text_of(each)
        if not self.name:
            self.before += f"{text} "
        elif text.startswith(":"):
            self.type = _without_lead(words_of(content_of(each), symbol_id), ": ")
        elif text.startswith("="):
            self.value = text[1:].strip()

    def _link(self, each: Element) -> None:
        url = each.get("href") or ""
        is_code = any("viewcode-link" in classes(inner) for inner in each)
        if is_code and url.startswith("https://"):
            self.source = ("Source", url)

    def _parameter(self, each: Element) -> None:
        """Read a parameter or a separator such as `*`."""
        self.marks.append(text_of(each))
        named = [part for part in each if "n" in classes(part)]
        if not named:
            return
        marks = (text_of(part) for part in each if "o" in classes(part))
        star = next((mark for mark in marks if mark in ("*", "**")), "")
        defaults = (part for part in each.iter("span") if "default_value" in classes(part))
        self.parameters.append(
            Parameter(
                name=star + text_of(named[0]),
                type=words_of([named[1]], symbol_id) if len(named) > 1 else (),
                default=next(map(text_of, defaults), None),
                optional=bool(star),
            )
        )


def _without_lead(words: SymbolText, lead: str) -> SymbolText:
    while words and not words[0][0].strip(lead):
        words = words[1:]
    return joined(((words[0][0].lstrip(lead), words[0][1]),), words[1:]) if words else ()


@dataclass(slots=True)
class ObjectFields:
    """Field list of an object."""

    parameters: list[Parameter] = field(default_factory=list)
    returned: str = ""
    return_type: SymbolText = ()
    raises: list[Parameter] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)

    def completed(self, written: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
        """Return the signature's parameters with descriptions, then other documented ones."""
        details = {each.name.lstrip("*"): each for each in self.parameters}
        found = []
        for each in written:
            own = details.pop(each.name.lstrip("*"), None)
            found.append(
                replace(each, description=own.description, type=each.type or own.type)
                if own
                else each
            )
        return (*found, *details.values())

    def read(self, listed: Element) -> None:
        title = ""
        for each in listed:
            if each.tag == "dt":
                title = text_of(each).rstrip(":").strip()
            elif each.tag == "dd":
                self._field(title, each)

    def _field(self, title: str, details: Element) -> None:
        if title in ("Parameters", "Keyword Arguments", "Other Parameters", "Arguments"):
            for each in _items(details):
                name, type_, text = _item(each)
                self.parameters.append(Parameter(name, type_, text, optional=True))
        elif title in ("Raises", "Warns"):
            for each in _items(details):
                name, type_, text = _item(each)
                self.raises.append(Parameter("", type_ or ((name, ""),), text))
        elif title == "Return type":
            self.return_type = words_of(content_of(details), symbol_id)
            self.return_type = _without_lead(self.return_type, " ")
        elif title in ("Returns", "Yields"):
            self.returned = markdown_of(content_of(details), symbol_id)
        else:
            self.notes.append((title, markdown_of(content_of(details), symbol_id)))


def _items(details: Element) -> Iterable[Element]:
    """Return the items of a field: those of its list, or its paragraphs."""
    listed = details.find("ul")
    return details if listed is None else listed


def _item(item: Element) -> tuple[str, SymbolText, str]:
    """Parse `name (type) – description`."""
    holder = item.find("p") if item.tag == "li" else item
    holder = item if holder is None else holder
    parts = list(content_of(holder))
    name: str = ""
    type_: list[Element | str] = []
    rest: list[Element | str] = []
    is_text = False
    for each in parts:
        if is_text:
            rest.append(each)
        elif isinstance(each, str):
            dash = _DASH.search(each)
            if dash:
                type_.append(each[: dash.start()])
                rest.append(each[dash.end() :])
                is_text = True
            else:
                type_.append(each)
        elif not name:
            name = text_of(each)
            if each.tag == "a":
                type_.append(each)
        else:
            type_.append(each)
    others = [each for each in item if each is not holder] if item.tag == "li" else []
    words = words_of(type_, symbol_id)
    return name, _bare(words), markdown_of([*rest, *others], symbol_id)


def _bare(words: SymbolText) -> SymbolText:
    """Return a type without surrounding parentheses."""
    words = _without_lead(words, " (")
    if not words:
        return ()
    text, id_ = words[-1]
    text = text.rstrip(" ")
    text = text.removesuffix(")") if text.count(")") > text.count("(") else text
    return joined(words[:-1], ((text, id_),))


class ObjectBody:
    """Body of an object: text, fields, and special sections."""

    def __init__(self, details: Element) -> None:
        self.fields = ObjectFields()
        self.bases: list[SymbolText] = []
        self.examples: list[str] = []
        self.see: list[str] = []
        self.deprecated: str | None = None
        self._versions: list[str] = []
        self._details: list[Element | str] = []
        self._example: list[Element | str] | None = None
        for each in content_of(details):
            self._take(each)
        self._end_example()

    @cached_property
    def description(self) -> str:
        return markdown_of(self._details, symbol_id)

    @property
    def notes(self) -> Iterator[tuple[str, str]]:
        yield from self.fields.notes
        yield from (("", text) for text in self._versions)

    def _take(self, each: Element | str) -> None:
        if isinstance(each, str) or not self._stands_out(each):
            self._put(each)

    def _stands_out(self, each: Element) -> bool:
        """Read an element that is not part of the text; report whether it was one."""
        names = classes(each)
        if each.tag == "dl":
            self._end_example()
            if "field-list" in names:
                self.fields.read(each)
            return "field-list" in names or any("sig-object" in classes(head) for head in each)
        if each.tag == "p" and (each.text or "").startswith("Bases:"):
            self.bases = [base for base in _bases(each) if base and base != _OBJECT]
            return True
        if names & {"rubric", "admonition"}:
            self._end_example()
        if "rubric" in names and text_of(each).rstrip("s:") == "Example":
            self._example = []
            return True
        return self._is_noted(each, names)

    def _is_noted(self, each: Element, names: frozenset[str]) -> bool:
        if "deprecated" in names:
            text = markdown_of(content_of(each), symbol_id)
            self.deprecated = _VERSION.sub(r"Since \1. ", text).strip()
        elif names & {"versionadded", "versionchanged"}:
            self._versions.append(markdown_of(content_of(each), symbol_id))
        elif "seealso" in names:
            details = (part for part in each if "admonition-title" not in classes(part))
            self.see.append(markdown_of(details, symbol_id))
        else:
            return False
        return True

    def _put(self, each: Element | str) -> None:
        (self._details if self._example is None else self._example).append(each)

    def _end_example(self) -> None:
        if self._example:
            self.examples.append(markdown_of(self._example, symbol_id))
        self._example = None


def _bases(details: Element) -> Iterator[SymbolText]:
    """Yield the classes in a "Bases:" paragraph."""
    words = words_of(content_of(details), symbol_id)
    lead, id_ = words[0]
    yield from apart((((lead.strip().removeprefix("Bases:")), id_), *words[1:]))
