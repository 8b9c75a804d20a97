"""Cache of the documentation as it changes on disk during a job.

Unchanged folders keep their state; in others, only changed files are parsed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from docstead.base.errors import SourceUnreadable
from docstead.base.files import files_below
from docstead.base.lru_cache import LruCache
from docstead.content.diagnostics import Diagnostic, Severity
from docstead.content.pages import Repository
from docstead.loading.loader import load_repository
from docstead.rendering import PageKeys, PageLanguages
from docstead.repository.parse_cache import CACHED_CHARACTERS, ParseCache
from docstead.repository.settings_file import SETTINGS

_FOLDERS = 4  # folders whose latest state is cached

_Signature = tuple[tuple[str, int, int, int], ...]  # path, inode, size and time of each file


@dataclass(frozen=True, slots=True, eq=False)
class DocumentationState:
    """A state of the documentation. Without a repository it cannot be published."""

    repository: Repository | None
    diagnostics: tuple[Diagnostic, ...]
    keys: Mapping[str, str] = field(default_factory=dict)  # of pages, by slug


class DocumentationReader:
    """Reads folders; shared by a node. `memory` may be shared with other readers of the files."""

    def __init__(self) -> None:
        self._memory = ParseCache(CACHED_CHARACTERS)
        self._latest = LruCache[Path, tuple[_Signature, DocumentationState]](_FOLDERS)

    def read(self, root: Path) -> DocumentationState:
        """Return the state of a folder; the same object if no file has changed."""
        signature = _signature(root)
        known = self._latest.get(root)
        if known is not None and known[0] == signature:
            return known[1]
        state = self.read_once(root, known[1] if known else None)
        self._latest.put(root, (signature, state))
        return state

    def read_once(self, root: Path, before: DocumentationState | None = None) -> DocumentationState:
        """Return the state of a folder that will not be read again."""
        try:
            repository = load_repository(root, parse_cache=self._memory)
        except SourceUnreadable as error:
            diagnostic = Diagnostic(
                SETTINGS, 0, 0, Severity.ERROR, "unreadable-settings", error.message
            )
            return DocumentationState(None, (diagnostic,))
        return DocumentationState(
            repository, repository.diagnostics, _keys(repository, before, self._memory)
        )


def _signature(root: Path) -> _Signature:
    stats = ((path, entry.stat(follow_symlinks=False)) for path, entry in files_below(root))
    return tuple(sorted((p, each.st_ino, each.st_size, each.st_mtime_ns) for p, each in stats))


def _keys(
    repository: Repository, before: DocumentationState | None, memory: ParseCache
) -> dict[str, str]:
    known, keys = _still_good(repository, before), PageKeys(repository, memory)
    return {slug: known.get(slug) or keys.of(slug) for slug in repository.pages}


def _still_good(repository: Repository, before: DocumentationState | None) -> Mapping[str, str]:
    """Return the keys of pages that are unchanged, including their shared inputs."""
    old = before.repository if before is not None else None
    if before is None or old is None or _around(old) != _around(repository):
        return {}
    was, now = _OwnKeyParts(old), _OwnKeyParts(repository)
    return {slug: key for slug, key in before.keys.items() if was.of(slug) == now.of(slug)}


def _around(repository: Repository) -> tuple[object, ...]:
    """Return the parts of page keys that pages have in common."""
    settings, api = PageKeys(repository).settings, repository.site.config.api
    return settings, api, repository.modules, tuple(repository.pages), repository.assets


class _OwnKeyParts:
    """Page-specific parts of page keys."""

    def __init__(self, repository: Repository) -> None:
        self._pages = repository.pages
        self._languages = PageLanguages(repository.site)

    def of(self, slug: str) -> tuple[object, ...]:
        page, language = self._pages[slug], self._languages.of(slug)
        return page.body, page.body_line, page.meta.file, page.reference, language
