"""Output folder of `docfx metadata`: one YAML file per namespace and type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any
from urllib.parse import unquote

from docstead.content.symbols import Parameter, Signature, Symbol, SymbolKind, SymbolText
from docstead.reference.sdk.artifact import Artifact, SymbolCount, UnusableArtifact, text_of
from docstead.reference.sdk.grouping import module_group
from docstead.reference.sdk.html_text import content_of, markdown_of, parsed
from docstead.reference.sdk.model import SdkLibrary, SymbolGroup, joined
from docstead.repository.yaml_text import YamlError
from docstead.repository.yaml_text import parse as parse_yaml

_HINT = 'Run `docfx metadata docfx.json` and set "source" to its output folder.'
_SUFFIXES = (".yml", ".yaml")
_HEADER = "YamlMime:ManagedReference"
_SYMBOL = "symbol:"  # prefix of symbols in links
_KINDS = {
    "Namespace": SymbolKind.MODULE,
    "Class": SymbolKind.CLASS,
    "Struct": SymbolKind.CLASS,
    "Interface": SymbolKind.INTERFACE,
    "Enum": SymbolKind.ENUM,
    "Delegate": SymbolKind.TYPE,
    "Constructor": SymbolKind.CONSTRUCTOR,
    "Method": SymbolKind.METHOD,
    "Operator": SymbolKind.METHOD,
    "Property": SymbolKind.PROPERTY,
    "Field": SymbolKind.PROPERTY,
    "Event": SymbolKind.PROPERTY,
}
_PAGES = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.ENUM, SymbolKind.TYPE})
_LABELED = {"Struct": "struct", "Delegate": "delegate", "Event": "event", "Operator": "operator"}
_MODIFIERS = frozenset(
    {"static", "abstract", "virtual", "override", "readonly", "const", "protected", "sealed"}
)
_LONGEST_NAME = 300
_LONGEST = 5_000  # characters of a declaration that are searched for defaults and labels
_XREF = re.compile(r'<xref\s+href="([^"<>]*)"[^<>]*>(?:\s*</xref>)?')
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_ARITY = re.compile(r"`+\d+|<[^<>]*>$")
_ROOTS = frozenset({"System.Object", "System.ValueType", "System.Enum", "System.Delegate"})


def read_docfx(artifact: Artifact, file: str) -> SdkLibrary:
    """Return the library that a folder of YAML files describes. Raises `UnusableArtifact`."""
    reader = _DocFxFolder()
    for path in artifact.paths:
        if path.endswith(_SUFFIXES):
            text = text_of(artifact, path)
            if _HEADER in text[:200]:
                reader.read(_document(text, path))
    groups = tuple(reader.groups())
    if not groups:
        raise UnusableArtifact("the folder contains no ManagedReference YAML of any type", _HINT)
    return SdkLibrary(file, "csharp", groups)


def _document(text: str, path: str) -> Mapping[str, Any]:
    try:
        value = parse_yaml(text)
    except (YamlError, RecursionError) as error:
        line, column = (error.line, error.column) if isinstance(error, YamlError) else (1, 1)
        raise UnusableArtifact(f"not YAML: {error}", _HINT, path, line, column) from None
    return value if isinstance(value, dict) else {}


def _objects(value: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    found = value.get(key)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _object(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def _texts(value: Mapping[str, Any], key: str) -> list[str]:
    found = value.get(key)
    return [str(each) for each in found] if isinstance(found, list) else []


def _text(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    return str(found) if found is not None else ""


class _DocFxFolder:
    def __init__(self) -> None:
        self._count = SymbolCount()
        self._items: dict[str, dict[str, Any]] = {}
        self._references: dict[str, dict[str, Any]] = {}

    def read(self, document: Mapping[str, Any]) -> None:
        for item in _objects(document, "items"):
            self._count.add()
            self._items.setdefault(_text(item, "uid"), item)
        for reference in _objects(document, "references"):
            self._references.setdefault(_text(reference, "uid"), reference)

    def groups(self) -> Iterator[SymbolGroup]:
        """Yield one group per namespace."""
        found: dict[str, list[Symbol]] = {}
        for uid, item in self._items.items():
            kind = _KINDS.get(_text(item, "type"))
            if kind in _PAGES:
                namespace = _text(item, "namespace") or _text(item, "parent")
                found.setdefault(namespace, []).append(self._page(uid, item, kind))
        for namespace, symbols in sorted(found.items()):
            about = self._items.get(namespace, {})
            prose = self._markdown(_text(about, "summary"))
            symbol = Symbol(namespace, SymbolKind.MODULE, namespace, namespace, prose)
            yield module_group(namespace or "global", symbol, symbols)

    def _page(self, uid: str, item: Mapping[str, Any], kind: SymbolKind) -> Symbol:
        members: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
        for child in dict.fromkeys(_texts(item, "children")):
            found = self._items.get(child)
            if found is not None and _KINDS.get(_text(found, "type")) not in (*_PAGES, None):
                same = _text(found, "overload") or child
                members.setdefault(same, []).append((child, found))
        return self._symbol(
            kind, [(uid, item)], tuple(self._member(kind, each) for each in members.values())
        )

    def _member(self, owner: SymbolKind, ways: list[tuple[str, Mapping[str, Any]]]) -> Symbol:
        kind = _KINDS[_text(ways[0][1], "type")]
        is_value = owner is SymbolKind.ENUM and kind is SymbolKind.PROPERTY
        return self._symbol(SymbolKind.VALUE if is_value else kind, ways, ())

    def _symbol(
        self,
        kind: SymbolKind,
        ways: list[tuple[str, Mapping[str, Any]]],
        members: tuple[Symbol, ...],
    ) -> Symbol:
        """Return a symbol with all its signatures; the first has the most details."""
        uid, item = ways[0]
        syntax = _object(item, "syntax")
        content = _text(syntax, "content")
        is_field = kind in (SymbolKind.PROPERTY, SymbolKind.VALUE)
        name = _text(item, "name")
        return Symbol(
            id=uid,
            also=tuple(other for other, _ in ways[1:]),
            kind=kind,
            name=_bare(name) if kind in (SymbolKind.METHOD, SymbolKind.CONSTRUCTOR) else name,
            qualified=_bare(_text(item, "fullName") or uid),
            description=self._markdown(_text(item, "summary")) if len(ways) == 1 else "",
            signatures=tuple(self._signatures(kind, ways)) if not is_field else (),
            type=self._type(_text(_object(syntax, "return"), "type"))
            if kind is SymbolKind.PROPERTY
            else (),
            default=content.partition("=")[2].strip() or None if kind is SymbolKind.VALUE else None,
            labels=tuple(_labels(item, content)) if kind is not SymbolKind.VALUE else (),
            deprecated=_obsolete(item),
            examples=tuple(map(self._markdown, _texts(item, "example"))),
            see=tuple(self._see(each) for each in _objects(item, "seealso")),
            notes=tuple(self._notes(item)),
            relations=tuple(self._relations(item)),
            members=members,
            inherited=tuple(self._inherited(item)),
            source=_source(item),
        )

    def _signatures(
        self, kind: SymbolKind, ways: list[tuple[str, Mapping[str, Any]]]
    ) -> Iterator[Signature]:
        for _, item in ways:
            syntax = _object(item, "syntax")
            returned = _object(syntax, "return")
            yield Signature(
                code=_text(syntax, "content"),
                description=self._markdown(_text(item, "summary")) if len(ways) > 1 else "",
                type_parameters=tuple(
                    Parameter(_text(p, "id"), (), self._description(p), optional=True)
                    for p in _objects(syntax, "typeParameters")
                ),
                parameters=tuple(
                    Parameter(
                        _text(p, "id"),
                        self._type(_text(p, "type")),
                        self._description(p),
                        _default(_text(syntax, "content"), _text(p, "id")),
                    )
                    for p in _objects(syntax, "parameters")
                ),
                returns=self._type(_text(returned, "type")) if kind is not SymbolKind.CLASS else (),
                returned=self._description(returned),
                raises=tuple(
                    Parameter("", self._type(_text(each, "type")), self._description(each))
                    for each in _objects(item, "exceptions")
                ),
            )

    def _description(self, value: Mapping[str, Any]) -> str:
        return self._markdown(_text(value, "description"))

    def _type(self, uid: str) -> SymbolText:
        """Return a type in C# notation."""
        if not uid:
            return ()
        reference = self._references.get(uid, {})
        if parts := _objects(reference, "spec.csharp"):
            return joined(*(((_text(part, "name"), _text(part, "uid")),) for part in parts))
        return ((self._name(uid), uid),)

    def _name(self, uid: str) -> str:
        known = self._items.get(uid) or self._references.get(uid) or {}
        shown = _text(known, "nameWithType") if "(" in uid else _text(known, "name")
        return shown or _bare(uid).rpartition(".")[2] or uid

    def _notes(self, item: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        if prose := self._markdown(_text(item, "remarks")):
            yield "Remarks", prose

    def _relations(self, item: Mapping[str, Any]) -> Iterator[tuple[str, tuple[SymbolText, ...]]]:
        bases = [uid for uid in _texts(item, "inheritance")[-1:] if uid not in _ROOTS]
        named = (
            ("Extends", bases),
            ("Implements", _texts(item, "implements")),
            ("Extended by", _texts(item, "derivedClasses")),
        )
        for label, uids in named:
            if uids and _KINDS.get(_text(item, "type")) in _PAGES:
                yield label, tuple(self._type(uid) for uid in uids)

    def _inherited(self, item: Mapping[str, Any]) -> Iterator[SymbolText]:
        """Yield inherited members of the library itself, without those of other libraries."""
        for uid in _texts(item, "inheritedMembers"):
            if uid in self._items:
                yield ((_bare(_text(self._items[uid], "name")), uid),)

    def _see(self, value: Mapping[str, Any]) -> str:
        target = _text(value, "linkId")
        text = _text(value, "altText") or self._name(target)
        is_symbol = _text(value, "linkType") != "HRef"
        url = f"{_SYMBOL}{target}" if is_symbol else target
        return self._markdown(f'<a href="{escape(url)}">{escape(text)}</a>')

    def _markdown(self, text: str) -> str:
        """Return text as Markdown; text with a tag is converted from HTML."""
        if not _TAG.search(text):
            return text.strip()
        root = parsed(f"<div>{_XREF.sub(self._reference, text)}</div>")
        return "" if root is None else markdown_of(_inside(root), _find)

    def _reference(self, match: re.Match[str]) -> str:
        uid = unquote(match[1].partition("?")[0])
        return f'<a href="{_SYMBOL}{escape(uid)}">{escape(self._name(uid))}</a>'


def _inside(root: Any) -> Iterable[Any]:
    return content_of(root.find(".//div"))


def _find(url: str) -> str:
    return url.removeprefix(_SYMBOL) if url.startswith(_SYMBOL) else ""


def _bare(name: str) -> str:
    """Return a name without parameters and type parameters."""
    return _ARITY.sub("", name.partition("(")[0][:_LONGEST_NAME])


def _labels(item: Mapping[str, Any], content: str) -> Iterator[str]:
    if label := _LABELED.get(_text(item, "type")):
        yield label
    head = content[:_LONGEST].rpartition("]\n")[2].partition("(")[0].split()
    yield from dict.fromkeys(word for word in head[:-1] if word in _MODIFIERS)


def _default(content: str, name: str) -> str | None:
    pattern = rf"\b{re.escape(name)} = ([^,()]+(?:\([^()]*\))?)[,)]"
    found = re.search(pattern, content[:_LONGEST])
    return found[1].strip() if found and name else None


def _obsolete(item: Mapping[str, Any]) -> str | None:
    for attribute in _objects(item, "attributes"):
        if _text(attribute, "type") == "System.ObsoleteAttribute":
            said = (_text(each, "value") for each in _objects(attribute, "arguments"))
            return next((text for text in said if text not in ("true", "false")), "")
    return None


def _source(item: Mapping[str, Any]) -> tuple[str, str]:
    source = _object(item, "source")
    remote = _object(source, "remote")
    repository = _text(remote, "repo").removesuffix(".git")
    path, branch = _text(remote, "path"), _text(remote, "branch")
    line = source.get("startLine")
    if not repository.startswith("https://") or not path or not isinstance(line, int):
        return "", ""
    return f"{path}:{line + 1}", f"{repository}/blob/{branch}/{path}#L{line + 1}"
