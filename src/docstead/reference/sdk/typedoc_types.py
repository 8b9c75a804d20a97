"""Types and comments of TypeDoc's JSON, as words and Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from docstead.content.symbols import SymbolText
from docstead.reference.sdk.model import joined, link

_DEPTH_LIMIT = 30
_LEFT_OUT: SymbolText = (("…", ""),)
_UPPER = re.compile(r"([A-Z])")
_WRITTEN = frozenset(
    {
        "array",
        "conditional",
        "indexed_access",
        "inferred",
        "intersection",
        "literal",
        "mapped",
        "named_tuple_member",
        "optional",
        "predicate",
        "query",
        "reference",
        "reflection",
        "rest",
        "template_literal",
        "tuple",
        "type_operator",
        "union",
    }
)
# : Types that need parentheses next to a tighter operator.
_LOOSE = frozenset({"union", "intersection", "conditional", "inferred", "typeOperator", "query"})


def objects(value: Any, key: str) -> list[dict[str, Any]]:
    """Return the objects in a list below a key, ignoring values of other types."""
    found = value.get(key) if isinstance(value, dict) else None
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def name_of(value: Mapping[str, Any]) -> str:
    return str(value.get("name") or "")


def flag(value: Mapping[str, Any], name: str) -> bool:
    flags = value.get("flags")
    return isinstance(flags, dict) and flags.get(name) is True


def type_words(value: Any, depth: int = 0) -> SymbolText:
    """Return a type in TypeScript syntax."""
    if not isinstance(value, dict):
        return ()
    if depth > _DEPTH_LIMIT:
        return _LEFT_OUT
    return _TypeDocType(depth + 1).words(value)


def bounds(parameter: Mapping[str, Any], depth: int = 0) -> SymbolText:
    """Return a type parameter with its constraint and default."""
    modifiers = "const " if flag(parameter, "isConst") else ""
    words = joined(modifiers + name_of(parameter))
    if parameter.get("type"):
        words = joined(words, " extends ", type_words(parameter["type"], depth))
    if parameter.get("default"):
        words = joined(words, " = ", type_words(parameter["default"], depth))
    return words


def argument_words(parameter: Mapping[str, Any], depth: int = 0) -> SymbolText:
    """Return a parameter as in a signature."""
    rest = "..." if flag(parameter, "isRest") else ""
    default = parameter.get("defaultValue")
    is_optional = flag(parameter, "isOptional") or default is not None
    mark = "?" if is_optional and not rest else ""
    type_ = type_words(parameter.get("type"), depth)
    return joined(f"{rest}{name_of(parameter)}{mark}", *((": ", type_) if type_ else ()))


def between(parts: Iterable[SymbolText], separator: str) -> SymbolText:
    """Join parts with a separator."""
    listed = [part for part in parts if part]
    return joined(*listed[:1], *(each for part in listed[1:] for each in (separator, part)))


def call_words(signature: Mapping[str, Any], arrow: str = ": ", depth: int = 0) -> SymbolText:
    """Return type parameters, parameters and return type."""
    generic = between((bounds(each, depth) for each in objects(signature, "typeParameters")), ", ")
    given = between((argument_words(p, depth) for p in objects(signature, "parameters")), ", ")
    returned = type_words(signature.get("type"), depth)
    return joined(
        *(("<", generic, ">") if generic else ()),
        "(",
        given,
        ")",
        *((arrow, returned) if returned else ()),
    )


def comment_text(parts: Any) -> str:
    """Return a comment as Markdown with links to symbols."""
    listed = parts if isinstance(parts, list) else ()
    return "".join(_comment_part(each) for each in listed if isinstance(each, dict)).strip()


def _comment_part(part: Mapping[str, Any]) -> str:
    text = str(part.get("text") or "")
    if part.get("kind") != "inline-tag":
        return text
    tag, target = part.get("tag"), part.get("target")
    if tag not in ("@link", "@linkcode", "@linkplain"):
        return text if tag == "@inheritDoc" else f"`{text}`"
    shown = f"`{text}`" if tag == "@linkcode" else text
    if isinstance(target, int):
        return link(shown, str(target))
    is_url = isinstance(target, str) and target.startswith("https://")
    return f"[{shown}](<{target}>)" if is_url else shown


class _TypeDocType:
    """Formatter of types; `depth` is the nesting depth."""

    def __init__(self, depth: int) -> None:
        self._depth = depth

    def words(self, value: Mapping[str, Any]) -> SymbolText:
        kind = value.get("type")
        name = _UPPER.sub(r"_\1", kind).lower() if isinstance(kind, str) else ""
        write = getattr(self, f"_{name}", None) if name in _WRITTEN else None
        return write(value) if write else joined(str(value.get("name") or "unknown"))

    def _of(self, value: Any) -> SymbolText:
        return type_words(value, self._depth)

    def _tight(self, value: Any) -> SymbolText:
        """Return an operand, in parentheses if it needs them."""
        words = self._of(value)
        kind = value.get("type") if isinstance(value, dict) else None
        is_call = kind == "reflection" and not _children(value) and bool(_calls(value))
        return joined("(", words, ")") if kind in _LOOSE or is_call else words

    def _array(self, value: Mapping[str, Any]) -> SymbolText:
        return joined(self._tight(value.get("elementType")), "[]")

    def _conditional(self, value: Mapping[str, Any]) -> SymbolText:
        parts = (
            self._of(value.get(f"{name}Type")) for name in ("check", "extends", "true", "false")
        )
        check, extends, then, otherwise = parts
        return joined(check, " extends ", extends, " ? ", then, " : ", otherwise)

    def _indexed_access(self, value: Mapping[str, Any]) -> SymbolText:
        return joined(
            self._tight(value.get("objectType")), "[", self._of(value.get("indexType")), "]"
        )

    def _inferred(self, value: Mapping[str, Any]) -> SymbolText:
        return joined(f"infer {name_of(value)}")

    def _intersection(self, value: Mapping[str, Any]) -> SymbolText:
        return between(map(self._tight, objects(value, "types")), " & ")

    def _literal(self, value: Mapping[str, Any]) -> SymbolText:
        found = value.get("value")
        if isinstance(found, dict):  # a bigint
            sign = "-" if found.get("negative") else ""
            return joined(f"{sign}{found.get('value')}n")
        return joined(json.dumps(found, ensure_ascii=False))

    def _mapped(self, value: Mapping[str, Any]) -> SymbolText:
        marks = {"+": "?", "-": "-?"}
        mark = marks.get(str(value.get("optionalModifier")), "")
        readonly = {"+": "readonly ", "-": "-readonly "}.get(str(value.get("readonlyModifier")), "")
        renamed = joined(" as ", self._of(value["nameType"])) if value.get("nameType") else ()
        return joined(
            f"{{ {readonly}[{value.get('parameter')} in ",
            self._of(value.get("parameterType")),
            renamed,
            f"]{mark}: ",
            self._of(value.get("templateType")),
            " }",
        )

    def _named_tuple_member(self, value: Mapping[str, Any]) -> SymbolText:
        mark = "?" if value.get("isOptional") else ""
        return joined(f"{name_of(value)}{mark}: ", self._of(value.get("element")))

    def _optional(self, value: Mapping[str, Any]) -> SymbolText:
        return joined(self._tight(value.get("elementType")), "?")

    def _predicate(self, value: Mapping[str, Any]) -> SymbolText:
        asserts = "asserts " if value.get("asserts") else ""
        target = self._of(value.get("targetType"))
        return joined(f"{asserts}{name_of(value)}", *((" is ", target) if target else ()))

    def _query(self, value: Mapping[str, Any]) -> SymbolText:
        return joined("typeof ", self._of(value.get("queryType")))

    def _reference(self, value: Mapping[str, Any]) -> SymbolText:
        target = value.get("target")
        is_ours = isinstance(target, int) and not value.get("refersToTypeParameter")
        name = ((name_of(value), str(target) if is_ours else ""),)
        given = between(map(self._of, objects(value, "typeArguments")), ", ")
        return joined(name, "<", given, ">") if given else name

    def _reflection(self, value: Mapping[str, Any]) -> SymbolText:
        children, calls = _children(value), _calls(value)
        if not children and len(calls) == 1:
            return call_words(calls[0], " => ", self._depth)
        declaration = value.get("declaration")
        inner = [
            *(call_words(each, depth=self._depth) for each in calls),
            *(self._index(each) for each in objects(declaration, "indexSignatures")),
            *map(self._member, children),
        ]
        return joined("{ ", between(inner, "; "), " }") if inner else joined("{}")

    def _member(self, child: Mapping[str, Any]) -> SymbolText:
        mark = "?" if flag(child, "isOptional") else ""
        if signatures := objects(child, "signatures"):
            return joined(f"{name_of(child)}{mark}", call_words(signatures[0], depth=self._depth))
        return joined(f"{name_of(child)}{mark}: ", self._of(child.get("type")))

    def _index(self, signature: Mapping[str, Any]) -> SymbolText:
        given = (argument_words(p, self._depth) for p in objects(signature, "parameters"))
        return joined("[", between(given, ", "), "]: ", self._of(signature.get("type")))

    def _rest(self, value: Mapping[str, Any]) -> SymbolText:
        return joined("...", self._of(value.get("elementType")))

    def _template_literal(self, value: Mapping[str, Any]) -> SymbolText:
        words = joined(f"`{value.get('head') or ''}")
        tail = value.get("tail")
        for pair in tail if isinstance(tail, list) else ():
            match pair:
                case [type_, text]:
                    words = joined(words, "${", self._of(type_), f"}}{text}")
        return joined(words, "`")

    def _tuple(self, value: Mapping[str, Any]) -> SymbolText:
        return joined("[", between(map(self._of, objects(value, "elements")), ", "), "]")

    def _type_operator(self, value: Mapping[str, Any]) -> SymbolText:
        return joined(f"{value.get('operator')} ", self._tight(value.get("target")))

    def _union(self, value: Mapping[str, Any]) -> SymbolText:
        return between(map(self._branch, objects(value, "types")), " | ")

    def _branch(self, value: Any) -> SymbolText:
        """Return a member of a union: functions and conditional types need parentheses."""
        kind = value.get("type")
        return self._tight(value) if kind in ("reflection", "conditional") else self._of(value)


def _children(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    return objects(value.get("declaration"), "children")


def _calls(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    return objects(value.get("declaration"), "signatures")
