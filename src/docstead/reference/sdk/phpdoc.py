"""phpDocumentor's `structure.xml`: namespaces with their classes, functions and constants."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from docstead.base.elements import Element
from docstead.content.symbols import Parameter, Signature, Symbol, SymbolKind, SymbolText
from docstead.reference.sdk.artifact import Artifact, SymbolCount, UnusableArtifact
from docstead.reference.sdk.grouping import module_group
from docstead.reference.sdk.html_text import content_of, markdown_of, parsed
from docstead.reference.sdk.model import SdkLibrary, SymbolGroup, joined, link, plain

_HINT = 'Run `phpdoc -d src -t out --template=xml`; set "source" to `out/structure.xml`.'
_GLOBAL = "Global namespace"
_LINE = 80
_KINDS = {
    "class": SymbolKind.CLASS,
    "interface": SymbolKind.INTERFACE,
    "trait": SymbolKind.CLASS,
    "enum": SymbolKind.ENUM,
    "function": SymbolKind.FUNCTION,
    "constant": SymbolKind.VARIABLE,
}
_MEMBERS = {
    "constant": SymbolKind.PROPERTY,
    "case": SymbolKind.VALUE,
    "property": SymbolKind.PROPERTY,
    "method": SymbolKind.METHOD,
}
_LABELS = ("abstract", "final", "static", "readonly")
_NAME = re.compile(r"\\?[A-Za-z_][\w\\]*")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_INLINE = re.compile(r"\{@(?:see|link)\s([^\s{}]+)(?:\s([^{}]*))?\}")


def read_phpdoc(artifact: Artifact, file: str) -> SdkLibrary:
    """Return the library that the XML file describes. Raises `UnusableArtifact`."""
    root = _root(artifact.read())
    if root.tag != "project":
        raise UnusableArtifact(
            "the file is not a structure.xml of phpDocumentor", _HINT, line=1, column=1
        )
    groups = tuple(_PhpProject().groups(root))
    if not groups:
        raise UnusableArtifact("the file describes no symbols", _HINT, line=1, column=1)
    return SdkLibrary(file, "php", groups)


def _root(data: bytes) -> Element:
    """Return the root element; entities are not expanded, and nothing external is loaded."""
    parser = etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False, recover=False
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        raise UnusableArtifact(f"not XML: {error.msg}", _HINT, line=line, column=column) from None
    except ValueError as error:
        raise UnusableArtifact(f"not XML: {error}", _HINT, line=1, column=1) from None
    if root.getroottree().docinfo.internalDTD is not None:
        message = "the file has a DOCTYPE, which phpDocumentor does not write"
        raise UnusableArtifact(message, _HINT, line=1, column=1)
    return root


class _PhpProject:
    def __init__(self) -> None:
        self._count = SymbolCount()

    def groups(self, root: Element) -> Iterator[SymbolGroup]:
        """Yield one group per namespace."""
        found: dict[str, dict[str, Symbol]] = {}
        for file in root.iterchildren("file"):
            for child in file.iterchildren(*_KINDS):
                symbol = self._symbol(child, _KINDS[child.tag], file.get("path") or "")
                namespace = (child.get("namespace") or "").strip("\\")
                namespace = "" if namespace in ("global", "default") else namespace
                found.setdefault(namespace, {}).setdefault(symbol.id, symbol)
        for namespace, symbols in sorted(found.items()):
            label = namespace or _GLOBAL
            about = Symbol(f"namespace {label}", SymbolKind.MODULE, label, label)
            ordered = sorted(symbols.values(), key=lambda symbol: symbol.name.lower())
            yield module_group(label, about, ordered)

    def _symbol(self, element: Element, kind: SymbolKind, path: str) -> Symbol:
        self._count.add()
        doc_comment = _DocComment(element)
        name = _child(element, "name")
        is_call = kind in (SymbolKind.FUNCTION, SymbolKind.METHOD)
        members, inherited = self._members(element, path)
        return Symbol(
            id=_identity(element),
            kind=SymbolKind.CONSTRUCTOR if name == "__construct" and is_call else kind,
            name=name,
            qualified=_identity(element).strip("\\").removesuffix("()"),
            description=doc_comment.description or next(doc_comment.texts("var"), ""),
            signatures=(_signature(element, kind, doc_comment),) if kind not in _FIELDS else (),
            type=_words(_child(element, "type") or doc_comment.type_of("var"))
            if not is_call
            else (),
            default=(_child(element, "value") or _child(element, "default") or None),
            labels=tuple(_labels(element)),
            deprecated=doc_comment.deprecated,
            examples=tuple(doc_comment.texts("example")),
            see=(*doc_comment.references("see"), *doc_comment.references("link")),
            notes=tuple(("Since", text) for text in doc_comment.texts("since")),
            relations=tuple(_relations(element)),
            members=members,
            inherited=inherited,
            source=(f"{path}:{element.get('line')}", "") if path else ("", ""),
        )

    def _members(
        self, element: Element, path: str
    ) -> tuple[tuple[Symbol, ...], tuple[SymbolText, ...]]:
        """Return own members, and the names of inherited ones."""
        own: dict[str, Symbol] = {}  # by id, because members of traits are listed twice
        inherited: list[SymbolText] = []
        holder = f"{_identity(element)}::"
        for child in element.iterchildren(*_MEMBERS):
            if child.get("visibility") == "private":
                continue
            id_ = _identity(child)
            is_elsewhere = "::" in id_ and not id_.startswith(holder)
            if is_elsewhere or child.find("inherited_from") is not None:
                inherited.append(((_child(child, "name"), id_),))
            elif id_ not in own:
                own[id_] = self._symbol(child, _MEMBERS[child.tag], path)
        return tuple(own.values()), tuple(inherited)


_FIELDS = frozenset({SymbolKind.PROPERTY, SymbolKind.VALUE})


class _DocComment:
    """Documentation comment of an element."""

    def __init__(self, element: Element) -> None:
        self._comment = element.find("docblock")

    @property
    def description(self) -> str:
        if self._comment is None:
            return ""
        parts = (_child(self._comment, name) for name in ("description", "long-description"))
        return "\n\n".join(_markdown(part) for part in parts if part.strip())

    @property
    def deprecated(self) -> str | None:
        return next(iter(self.texts("deprecated")), None)

    def tags(self, name: str) -> Iterator[Element]:
        for tag in () if self._comment is None else self._comment.iterchildren("tag"):
            if tag.get("name") == name:
                yield tag

    def texts(self, name: str) -> Iterator[str]:
        return (_markdown(tag.get("description") or "") for tag in self.tags(name))

    def type_of(self, name: str) -> str:
        return next((tag.get("type") or "" for tag in self.tags(name)), "")

    def references(self, name: str) -> Iterator[str]:
        for tag in self.tags(name):
            target, said = tag.get("link") or "", _markdown(tag.get("description") or "")
            shown = f"[{target}](<{target}>)" if _is_web(target) else link(_last(target), target)
            yield " – ".join(filter(None, (shown if target else "", said)))


def _is_web(url: str) -> bool:
    return url.startswith(("https://", "http://")) and not re.search(r"[\s<>]", url)


def _child(element: Element, name: str) -> str:
    return (element.findtext(name) or "").strip()


def _identity(element: Element) -> str:
    return _child(element, "full_name") or _child(element, "name")


def _markdown(text: str) -> str:
    """Return a comment as Markdown; text with a tag is converted from HTML."""
    text = _INLINE.sub(_reference, text.replace("&amp;", "&")).strip().removeprefix("- ")
    if not _TAG.search(text) or "](symbol:" in text:
        return text
    root = parsed(f"<div>{text}</div>")
    holder = None if root is None else root.find(".//div")
    return "" if holder is None else markdown_of(content_of(holder), lambda _: "")


def _reference(match: re.Match[str]) -> str:
    target, text = match[1], match[2] or ""
    if _is_web(target):
        return f"[{text or target}](<{target}>)"
    return link(text or _last(target), target)


def _last(name: str) -> str:
    return name.rpartition("\\")[2]


def _words(type_: str) -> SymbolText:
    """Return a type with links to its symbols, whose namespaces are hidden."""
    parts: list[SymbolText] = []
    end = 0
    for match in _NAME.finditer(type_):
        name = match[0]
        parts.append(((type_[end : match.start()], ""),))
        parts.append(((_last(name), name if name.startswith("\\") else ""),))
        end = match.end()
    return joined(*parts, ((type_[end:], ""),)) if type_ else ()


def _labels(element: Element) -> Iterator[str]:
    if element.tag in ("trait", "constant"):
        yield str(element.tag)
    if element.get("visibility") == "protected":
        yield "protected"
    yield from (label for label in _LABELS if element.get(label) == "true")


def _relations(element: Element) -> Iterator[tuple[str, tuple[SymbolText, ...]]]:
    for label, tag in (("Extends", "extends"), ("Implements", "implements")):
        names = [(each.text or "").strip() for each in element.iterchildren(tag)]
        if named := tuple(((_last(name), name),) for name in names if name):
            yield label, named


def _signature(element: Element, kind: SymbolKind, doc_comment: _DocComment) -> Signature:
    given = {(tag.get("variable") or "").lstrip("$"): tag for tag in doc_comment.tags("param")}
    arguments = tuple(_argument(each, given) for each in element.iterchildren("argument"))
    written = next(iter(element.iterchildren("return_type", "returnType")), None)
    type_ = doc_comment.type_of("return") or ((written.text or "") if written is not None else "")
    returns = _words(type_)
    raised = (*doc_comment.tags("throws"), *doc_comment.tags("throw"))
    return Signature(
        code=_code(element, kind, arguments, returns),
        parameters=arguments,
        returns=returns,
        returned="\n\n".join(doc_comment.texts("return")),
        raises=tuple(
            Parameter("", _words(tag.get("type") or ""), _markdown(tag.get("description") or ""))
            for tag in raised
        ),
    )


def _argument(element: Element, given: dict[str, Element]) -> Parameter:
    name = _child(element, "name").lstrip("$")
    tag = given.get(name)
    default = _child(element, "default") or None
    type_ = (tag.get("type") if tag is not None else "") or _child(element, "type")
    is_rest = element.get("variadic") == "true"
    return Parameter(
        name=f"{'...' if is_rest else ''}${name}",
        type=_words(type_),
        description=_markdown(tag.get("description") or "") if tag is not None else "",
        default=default,
        optional=is_rest,
    )


def _code(
    element: Element, kind: SymbolKind, arguments: tuple[Parameter, ...], returns: SymbolText
) -> str:
    name = _child(element, "name")
    if kind is SymbolKind.VARIABLE:
        return f"const {name} = {_child(element, 'value')};"
    if kind not in (SymbolKind.FUNCTION, SymbolKind.METHOD):
        modifiers = "".join(f"{m} " for m in ("abstract", "final") if element.get(m) == "true")
        named = dict(_relations(element))
        behind = "".join(
            f" {label.lower()} {', '.join(map(plain, named[label]))}" for label in named
        )
        return f"{modifiers}{element.tag} {name}{behind}"
    visibility = f"{element.get('visibility')} " if element.get("visibility") else ""
    static = "static " if element.get("static") == "true" else ""
    parts = [_written(each) for each in arguments]
    tail = f": {plain(returns)}" if returns else ""
    head = f"{visibility}{static}function {name}"
    line = f"{head}({', '.join(parts)}){tail}"
    if len(line) <= _LINE or not parts:
        return line
    return "".join([f"{head}(\n", *(f"    {part},\n" for part in parts), f"){tail}"])


def _written(parameter: Parameter) -> str:
    type_ = f"{plain(parameter.type)} " if parameter.type else ""
    default = f" = {parameter.default}" if parameter.default is not None else ""
    return f"{type_}{parameter.name}{default}"
