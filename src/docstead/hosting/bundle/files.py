"""Files of an unpacked bundle by path.

Names are looked up among the files that existed when the bundle became live. Paths of requests
never reach the file system.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from docstead.base.errors import InvalidRequest
from docstead.base.files import files_below
from docstead.base.units import MIB
from docstead.content.generated_files import NOT_FOUND, names_of
from docstead.export.manifest import MANIFEST, MARKER, BundleFacts, read_facts, read_manifest
from docstead.hosting.served_document import Redirection
from docstead.publishing.assets import content_type
from docstead.repository.redirects import RedirectTable

HOME = "index.html"
_PERMANENT = 308
_HASHED = re.compile(
    r"_docs/search/[0-9a-f]{8,64}/.+|(?:_docs|_islands)/.+\.[0-9a-f]{8,64}\.[a-z0-9]+"
)
_SHARED = re.compile(r"_docs/[^/]+\.[0-9a-f]{8,64}\.(?:css|js|svg)")
_MAX_FACTS_BYTES = 256 * MIB


@dataclass(frozen=True, slots=True)
class BundleFile:
    """One file. `etag` changes with its content."""

    path: str
    size_bytes: int
    etag: str
    status: int = 200

    @property
    def content_type(self) -> str:
        return content_type(self.path)

    @property
    def is_immutable(self) -> bool:
        """Whether the file's name contains a content hash."""
        return _HASHED.fullmatch(self.path) is not None

    @property
    def is_shared(self) -> bool:
        """Whether the file is a style sheet or script of the theme."""
        return _SHARED.fullmatch(self.path) is not None


class BundleFiles:
    """Index of the files in `folder`. `identity` identifies this bundle.

    Raises:
        InvalidRequest: the folder is not a site, or does not match its manifest.
    """

    def __init__(self, folder: Path, identity: str, base_path: str = "") -> None:
        self._folder = folder
        self._base_path = base_path
        sizes = dict(_sizes(folder))
        if HOME not in sizes:
            raise InvalidRequest(f"the bundle has no {HOME}")
        self.facts = self._facts(sizes)
        digests = self._digests(sizes)
        self._files = {
            path: BundleFile(path, size, digests.get(path) or _etag(identity, path))
            for path, size in sizes.items()
        }
        self._redirects = RedirectTable(self.facts.redirects)
        self._stand_ins = frozenset(self.facts.redirect_pages)

    def __len__(self) -> int:
        return len(self._files)

    def at(self, path: str, *, wants_markdown: bool = False) -> BundleFile | Redirection | None:
        """Return the file at an unescaped path below the base path, or a redirect to it."""
        name = path.removeprefix("/")
        if not path or name.startswith("/"):
            return Redirection(f"{self._base_path}/", _PERMANENT)
        found = next((self._files[each] for each in names_of(name) if each in self._files), None)
        page = found.path if found and found.path.endswith(".html") else self._page(name)
        if page in self._stand_ins or (found is None and page is None):
            moved = self._moved(path)
            if moved is not None:
                return moved
        if found is not None and not wants_markdown:
            return found
        return self._spelled(name, page, wants_markdown=wants_markdown) if page else found

    @property
    def paths(self) -> Iterable[str]:
        return self._files

    def has(self, path: str) -> bool:
        return path in self._files

    def not_found(self) -> BundleFile | None:
        """Return the bundle's own 404 page."""
        page = self._files.get(NOT_FOUND)
        return None if page is None else BundleFile(page.path, page.size_bytes, page.etag, 404)

    def read(self, file: BundleFile) -> bytes:
        return (self._folder / file.path).read_bytes()

    def blocks(self, file: BundleFile, start: int, end: int) -> Iterator[bytes]:
        """Yield the bytes from `start` up to but excluding `end`, in blocks."""
        with (self._folder / file.path).open("rb") as opened:
            opened.seek(start)
            while start < end and (block := opened.read(min(MIB, end - start))):
                start += len(block)
                yield block

    def _page(self, name: str) -> str | None:
        """Return the page that a path without an extension refers to."""
        bare = name.rstrip("/")
        candidates = (f"{bare}.html", f"{bare}/{HOME}") if bare else (HOME,)
        return next((each for each in candidates if each in self._files), None)

    def _spelled(self, name: str, page: str, *, wants_markdown: bool) -> BundleFile | Redirection:
        """Return the page, or a redirect to the URL at which its relative links resolve."""
        bare, is_folder = name.rstrip("/"), name.endswith("/")
        is_its_home = page == f"{bare}/{HOME}"
        if bare and name != page and is_folder != is_its_home:
            right = bare + ("" if is_folder else "/")
            return Redirection(f"{self._base_path}/{right}", _PERMANENT)
        markdown = self._files.get(f"{page.removesuffix('.html')}.md") if wants_markdown else None
        return markdown or self._files[page]

    def _moved(self, path: str) -> Redirection | None:
        match = self._redirects.match(path) or self._redirects.match(path.removesuffix(".html"))
        if match is None:
            return None
        destination = match.destination
        is_inside = destination.startswith("/") and not destination.startswith("//")
        return Redirection(
            self._base_path + destination if is_inside else destination, match.status
        )

    def _facts(self, sizes: Mapping[str, int]) -> BundleFacts:
        return read_facts(self._small(MARKER)) if MARKER in sizes else BundleFacts()

    def _digests(self, sizes: Mapping[str, int]) -> Mapping[str, str]:
        """Return validators from the manifest, which must list every file."""
        if MANIFEST not in sizes:
            return {}
        listed = read_manifest(self._small(MANIFEST))
        if listed.keys() != sizes.keys() - {MANIFEST}:
            odd = min(listed.keys() ^ (sizes.keys() - {MANIFEST}))
            raise InvalidRequest(f"{MANIFEST}: {odd!r} is missing here or in the archive")
        return {path: fact.sha256[:32] for path, fact in listed.items()}

    def _small(self, name: str) -> bytes:
        with (self._folder / name).open("rb") as file:
            return file.read(_MAX_FACTS_BYTES)


def _sizes(folder: Path) -> Iterator[tuple[str, int]]:
    """Yield every file below the folder with its size."""
    for path, entry in files_below(folder):
        if entry.is_file(follow_symlinks=False):
            yield path, entry.stat(follow_symlinks=False).st_size


def _etag(identity: str, path: str) -> str:
    return hashlib.sha256(f"{identity}\0{path}".encode()).hexdigest()[:32]
