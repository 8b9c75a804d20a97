"""TypeDoc's JSON export: modules, namespaces and their symbols."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from docstead.content.symbols import Parameter, Signature, Symbol, SymbolKind, SymbolText
from docstead.reference.sdk.artifact import (
    DEPTH_LIMIT,
    Artifact,
    SymbolCount,
    UnusableArtifact,
    json_of,
)
from docstead.reference.sdk.grouping import by_kind, module_group
from docstead.reference.sdk.model import SdkLibrary, SymbolGroup, plain
from docstead.reference.sdk.typedoc_types import (
    argument_words,
    bounds,
    call_words,
    comment_text,
    flag,
    name_of,
    objects,
    type_words,
)

_HINT = 'Run `npx typedoc --json typedoc.json` and set "source" to that file.'
_PROJECT = 1
_MODULES = frozenset({2, 4})
_CLASS, _INTERFACE, _ALIAS, _ENUM = 128, 256, 2_097_152, 8
_ACCESSOR = 262_144
_KINDS = {
    2: SymbolKind.MODULE,
    4: SymbolKind.MODULE,
    _ENUM: SymbolKind.ENUM,
    16: SymbolKind.VALUE,
    32: SymbolKind.VARIABLE,
    64: SymbolKind.FUNCTION,
    _CLASS: SymbolKind.CLASS,
    _INTERFACE: SymbolKind.INTERFACE,
    512: SymbolKind.CONSTRUCTOR,
    1024: SymbolKind.PROPERTY,
    2048: SymbolKind.METHOD,
    _ACCESSOR: SymbolKind.PROPERTY,
    _ALIAS: SymbolKind.TYPE,
}
_LABELS = {
    "isStatic": "static",
    "isAbstract": "abstract",
    "isReadonly": "readonly",
    "isProtected": "protected",
}
_RELATIONS = (
    ("Extends", "extendedTypes"),
    ("Implements", "implementedTypes"),
    ("Extended by", "extendedBy"),
    ("Implemented by", "implementedBy"),
)
_NOTES = {"@remarks": "", "@since": "Since", "@todo": "To do"}
_HIDDEN = frozenset({"@hidden", "@ignore", "@internal"})
_LINE = 80  # characters of a signature that fits on one line


def read_typedoc(artifact: Artifact, file: str) -> SdkLibrary:
    """Return the library that a JSON file describes. Raises `UnusableArtifact`."""
    project = json_of(artifact, _HINT)
    if project.get("kind") != _PROJECT and project.get("variant") != "project":
        message = "the file is not a JSON export of TypeDoc"
        raise UnusableArtifact(message, _HINT, line=1, column=1)
    reader = _TypedocReader()
    groups = tuple(reader.groups(project))
    if not groups:
        raise UnusableArtifact("the file describes no symbols", _HINT, line=1, column=1)
    return SdkLibrary(file, "typescript", groups)


class _TypedocReader:
    def __init__(self) -> None:
        self._count = SymbolCount()

    def groups(self, project: Mapping[str, Any]) -> Iterator[SymbolGroup]:
        """Yield one group per module, or per kind if there is only one module."""
        modules = [each for each in objects(project, "children") if each.get("kind") in _MODULES]
        own = tuple(self._symbols(project, ""))
        if len(modules) == 1 and not own:
            yield from self.groups(modules[0])
            return
        yield from by_kind(own)
        for module in modules:
            yield from self._module(module, "", 1)

    def _module(self, module: Mapping[str, Any], around: str, depth: int) -> Iterator[SymbolGroup]:
        if depth > DEPTH_LIMIT or _is_hidden(module):
            return
        name = name_of(module)
        qualified = f"{around}.{name}" if around else name
        about = replace(self._symbol(module, around, SymbolKind.MODULE), qualified=qualified)
        symbols = tuple(self._symbols(module, qualified))
        inner = (each for each in objects(module, "children") if each.get("kind") in _MODULES)
        within = tuple(
            group for each in inner for group in self._module(each, qualified, depth + 1)
        )
        yield module_group(qualified, about, symbols, within)

    def _symbols(self, holder: Mapping[str, Any], around: str) -> Iterator[Symbol]:
        for child in objects(holder, "children"):
            kind = _KINDS.get(child.get("kind", 0))
            if kind not in (None, SymbolKind.MODULE) and not _is_hidden(child):
                yield self._symbol(child, around, kind)

    def _symbol(self, value: Mapping[str, Any], around: str, kind: SymbolKind) -> Symbol:
        self._count.add()
        name = name_of(value)
        qualified = f"{around}.{name}" if around else name
        calls = _calls(value)
        comment = _comment(value, calls)
        members, inherited = self._members(value, qualified)
        return Symbol(
            id=str(value.get("id")),
            kind=kind,
            name=name,
            qualified=qualified,
            description=comment_text(comment.get("summary")),
            signatures=tuple(_signatures(value, kind, calls)),
            type=_type(value),
            default=_default(value, comment),
            optional=flag(value, "isOptional"),
            labels=tuple(_labels(value)),
            deprecated=_deprecated(comment),
            examples=tuple(_examples(comment)),
            see=tuple(comment_text(each.get("content")) for each in _tags(comment, "@see")),
            notes=tuple(_notes(comment)),
            relations=tuple(_relations(value)),
            members=members,
            inherited=inherited,
            source=_source(value),
        )

    def _members(
        self, value: Mapping[str, Any], qualified: str
    ) -> tuple[tuple[Symbol, ...], tuple[SymbolText, ...]]:
        """Return own members, and the names of inherited ones."""
        if value.get("kind") in _MODULES:
            return (), ()
        holder = value
        if value.get("kind") == _ALIAS and isinstance(value.get("type"), dict):
            holder = value["type"].get("declaration") or {}
        own, inherited = [], []
        for child in objects(holder, "children"):
            kind = _KINDS.get(child.get("kind", 0))
            if kind is None or flag(child, "isPrivate") or _is_hidden(child):
                continue
            if (parent := child.get("inheritedFrom")) and kind is not SymbolKind.CONSTRUCTOR:
                inherited.append(_inherited(child, parent))
            else:
                kind = SymbolKind.METHOD if kind is SymbolKind.FUNCTION else kind
                kind = SymbolKind.PROPERTY if kind is SymbolKind.VARIABLE else kind
                own.append(self._symbol(child, qualified, kind))
        return tuple(own), tuple(inherited)


def _is_hidden(value: Mapping[str, Any]) -> bool:
    comment = value.get("comment")
    tags = comment.get("modifierTags") if isinstance(comment, dict) else None
    return isinstance(tags, list) and not _HIDDEN.isdisjoint(filter(_is_text, tags))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _inherited(child: Mapping[str, Any], parent: Any) -> SymbolText:
    target = parent.get("target") if isinstance(parent, dict) else None
    id_ = str(target) if isinstance(target, int) and target >= 0 else ""
    return ((name_of(child), id_),)


def _calls(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the call signatures, also those of a variable with a function type."""
    if found := objects(value, "signatures"):
        return found
    type_ = value.get("type")
    declaration = type_.get("declaration") if isinstance(type_, dict) else None
    return objects(declaration, "signatures") if value.get("kind") != _ALIAS else []


