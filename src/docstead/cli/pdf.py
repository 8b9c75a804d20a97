"""The `pdf` command: builds a source in a temporary folder and prints it with Chromium."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from docstead.base.errors import InvalidRequest
from docstead.base.memory import PeakMemory
from docstead.base.texts import counted
from docstead.cli.builders import command_builders
from docstead.cli.progress import progress_bar
from docstead.cli.report import JsonReport, print_report, reported_unreadable
from docstead.cli.source_trees import SourceTree
from docstead.export.pdf.options import PdfOptions
from docstead.publishing.builders import BuilderPool, OwnProcess
from docstead.publishing.sources import DocumentationSource
from docstead.rendering.chromium import ChromiumBrowser, find_chromium
from docstead.settings import load_settings

if TYPE_CHECKING:
    from docstead.publishing.build import BuildReport
    from docstead.publishing.edition import Edition


@dataclass(frozen=True, slots=True)
class PdfRequest:
    """The file to write, and its pages: a section, some paths, or the whole site."""

    output: Path
    options: PdfOptions
    section: str | None = None
    paths: tuple[str, ...] = ()


def run_pdf(source: DocumentationSource, request: PdfRequest, *, as_json: bool) -> None:
    """Write a PDF; exit with status 1 if a page failed, with 2 without Chromium."""
    started, memory = time.monotonic(), PeakMemory()
    settings = load_settings()
    program = find_chromium(settings.chromium)
    _check(request)
    with (
        reported_unreadable(memory, started, as_json=as_json),
        memory,
        tempfile.TemporaryDirectory(prefix="docstead-") as name,
        command_builders(settings, Path(name), OwnProcess(), ahead=True) as builders,
        ChromiumBrowser(
            program, sandbox=settings.sandbox, seconds=settings.build_seconds
        ) as browser,
    ):
        found = SourceTree(source, Path(name) / "sources", settings)
        report, paper = _PdfCommand(builders, browser, request, quiet=as_json).run(
            found, Path(name)
        )
    done = f"written to {request.output} ({counted(paper, 'page')} of paper)"
    print_report(JsonReport.of(report, started, memory), as_json=as_json, done=done)


def _check(request: PdfRequest) -> None:
    """Validate the request before the build starts."""
    output, base_url = request.output, request.options.base_url
    if base_url and not base_url.startswith(("https://", "http://")):
        raise InvalidRequest(f"--base-url: {base_url!r} is not a URL such as https://docs.example")
    if output.suffix.lower() != ".pdf" or output.is_dir():
        raise InvalidRequest(f"--output: {output} must end in .pdf")


class _PdfCommand:
    """Build of a checkout and the PDF of its edition."""

    def __init__(
        self, builders: BuilderPool, browser: ChromiumBrowser, request: PdfRequest, *, quiet: bool
    ) -> None:
        self._builders = builders
        self._browser = browser
        self._request = request
        self._quiet = quiet

    def run(self, found: SourceTree, folder: Path) -> tuple[BuildReport, int]:
        """Return the report of the printed pages, and the number of sheets of paper."""
        from docstead.cli.building import built
        from docstead.publishing.build import without_pages

        edition, report = built(self._builders, found, folder, quiet=self._quiet)
        if not report.pages:
            raise without_pages(report)
        return self._print(edition, report)

    def _print(self, edition: Edition, report: BuildReport) -> tuple[BuildReport, int]:
        from docstead.export.pdf.contents import selection_of
        from docstead.export.pdf.documents import PdfDocuments
        from docstead.export.pdf.printing import diagnostic_of, write_pdf

        request = self._request
        chosen = selection_of(edition.site, section=request.section, paths=request.paths)
        documents = PdfDocuments(edition, chosen.entries, self._options(chosen.title))
        with progress_bar("Printing", quiet=self._quiet) as progress:
            made = write_pdf(documents, chosen.entries, request.output, self._browser, progress)
        failed = edition.failed_pages() & documents.numbers.keys()
        plain = (diagnostic_of(edition.site.pages[slug].file) for slug in made.plain)
        printed = replace(
            report,
            pages=len(documents.numbers),
            failed=len(failed),
            diagnostics=(*report.diagnostics, *plain),
        )
        return printed, made.pages

    def _options(self, title: str) -> PdfOptions:
        options = self._request.options
        edition = options.edition or datetime.now(UTC).date().isoformat()
        return replace(options, subtitle=title, edition=edition)
