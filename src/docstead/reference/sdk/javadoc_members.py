"""Members on Javadoc pages: fields, constructors and methods.

Names of parts depend on the version: `member-signature` or `memberSignature`; old versions only
have anchors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from docstead.base.elements import Element
from docstead.content.symbols import Parameter, Signature, SymbolKind, SymbolText
from docstead.markup.markdown_inline import classes
from docstead.reference.sdk.html_text import content_of, text_of, texts_of, words_of
from docstead.reference.sdk.javadoc_comments import CommentNotes, JavadocLinks, block_of, has
from docstead.reference.sdk.model import apart, joined, plain, stripped

_LINE = 80
_KINDS = (
    ("constructor", SymbolKind.CONSTRUCTOR),
    ("method", SymbolKind.METHOD),
    ("enumconstant", SymbolKind.VALUE),
    ("constantdetails", SymbolKind.VALUE),
    ("field", SymbolKind.PROPERTY),
    ("property", SymbolKind.PROPERTY),
    ("member", SymbolKind.PROPERTY),
    ("annotation", SymbolKind.PROPERTY),
)
_MODIFIERS = frozenset(
    {"public", "protected", "private", "static", "final", "abstract", "default", "synchronized"}
    | {"native", "transient", "volatile", "strictfp"}
)
_LABELS = ("protected", "static", "abstract", "default")
_PARTS = (
    ("modifiers",),
    ("annotations",),
    ("return-type",),
    ("element-name", "member-name"),
    ("parameters", "arguments"),
)


@dataclass(slots=True)
class Member:
    """A field, constructor or method."""

    id: str
    kind: SymbolKind
    name: str
    code: str
    type: SymbolText
    parameters: tuple[Parameter, ...]
    labels: tuple[str, ...]
    description: str
    notes: CommentNotes

    def signature(self, is_described: bool) -> Signature:
        """Return the signature, with its own description if there are overloads."""
        is_method = self.kind is SymbolKind.METHOD
        return Signature(
            code=self.code,
            description=self.description if is_described else "",
            type_parameters=self.notes.named("Type Parameters"),
            parameters=self.parameters,
            returns=self.type if is_method and plain(self.type) != "void" else (),
            returned=self.notes.text("Returns"),
            raises=tuple(
                Parameter("", name, descriptions)
                for name, descriptions in self.notes.pairs("Throws")
            ),
        )


def members_of(root: Element, links: JavadocLinks) -> Iterator[Member]:
    """Yield the members of a type, in page order."""
    is_new = False
    for section in root.iter("section"):
        if has(section, "detail"):
            is_new = True
            signature = next((e for e in section.iter("div") if has(e, "member-signature")), None)
            kind = _kind_above(section)
            if signature is not None and kind is not None:
                yield _new_member(section, signature, kind, links)
    if not is_new:
        yield from _old_members(root, links)


def _kind_above(section: Element) -> SymbolKind | None:
    for above in section.iterancestors("section"):
        names = " ".join((*classes(above), above.get("id") or ""))
        descriptions = names.replace("-", "").replace(".", "").lower()
        for name, kind in _KINDS:
            if name in descriptions:
                return kind
    return None


def _new_member(
    section: Element, signature: Element, kind: SymbolKind, links: JavadocLinks
) -> Member:
    parts = {
        name: next(
            (e for e in signature.iter("span") if any(has(e, n) for n in (name, *also))), None
        )
        for name, *also in _PARTS
    }

    def words(name: str) -> SymbolText:
        part = parts[name]
        return () if part is None else stripped(words_of(content_of(part), links.find))

    holder = signature.getparent()
    holder = section if holder is None else holder
    notes = CommentNotes(holder, links)
    given = words("parameters")
    anchor = section.get("id") or next((a.get("id") or "" for a in section.iter("a")), "")
    heading = next(section.iter("h3", "h4"), None)
    return Member(
        id=links.id_of(anchor),
        kind=kind,
        name=plain(words("element-name")) or (text_of(heading) if heading is not None else ""),
        code=_code(signature, parts["annotations"]),
        type=words("return-type"),
        parameters=tuple(
            _parameters(given if plain(given)[:1] == "(" else joined("(", given), notes)
        ),
        labels=tuple(each for each in _LABELS if each in plain(words("modifiers")).split()),
        description=block_of(holder, links),
        notes=notes,
    )


def _old_members(root: Element, links: JavadocLinks) -> Iterator[Member]:
    """Yield members in the format of old versions, which mark parts only by anchors."""
    for heading in root.iter("h4"):
        item = heading.getparent()
        listed = None if item is None else item.getparent()
        around = None if listed is None else listed.getparent()
        if item is None or listed is None or around is None:
            continue
        kind = _old_kind(around)
        written = next(item.iterchildren("pre", "div"), None)
        if kind is None or written is None:
            continue
        anchor = listed.getprevious()
        id_ = "" if anchor is None else anchor.get("id") or anchor.get("name") or ""
        named = (kind, links.id_of(unquote(id_)), text_of(heading))
        yield _old_member(item, written, named, links)


def _old_kind(around: Element) -> SymbolKind | None:
    marked = (each.get("id") or each.get("name") or "" for each in around.iterchildren("a"))
    first = next(marked, "").replace(".", "").lower()
    if not first.endswith("detail"):
        return None
    return next((kind for name, kind in _KINDS if first.startswith(name)), None)


def _old_member(
    item: Element, written: Element, named: tuple[SymbolKind, str, str], links: JavadocLinks
) -> Member:
    kind, id_, name = named
    notes = CommentNotes(item, links)
    words = words_of(content_of(written), links.find)
    before, given = _at_parenthesis(words)
    texts = plain(before).replace("\u00a0", " ").split()
    return Member(
        id=id_,
        kind=kind,
        name=name,
        code=_code(written, None),
        type=_without_modifiers(before, name),
        parameters=tuple(_parameters(given, notes)),
        labels=tuple(each for each in _LABELS if each in texts),
        description=block_of(item, links),
        notes=notes,
    )


def _at_parenthesis(words: SymbolText) -> tuple[SymbolText, SymbolText]:
    """Split a call before its parameters; without parameters, everything is in the first part."""
    for position, (text, _) in enumerate(words):
        at = text.find("(")
        if at >= 0 and not text[:at].rstrip().endswith("@"):
            head = (*words[:position], (text[:at], ""))
            return head, ((text[at:], ""), *words[position + 1 :])
    return words, ()


def _without_modifiers(words: SymbolText, name: str) -> SymbolText:
    """Return the type in a declaration that ends with `name`."""
    found = [(text.replace("\u00a0", " "), id_) for text, id_ in words]
    while found:
        text, id_ = found[0]
        kept = text.split(" ") if not id_ else [text]
        while kept and (not kept[0].strip() or kept[0] in _MODIFIERS or kept[0].startswith("@")):
            kept.pop(0)
        if kept:
            found[0] = (" ".join(kept), id_)
            break
        found.pop(0)
    if found and not found[-1][1]:
        text = found[-1][0].rstrip()
        found[-1] = (text.removesuffix(name), "")
    return stripped(tuple(found))


def _parameters(given: SymbolText, notes: CommentNotes) -> Iterator[Parameter]:
    """Yield the parameters of a call, with types and descriptions."""
    descriptions = {plain(name): text for name, text in notes.pairs("Parameters")}
    text = plain(given)
    inner = _inside(given) if text else ()
    for each in apart(inner):
        words = tuple((part.replace("\u00a0", " "), id_) for part, id_ in each)
        last, id_ = words[-1]
        type_, _, name = last.rstrip().rpartition(" ") if not id_ else (last, "", "")
        yield Parameter(
            name=name or plain(words),
            type=stripped((*words[:-1], (type_, ""))) if name else (),
            description=descriptions.get(name, ""),
        )


def _inside(words: SymbolText) -> SymbolText:
    """Return the contents of the first parentheses."""
    found: list[tuple[str, str]] = []
    depth = 0
    for text, id_ in words:
        if id_:
            found.append((text, id_))
            continue
        kept = ""
        for mark in text:
            depth += mark == "("
            if depth and not (mark == "(" and depth == 1) and not (mark == ")" and depth == 1):
                kept += mark
            depth -= mark == ")"
            if mark == ")" and depth == 0:
                found.append((kept, ""))
                return tuple(found)
        found.append((kept, ""))
    return tuple(found)


def _code(element: Element, annotations: Element | None) -> str:
    """Return the declaration, on one line or with one line per parameter."""
    text = "".join(texts_of(element)).replace("\u00a0", " ").replace("\u200b", "")
    before = " ".join("".join(texts_of(annotations)).split()) if annotations is not None else ""
    line = " ".join(text.split()).removeprefix(before).strip()
    line = line.replace("( ", "(")
    lead = f"{before}\n" if before else ""
    head, mark, rest = line.partition("(")
    if len(line) <= _LINE or not mark or rest.startswith(")"):
        return lead + line
    inner, _, tail = rest.rpartition(")")
    inside = ",\n".join(f"    {plain(each)}" for each in apart(((inner, ""),)))
    return f"{lead}{head}(\n{inside}\n){tail}"
