"""All files of an export, as its writers make them."""

from __future__ import annotations

from collections.abc import Iterator

from docstead.export.files import StaticSite
from docstead.export.options import ExportOptions
from docstead.export.static_file import StaticFile
from docstead.export.temp_files import TempFiles
from docstead.publishing.edition import Edition


def static_files(
    edition: Edition, options: ExportOptions, temp_files: TempFiles
) -> Iterator[StaticFile]:
    """Yield the files in any order, without the manifest."""
    site = StaticSite(edition, options)
    yield from site.page_files(site.slugs)
    yield from site.other_files(temp_files)
