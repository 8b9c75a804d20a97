"""Libraries in the navigation and on pages: the `sdk` key.

Readers of libraries are imported on first use.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from docstead.content.navigation import NodeKeys, SdkKeys
from docstead.content.pages import Page, PageMeta
from docstead.content.setting_keys import declared, key_of
from docstead.repository.json_fields import ObjectReader
from docstead.repository.json_text import JsonObject
from docstead.repository.parse_cache import ParseCache
from docstead.repository.positions import Diagnostics
from docstead.repository.sdk_settings import (
    DEFAULT_DIRECTORY,
    FORMATS,
    LibrarySource,
    ReadArtifact,
    WrittenSymbol,
)

if TYPE_CHECKING:
    from docstead.reference.sdk.libraries import LibraryArtifacts
    from docstead.reference.sdk.pages import LibraryPages, PageGroup

_SDK, _FORMAT, _SOURCE = (
    key_of(declared(NodeKeys).sdk),
    key_of(declared(SdkKeys).format),
    key_of(declared(SdkKeys).source),
)
_WRITE = 'Write {"format": "typedoc", "source": "sdk/typedoc.json"}.'


class LibraryReader:
    """The libraries of one repository; `written` are the symbols of authors' pages, by slug."""

    def __init__(
        self,
        root: Path,
        metas: Mapping[str, PageMeta],
        diagnostics: Diagnostics,
        *,
        written: Mapping[str, WrittenSymbol],
        parse_cache: ParseCache,
        read_artifact: ReadArtifact | None = None,
    ) -> None:
        self.written = written
        self._root = root
        self._metas = metas
        self._diagnostics = diagnostics
        self._parse_cache = parse_cache
        self._read_artifact = read_artifact
        self._resolved: dict[str, PageMeta] = {}
        self._directories: dict[str, str] = {}

    def source(self, keys: ObjectReader) -> LibrarySource | None:
        """Return the artifact in the `sdk` key of a tab or group, or None with a diagnostic."""
        position = keys.values.position(_SDK)
        if not isinstance(keys.values[_SDK], JsonObject):
            message = f"{keys.name(_SDK)} must be an object"
            self._diagnostics.warning(position, "sdk-settings", message, _WRITE)
            return None
        own = keys.child(_SDK)
        format_, source = own.choice(_FORMAT, frozenset(FORMATS), ""), own.text(_SOURCE)
        if not format_ or not source:
            if format_ or _FORMAT not in own.values:
                missing = _SOURCE if format_ else _FORMAT
                message = f"{own.path} has no {missing!r}"
                self._diagnostics.warning(position, "sdk-settings", message, _WRITE)
            return None
        return LibrarySource(format_, source, own.values.position(_SOURCE))

    def groups(self, keys: ObjectReader, source: LibrarySource) -> tuple[PageGroup, ...]:
        """Return groups with pages for all symbols of the artifact."""
        directory = keys.child(_SDK).text(key_of(declared(SdkKeys).directory)) or DEFAULT_DIRECTORY
        library = self._libraries.get(source)
        if library is None:
            return ()
        other = self._directories.setdefault(directory.strip("/"), source.source)
        if other != source.source:
            message = f"{source.source} and {other} both have their pages below {directory!r}"
            hint = 'Give each its own "directory".'
            self._diagnostics.warning(source.position, "sdk-settings", message, hint)
        return self._pages.groups(library, directory)

    def page(self, slug: str, around: LibrarySource | None) -> PageMeta:
        """Return the metadata of an author's page; its symbol may give it a title."""
        if slug not in self.written:
            return self._metas[slug]
        if slug not in self._resolved:
            self._resolved[slug] = self._resolve(slug, self.written[slug], around)
        return self._resolved[slug]

    def with_symbols(self, pages: Mapping[str, Page]) -> dict[str, Page]:
        """Return all pages including generated ones; call it after reading the navigation."""
        for slug in self.written:
            self.page(slug, None)  # pages outside of the navigation
        found = dict(pages)
        if "_pages" not in self.__dict__:
            return found
        for meta, entry in self._pages.made():
            own = pages.get(meta.slug)
            found[meta.slug] = own.changed(meta, entry) if own else Page(meta, "", 1, entry)
        return found

    def _resolve(self, slug: str, written: WrittenSymbol, around: LibrarySource | None) -> PageMeta:
        meta = self._metas[slug]
        requested = written.within(around)
        if requested is None:
            message = f"no artifact is named for the {written.label}"
            hint = 'Write an object with "format" and "source", or put the page below an "sdk".'
            self._diagnostics.warning(written.position, "sdk-symbol", message, hint)
            return meta
        library = self._libraries.get(requested)
        if library is None:
            return meta
        symbol = library.find(written.kind, written.name, written.parent)
        if symbol is None:
            message, hint = f"{requested.source} has no {written.label}", "Correct kind and name."
            self._diagnostics.warning(written.position, "sdk-symbol", message, hint)
            return meta
        meta = replace(
            meta,
            title=meta.title if written.is_titled else symbol.name,
            deprecated=meta.deprecated or symbol.deprecated is not None,
        )
        self._pages.show(meta, library, symbol)
        return meta

    @cached_property
    def _libraries(self) -> LibraryArtifacts:
        from docstead.reference.sdk.libraries import LibraryArtifacts

        return LibraryArtifacts(
            self._root, self._diagnostics, self._parse_cache, self._read_artifact
        )

    @cached_property
    def _pages(self) -> LibraryPages:
        from docstead.reference.sdk.pages import LibraryPages

        return LibraryPages(self._metas)
