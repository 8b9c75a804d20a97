"""The static files that an edition becomes.

Pages of the edition win over what is made for the site, files of the repository win over
what is generated (its own `robots.txt`, say), and redirect pages take what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath

import msgspec

from docstead.base.errors import DocsteadError
from docstead.export.selection import narrowed, with_links_outward
from docstead.publishing.browser_search import search_files
from docstead.publishing.edition import Edition
from docstead.site.rendered import RenderedPage
from docstead.site.shell import Shell, ShellMode

MARKER = "_docs/export.json"  # tells a folder that an export wrote from any other

_MARKER_BYTES = msgspec.json.encode({"generator": "docstead", "format": 1}) + b"\n"


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One file of an export; `blocks` reads its bytes from the start, as often as asked."""

    path: str
    size_bytes: int
    blocks: Callable[[], Iterator[bytes]]

    @classmethod
    def of(cls, path: str, data: bytes) -> StaticFile:
        return cls(path, len(data), lambda: iter((data,)))

    def read(self) -> bytes:
        return b"".join(self.blocks())


class StaticSite:
    """An edition as files. `slugs` are the pages wanted; None is every page.

    `base_url` is the address of the published site, for canonical links and the sitemap;
    "" leaves them out.
    """

    def __init__(self, edition: Edition, slugs: Sequence[str] | None, base_url: str) -> None:
        self._edition = edition
        self._base_url = base_url.rstrip("/")
        wanted = edition.slugs() if slugs is None else slugs
        self._site = narrowed(edition.site, frozenset(wanted))
        self._assets = edition.assets()
        self._shell = Shell(
            self._site,
            ShellMode.bundle(self._base_url),
            [asset.path for asset in self._assets],
            utilities=edition.utilities.css,
        )
        self.slugs = tuple(slug for slug in edition.slugs() if slug in self._site.pages)

    def page_files(self, slugs: Iterable[str]) -> Iterator[StaticFile]:
        """Each page as HTML and as Markdown."""
        for slug in slugs:
            page = self._page(slug)
            yield StaticFile.of(self._shell.file_of(slug), self._shell.page(page).encode())
            yield StaticFile.of(self._shell.markdown_of(slug), self._shell.markdown(page).encode())

    def other_files(self) -> Iterator[StaticFile]:
        """Everything beside the pages, each path once."""
        taken = {self._shell.file_of(slug) for slug in self.slugs}
        taken |= {self._shell.markdown_of(slug) for slug in self.slugs}
        for file in self._candidates():
            if file.path not in taken:
                taken.add(file.path)
                yield file

    def _candidates(self) -> Iterator[StaticFile]:
        yield from _of_bytes(self._shell.assets())
        yield StaticFile.of(MARKER, _MARKER_BYTES)
        for asset in self._assets:
            read = partial(self._edition.blocks, asset)
            yield StaticFile(_checked(asset.path), asset.size_bytes, read)
        yield StaticFile.of("404.html", self._shell.not_found().encode())
        yield from _of_bytes(self._shell.generated())
        yield from self._llms_full()
        pages = map(self._page, self.slugs)
        yield from _of_bytes(dict(search_files(self._shell, self._site, pages)))
        for path, html in self._shell.redirect_pages().items():
            yield StaticFile.of(_checked(path), html.encode())

    def _llms_full(self) -> Iterator[StaticFile]:
        text = "".join(self._shell.llms_full(map(self._page, self.slugs)))
        if text:
            yield StaticFile.of("llms-full.txt", text.encode())

    def _page(self, slug: str) -> RenderedPage:
        page = self._edition.page(slug)
        if page is None:
            raise DocsteadError(f"the edition has lost its page {slug}")
        return with_links_outward(page, self._edition.site, self._site, self._base_url)


def static_files(
    edition: Edition, slugs: Sequence[str] | None, base_url: str
) -> Iterator[StaticFile]:
    """All files of an export, in no particular order."""
    site = StaticSite(edition, slugs, base_url)
    yield from site.page_files(site.slugs)
    yield from site.other_files()


def _of_bytes(files: Mapping[str, bytes]) -> Iterator[StaticFile]:
    for path, data in files.items():
        yield StaticFile.of(path, data)


def _checked(path: str) -> str:
    """A path that stays below the root of the export, whatever a repository calls its files."""
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or "\\" in path or "\0" in path:
        raise DocsteadError(f"{path!r} is not the path of a file")
    return path
