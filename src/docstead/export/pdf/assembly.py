"""Assembly of printed documents to one PDF with outline and links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pypdf import PageObject, PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    Fit,
    FloatObject,
    IndirectObject,
    NameObject,
    NullObject,
    TextStringObject,
)

from docstead.export.pdf.articles import TARGET
from docstead.export.pdf.structure import StructureTree

_MARK = f"{TARGET}#"


@dataclass(frozen=True, slots=True)
class PageDestination:
    """A position in a document: page from 0, and coordinates in points."""

    page: int
    left: float
    top: float


@dataclass(frozen=True, slots=True)
class OutlineItem:
    """A bookmark; `id` is its target, "" for that of its first child."""

    title: str
    id: str
    children: tuple[OutlineItem, ...] = ()


@dataclass(frozen=True, slots=True)
class PrintedPart:
    """A printed document: its pages, and destinations by id."""

    file: Path
    pages: int
    destinations: Mapping[str, PageDestination]


def printed_part(file: Path) -> PrintedPart:
    """Read a printed document."""
    reader = PdfReader(file)
    numbers = {_number(page): number for number, page in enumerate(reader.pages)}
    found: dict[str, PageDestination] = {}
    for name, destination in reader.named_destinations.items():
        page = destination.raw_get("/Page")
        if isinstance(page, IndirectObject) and page.idnum in numbers:
            position = float(destination.left or 0), float(destination.top or 0)
            found[name.lstrip("/")] = PageDestination(numbers[page.idnum], *position)
    return PrintedPart(file, len(numbers), found)


def assemble(
    parts: Iterable[PrintedPart],
    outline: Iterable[OutlineItem],
    output: Path,
    *,
    title: str,
    language: str,
) -> int:
    """Write the parts as one PDF to `output`; return its number of pages."""
    return _PdfAssembly(title, language).write(parts, outline, output)


class _PdfAssembly:
    def __init__(self, title: str, language: str) -> None:
        self._writer = PdfWriter()
        self._writer.add_metadata({"/Title": title, "/Creator": "Docstead"})
        self._writer.root_object[NameObject("/Lang")] = TextStringObject(language)
        self._writer.page_mode = "/UseOutlines"
        self._structure = StructureTree(self._writer)
        self._pages: list[PageObject] = []
        self._found: dict[str, PageDestination] = {}

    def write(
        self, parts: Iterable[PrintedPart], outline: Iterable[OutlineItem], output: Path
    ) -> int:
        for part in parts:
            self._add(part)
        for page in self._pages:
            self._resolve_links(page)
        for item in outline:
            self._add_item(item, None)
        self._structure.finish()
        self._writer.write(output)
        return len(self._pages)

    def _add(self, part: PrintedPart) -> None:
        before, reader = len(self._pages), PdfReader(part.file)
        for page in reader.pages:
            self._pages.append(self._writer.add_page(page))
        self._structure.add(reader, self._pages[before:])
        for name, each in part.destinations.items():
            self._found[name] = PageDestination(before + each.page, each.left, each.top)

    def _resolve_links(self, page: PageObject) -> None:
        """Resolve links to `TARGET`; remove those without a destination."""
        kept = ArrayObject()
        for reference in page.get("/Annots") or ():
            annotation = reference.get_object()
            uri = str(annotation.get("/A", {}).get("/URI", ""))
            if uri.startswith(_MARK) and not self._lead(annotation, uri.removeprefix(_MARK)):
                continue
            kept.append(reference)
        if kept:
            page[NameObject("/Annots")] = kept
        else:
            page.pop("/Annots", None)

    def _lead(self, annotation: DictionaryObject, name: str) -> bool:
        found = self._found.get(name) or self._found.get(name.partition("-")[0])
        if found is None:
            return False
        del annotation["/A"]
        page = self._pages[found.page].indirect_reference
        annotation[NameObject("/Dest")] = ArrayObject(
            [
                page,
                NameObject("/XYZ"),
                FloatObject(found.left),
                FloatObject(found.top),
                NullObject(),
            ]
        )
        return True

    def _add_item(self, item: OutlineItem, parent: IndirectObject | None) -> None:
        found = self._destination(item)
        if found is None:
            return
        fit = Fit.xyz(left=found.left, top=found.top)
        page = self._pages[found.page]
        added = self._writer.add_outline_item(
            title=item.title, page_number=page, parent=parent, fit=fit, is_open=False
        )
        for child in item.children:
            self._add_item(child, added)

    def _destination(self, item: OutlineItem) -> PageDestination | None:
        own = self._found.get(item.id)
        return own or next(filter(None, map(self._destination, item.children)), None)


def _number(page: PageObject) -> int:
    return page.indirect_reference.idnum if page.indirect_reference else -1
