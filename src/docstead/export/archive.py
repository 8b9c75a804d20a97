"""Output of an export as an archive, for the command line.

The archive is complete before it replaces the previous one. After an edit, segments that have not
changed are copied from the archive of the last export.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from docstead.base.files import replacing
from docstead.export.bundle import write_bundle, write_zip
from docstead.export.last_files import LastFiles, WrittenPages
from docstead.export.options import ExportOptions
from docstead.export.segments import ArchiveIndex, SegmentArchive
from docstead.export.static_file import StaticFile
from docstead.export.temp_files import TempFiles

if TYPE_CHECKING:
    from docstead.export.files import StaticSite
    from docstead.publishing.browser_search import PageResults
    from docstead.publishing.edition import Edition

# A zip is for readers without a server: a start page, and the site in a folder.
_START = "Start Docs.html"
_SITE = "site"

_START_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Start Docs</title>
<meta http-equiv="refresh" content="0; url={folder}/index.html">
</head>
<body><p><a href="{folder}/index.html">Open the documentation</a></p></body>
</html>
"""


@dataclass(frozen=True, slots=True)
class WrittenArchive:
    """Index of a tar.gz, and its pages."""

    index: ArchiveIndex
    pages: WrittenPages


@dataclass(frozen=True, slots=True)
class PreviousArchive:
    """The tar.gz that the last export wrote, and its pages."""

    archive: SegmentArchive
    written: LastFiles

    @classmethod
    def of(cls, path: Path, written: WrittenArchive) -> PreviousArchive:
        pages = LastFiles(written.index.files, written.pages)
        return cls(SegmentArchive(path, written.index), pages)


def write_archive(
    edition: Edition,
    output: Path,
    options: ExportOptions,
    *,
    previous: PreviousArchive | None = None,
    results: PageResults | None = None,
) -> WrittenArchive | None:
    """Write an edition with its manifest as tar.gz or zip; return facts about a tar.gz.

    `results` is what was derived from its pages before.
    """
    from docstead.export.files import StaticSite

    site = StaticSite(edition, options, results)
    output.parent.mkdir(parents=True, exist_ok=True)
    with replacing(output) as fresh, TempFiles() as temp_files:
        if output.suffix == ".zip":
            start = StaticFile.of(_START, _START_PAGE.format(folder=_SITE).encode())
            write_zip(temp_files.keep(_files(site, temp_files, None)), fresh, _SITE, [start])
            return None
        files = temp_files.keep(_files(site, temp_files, previous))
        index = write_bundle(files, fresh, previous=previous.archive if previous else None)
    return WrittenArchive(index, WrittenPages.of(site))


def _files(
    site: StaticSite, temp_files: TempFiles, previous: PreviousArchive | None
) -> Iterator[StaticFile]:
    unchanged: frozenset[str] = frozenset()
    if previous is not None:
        unchanged = previous.written.unchanged_pages(site)
        paths = previous.written.unchanged_paths(site, unchanged)
        yield from map(previous.archive.file, paths)
    yield from site.page_files(slug for slug in site.slugs if slug not in unchanged)
    yield from site.other_files(temp_files)
