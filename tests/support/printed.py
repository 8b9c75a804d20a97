"""PDFs made by the command, read with pypdf."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from pypdf import PageObject, PdfReader
from pypdf.generic import DictionaryObject

from docstead.rendering.chromium import ChromiumMissing, find_chromium
from ready_processes import shared_processes

_SECONDS = 300  # only ends commands that hang


def chromium_program() -> Path:
    """Return the path of Chromium. Skips the test if it is missing."""
    try:
        return find_chromium()
    except ChromiumMissing:
        if os.environ.get("CI"):
            pytest.fail("Chromium is needed in CI and was not found")
        pytest.skip("Chromium is not installed")


def make_pdf(
    source: Path, output: Path, *options: str, **environment: str
) -> CompletedProcess[str]:
    """Run `docstead pdf` to completion."""
    return shared_processes().run(
        ("docstead.cli", "pdf", source, "-o", output, *options),
        {**os.environ, "DOCSTEAD_RENDER_WORKERS": "1", **environment},
        folder=source.parent,
        timeout=_SECONDS,
    )


@dataclass(frozen=True)
class PrintedLink:
    """A link on a sheet, counted from 1, to a sheet or a URL."""

    page: int
    target: int | None
    url: str


class PrintedFile:
    """A PDF."""

    def __init__(self, file: Path) -> None:
        self._reader = PdfReader(file)

    @cached_property
    def texts(self) -> list[str]:
        """Text of each sheet, with single spaces."""
        return [" ".join(page.extract_text().split()) for page in self._reader.pages]

    @cached_property
    def bookmarks(self) -> list[tuple[int, str, int]]:
        """Depth, title and sheet of each bookmark, in order."""
        return list(self._bookmarks(self._reader.outline, 0))

    @cached_property
    def links(self) -> list[PrintedLink]:
        pages = self._reader.pages
        return [link for number, page in enumerate(pages, 1) for link in self._links(page, number)]

    @cached_property
    def tags(self) -> list[tuple[str, int]]:
        """Name and sheet of each element of the structure tree, in order."""
        found: list[tuple[str, int]] = []
        waiting = [self._reader.root_object["/StructTreeRoot"]]
        while waiting:
            element = waiting.pop().get_object()
            if not isinstance(element, DictionaryObject):
                continue
            kids = element.get("/K", [])
            kids = [each.get_object() for each in (kids if isinstance(kids, list) else [kids])]
            waiting += reversed(kids)
            for owner in (element, *kids):
                if isinstance(owner, DictionaryObject) and "/Pg" in owner and "/S" in element:
                    page = self._reader.get_page_number(owner["/Pg"].get_object())
                    assert page is not None
                    found.append((str(element["/S"]).lstrip("/"), page + 1))
                    break
        return found

    def tag_of_content(self, page: int) -> list[str]:
        """Return the element of each piece of content of a sheet."""
        tree = self._reader.root_object["/StructTreeRoot"]["/ParentTree"]["/Nums"]
        numbers = dict(zip(map(int, tree[::2]), tree[1::2], strict=True))
        listed = numbers[int(self._reader.pages[page - 1]["/StructParents"])].get_object()
        return [str(each.get_object()["/S"]).lstrip("/") for each in listed]

    @property
    def paper(self) -> tuple[int, int]:
        """Width and height of the first page, in points."""
        box = self._reader.pages[0].mediabox
        return round(box.width), round(box.height)

    def picture_sizes(self, page: int) -> list[tuple[int, int]]:
        """Return width and height of the images on a sheet, in pixels."""
        images = self._reader.pages[page - 1].images
        return [image.image.size for image in images if image.image]

    def page_of(self, title: str) -> int:
        """Return the sheet of a bookmark."""
        return next(page for _, name, page in self.bookmarks if name == title)

    def _links(self, page: PageObject, number: int) -> Iterator[PrintedLink]:
        for reference in page.get("/Annots") or ():
            link = reference.get_object()
            if "/Dest" in link:
                found = self._reader.get_page_number(link["/Dest"][0].get_object())
                assert found is not None
                yield PrintedLink(number, found + 1, "")
            else:
                yield PrintedLink(number, None, str(link["/A"]["/URI"]))

    def _bookmarks(self, items: list[Any], depth: int) -> Iterator[tuple[int, str, int]]:
        for item in items:
            if isinstance(item, list):
                yield from self._bookmarks(item, depth + 1)
            else:
                page = self._reader.get_destination_page_number(item)
                assert page is not None
                yield depth, str(item.title), page + 1
