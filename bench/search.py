"""Search by words and meaning at 10,000 sections, without HTTP.

    python bench/search.py [--queries 300] [--cache FOLDER]

The vectors of the sections are random: how long a search takes does not depend on them. The
queries are embedded by the model that comes along, each for the first time.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the service says it

import numpy as np

from docstead.content.pages import Section
from docstead.models.embedding import Queries
from docstead.models.minilm import MiniLM
from docstead.search.documents import Document
from docstead.search.fusion import Meaning
from docstead.search.index import Index
from docstead.search.snippets import snippet
from docstead.search.vectors import Vectors, write_vectors
from docstead.search.writing import build
from measure import percentile

PAGES, SECTIONS = 1_000, 10
_RANDOM = random.Random(7)
_WORDS = [
    "".join(_RANDOM.choices("abcdefghilmnoprstuv", k=_RANDOM.randint(3, 9))) for _ in range(6000)
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--cache", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="docstead-bench-") as name:
        folder = Path(name)
        build(_documents(), folder / "index")
        index = Index(folder / "index")
        queries = [f"How do I {_words(5)}?" for _ in range(options.queries)]
        _row("by words", index, queries)
        vectors = _vectors(index, folder / "vectors")
        model = Queries(MiniLM(options.cache or folder))
        started = time.perf_counter()
        by_both = index.with_meaning(Meaning(vectors, model))
        model.vector("the first query loads the model")
        print(f"{'opened, model loaded':24}{(time.perf_counter() - started) * 1e3:9.1f} ms")
        _row("by words and meaning", by_both, queries)
        _row("the same again", by_both, queries)


def _row(name: str, index: Index, queries: list[str]) -> None:
    seconds = [_timed(index, query) for query in queries]
    p50, p95 = percentile(seconds, 0.5) * 1e3, percentile(seconds, 0.95) * 1e3
    print(f"{name:24}{p50:9.1f} ms p50{p95:9.1f} ms p95   n={len(seconds)}")


def _timed(index: Index, query: str) -> float:
    started = time.perf_counter()
    terms = index.terms(query)
    for passage in index.search(query, limit=10):
        snippet(passage.markdown, terms, index.analyser)
    return time.perf_counter() - started


def _vectors(index: Index, file: Path) -> Vectors:
    generator = np.random.default_rng(7)
    rows = generator.standard_normal((PAGES * SECTIONS, 384)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    write_vectors(
        file, "random", dict(zip((p.digest for p in index.passages()), rows, strict=True))
    )
    return Vectors(file)


def _documents() -> list[Document]:
    return [
        Document(
            f"page-{number}",
            _words(2),
            tuple(
                Section(f"s{place}", (heading,), _words(90))
                for place, heading in enumerate(_words(1) for _ in range(SECTIONS))
            ),
        )
        for number in range(PAGES)
    ]


def _words(count: int) -> str:
    # A skewed choice, since real words are not equally frequent.
    return " ".join(_WORDS[int(_RANDOM.random() ** 3 * len(_WORDS))] for _ in range(count))


if __name__ == "__main__":
    main()