def _comment(value: Mapping[str, Any], calls: list[dict[str, Any]]) -> Mapping[str, Any]:
    """Return the comment of a symbol, or else of its only signature or its getter."""
    getter = value.get("getSignature")
    only = calls[0] if len(calls) == 1 else getter if isinstance(getter, dict) else {}
    found = value.get("comment") or only.get("comment")
    if found is None and calls:
        found = {"blockTags": _tags(calls[0].get("comment"), "@deprecated")}
    return found if isinstance(found, dict) else {}


def _tags(comment: Any, name: str) -> list[dict[str, Any]]:
    return [each for each in objects(comment, "blockTags") if each.get("tag") == name]


def _deprecated(comment: Mapping[str, Any]) -> str | None:
    found = _tags(comment, "@deprecated")
    return comment_text(found[0].get("content")) if found else None


def _default(value: Mapping[str, Any], comment: Mapping[str, Any]) -> str | None:
    for tag in (*_tags(comment, "@defaultValue"), *_tags(comment, "@default")):
        if text := comment_text(tag.get("content")):
            return text.strip("`").removeprefix("ts\n").strip() or None
    written = value.get("defaultValue")
    return str(written) if written not in (None, "...") else None


def _examples(comment: Mapping[str, Any]) -> Iterator[str]:
    for tag in _tags(comment, "@example"):
        title = str(tag.get("name") or "")
        text = comment_text(tag.get("content"))
        text = text if "```" in text or not text else f"```ts\n{text}\n```"
        yield f"{title}\n\n{text}" if title else text


