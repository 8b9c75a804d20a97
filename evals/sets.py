"""The sets of questions, each with the documentation that it is asked of."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Pair = tuple[Path, Path]  # questions that a documentation covers, each with a fact; and others

_HERE = Path(__file__).parent


def _pair(prefix: str = "") -> Pair:
    return _HERE / f"{prefix}facts.jsonl", _HERE / f"{prefix}not_covered.jsonl"


#: What the gate is fitted to. `more` is of a documentation that was asked for the first time when
#: the gate was done, `fresh` of two more, in words that their pages avoid; `far` of all six, most
#: in words that are far from those of their pages.
SETS = {
    "first": _pair(),
    "more": _pair("more_"),
    "fresh": _pair("fresh_"),
    "far": _pair("far_"),
}
#: Of all six; nothing is fitted to them, and nobody looks at single ones.
UNSEEN = {"unseen": _pair("unseen_")}


def questions(file: Path, corpora: Iterable[str]) -> list[dict[str, Any]]:
    """The questions of a file on these repositories."""
    lines = (json.loads(line) for line in file.read_text().splitlines() if line.strip())
    return [each for each in lines if each["corpus"] in corpora]
