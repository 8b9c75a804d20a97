"""Vectors a second of whole sections by the included model, in several threads at once.

    python bench/vectors.py FOLDER [--threads 2] [--most 600] [--save FILE] [--compare FILE]

Sections are those of the Markdown files in FOLDER, each with its heading. `--save` writes the
vectors, and `--compare` prints how near the saved ones are, for example those of another version
(`PYTHONPATH=TREE/src python bench/vectors.py FOLDER --save FILE`).
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from docstead.models.minilm import MiniLM

LEAST_A_SECOND, LEAST_COSINE = 40.0, 0.99
_HEADING = re.compile(r"^#{1,3} ", re.MULTILINE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--most", type=int, default=600, help="sections, spread over all")
    parser.add_argument("--save", type=Path, metavar="FILE")
    parser.add_argument("--compare", type=Path, metavar="FILE")
    options = parser.parse_args()
    texts = sections(options.folder, options.most)
    with tempfile.TemporaryDirectory(prefix="docstead-bench-") as folder:
        vectors, rate = measured(MiniLM(Path(folder)), texts, options.threads)
    is_good = rate >= LEAST_A_SECOND
    if options.save:
        np.save(options.save, vectors)
    if options.compare:
        nearest = float((vectors * np.load(options.compare)).sum(axis=1).min())
        print(f"least cosine to the saved ones: {nearest:.4f} (at least {LEAST_COSINE})")
        is_good &= nearest >= LEAST_COSINE
    sys.exit(0 if is_good else 1)


def sections(folder: Path, most: int) -> Sequence[str]:
    """Return whole sections of all files, at even distances."""
    files = sorted(file for file in folder.rglob("*.md*") if file.is_file())
    parts = (part for file in files for part in _HEADING.split(file.read_text(errors="replace")))
    found = [part.strip() for part in parts if part.strip()]
    return found[:: max(1, len(found) // most)][:most]


def measured(model: MiniLM, texts: Sequence[str], threads: int) -> tuple[np.ndarray, float]:
    """Return the vectors, and how many were made in a second; print both times."""
    model.embed(texts[:1])  # loads it
    with ThreadPoolExecutor(threads) as workers:
        began, processor = time.perf_counter(), time.process_time()
        rows = list(workers.map(lambda text: model.embed([text])[0], texts))
        seconds, worked = time.perf_counter() - began, time.process_time() - processor
    rate = len(texts) / seconds
    words = statistics.median(len(text.split()) for text in texts)
    print(f"{len(texts)} sections, {words:g} words in the median, {threads} threads")
    print(f"{rate:.1f} sections/s, {len(texts) / worked:.1f} a processor second")
    return np.stack(rows), rate


if __name__ == "__main__":
    main()
