"""The sets of questions, each with the documentation that it is asked of."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FACTS = HERE / "facts.jsonl"
NOT_COVERED = HERE / "not_covered.jsonl"
# On a documentation that was asked for the first time when the gate was done.
MORE_FACTS = HERE / "more_facts.jsonl"
MORE_NOT_COVERED = HERE / "more_not_covered.jsonl"
# On two more, in words that their pages avoid.
FRESH_FACTS = HERE / "fresh_facts.jsonl"
FRESH_NOT_COVERED = HERE / "fresh_not_covered.jsonl"
# On all six, most of them in words that are far from those of their pages.
FAR_FACTS = HERE / "far_facts.jsonl"
FAR_NOT_COVERED = HERE / "far_not_covered.jsonl"
# On all six; nothing is fitted to them, and nobody looks at single ones.
UNSEEN_FACTS = HERE / "unseen_facts.jsonl"
UNSEEN_NOT_COVERED = HERE / "unseen_not_covered.jsonl"


def questions(file: Path, corpora: Iterable[str]) -> list[dict[str, Any]]:
    """The questions of a file on these repositories."""
    lines = (json.loads(line) for line in file.read_text().splitlines() if line.strip())
    return [each for each in lines if each["corpus"] in corpora]
