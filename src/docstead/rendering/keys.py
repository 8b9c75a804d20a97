"""Cache keys of rendered pages: equal keys mean equal pages."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cached_property

from docstead.content.pages import Page, Repository
from docstead.content.reference_entries import ReferenceEntry, SpecifiedEntry
from docstead.content.slugs import base_path
from docstead.reference.common.operation_parts import referenced
from docstead.rendering.languages import PageLanguages
from docstead.rendering.version import built_asset, engine_version
from docstead.repository.modules import cached_imports, target_of
from docstead.repository.parse_cache import SHARED, ParseCache, no_parse_cache
from docstead.repository.positions import Diagnostics

# Ambiguous links refer to whichever of root path and relative path exists.
_BARE_LINK = re.compile(
    r"""(?:\]\(<?|\]:[ \t]*<?|href=["'{]+)(?![a-zA-Z][a-zA-Z\d+.-]*:|[./#])[^\s)"']"""
)
_SCRIPTS = (".jsx", ".tsx", ".js", ".ts")


class PageKeys:
    """Keys of a repository's pages.

    A key is the digest of all inputs of a page's HTML: source, imports, settings, engine. With a
    `parse_cache`, texts are analyzed once. `engine` is its version, if it is known.
    """

    def __init__(
        self,
        repository: Repository,
        parse_cache: ParseCache | None = None,
        engine: str | None = None,
    ) -> None:
        self._repository = repository
        self._engine = engine
        self._languages = PageLanguages(repository.site)
        self._parse_cache = parse_cache or no_parse_cache()
        self._said: dict[str, bytes] = {}
        self._modules: dict[str, tuple[bytes, tuple[str, ...], bool]] = {}

    def of(self, slug: str) -> str:
        page = self._repository.pages[slug]
        digest = hashlib.sha256(self.settings)
        for part in self._parts(page):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
        return digest.hexdigest()

    def _parts(self, page: Page) -> Iterator[bytes]:
        file, body = page.meta.file, page.body
        yield f"{file}\n{page.body_line}".encode()
        yield body.encode()
        if language := self._languages.of(page.meta.slug):
            yield self._said_in(language)
        names_bare = self._names_bare(body)
        for path in sorted(self._imported_by(file, body)):
            about, _, module_names_bare = self._module(path)
            names_bare = names_bare or module_names_bare
            yield about
        if names_bare:
            yield self._paths
        if page.reference is not None:
            yield repr(self._repository.site.config.api).encode()
            yield _reference(page.reference)

    @cached_property
    def settings(self) -> bytes:
        """Return the settings that every page depends on."""
        config = self._repository.site.config
        values = [
            self._engine or engine_version(),
            config.icon_library,
            base_path(config),
            config.styling.latex,
            dict(config.variables),
            repr(config.fonts),
        ]
        if self._repository.grammars:
            digest = hashlib.sha256(built_asset("grammars.js"))
            digest.update(repr(self._repository.grammars).encode(errors="surrogatepass"))
            values.append(digest.hexdigest())
        return json.dumps(values, sort_keys=True).encode()

    def _said_in(self, language: str) -> bytes:
        """Return texts that are added to pages in a language, except English."""
        if language not in self._said:
            self._said[language] = repr(self._languages.words[language]).encode()
        return self._said[language]

    @cached_property
    def _paths(self) -> bytes:
        """Return all pages and files, for ambiguous links."""
        names = (*self._repository.pages, "", *self._repository.assets)
        return hashlib.sha256("\n".join(sorted(names)).encode()).digest()

    def _imported_by(self, file: str, body: str) -> set[str]:
        """Return the modules that a page imports, transitively."""
        found: set[str] = set()
        waiting = [*self._targets(file, body)]
        while waiting:
            path = waiting.pop()
            if path not in found:
                found.add(path)
                waiting += self._module(path)[1]
        return found

    def _module(self, path: str) -> tuple[bytes, tuple[str, ...], bool]:
        """Return a module's part of a key, its imports, and whether it has an ambiguous link."""
        if path not in self._modules:
            module = self._repository.modules[path]
            digest = hashlib.sha256(module.source.encode()).hexdigest()
            about = f"{path}\n{module.source_line}\n{digest}".encode()
            targets = tuple(self._targets(path[1:], module.source))
            self._modules[path] = about, targets, self._names_bare(module.source)
        return self._modules[path]

    def _targets(self, file: str, source: str) -> Iterator[str]:
        script = file.endswith(_SCRIPTS)
        for each in cached_imports(source, self._parse_cache, script=script):
            target = target_of(each, file, lambda name: f"/{name}" in self._repository.modules)
            if target is not None:
                yield f"/{target}"

    def _names_bare(self, source: str) -> bool:
        return self._parse_cache.cached(
            ("bare link", source),
            lambda _: _BARE_LINK.search(source) is not None,
            Diagnostics(),
            characters=len(source) // SHARED,
        )


def _reference(entry: ReferenceEntry) -> bytes:
    names = (each.name for each in fields(entry) if each.name != "components")
    own = [type(entry).__name__, *(getattr(entry, name) for name in names)]
    shared: dict[str, object] = {}
    if isinstance(entry, SpecifiedEntry):
        shared = referenced(own, entry.components)
        shared["securitySchemes"] = entry.components.get("securitySchemes")
    try:
        return json.dumps([own, shared], sort_keys=True, default=_plain).encode()
    except ValueError:  # a file that refers to itself as a whole
        return repr([own, shared]).encode(errors="surrogatepass")


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else str(value)
