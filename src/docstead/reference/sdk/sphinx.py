"""Output of Sphinx's JSON builder: objects of its domains, grouped by module."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from docstead.base.elements import Element
from docstead.content.symbols import Signature, Symbol, SymbolKind, SymbolText
from docstead.markup.markdown_inline import classes
from docstead.reference.sdk.artifact import Artifact, SymbolCount, UnusableArtifact, json_of
from docstead.reference.sdk.grouping import module_group
from docstead.reference.sdk.html_text import content_of, markdown_of, parsed
from docstead.reference.sdk.model import SdkLibrary, SymbolGroup
from docstead.reference.sdk.sphinx_parts import (
    ObjectBody,
    ObjectFields,
    SignatureLine,
    signature_of,
    symbol_id,
)

_HINT = 'Run `python -m sphinx -b json docs out` and set "source" to the folder `out`.'
_SUFFIX = ".fjson"
_NO_PAGES = ("genindex.fjson", "search.fjson", "py-modindex.fjson")
_SOURCES = "_modules/"
_OBJECT = "sig-object"
_MODULE = "module-"
_DEPTH_LIMIT = 10
_KINDS = {
    "class": SymbolKind.CLASS,
    "exception": SymbolKind.CLASS,
    "function": SymbolKind.FUNCTION,
    "decorator": SymbolKind.FUNCTION,
    "data": SymbolKind.VARIABLE,
    "type": SymbolKind.TYPE,
    "attribute": SymbolKind.PROPERTY,
    "property": SymbolKind.PROPERTY,
    "method": SymbolKind.METHOD,
    "classmethod": SymbolKind.METHOD,
    "staticmethod": SymbolKind.METHOD,
    "decoratormethod": SymbolKind.METHOD,
}
_WITHIN = {SymbolKind.FUNCTION: SymbolKind.METHOD, SymbolKind.VARIABLE: SymbolKind.PROPERTY}
_TOP_LEVEL = {SymbolKind.METHOD: SymbolKind.FUNCTION, SymbolKind.PROPERTY: SymbolKind.VARIABLE}
_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})


def read_sphinx(artifact: Artifact, file: str) -> SdkLibrary:
    """Return the library that a folder of pages describes. Raises `UnusableArtifact`."""
    pages = [path for path in artifact.paths if path.endswith(_SUFFIX)]
    if not pages:
        raise UnusableArtifact("the folder contains no .fjson files", _HINT)
    reader = _SphinxPages()
    for path in pages:
        if not path.endswith(_NO_PAGES) and _SOURCES not in path:
            body = json_of(artifact, _HINT, path).get("body")
            if isinstance(body, str) and (_OBJECT in body or _MODULE in body):
                reader.read(body)
    groups = tuple(reader.groups())
    if not groups:
        raise UnusableArtifact(
            "its pages describe no objects", "Document some, for example with autodoc."
        )
    return SdkLibrary(file, "python", groups)


@dataclass(slots=True)
class _SphinxModule:
    description: str = ""
    symbols: list[Symbol] = field(default_factory=list)


class _SphinxPages:
    def __init__(self) -> None:
        self._count = SymbolCount()
        self._modules: dict[str, _SphinxModule] = {}
        self._symbols: dict[str, tuple[Symbol, str]] = {}  # with its qualifier

    def read(self, body: str) -> None:
        root = parsed(body)
        if root is None:
            return
        for marked in root.iterfind(".//*[@id]"):
            name = marked.get("id") or ""
            if name.startswith(_MODULE) and marked.tag in ("section", "span", "div"):
                self._module(name.removeprefix(_MODULE), marked)
        for listed in _objects(root):
            for symbol, around in self._listed(listed, 0):
                known = self._symbols.setdefault(symbol.id, (symbol, around))
                if len(known[0].members) < len(symbol.members):
                    self._symbols[symbol.id] = (symbol, around)

    def groups(self) -> Iterator[SymbolGroup]:
        """Yield one group per module; symbols without one are grouped by their qualifier."""
        self._adopt()
        for symbol, around in self._symbols.values():
            module = self._modules.setdefault(self._module_of(around), _SphinxModule())
            module.symbols.append(symbol)
        for name, module in sorted(self._modules.items()):
            if not module.symbols and not any(n.startswith(f"{name}.") for n in self._modules):
                continue  # a section with the id of a module
            about = Symbol(f"{_MODULE}{name}", SymbolKind.MODULE, name, name, module.description)
            yield module_group(name or "Reference", about, module.symbols)

    def _module(self, name: str, marked: Element) -> None:
        """Read the description of a module, which precedes its first object."""
        section = marked if marked.tag == "section" else marked.getparent()
        details: list[Element | str] = []
        for each in content_of(section) if section is not None else ():
            if not isinstance(each, str):
                if each.tag in ("section", "dl"):
                    break
                if each.tag in ("h1", "h2", "h3", "span") or "toctree-wrapper" in classes(each):
                    continue
            details.append(each)
        module = self._modules.setdefault(name, _SphinxModule())
        module.description = module.description or markdown_of(details, symbol_id)

    def _module_of(self, around: str) -> str:
        """Return the module of a qualifier, without the names of classes."""
        name = around.rstrip(".")
        while name in self._symbols:
            name = name.rpartition(".")[0]
        return name

    def _adopt(self) -> None:
        """Move members that are documented separately to their classes."""
        for id_ in list(self._symbols):
            symbol, _ = self._symbols[id_]
            owner_id = id_.rpartition(".")[0]
            owner = self._symbols.get(owner_id)
            if owner is None or owner[0].kind not in (SymbolKind.CLASS, SymbolKind.ENUM):
                continue
            del self._symbols[id_]
            if all(each.id != id_ for each in owner[0].members):
                member = replace(symbol, kind=_WITHIN.get(symbol.kind, symbol.kind))
                grown = replace(owner[0], members=(*owner[0].members, member))
                self._symbols[owner_id] = (grown, owner[1])

    def _listed(self, listed: Element, depth: int) -> Iterator[tuple[Symbol, str]]:
        """Yield the objects of a list with their qualifiers; each may have several signatures."""
        heads: list[Element] = []
        for child in listed:
            if child.tag == "dt":
                heads.append(child)
            elif child.tag == "dd" and heads:
                yield self._symbol(listed, heads, child, depth)
                heads = []

    def _symbol(
        self, listed: Element, heads: list[Element], details: Element, depth: int
    ) -> tuple[Symbol, str]:
        self._count.add()
        calls = [signature_of(head) for head in heads]
        first = calls[0]
        kind = next((_KINDS[name] for name in sorted(classes(listed)) if name in _KINDS), None)
        kind = kind or (SymbolKind.FUNCTION if first.is_called else SymbolKind.VARIABLE)
        kind = _TOP_LEVEL.get(kind, kind) if depth == 0 else _WITHIN.get(kind, kind)
        body = ObjectBody(details)
        members = self._members(details, depth) if kind is SymbolKind.CLASS else []
        if kind is SymbolKind.CLASS and _is_enum(body.bases):
            kind = SymbolKind.ENUM
            members = [_as_value(each) for each in members]
        id_ = next((head.get("id") or "" for head in heads if head.get("id")), first.full_name)
        symbol = Symbol(
            id=id_,
            kind=kind,
            name=first.name,
            qualified=id_,
            description=body.description,
            signatures=tuple(_signatures(kind, calls, body)),
            type=first.returns if not first.is_called else (),
            default=first.value,
            labels=first.labels,
            deprecated=body.deprecated,
            examples=tuple(body.examples),
            see=tuple(body.see),
            notes=tuple(body.notes),
            relations=(("Extends", tuple(body.bases)),) if body.bases else (),
            members=tuple(members),
            source=first.source,
        )
        return symbol, first.around

    def _members(self, details: Element, depth: int) -> list[Symbol]:
        if depth > _DEPTH_LIMIT:
            return []
        found: dict[str, Symbol] = {}
        for listed in _objects(details):
            for symbol, _ in self._listed(listed, depth + 1):
                if symbol.kind is SymbolKind.CLASS:  # nested classes have their own page
                    self._symbols.setdefault(symbol.id, (symbol, symbol.id.rpartition(".")[0]))
                else:
                    found.setdefault(symbol.id, symbol)
        return list(found.values())


def _signatures(
    kind: SymbolKind, calls: list[SignatureLine], body: ObjectBody
) -> Iterator[Signature]:
    """Yield signatures; field lists describe the first one."""
    if kind is SymbolKind.PROPERTY:
        return
    for position, call in enumerate(calls):
        details = body.fields if position == 0 else ObjectFields()
        yield Signature(
            code=call.code(kind),
            parameters=details.completed(call.parameters),
            returns=details.return_type or (call.returns if call.is_called else ()),
            returned=details.returned,
            raises=tuple(details.raises),
        )


def _objects(root: Element) -> Iterator[Element]:
    """Yield the outermost lists of objects."""
    waiting = list(root)[::-1]
    while waiting:
        each = waiting.pop()
        if not isinstance(each.tag, str):
            continue
        if each.tag == "dl" and any(_OBJECT in classes(child) for child in each):
            yield each
        else:
            waiting += list(each)[::-1]


def _is_enum(bases: list[SymbolText]) -> bool:
    return any(text.strip().rpartition(".")[2] in _ENUMS for base in bases for text, _ in base)


def _as_value(member: Symbol) -> Symbol:
    is_value = member.kind is SymbolKind.PROPERTY and member.default is not None
    return replace(member, kind=SymbolKind.VALUE) if is_value else member
