"""HTML of Javadoc's standard doclet: one page per package and type."""

from __future__ import annotations

from collections.abc import Iterator

from docstead.base.elements import Element
from docstead.content.symbols import Signature, Symbol, SymbolKind, SymbolText
from docstead.reference.sdk.artifact import Artifact, SymbolCount, UnusableArtifact
from docstead.reference.sdk.grouping import module_group
from docstead.reference.sdk.html_text import content_of, parsed, text_of, texts_of, words_of
from docstead.reference.sdk.javadoc_comments import CommentNotes, JavadocLinks, block_of, has
from docstead.reference.sdk.javadoc_members import Member, members_of
from docstead.reference.sdk.model import SdkLibrary, SymbolGroup, apart, plain, stripped

_HINT = 'Run `javadoc -d out …` with the standard doclet; set "source" to `out` or a jar of it.'
_TYPE = b"START OF CLASS DATA"  # a comment that all versions write
_PACKAGE = "package-summary.html"
_WORDS = (
    ("@interface", SymbolKind.INTERFACE, "annotation"),
    ("interface", SymbolKind.INTERFACE, ""),
    ("enum", SymbolKind.ENUM, ""),
    ("record", SymbolKind.CLASS, "record"),
    ("class", SymbolKind.CLASS, ""),
)
_LABELS = ("abstract", "static", "sealed")
_RELATIONS = (
    ("Implemented by", ("All Known Implementing Classes",)),
    ("Extended by", ("Direct Known Subclasses", "All Known Subinterfaces")),
)


def read_javadoc(artifact: Artifact, file: str) -> SdkLibrary:
    """Return the library that a folder of HTML describes. Raises `UnusableArtifact`."""
    reader = _JavadocFolder()
    pages = [path for path in artifact.paths if path.endswith(".html")]
    # Pages of packages first: only they name the package in all versions.
    for path in sorted(pages, key=lambda each: not each.endswith(_PACKAGE)):
        if "/class-use/" in path or "/src-html/" in path:
            continue
        data = artifact.read(path)
        if _TYPE in data:
            reader.read_type(data, path)
        elif path.rpartition("/")[2] == _PACKAGE:
            reader.read_package(data, path)
    groups = tuple(reader.groups())
    if not groups:
        raise UnusableArtifact("the folder contains no pages of Javadoc about types", _HINT)
    return SdkLibrary(file, "java", groups)


class _JavadocFolder:
    def __init__(self) -> None:
        self._count = SymbolCount()
        self._packages: dict[str, list[Symbol]] = {}
        self._about: dict[str, Symbol] = {}

    def read_package(self, data: bytes, path: str) -> None:
        root = parsed(data)
        if root is None:
            return
        folder = path.rpartition("/")[0]
        name = folder.replace("/", ".")
        title = next((each for each in root.iter("h1") if has(each, "title")), None)
        if title is not None:
            name = text_of(title).rpartition(" ")[2]
        package_text = block_of(root, JavadocLinks(path))
        self._about[folder] = Symbol(path, SymbolKind.MODULE, name, name, package_text)

    def read_type(self, data: bytes, path: str) -> None:
        root = parsed(data)
        described = None if root is None else _described(root)
        if root is None or described is None:
            return
        self._count.add()
        links = JavadocLinks(path)
        written = words_of(content_of(described), links.find)
        code = _lines(described)
        kind, label = _kind(code)
        folder = path.rpartition("/")[0]
        package = self._about[folder].name if folder in self._about else _package(root, path)
        holder = described.getparent()
        notes = CommentNotes(holder, links)
        members = tuple(self._members(root, kind, links))
        name = _name(path)
        symbol = Symbol(
            id=path,
            kind=kind,
            name=name,
            qualified=f"{package}.{name}" if package else name,
            description=block_of(holder, links) if holder is not None else "",
            signatures=(Signature(code, type_parameters=notes.named("Type Parameters")),),
            labels=tuple(filter(None, (label, *_modifiers(code)))),
            deprecated=notes.deprecated,
            see=tuple(notes.listed("See Also")),
            notes=tuple(notes.others()),
            relations=tuple(_relations(written, notes)),
            members=members,
            inherited=tuple(_inherited(root, links)),
        )
        self._packages.setdefault(package, []).append(symbol)

    def groups(self) -> Iterator[SymbolGroup]:
        """Yield one group per package."""
        known = {about.name: about for about in self._about.values()}
        for name, symbols in sorted(self._packages.items()):
            label = name or "Unnamed package"
            about = known.get(name) or Symbol(f"package {name}", SymbolKind.MODULE, label, label)
            yield module_group(label, about, sorted(symbols, key=lambda each: each.name))

    def _members(self, root: Element, owner: SymbolKind, links: JavadocLinks) -> Iterator[Symbol]:
        """Yield members; overloads with the same name and kind become one member."""
        found: dict[tuple[SymbolKind, str], list[Member]] = {}
        for member in members_of(root, links):
            self._count.add()
            kind = member.kind
            if owner is SymbolKind.ENUM and kind is SymbolKind.VALUE:
                member.type = ()
            found.setdefault((kind, member.name), []).append(member)
        for (kind, name), ways in found.items():
            first, is_one = ways[0], len(ways) == 1
            is_field = kind in (SymbolKind.PROPERTY, SymbolKind.VALUE)
            yield Symbol(
                id=first.id,
                also=tuple(each.id for each in ways[1:]),
                kind=kind,
                name=name,
                qualified=name,
                description=first.description if is_one else "",
                signatures=() if is_field else tuple(each.signature(not is_one) for each in ways),
                type=first.type if is_field else (),
                default=first.notes.text("Default") or None,
                labels=() if kind is SymbolKind.VALUE else first.labels,
                deprecated=first.notes.deprecated,
                see=tuple(first.notes.listed("See Also")),
                notes=tuple(first.notes.others()),
            )


