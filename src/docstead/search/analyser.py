"""Analyzer of text into terms, shared by documents and queries.

Identifiers are indexed whole and by their parts (`getUserName` gives `getusername`, `get`, `user`,
`name`; so do `get_user_name` and `get-user-name`), English words by their stem, and Chinese,
Japanese and Korean by character bigrams.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from operator import itemgetter
from typing import TYPE_CHECKING

from docstead.search.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from tantivy import TextAnalyzer

_CHAIN = re.compile(r"\w+(?:[.\-'’]\w+)*")
_WHOLE_CHAIN = re.compile(rf"(?<!\w)(?<!\w[.\-'’]){_CHAIN.pattern}")
# Plurals of abbreviations are one word: APIs, PDFs.
_ATOM = re.compile(r"[A-Z]{2,}s(?![^\WA-Z_])|[A-Z]+(?![a-z])\d*|[A-Z]?[^\WA-Z_]+")
# Blanks for ASCII characters that are in no chain. Bytes are translated faster than text.
_BLANKED = bytes(code if re.match(rb"[\w.\-']", bytes((code,))) else 32 for code in range(256))
_JOINTS = re.compile(r"[.\-']")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+")
_SNAKE = re.compile(r"[a-z0-9_]+")
# Including an unclosed fence, because searching for each again would be quadratic.
_LINK_TARGET = re.compile(r"\]\([^)\s]*\)?")
_LONGEST_WORD = 40
_NO_STEMS: frozenset[str] = frozenset()
_LONGEST_CHAIN = 200  # characters of an identifier that is cached, and of one with its parts
_REMEMBERED = 65_536  # cached words, which documentation repeats often
_REMEMBERED_TEXTS = 500  # passages, of about 12 kB here, because searches find the same ones
_REMEMBERED_PIECES = 8_192  # of texts divided by blanks; a page has hundreds that are on no other


class Analyser:
    """Converts text to terms. Thread-safe, with bounded caches."""

    #: The stem of a word.
    stem: Callable[[str], str]

    def __init__(self) -> None:
        from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

        stemmer = TextAnalyzerBuilder(Tokenizer.whitespace()).filter(Filter.stemmer("english"))
        # Caches of its own methods would create cycles and delay freeing them.
        self.stem = lru_cache(_REMEMBERED)(partial(_stem, stemmer.build()))
        self._words_of = lru_cache(_REMEMBERED)(_words_of)
        self._words_in = lru_cache(_REMEMBERED_PIECES)(_words_in)
        stems = partial(_stems, self.stem, self._words_of)
        self._stems_of = lru_cache(_REMEMBERED)(stems)
        self._met = _StemCache(stems)

    def terms(self, text: str) -> list[str]:
        """Return the stems of all content words, in order, with repetitions."""
        return [self.stem(word) for word in self.words(text)]

    def words(self, text: str) -> list[str]:
        """Like `terms`, before stemming."""
        words: list[str] = []
        for chain in _CHAIN.findall(_without_targets(text)):
            words += self._words_of(chain) if len(chain) <= _LONGEST_CHAIN else _short_words(chain)
        return words

    def counted(self, text: str) -> dict[str, int]:
        """Return the number of occurrences of each word; faster than counting `words`."""
        read = _without_targets(text) if "](" in text else text
        if read.isascii():  # divided by blanks faster than by an expression
            chains = read.encode().translate(_BLANKED).decode().split()
            found = map(self._words_in, chains)
        else:
            found = map(self._words_of, _CHAIN.findall(read))
        return Counter(itertools.chain.from_iterable(found))

    def spans(
        self, text: str, requested: frozenset[str]
    ) -> Iterator[tuple[int, int, frozenset[str]]]:
        """Yield positions and stems of words with any of the `requested` stems in plain text."""
        known = self._met.having(requested, _ascii_chains(text))
        if text.isascii():
            yield from sorted(_positions(text, known), key=itemgetter(0))
            return
        for chain in _CHAIN.finditer(text):
            if stems := known.get(chain[0], _NO_STEMS):
                yield chain.start(), chain.end(), stems
            elif not chain[0].isascii():
                for start, end in _runs(chain):
                    if not (stems := self._stems_of(text[start:end])).isdisjoint(requested):
                        yield start, end, stems


@lru_cache(_REMEMBERED_TEXTS)
def _ascii_chains(text: str) -> frozenset[str]:
    """Return the different ASCII identifiers of a text."""
    return frozenset(chain for chain in _CHAIN.findall(text) if chain.isascii())


def _stems(
    stem: Callable[[str], str], words_of: Callable[[str], tuple[str, ...]], chain: str
) -> frozenset[str]:
    return frozenset(map(stem, words_of(chain)))


def _stem(stemmer: TextAnalyzer, word: str) -> str:
    if not word.isascii() or not word.isalpha():
        return word
    return next(iter(stemmer.analyze(word)), word)


class _StemCache:
    """Compound identifiers of texts by stem. Cleared when it grows too large."""

    def __init__(self, stems_of: Callable[[str], frozenset[str]]) -> None:
        self._stems_of = stems_of
        self._known: tuple[dict[str, frozenset[str]], dict[str, set[str]]] = ({}, {})

    def having(self, stems: frozenset[str], chains: frozenset[str]) -> dict[str, frozenset[str]]:
        """Return the identifiers that contain any of the stems, each with its own stems."""
        own, with_stem = self._known
        for chain in chains.difference(own):
            own_stems = self._stems_of(chain)
            for stem in own_stems:
                with_stem.setdefault(stem, set()).add(chain)
            own[chain] = own_stems  # last, because other threads find it by its stems
        if len(own) > _REMEMBERED:
            self._known = ({}, {})
        requested: set[str] = set().union(*(with_stem.get(stem, ()) for stem in stems))
        found = chains & requested
        return {chain: own[chain] for chain in found}


def _positions(
    text: str, chains: Mapping[str, frozenset[str]]
) -> Iterator[tuple[int, int, frozenset[str]]]:
    """Yield the positions of whole occurrences of identifiers."""
    for chain, stems in chains.items():
        start = text.find(chain)
        while start >= 0:
            end = start + len(chain)
            whole = _WHOLE_CHAIN.match(text, start)
            if whole and whole.end() == end:
                yield start, end, stems
            start = text.find(chain, end)


def _runs(chain: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yield the identifier or, for text without spaces, its character bigrams."""
    runs = list(_CJK.finditer(chain[0]))
    if not runs:
        yield chain.span()
    for run in runs:
        start, end = chain.start() + run.start(), chain.start() + run.end()
        yield from ((position, position + 2) for position in range(start, max(end - 1, start + 1)))


