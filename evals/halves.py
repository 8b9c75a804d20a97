"""Each set of questions in two halves, by a hash: one to fit to, the other to measure with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

HERE = Path(__file__).parent
FACTS = HERE / "facts.jsonl"
NOT_COVERED = HERE / "not_covered.jsonl"
# On a documentation that was asked for the first time when the gate was done.
MORE_FACTS = HERE / "more_facts.jsonl"
MORE_NOT_COVERED = HERE / "more_not_covered.jsonl"
# On two more, in words that their pages avoid; nothing was fitted to them.
FRESH_FACTS = HERE / "fresh_facts.jsonl"
FRESH_NOT_COVERED = HERE / "fresh_not_covered.jsonl"

T = TypeVar("T")


def halves(items: Sequence[T], question: Callable[[T], str] = str) -> dict[str, list[T]]:
    """`tuned` and `kept`, of as many each as can be, whatever the order of the items."""
    ordered = sorted(items, key=lambda each: hashlib.sha256(question(each).encode()).digest())
    return {"tuned": ordered[::2], "kept": ordered[1::2]}


def questions(file: Path, corpora: Iterable[str]) -> list[dict[str, Any]]:
    """The questions of a file on these repositories."""
    lines = (json.loads(line) for line in file.read_text().splitlines() if line.strip())
    return [each for each in lines if each["corpus"] in corpora]