def _notes(comment: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for tag, title in _NOTES.items():
        for each in _tags(comment, tag):
            yield title, comment_text(each.get("content"))


def _labels(value: Mapping[str, Any]) -> Iterator[str]:
    yield from (label for name, label in _LABELS.items() if flag(value, name))
    if value.get("kind") == _ACCESSOR and not value.get("setSignature"):
        yield "readonly"


def _relations(value: Mapping[str, Any]) -> Iterator[tuple[str, tuple[SymbolText, ...]]]:
    for label, key in _RELATIONS:
        if named := tuple(type_words(each) for each in objects(value, key)):
            yield label, named


def _source(value: Mapping[str, Any]) -> tuple[str, str]:
    found = objects(value, "sources") or [
        each for call in objects(value, "signatures") for each in objects(call, "sources")
    ]
    if not found:
        return "", ""
    url = str(found[0].get("url") or "")
    position = f"{found[0].get('fileName')}:{found[0].get('line')}"
    return position, url if url.startswith("https://") else ""


def _type(value: Mapping[str, Any]) -> SymbolText:
    getter = value.get("getSignature")
    setter = value.get("setSignature")
    if isinstance(getter, dict):
        return type_words(getter.get("type"))
    if isinstance(setter, dict):
        return next((type_words(p.get("type")) for p in objects(setter, "parameters")), ())
    return type_words(value.get("type"))


def _signatures(
    value: Mapping[str, Any], kind: SymbolKind, calls: list[dict[str, Any]]
) -> Iterator[Signature]:
    if calls and kind in (
        SymbolKind.FUNCTION,
        SymbolKind.METHOD,
        SymbolKind.CONSTRUCTOR,
        SymbolKind.VARIABLE,
    ):
        for call in calls:
            comment = call.get("comment") if len(calls) > 1 else None
            yield _signature(value, kind, call, comment if isinstance(comment, dict) else {})
    elif kind not in (SymbolKind.MODULE, SymbolKind.PROPERTY, SymbolKind.VALUE):
        yield Signature(_declared(value, kind), type_parameters=_type_parameters(value))


def _signature(
    value: Mapping[str, Any], kind: SymbolKind, call: Mapping[str, Any], comment: Mapping[str, Any]
) -> Signature:
    own = call.get("comment")
    return_tags = _tags(own, "@returns") + _tags(own, "@return")
    is_made = kind is SymbolKind.CONSTRUCTOR
    return Signature(
        code=_called(value, kind, call),
        description=comment_text(comment.get("summary")),
        type_parameters=() if is_made else _type_parameters(call),
        parameters=tuple(map(_parameter, objects(call, "parameters"))),
        returns=() if is_made else type_words(call.get("type")),
        returned=comment_text(return_tags[0].get("content")) if return_tags else "",
        raises=tuple(
            Parameter("", (), comment_text(each.get("content"))) for each in _tags(own, "@throws")
        ),
    )


def _parameter(value: Mapping[str, Any]) -> Parameter:
    comment = value.get("comment")
    default = value.get("defaultValue")
    return Parameter(
        name=("..." if flag(value, "isRest") else "") + name_of(value),
        type=type_words(value.get("type")),
        description=comment_text(comment.get("summary")) if isinstance(comment, dict) else "",
        default=None if default is None else str(default),
        optional=flag(value, "isOptional") or flag(value, "isRest"),
    )


def _type_parameters(value: Mapping[str, Any]) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(
            name_of(each),
            type_words(each.get("type")),
            comment_text((each.get("comment") or {}).get("summary")),
            plain(type_words(each["default"])) if each.get("default") else None,
            optional=True,
        )
        for each in objects(value, "typeParameters")
    )


def _called(value: Mapping[str, Any], kind: SymbolKind, call: Mapping[str, Any]) -> str:
    name = name_of(value)
    before = {SymbolKind.CONSTRUCTOR: f"new {name_of(call)}"}.get(kind, name)
    if kind in (SymbolKind.FUNCTION, SymbolKind.VARIABLE):
        before = f"function {name}"
    labels = "".join(f"{label} " for label in _labels(value))
    line = f"{labels}{before}{plain(call_words(call))}"
    given = objects(call, "parameters")
    if len(line) <= _LINE or not given:
        return line
    generic = plain(call_words({**call, "parameters": [], "type": None})).removesuffix("()")
    inner = "".join(f"  {plain(argument_words(each))},\n" for each in given)
    returned = plain(type_words(call.get("type")))
    return f"{labels}{before}{generic}(\n{inner})" + (f": {returned}" if returned else "")


def _declared(value: Mapping[str, Any], kind: SymbolKind) -> str:
    labels = "abstract " if flag(value, "isAbstract") else ""
    generic = ", ".join(plain(bounds(each)) for each in objects(value, "typeParameters"))
    head = f"{labels}{_WORDS.get(kind, '')} {name_of(value)}{f'<{generic}>' if generic else ''}"
    if kind is SymbolKind.TYPE:
        return f"{head} = {_spread(value.get('type'))}"
    if kind is SymbolKind.VARIABLE:
        return f"{head}: {plain(type_words(value.get('type')))}"
    for word, key in (("extends", "extendedTypes"), ("implements", "implementedTypes")):
        if named := ", ".join(plain(type_words(each)) for each in objects(value, key)):
            head += f" {word} {named}"
    return head


_WORDS = {
    SymbolKind.CLASS: "class",
    SymbolKind.INTERFACE: "interface",
    SymbolKind.ENUM: "enum",
    SymbolKind.TYPE: "type",
    SymbolKind.FUNCTION: "function",
    SymbolKind.VARIABLE: "const",
}


def _spread(value: Any) -> str:
    """Return a type on one line, or a long union with one member per line."""
    line = plain(type_words(value))
    parts = objects(value, "types") if isinstance(value, dict) else []
    if len(line) <= _LINE or value.get("type") != "union":
        return line
    return "".join(f"\n  | {plain(type_words(part))}" for part in parts)
