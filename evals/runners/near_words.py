"""Writes `docstead/search/near_words.txt`: which words the sentence model puts near each other.

    python evals/runners/near_words.py [--cache FOLDER]

Each English word is a text of its own. Words of one stem count as one, as near to another as
the nearest of them.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np

from corpus import CACHE
from docstead.models.minilm import MiniLM
from docstead.search import english, near_words
from docstead.search.analyser import Analyser
from docstead.search.stop_words import STOP_WORDS

_LEAST = 0.62
_MOST = 8  # with a common stem
_SHORTEST = 3  # letters
_AT_ONCE = 1_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder for the model")
    options = parser.parse_args()
    listed = Path(english.__file__).with_name("english_words.txt").read_text().split()
    words = [w for w in listed if w.isalpha() and len(w) >= _SHORTEST and w not in STOP_WORDS]
    vectors = MiniLM(options.cache / "models").embed(words)
    lines = [f"{stem} {near}" for stem, near in _near(words, vectors).items()]
    Path(near_words.__file__).with_name("near_words.txt").write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} stems")


def _near(words: list[str], vectors: np.ndarray) -> dict[str, str]:
    stem = Analyser().stem
    stems = [stem(word) for word in words]
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for start in range(0, len(words), _AT_ONCE):
        for row, cosines in enumerate(vectors[start : start + _AT_ONCE] @ vectors.T, start):
            own = found[stems[row]]
            for other in np.flatnonzero(cosines >= _LEAST):
                if stems[other] != stems[row]:
                    own[stems[other]] = max(own.get(stems[other], 0.0), float(cosines[other]))
    return {stem: _written(own) for stem, own in found.items() if own}


def _written(near: dict[str, float]) -> str:
    best = sorted(near.items(), key=lambda pair: (-pair[1], pair[0]))[:_MOST]
    return " ".join(f"{stem}{min(99, int(100 * closeness)):02d}" for stem, closeness in best)


if __name__ == "__main__":
    main()