def _described(root: Element) -> Element | None:
    """Return the element that contains the declaration of the type."""
    for each in root.iter("div"):
        if has(each, "type-signature"):
            return each
    for each in root.iter("div", "section"):
        if has(each, "description") or has(each, "class-description"):
            return next(each.iter("pre"), None)
    return None


def _lines(described: Element) -> str:
    """Return the text without blank lines and repeated spaces."""
    text = "".join(texts_of(described)).replace("\u00a0", " ")
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _kind(code: str) -> tuple[SymbolKind, str]:
    words = code.replace("\n", " ").split()
    for word, kind, label in _WORDS:
        if word in words:
            return kind, label
    return SymbolKind.CLASS, ""


def _modifiers(code: str) -> Iterator[str]:
    words = code.replace("\n", " ").split()
    yield from (label for label in _LABELS if label in words[:5])


def _package(root: Element, path: str) -> str:
    for each in root.iter("div"):
        if has(each, "sub-title"):
            text = text_of(each).replace("\u00a0", " ")
            if "Module" not in text:
                return text.removeprefix("Package").strip()
    return path.rpartition("/")[0].replace("/", ".")


def _name(path: str) -> str:
    """Return the name of a type, which is the name of its file; nested types have dots."""
    return path.rpartition("/")[2].removesuffix(".html")


def _relations(
    written: SymbolText, notes: CommentNotes
) -> Iterator[tuple[str, tuple[SymbolText, ...]]]:
    for label, word, others in (
        ("Extends", "extends", ("implements", "permits")),
        ("Implements", "implements", ("permits",)),
    ):
        named = (each for each in apart(_behind(written, word, others)) if not _is_root(each))
        if found := tuple(named):
            yield label, found
    for label, titles in _RELATIONS:
        if found := tuple(each for title in titles for each in notes.words(title)):
            yield label, found


def _is_root(words: SymbolText) -> bool:
    """Report whether a supertype is implied, such as `Object`."""
    return plain(words).partition("<")[0].removeprefix("java.lang.") in ("Object", "Enum", "Record")


def _behind(words: SymbolText, word: str, others: tuple[str, ...]) -> SymbolText:
    """Return the types after a keyword of the declaration, such as `extends`."""
    found: list[tuple[str, str]] = []
    depth, is_in = 0, False
    for text, id_ in words:
        if id_:
            if is_in:
                found.append((text, id_))
            continue
        kept = ""
        for piece in _pieces(text):
            depth += piece.count("<") - piece.count(">")
            bare = piece.strip()
            if depth == 0 and bare == word:
                is_in = True
            elif depth == 0 and bare in others:
                is_in = False
            elif is_in:
                kept += piece
        if kept:
            found.append((kept, ""))
    return stripped(tuple(found))


def _pieces(text: str) -> Iterator[str]:
    word = ""
    for mark in text:
        if mark.isspace() or mark in "<>,":
            if word:
                yield word
            yield mark
            word = ""
        else:
            word += mark
    if word:
        yield word


def _inherited(root: Element, links: JavadocLinks) -> Iterator[SymbolText]:
    """Yield members that are inherited from other types of the library."""
    for heading in root.iter("h3", "h4"):
        if "inherited from" not in text_of(heading):
            continue
        code = heading.getnext()
        for named in code.iter("a") if code is not None and code.tag == "code" else ():
            if id_ := links.find(named.get("href") or ""):
                yield ((text_of(named), id_),)
