"""One PDF of a repository, printed by Chromium or by WeasyPrint: time, memory, size, links.

    .venv/bin/python bench/pdf.py ../repository --root docs
    .venv/bin/python bench/pdf.py ../repository --engine weasyprint   # needs `weasyprint`

The product uses Chromium. WeasyPrint gets the same documents, part by part.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from pypdf import PdfReader

from docstead.base.memory import family_bytes
from docstead.cli.builders import command_builders
from docstead.cli.building import built
from docstead.cli.source_trees import SourceTree
from docstead.export.pdf.contents import selection_of
from docstead.export.pdf.documents import PdfDocuments
from docstead.export.pdf.options import PdfOptions
from docstead.export.pdf.printing import write_pdf
from docstead.publishing.builders import OwnProcess
from docstead.publishing.edition import Edition
from docstead.publishing.sources import DocumentationSource
from docstead.rendering.chromium import ORIGIN, ChromiumBrowser, OfflineDocument, find_chromium
from docstead.settings import load_settings
from measure import family_processor_seconds


class FamilyFigures:
    """Peak memory and processor time of this process and its children, while open."""

    def __init__(self) -> None:
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self.peak_bytes = 0
        self.processor_seconds = 0.0

    def __enter__(self) -> FamilyFigures:
        import os

        self._pid = os.getpid()
        self._before = family_processor_seconds(self._pid)
        self._started = time.perf_counter()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.perf_counter() - self._started
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(0.1):
            self.peak_bytes = max(self.peak_bytes, family_bytes(self._pid))
            used = family_processor_seconds(self._pid) - self._before
            self.processor_seconds = max(self.processor_seconds, used)


class WeasyPrint:
    """WeasyPrint in place of a browser. It runs no scripts."""

    def print(self, job: OfflineDocument) -> bytes:
        from weasyprint import HTML
        from weasyprint.urls import URLFetcher, URLFetcherResponse

        class JobFiles(URLFetcher):
            def fetch(self, url: str, headers: object = None) -> object:  # noqa: ARG002 - its API
                found = job.files(url.removeprefix(f"{ORIGIN}/")) if ORIGIN in url else None
                if found is None:
                    raise ValueError(f"{url} is not in the site")
                return URLFetcherResponse(url, found[0], {"Content-Type": found[1]})

        document = HTML(string=job.html, base_url=ORIGIN, url_fetcher=JobFiles())
        return bytes(document.write_pdf())


def print_figures(edition: Edition, output: Path, section: str | None, engine: str) -> None:
    chosen = selection_of(edition.site, section=section)
    documents = PdfDocuments(edition, chosen.entries, PdfOptions(edition="bench"))
    settings = load_settings()
    with FamilyFigures() as family:
        if engine == "chromium":
            with ChromiumBrowser(find_chromium(), sandbox=settings.sandbox, seconds=300) as browser:
                write_pdf(documents, chosen.entries, output, browser)
        else:
            write_pdf(documents, chosen.entries, output, WeasyPrint())  # type: ignore[arg-type]
    print(
        f"{engine}: {len(documents.numbers)} pages, {family.seconds:.1f} s, "
        f"{family.processor_seconds:.1f} processor s, {family.peak_bytes / 1e6:.0f} MB memory, "
        f"{output.stat().st_size / 1e6:.1f} MB file, {_facts(output)}"
    )


def _facts(file: Path) -> str:
    reader = PdfReader(file)
    kinds = Counter(
        "internal" if "/Dest" in found else "external"
        for page in reader.pages
        for reference in page.get("/Annots") or ()
        for found in (reference.get_object(),)
    )
    return (
        f"{len(reader.pages)} pages of paper, {kinds['internal']} internal and "
        f"{kinds['external']} external links, {_size(reader.outline)} bookmarks"
    )


def _size(items: list) -> int:  # type: ignore[type-arg]
    return sum(_size(each) if isinstance(each, list) else 1 for each in items)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source")
    parser.add_argument("--root", default="")
    parser.add_argument("--section")
    parser.add_argument("--engine", choices=("chromium", "weasyprint"), default="chromium")
    parser.add_argument("--output", type=Path)
    asked = parser.parse_args()
    settings = load_settings()
    with (
        tempfile.TemporaryDirectory() as name,
        command_builders(settings, Path(name), OwnProcess(), ahead=True) as builders,
    ):
        folder = Path(name)
        source = SourceTree(
            DocumentationSource(asked.source, None, asked.root), folder / "sources", settings
        )
        edition, _ = built(builders, source, folder, quiet=True)
        output = asked.output or folder / "site.pdf"
        print_figures(edition, output, asked.section, asked.engine)


if __name__ == "__main__":
    main()
