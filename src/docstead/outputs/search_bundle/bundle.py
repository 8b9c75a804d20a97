"""Files of the browser search, built from rendered pages.

    _docs/search/index.js                 list of indexes, with their manifests
    _docs/search/<digest>/<n>-t<i>.js     a range of words, with their postings
    _docs/search/<digest>/<n>-r<i>.js     titles, URLs and excerpts of sections
    _docs/search/<digest>/<n>-w<i>.js     a range of likely words, for completions and corrections

Everything below a digest is immutable. Pages search the index of their own language and version,
and of pages without any.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import msgspec

from docstead.content.pages import PageMeta
from docstead.markup.rendered import RenderedPage
from docstead.outputs.search_bundle.contributions import PageContribution, contribution_of
from docstead.outputs.search_bundle.json_texts import json_text
from docstead.outputs.search_bundle.scope import IndexScope, ScopeState

FOLDER = "_docs/search"
_DIGEST_LENGTH = 12

# Letters without accents, which readers often omit.
_PLAIN = {
    chr(code): letters[0]
    for code in range(0xC0, 0x500)
    if len(letters := unicodedata.normalize("NFD", chr(code))) > 1
}
_ACCENTED = re.compile(f"[{''.join(_PLAIN)}]")

ScopeKey = tuple[str, str]  # language, version
PageLocator = Callable[[str], tuple[str, str]]


class Tokenizer(Protocol):
    """Tokenizer, which queries of readers also use."""

    def counted(self, text: str) -> Mapping[str, int]:
        """Return the number of occurrences of each word in a text."""
        ...


class BundleState(msgspec.Struct, array_like=True):
    """State of a bundle: the first section of each page in its index, and the indexes."""

    starts: dict[str, int] = {}
    scopes: list[tuple[ScopeKey, ScopeState]] = []


class SearchBundle:
    """Collects contributions of pages one by one; `files` then writes the index.

    `location_of` returns a page's URL relative to the root of the site, and the name of its part of
    the site. `stop_words` are excluded from vocabularies. `state` is that of an earlier bundle.
    Indexes of a language are listed in the order of `versions`.
    """

    def __init__(
        self,
        vocabulary: Tokenizer,
        location_of: PageLocator,
        stop_words: Collection[str] = (),
        state: BundleState | None = None,
        versions: Sequence[str] = (),
    ) -> None:
        self._vocabulary = vocabulary
        self._location_of = location_of
        self._stop_words = sorted(stop_words)
        self._versions = {version: number for number, version in enumerate(versions)}
        self._starts = dict(state.starts) if state else {}
        self._scopes = {key: IndexScope(of) for key, of in state.scopes} if state else {}

    def contribution(self, meta: PageMeta, page: RenderedPage) -> PageContribution:
        """Return what a page adds to the index."""
        return contribution_of(meta, page.sections, self.location_of(meta), self._counted)

    def location_of(self, meta: PageMeta) -> tuple[str, str]:
        return self._location_of(meta.slug)

    def add(self, meta: PageMeta, contribution: PageContribution) -> None:
        """Add the contribution of a page after all others."""
        scope = self._scopes.setdefault(scope_key(meta), IndexScope())
        self._starts[meta.slug] = scope.sections
        scope.add(contribution)

    def replace(self, meta: PageMeta, old: PageContribution, new: PageContribution) -> None:
        """Replace the contribution of a page by one with as many sections."""
        self._scopes[scope_key(meta)].replace(self._starts[meta.slug], old, new)

    @property
    def state(self) -> BundleState:
        """State with which the bundle of the next export can begin; `files` consumes it."""
        return BundleState(self._starts, [(key, each.state) for key, each in self._scopes.items()])

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield path and contents of every file, reproducibly."""
        files: list[tuple[str, bytes]] = []
        listed: list[list[object]] = []
        for number, key in enumerate(sorted(self._scopes, key=self._rank)):
            scope = self._scopes[key]
            listed.append([*key, scope.manifest()])
            files += (
                (f"{number}-{name}", _script(f"{number}-{name}", text))
                for name, text in scope.parts()
            )
        digest = _digest(files)
        index = {"d": digest, "s": listed, "stop": " ".join(self._stop_words)}
        yield f"{FOLDER}/index.js", _script("index", json_text(index))
        for name, data in files:
            yield f"{FOLDER}/{digest}/{name}.js", data

    def _rank(self, key: ScopeKey) -> tuple[str, int, str]:
        language, version = key
        number = self._versions.get(version, len(self._versions)) if version else -1
        return language, number, version

    def _counted(self, text: str) -> Mapping[str, int]:
        plain = text if text.isascii() else _ACCENTED.sub(lambda m: _PLAIN[m[0]], text)
        return self._vocabulary.counted(plain)


def scope_key(meta: PageMeta) -> ScopeKey:
    """Return the language and version of the index that has a page."""
    return meta.language or "", meta.version or ""


def _script(name: str, text: str) -> bytes:
    """Return JSON as a script that passes it to the page."""
    return f'__docsteadSearch("{name}",{text});\n'.encode(errors="replace")


def _digest(files: Iterable[tuple[str, bytes]]) -> str:
    digest = hashlib.sha256()
    for name, data in files:
        digest.update(name.encode())
        digest.update(data)
    return digest.hexdigest()[:_DIGEST_LENGTH]
