"""Published edition as readers see it: site values, pages, assets and search index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from docstead.content.diagnostics import Diagnostic
from docstead.content.generic_titles import groups_of_generic_titles
from docstead.content.pages import Site
from docstead.content.public_pages import is_searchable
from docstead.content.reserved import is_reserved
from docstead.markup.rendered import RenderedPage
from docstead.publishing.assets import AssetContents
from docstead.publishing.edition_file import EditionFile
from docstead.publishing.edition_format import StoredAsset, StoredPage, UtilityStyles
from docstead.publishing.edition_index import EditionIndex
from docstead.publishing.remote_assets import FetchedFile
from docstead.search.documents import SearchDocument, document_of

if TYPE_CHECKING:
    from docstead.search.fusion import SemanticIndex
    from docstead.search.index import Index


class Edition:
    """The immutable edition in the file `path`. Thread-safe.

    `scratch` is a folder for the unpacked search index, created on first use. There are no
    reference cycles, so files are closed when the last reference is dropped.
    """

    def __init__(self, edition_id: str, path: Path, contents: AssetContents, scratch: Path) -> None:
        self.id = edition_id
        self.path = path
        self._signature = _signature(path)
        self._file = EditionFile(path)
        self.contents = contents
        self._index = EditionIndex(
            scratch / f"{edition_id}.index",
            self._file.extract_search_files,
            partial(_documents, self._file),
        )
        self.vectors_key: str | None = None

    def forget(self) -> None:
        """Free cached contents of the file, which are read again when needed."""
        for name in ("site", "utilities", "diagnostics", "fetched", "_fetched_data", "_slugs"):
            self.__dict__.pop(name, None)
        self._index.close()

    def has_changed(self) -> bool:
        """Report whether the file was modified, which must not happen; removal is fine.

        Cheap, because it is checked on each use of the edition.
        """
        try:
            return _signature(self.path) != self._signature
        except FileNotFoundError:
            return False

    @cached_property
    def commit(self) -> str:
        """Git commit, or `content-` and a hash if the source was not a clean commit."""
        return self._file.commit

    @cached_property
    def site(self) -> Site:
        return self._file.site()

    @cached_property
    def utilities(self) -> UtilityStyles:
        """Utility classes used by the pages, as a style sheet."""
        return self._file.utilities()

    @cached_property
    def page_features(self) -> tuple[str, ...]:
        """Browser features that the pages need (`RenderedPage.features`), sorted."""
        return self._file.page_features()

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All diagnostics of the source, by file and line."""
        return self._file.diagnostics()

    @cached_property
    def made_by(self) -> str:
        """Version of Docstead that built the edition."""
        return self._file.made_by

    def slugs(self) -> tuple[str, ...]:
        """Return all published pages, in repository order."""
        return self._slugs

    def page(self, slug: str) -> RenderedPage | None:
        return self._file.page(slug)

    def asset(self, path: str) -> StoredAsset | None:
        """Return the static file at this repository path, with or without a leading slash."""
        bare = path.removeprefix("/")
        return None if is_reserved(bare) else self._file.asset(bare)

    def assets(self) -> tuple[StoredAsset, ...]:
        """Return all static files that may be served, by path.

        Editions of earlier versions may contain files below reserved paths.
        """
        return tuple(asset for asset in self._file.assets() if not is_reserved(asset.path))

    def blocks(self, asset: StoredAsset) -> Iterator[bytes]:
        """Yield the bytes of an asset in blocks."""
        data = self._fetched_data.get(asset.sha256)
        return self.contents.blocks(asset) if data is None else iter((data,))

    @cached_property
    def fetched(self) -> dict[str, FetchedFile]:
        """Files of other hosts, by URL."""
        return {file.url: file for file in self._file.fetched()}

    @cached_property
    def _fetched_data(self) -> dict[str, bytes]:
        """Files of other hosts, by digest."""
        return {file.sha256: file.data for file in self.fetched.values()}

    @property
    def index(self) -> Index:
        """Search index of the edition.

        Raises:
            Unavailable: the index was damaged and is being rebuilt.
        """
        return self._index.get()

    def find_by(self, meaning: SemanticIndex, vectors_key: str) -> None:
        """Enable semantic search in the index, with the vectors in this object."""
        self._index.use(meaning)
        self.vectors_key = vectors_key

    def stored_pages(self, slugs: Iterable[str]) -> Iterator[StoredPage]:
        """Return stored pages in any order, without decoding them, for the next build."""
        return self._file.stored_pages(slugs)

    def page_keys(self) -> dict[str, str]:
        """Return the input hash of each page."""
        return self._file.page_keys()

    def failed_pages(self) -> frozenset[str]:
        """Return pages that show an error notice instead of their content."""
        return self._file.failed_pages()

    def files(self) -> dict[str, str]:
        """Return the SHA-256 digest of every source file."""
        return self._file.files()

    def extract_search_files(self, directory: Path) -> None:
        self._file.extract_search_files(directory)

    @cached_property
    def _slugs(self) -> tuple[str, ...]:
        return self._file.slugs()


def _documents(file: EditionFile) -> Iterator[SearchDocument]:
    """Yield the documents for the edition's search index."""
    site = file.site()
    groups = groups_of_generic_titles(site)
    for slug in file.slugs():
        page = file.page(slug)
        if page and not page.failed and is_searchable(site, meta := site.pages[slug]):
            yield document_of(meta, page.sections, groups.get(slug, ""))


def _signature(path: Path) -> tuple[int, int, int]:
    found = path.stat()
    return found.st_ino, found.st_mtime_ns, found.st_size
