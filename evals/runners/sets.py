"""Sets of questions, each with its documentation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

Pair = tuple[Path, Path]  # questions that a documentation covers, each with a fact; and others

DATASETS = Path(__file__).parent.parent / "datasets"


def _pair(prefix: str = "") -> Pair:
    return DATASETS / f"{prefix}facts.jsonl", DATASETS / f"{prefix}not_covered.jsonl"


#: What the gate is fitted to. `more` is of a documentation that was asked for the first time when
#: the gate was done, `fresh` of two more, in words that their pages avoid; `far` of all six, most
#: in words that are far from those of their pages.
SETS = {
    "first": _pair(),
    "more": _pair("more_"),
    "fresh": _pair("fresh_"),
    "far": _pair("far_"),
}
# : Of all six; nothing is fitted to them, and nobody looks at individual ones.
UNSEEN = {"unseen": _pair("unseen_")}


def questions(file: Path, corpora: Iterable[str]) -> list[dict[str, Any]]:
    """Return the questions of a file about these repositories."""
    lines = (json.loads(line) for line in file.read_text().splitlines() if line.strip())
    return [each for each in lines if each["corpus"] in corpora]


def documentation_of(question: Mapping[str, Any], repositories: Path) -> Path:
    """Return the folder of a reader's question: `OWNER+NAME`, and the root of its pages.

    The documentation `docstead` is that of this repository.
    """
    name: str = question["documentation"].replace("/", "+")
    folder = DATASETS.parent.parent if name == "docstead" else repositories / name
    return folder / question["root"]


def are_all_there(asked: Iterable[Mapping[str, Any]], repositories: Path) -> bool:
    """Report whether each question has its documentation; print the missing names."""
    folders = {each["documentation"]: documentation_of(each, repositories) for each in asked}
    missing = sorted(name for name, folder in folders.items() if not folder.is_dir())
    if missing:
        print(f"left out, not in {repositories}: {', '.join(missing)}")
    return not missing