def is_cjk(word: str) -> bool:
    """Report whether a word is Chinese, Japanese or Korean."""
    return _CJK.fullmatch(word) is not None


def _without_targets(text: str) -> str:
    """Return the text without the URLs of its links."""
    return _LINK_TARGET.sub(lambda link: "]" if link[0].endswith(")") else link[0], text)


def _words(text: str) -> Iterator[str]:
    for chain in _CHAIN.findall(text):
        yield from _words_of(chain)


def _words_in(text: str) -> tuple[str, ...]:
    return _lower_words(text) if _SNAKE.fullmatch(text) else tuple(_words(text))


def _words_of(chain: str) -> tuple[str, ...]:
    if _SNAKE.fullmatch(chain):
        return _lower_words(chain)
    if not chain.isascii() and is_cjk(chain):
        return tuple(_pairs(chain))
    return _parts(chain)


def _short_words(chain: str) -> list[str]:
    """Return the words of a long identifier, which readers may choose, so that it is not cached."""
    return [word for word in _words_of(chain) if len(word) <= _LONGEST_CHAIN]


def _lower_words(chain: str) -> tuple[str, ...]:
    if "_" in chain:
        return _underscored(chain)
    return (chain,) if chain not in STOP_WORDS and len(chain) <= _LONGEST_WORD else ()


def _parts(chain: str) -> tuple[str, ...]:
    chain = chain.replace("’", "'")
    lower = chain.lower()
    if lower in STOP_WORDS:
        return ()
    if "." in lower and _VERSION.fullmatch(lower):
        return (lower,)
    if not chain.isascii() and _CJK.search(chain):
        return tuple(_with_pairs(chain))
    return tuple(_identifier(chain.removesuffix("'s")))


def _underscored(chain: str) -> tuple[str, ...]:
    """Like `_parts`, for lower-case words between underscores, of which there are most."""
    atoms = [atom for atom in chain.split("_") if atom]
    parts = [atom for atom in atoms if atom not in STOP_WORDS and len(atom) <= _LONGEST_WORD]
    return ("".join(atoms), *parts) if len(atoms) > 1 else tuple(parts)


def _identifier(chain: str) -> list[str]:
    words = _JOINTS.split(chain)
    found: list[str] = []
    atoms: list[str] = []
    for word in words:
        own = _atoms(word)
        atoms += own
        if len(own) > 1:
            found.append("".join(own))
    if len(words) > 1 and len(atoms) > 1:
        whole = "".join(atoms)
        if len(whole) <= _LONGEST_WORD:
            found.append(whole)
    found += [a for a in atoms if a not in STOP_WORDS and len(a) <= _LONGEST_WORD]
    return found


def _atoms(word: str) -> list[str]:
    """Return the parts of `word` in lower case; without capitals, underscores divide them."""
    if word == word.lower():
        return [atom for atom in word.split("_") if atom]
    return [atom.lower() for atom in _ATOM.findall(word)]


def _with_pairs(chain: str) -> Iterator[str]:
    position = 0
    for run in _CJK.finditer(chain):
        yield from _words(chain[position : run.start()])
        yield from _pairs(run.group())
        position = run.end()
    yield from _words(chain[position:])


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]
