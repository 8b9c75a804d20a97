"""The folder that the last export wrote: files that have not changed are linked from it.

Links to all of its files but the search can be made ahead, while pages are rendered. Those that the
new folder does not need are removed.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from docstead.export.last_files import LastFiles, WrittenPages
from docstead.export.manifest import FileFact, ManifestWriter
from docstead.export.static_file import StaticFile
from docstead.export.writing import link_or_copy, write_file
from docstead.outputs.search_bundle import FOLDER as SEARCH

if TYPE_CHECKING:
    from docstead.export.files import StaticSite


class PreviousFolder:
    """The folder, its files by path, and its pages."""

    def __init__(self, folder: Path, files: Mapping[str, FileFact], pages: WrittenPages) -> None:
        self._folder = folder
        self._files = files
        self._written = LastFiles(files, pages)
        self._by_digest = {fact.sha256: path for path, fact in files.items()}
        self._ahead: Path | None = None  # folder with links, until it is taken
        self._linked: set[str] = set()  # paths in it

    def link_ahead(self, directory: Path) -> None:
        """Link the files to a new folder next to `directory`."""
        root = new_folder(directory)
        self._ahead = root
        for path in self._files:
            if not path.startswith(SEARCH):  # its paths change with its contents
                _link(f"{self._folder}/{path}", f"{root}/{path}")
                self._linked.add(path)

    def take_linked(self) -> Path | None:
        """Return the folder with links that were made ahead, if there is one."""
        root, self._ahead = self._ahead, None
        return root

    def discard_linked(self) -> None:
        """Remove the folder with links, unless it was taken."""
        if self._ahead is not None:
            shutil.rmtree(self._ahead, ignore_errors=True)
            self._ahead, self._linked = None, set()

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
            if path not in self._linked:
                _link(f"{self._folder}/{path}", f"{root}/{path}")
            manifest.files[path] = self._files[path]

    def link_or_write(self, file: StaticFile, root: Path, manifest: ManifestWriter) -> None:
        """Link a file with the same contents, wherever it was, or write it."""
        known = self._by_digest.get(digest) if (digest := file.digest()) else None
        if file.path in self._linked and file.path not in manifest.files:
            if self._files[file.path].sha256 == digest:
                manifest.files[file.path] = self._files[file.path]
                return
            (root / file.path).unlink()
        if known is None or (root / file.path).exists():
            (root / file.path).unlink(missing_ok=True)  # never write through a link
            write_file(root / file.path, manifest.recording(file.path, file.blocks()))
        else:
            _link(f"{self._folder}/{known}", f"{root}/{file.path}")
            manifest.files[file.path] = self._files[known]

    def remove_others(self, root: Path, manifest: ManifestWriter) -> None:
        """Remove links that were made ahead to files that are not in the manifest."""
        for path in self._linked - manifest.files.keys():
            (root / path).unlink()
            with suppress(OSError):  # a folder that is not empty
                for folder in (root / path).parents:
                    folder.rmdir()


def new_folder(directory: Path) -> Path:
    """Return a new folder next to `directory`, which it can replace."""
    directory.parent.mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))


def _link(source: str, target: str) -> None:
    try:
        link_or_copy(source, target)
    except FileNotFoundError:
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        link_or_copy(source, target)
