"""Printing of an edition's pages to one PDF.

Title and contents are printed twice: first to count their pages, by which the others are numbered,
and at the end with the numbers of all pages.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from docstead.base.files import replacing
from docstead.content.diagnostics import Diagnostic, Severity
from docstead.export.pdf.articles import TARGET, page_id
from docstead.export.pdf.assembly import (
    OutlineItem,
    PrintedPart,
    assemble,
    printed_part,
)
from docstead.export.pdf.contents import ContentsEntry
from docstead.export.pdf.documents import ContentsRow, DocumentPart, PdfDocuments
from docstead.rendering.chromium import ChromiumBrowser, OfflineDocument
from docstead.rendering.devtools import BrowserGone

_OUTLINE_LEVELS = (2, 3)

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class PdfReport:
    """`pages` counts printed pages. `plain` are pages of the site printed as plain text."""

    pages: int
    plain: tuple[str, ...]


def write_pdf(
    documents: PdfDocuments,
    entries: Sequence[ContentsEntry],
    output: Path,
    browser: ChromiumBrowser,
    progress: Progress = lambda _done, _all: None,
) -> PdfReport:
    """Print `entries` to the file `output`, which is written atomically.

    Raises:
        BrowserGone: Chromium does not work, or fails even for a page's plain text.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    with (
        replacing(output) as fresh,
        tempfile.TemporaryDirectory(prefix="docstead-pdf-") as folder,
    ):
        return _PrintRun(documents, entries, Path(folder), browser, progress).write(fresh)


def diagnostic_of(file: str) -> Diagnostic:
    """Return the diagnostic of a page that was printed as plain text."""
    return Diagnostic(
        file, 1, 1, Severity.WARNING, "page-not-printed",
        "Chromium could not print the page; the PDF has its plain text",
        "Divide the page, or make it simpler.",
    )  # fmt: skip


class _PrintRun:
    def __init__(
        self,
        documents: PdfDocuments,
        entries: Sequence[ContentsEntry],
        folder: Path,
        browser: ChromiumBrowser,
        progress: Progress,
    ) -> None:
        self._documents = documents
        self._entries = entries
        self._folder = folder
        self._browser = browser
        self._progress = progress
        self._files = 0
        self._done = 0
        self._plain: list[str] = []
        self._has_front = len(documents.numbers) > 1

    def write(self, target: Path) -> PdfReport:
        front = self._front({}) if self._has_front else None
        parts = list(self._parts(front.pages if front else 0))
        numbers = self._page_numbers(parts, front.pages if front else 0)
        if front:
            parts.insert(0, self._front(numbers))
        pages = assemble(
            parts,
            [self._outline(entry) for entry in self._entries],
            target,
            title=self._documents.title,
            language=self._documents.language,
        )
        return PdfReport(pages, tuple(self._plain))

    def _front(self, numbers: dict[str, int]) -> PrintedPart:
        rows = _rows(self._entries, self._documents.numbers, numbers, 0)
        return self._print(self._documents.front(rows))

    def _parts(self, pages: int) -> Iterator[PrintedPart]:
        """Print all parts after this many pages."""
        for part in self._documents.parts():
            for printed in self._printed(part, pages):
                pages += printed.pages
                yield printed
            self._done += len(part.slugs)
            self._progress(self._done, len(self._documents.numbers))

    def _printed(self, part: DocumentPart, pages: int) -> Iterator[PrintedPart]:
        """Print a part; if that fails, print its pages one by one, as plain text if necessary."""
        try:
            whole = self._print(self._documents.job(part, pages + 1))
        except BrowserGone:
            yield from self._divided(part, pages)
        else:
            yield whole

    def _divided(self, part: DocumentPart, pages: int) -> Iterator[PrintedPart]:
        if len(part.slugs) == 1:
            self._plain.append(part.slugs[0])
            plain = self._documents.plain(part.slugs[0])
            yield self._print(self._documents.job(plain, pages + 1))
            return
        for slug in part.slugs:
            for printed in self._printed(self._documents.single(slug), pages):
                pages += printed.pages
                yield printed

    def _print(self, job: OfflineDocument) -> PrintedPart:
        self._files += 1
        file = self._folder / f"{self._files}.pdf"
        file.write_bytes(self._browser.print(job))
        return printed_part(file)

    def _page_numbers(self, parts: Iterable[PrintedPart], before: int) -> dict[str, int]:
        """Return the printed page number of each id, from 1."""
        numbers: dict[str, int] = {}
        for part in parts:
            numbers |= {name: before + at.page + 1 for name, at in part.destinations.items()}
            before += part.pages
        return numbers

    def _outline(self, entry: ContentsEntry) -> OutlineItem:
        children = tuple(map(self._outline, entry.children))
        if entry.slug is None:
            return OutlineItem(entry.title, "", children)
        number = self._documents.numbers[entry.slug]
        headings = _nested(self._documents.headings(entry.slug))
        return OutlineItem(entry.title, page_id(number), (*headings, *children))


def _nested(headings: Iterable[tuple[int, str, str]]) -> tuple[OutlineItem, ...]:
    """Return headings of level 2, with those of level 3 below them."""
    items: list[OutlineItem] = []
    for level, text, name in headings:
        if level not in _OUTLINE_LEVELS:
            continue
        item = OutlineItem(text, name)
        if level == _OUTLINE_LEVELS[0] or not items:
            items.append(item)
        else:
            items[-1] = replace(items[-1], children=(*items[-1].children, item))
    return tuple(items)


def _rows(
    entries: Iterable[ContentsEntry], numbers: dict[str, int], printed: dict[str, int], depth: int
) -> Iterator[ContentsRow]:
    for entry in entries:
        name = "" if entry.slug is None else page_id(numbers[entry.slug])
        yield ContentsRow(
            title=entry.title,
            depth=depth,
            is_group=bool(entry.children),
            href=f"{TARGET}#{name}" if name else "",
            number=str(printed.get(name, "")) if name else "",
        )
        yield from _rows(entry.children, numbers, printed, depth + 1)
