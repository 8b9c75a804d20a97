"""Structure tree of a tagged PDF, merged from those of printed parts.

This is the only use of pypdf's private API. New versions may change it, so a test checks the
version.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pypdf import PageObject, PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    BooleanObject,
    DictionaryObject,
    IndirectObject,
    NameObject,
    NumberObject,
    PdfObject,
)

TESTED_VERSION = "7.1.0"  # of the package `pypdf`

_ROOT = "/StructTreeRoot"


class StructureTree:
    """Structure tree of the whole file. Parts are added after their pages."""

    def __init__(self, writer: PdfWriter) -> None:
        self._writer = writer
        self._kids = ArrayObject()
        self._numbers = ArrayObject()
        self._next_number = 0

    def add(self, part: PdfReader, pages: Sequence[PageObject]) -> None:
        """Add the tree of a part, whose pages are `pages` in the file."""
        found = part.root_object.get(_ROOT)
        if found is None:
            return
        _remove_plain_spans(found.get_object())
        root = found.get_object().clone(self._writer)
        self._kids.extend(_listed(root.get("/K")))
        before, entries = self._next_number, list(_entries(root.get("/ParentTree")))
        for number, value in entries:
            self._numbers.extend((NumberObject(before + number), value))
        self._next_number = before + max((number + 1 for number, _ in entries), default=0)
        for source, page in zip(part.pages, pages, strict=True):
            if (parents := source.get("/StructParents")) is not None:
                page[NameObject("/StructParents")] = NumberObject(before + parents)
            for annotation in page.get("/Annots") or ():
                _renumber(annotation.get_object(), before)

    def finish(self) -> None:
        """Add the tree to the file, unless no part is tagged."""
        if not self._kids:
            return
        parents = DictionaryObject({NameObject("/Nums"): self._numbers})
        root = DictionaryObject(
            {
                NameObject("/Type"): NameObject(_ROOT),
                NameObject("/K"): self._kids,
                NameObject("/ParentTree"): self._writer._add_object(parents),
                NameObject("/ParentTreeNextKey"): NumberObject(self._next_number),
            }
        )
        reference = self._writer._add_object(root)
        for kid in self._kids:
            kid.get_object()[NameObject("/P")] = reference
        catalog = self._writer.root_object
        catalog[NameObject(_ROOT)] = reference
        marked = DictionaryObject({NameObject("/Marked"): BooleanObject(True)})
        catalog[NameObject("/MarkInfo")] = marked


def _listed(value: PdfObject | None) -> list[PdfObject]:
    if value is None:
        return []
    resolved = value.get_object() if isinstance(value, IndirectObject) else value
    return list(resolved) if isinstance(resolved, ArrayObject) else [value]


def _entries(node: PdfObject | None) -> Iterator[tuple[int, PdfObject]]:
    """Yield numbers and values of a number tree."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        tree = each.get_object() if each is not None else None
        if not isinstance(tree, DictionaryObject):
            continue
        numbers = _listed(tree.get("/Nums"))
        for at in range(0, len(numbers) - 1, 2):
            yield int(numbers[at]), numbers[at + 1]  # type: ignore[call-overload]
        waiting += _listed(tree.get("/Kids"))


def _renumber(annotation: DictionaryObject, by: int) -> None:
    if (number := annotation.get("/StructParent")) is not None:
        annotation[NameObject("/StructParent")] = NumberObject(by + number)


def _remove_plain_spans(root: DictionaryObject) -> None:
    """Move the content of meaningless elements to their parents.

    Most elements are such spans, one per token of code.
    """
    waiting = [root]
    while waiting:
        element = waiting.pop()
        kids = ArrayObject(_without_plain_spans(element))
        element[NameObject("/K")] = kids
        waiting += [each for each in map(_element, kids) if each is not None]
    for _, value in _entries(root.get("/ParentTree")):
        listed = value.get_object()
        if isinstance(listed, ArrayObject):
            listed[:] = [_meaningful(each) for each in listed]


def _without_plain_spans(parent: DictionaryObject) -> Iterator[PdfObject]:
    """Yield the kids of an element, with plain spans replaced by their kids."""
    own = _page_of(parent)
    waiting = [(each, own) for each in reversed(_listed(parent.get("/K")))]
    while waiting:
        kid, page = waiting.pop()
        element = _element(kid)
        if element is not None and element.get("/S") == "/NonStruct":
            inner = _page_of(element) or page
            waiting += [(each, inner) for each in reversed(_listed(element.get("/K")))]
        elif isinstance(kid, NumberObject) and page is not None and page != own:
            yield _content_reference(page, kid)
        else:
            if element is not None:
                element[NameObject("/P")] = parent.indirect_reference
            yield kid


def _page_of(element: DictionaryObject) -> PdfObject | None:
    return element.raw_get("/Pg") if "/Pg" in element else None


def _content_reference(page: PdfObject, number: NumberObject) -> PdfObject:
    """Return a reference to marked content on another page than its element's."""
    return DictionaryObject(
        {
            NameObject("/Type"): NameObject("/MCR"),
            NameObject("/Pg"): page,
            NameObject("/MCID"): number,
        }
    )


def _element(value: PdfObject | None) -> DictionaryObject | None:
    found = value.get_object() if value is not None else None
    return found if isinstance(found, DictionaryObject) and "/S" in found else None


def _meaningful(value: PdfObject) -> PdfObject:
    """Return a reference to the closest enclosing element with a meaning."""
    while (element := _element(value)) is not None and element.get("/S") == "/NonStruct":
        value = element.raw_get("/P")
    return value
