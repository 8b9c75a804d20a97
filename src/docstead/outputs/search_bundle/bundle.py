"""Files of the browser search, built from rendered pages.

    _docs/search/index.js                 list of indexes and their locations
    _docs/search/<digest>/<n>.js          manifest of one language and version
    _docs/search/<digest>/<n>-w.js        its words, for completions and corrections
    _docs/search/<digest>/<n>-t<i>.js     a range of words, with their postings
    _docs/search/<digest>/<n>-r<i>.js     titles, URLs and excerpts of sections

Everything below a digest is immutable. Pages search the index of their own language and version,
and of pages without any.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Protocol

from docstead.content.pages import PageMeta
from docstead.markup.rendered import RenderedPage
from docstead.outputs.search_bundle.scope import IndexScope

FOLDER = "_docs/search"
_DIGEST_LENGTH = 12

# Letters without accents, which readers often omit.
_PLAIN = {
    chr(code): letters[0]
    for code in range(0xC0, 0x500)
    if len(letters := unicodedata.normalize("NFD", chr(code))) > 1
}
_ACCENTED = re.compile(f"[{''.join(_PLAIN)}]")

FilePosition = Callable[[str], tuple[str, str]]


class Tokenizer(Protocol):
    """Tokenizer, which queries of readers also use."""

    def counted(self, text: str) -> Mapping[str, int]:
        """Return the number of occurrences of each word in a text."""
        ...


class SearchBundle:
    """Collects pages one by one; `files` then writes the index.

    `place_of` returns a page's URL relative to the root of the site, and the name of its part of
    the site. `stop_words` are excluded from vocabularies.
    """

    def __init__(
        self, vocabulary: Tokenizer, place_of: FilePosition, stop_words: Collection[str] = ()
    ) -> None:
        self._vocabulary = vocabulary
        self._place_of = place_of
        self._stop_words = sorted(stop_words)
        self._scopes: dict[tuple[str, str], IndexScope] = {}

    def add(self, meta: PageMeta, page: RenderedPage) -> None:
        """Add a page, if search may find it."""
        key = (meta.language or "", meta.version or "")
        scope = self._scopes.get(key)
        if scope is None:
            scope = self._scopes[key] = IndexScope(self._counted)
        address, part = self._place_of(meta.slug)
        scope.add(meta, page.sections, address, part)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield path and contents of every file, reproducibly."""
        files: list[tuple[str, bytes]] = []
        listed: list[list[object]] = []
        for number, key in enumerate(sorted(self._scopes)):
            scope = self._scopes[key]
            listed.append([*key, scope.sections])
            files += (
                (f"{number}{name}", script(f"{number}{name}", value))
                for name, value in scope.parts()
            )
        digest = _digest(files)
        index = {"d": digest, "s": listed, "stop": " ".join(self._stop_words)}
        yield f"{FOLDER}/index.js", script("index", index)
        for name, data in files:
            yield f"{FOLDER}/{digest}/{name}.js", data

    def _counted(self, text: str) -> Mapping[str, int]:
        plain = text if text.isascii() else _ACCENTED.sub(lambda m: _PLAIN[m[0]], text)
        return self._vocabulary.counted(plain)


def script(name: str, value: object) -> bytes:
    """Return a value as a script that passes it to the page."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return f'__docsteadSearch("{name}",{text});\n'.encode(errors="replace")


def _digest(files: Iterable[tuple[str, bytes]]) -> str:
    digest = hashlib.sha256()
    for name, data in files:
        digest.update(name.encode())
        digest.update(data)
    return digest.hexdigest()[:_DIGEST_LENGTH]
