"""Caches keep no long texts of readers, who could fill the memory with different ones."""

from __future__ import annotations

import gc
import random
import tracemalloc
from collections.abc import Callable, Sequence

import pytest

from docstead.markup.words import shell_texts
from docstead.models.embedding import QueryEmbeddings
from docstead.search.analyser import Analyser

LENGTH, TIMES = 4_000, 5
_random = random.Random(1)


def _chinese() -> str:
    return "".join(chr(0x4E00 + _random.randrange(20_000)) for _ in range(LENGTH))


def _underscored() -> str:
    return "_".join(f"{_random.getrandbits(32):x}" for _ in range(LENGTH // 9))


def _capitals() -> str:
    return "".join(f"A{_random.getrandbits(16):x}" for _ in range(LENGTH // 5))


def _version() -> str:
    return ".".join(str(_random.randrange(99)) for _ in range(LENGTH // 3))


def _word() -> str:
    return f"{_random.getrandbits(4 * LENGTH):x}"


class OneVector:
    """An embedding model that knows one vector."""

    space = "test"

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[0.0]] * len(texts)


ANALYSER, QUERIES = Analyser(), QueryEmbeddings(OneVector())


def _words(text: str) -> object:
    return ANALYSER.words(text)


def _vector(text: str) -> object:
    return QUERIES.vector(text)


@pytest.mark.parametrize("read", [_words, _vector, shell_texts])
@pytest.mark.parametrize("made", [_chinese, _underscored, _capitals, _version, _word])
def test_long_texts_are_not_kept(read: Callable[[str], object], made: Callable[[], str]) -> None:
    read(made())
    assert _kept_bytes(lambda: read(made())) < LENGTH


def _kept_bytes(call: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        for _ in range(TIMES):
            call()
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
