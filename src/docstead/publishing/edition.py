"""An edition as its readers see it: values, pages, assets and an index. It never changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from docstead.content.diagnostics import Diagnostic
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
    """The edition in the file `path`. Safe to use from any thread.

    `scratch` is a folder for the unpacked search index, made when it is first needed. Nothing
    that it holds leads back to it, so its files are closed as soon as its last reader drops it.
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
        """Free what was read from the file; it is read again when it is needed."""
        for name in ("site", "utilities", "diagnostics", "fetched", "_fetched_data", "_slugs"):
            self.__dict__.pop(name, None)
        self._index.close()

    def has_changed(self) -> bool:
        """Whether something has written to its file, which nothing may; a removed one stays good.

        Cheap: asked each time that the edition is used.
        """
        try:
            return _signature(self.path) != self._signature
        except FileNotFoundError:
            return False

    @cached_property
    def commit(self) -> str:
        """The git commit, or `content-` and a hash where the source was no clean commit."""
        return self._file.commit

    @cached_property
    def site(self) -> Site:
        return self._file.site()

    @cached_property
    def utilities(self) -> UtilityStyles:
        """The utility classes that its pages use, as a style sheet."""
        return self._file.utilities()

    @cached_property
    def page_features(self) -> tuple[str, ...]:
        """Browser features that its pages need (`RenderedPage.features`), sorted."""
        return self._file.page_features()

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All diagnostics of the source, by file and line."""
        return self._file.diagnostics()

    @cached_property
    def made_by(self) -> str:
        """The version of Docstead that built it."""
        return self._file.made_by

    def slugs(self) -> tuple[str, ...]:
        """Every published page, in the order of the repository."""
        return self._slugs

    def page(self, slug: str) -> RenderedPage | None:
        return self._file.page(slug)

    def asset(self, path: str) -> StoredAsset | None:
        """The static file at this path of the repository; a leading slash is allowed."""
        bare = path.removeprefix("/")
        return None if is_reserved(bare) else self._file.asset(bare)

    def assets(self) -> tuple[StoredAsset, ...]:
        """Every static file that may be served, by path.

        Editions built by earlier versions may hold files below reserved paths.
        """
        return tuple(asset for asset in self._file.assets() if not is_reserved(asset.path))

    def blocks(self, asset: StoredAsset) -> Iterator[bytes]:
        """The bytes of an asset."""
        data = self._fetched_data.get(asset.sha256)
        return self.contents.blocks(asset) if data is None else iter((data,))

    @cached_property
    def fetched(self) -> dict[str, FetchedFile]:
        """The files of other hosts, by URL."""
        return {file.url: file for file in self._file.fetched()}

    @cached_property
    def _fetched_data(self) -> dict[str, bytes]:
        """The same files by digest."""
        return {file.sha256: file.data for file in self.fetched.values()}

    @property
    def index(self) -> Index:
        """Raises `Unavailable` while a damaged one is made again."""
        return self._index.get()

    def find_by(self, meaning: SemanticIndex, vectors_key: str) -> None:
        """Let its index find by meaning, with the vectors of this object."""
        self._index.use(meaning)
        self.vectors_key = vectors_key

    def stored_pages(self, slugs: Iterable[str]) -> Iterator[StoredPage]:
        """Pages as they lie in the file, in any order, for the build of the next edition."""
        return self._file.stored_pages(slugs)

    def page_keys(self) -> dict[str, str]:
        """Return the hash of each page's inputs."""
        return self._file.page_keys()

    def failed_pages(self) -> frozenset[str]:
        """Pages that show a notice in place of their content."""
        return self._file.failed_pages()

    def files(self) -> dict[str, str]:
        """SHA-256 of every file of the source."""
        return self._file.files()

    def extract_search_files(self, directory: Path) -> None:
        self._file.extract_search_files(directory)

    @cached_property
    def _slugs(self) -> tuple[str, ...]:
        return self._file.slugs()


def _documents(file: EditionFile) -> Iterator[SearchDocument]:
    """Yield what the index of an edition holds."""
    site = file.site()
    for slug in file.slugs():
        page = file.page(slug)
        if page and not page.failed and is_searchable(site, meta := site.pages[slug]):
            yield document_of(meta, page.sections)


def _signature(path: Path) -> tuple[int, int, int]:
    found = path.stat()
    return found.st_ino, found.st_mtime_ns, found.st_size
