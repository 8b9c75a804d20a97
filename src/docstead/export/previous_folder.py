"""The folder that the last export wrote: files that have not changed are linked from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from docstead.export.last_files import LastFiles, WrittenPages
from docstead.export.manifest import FileFact, ManifestWriter
from docstead.export.static_file import StaticFile
from docstead.export.writing import link_or_copy, write_file

if TYPE_CHECKING:
    from docstead.export.files import StaticSite


class PreviousFolder:
    """The folder, its files by path, and its pages."""

    def __init__(self, folder: Path, files: Mapping[str, FileFact], pages: WrittenPages) -> None:
        self._folder = folder
        self._files = files
        self._written = LastFiles(files, pages)
        self._by_digest = {fact.sha256: path for path, fact in files.items()}

    def unchanged_pages(self, site: StaticSite) -> frozenset[str]:
        """Return pages whose files are the same as before."""
        return self._written.unchanged_pages(site)

    def link_framed(self, site: StaticSite, root: Path, manifest: ManifestWriter) -> None:
        """Link the files that depend on the frame only, if it is the same as before."""
        self._link_known(self._written.keep_framed(site), root, manifest)

    def link_page(self, site: StaticSite, slug: str, root: Path, manifest: ManifestWriter) -> None:
        """Link the files of an unchanged page."""
        self._link_known(self._written.of_page(site, slug), root, manifest)

    def _link_known(self, paths: Iterable[str], root: Path, manifest: ManifestWriter) -> None:
        for path in paths:
            _link(f"{self._folder}/{path}", f"{root}/{path}")
            manifest.files[path] = self._files[path]

    def link_or_write(self, file: StaticFile, root: Path, manifest: ManifestWriter) -> None:
        """Link a file with the same contents, wherever it was, or write it."""
        known = self._by_digest.get(digest) if (digest := file.digest()) else None
        if known is None or (root / file.path).exists():
            (root / file.path).unlink(missing_ok=True)  # never write through a link
            write_file(root / file.path, manifest.recording(file.path, file.blocks()))
        else:
            _link(f"{self._folder}/{known}", f"{root}/{file.path}")
            manifest.files[file.path] = self._files[known]


def _link(source: str, target: str) -> None:
    try:
        link_or_copy(source, target)
    except FileNotFoundError:
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        link_or_copy(source, target)
