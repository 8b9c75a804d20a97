"""Print the shares of the grades of follow-up questions in `datasets/readers/follow-ups.jsonl`.

    python evals/runners/follow_up_grades.py

A row is an answer to the question `id` of one of the sets, in one `run`. Each of its suggested
`questions` is `related` to what was asked, or not, and one that a person would ask next
(`asked`), or not: a question in its own words that the answer has not answered already.
`readers.py --answers FILE` writes the suggestions that are to be graded. A question may have
the grades of a `second` person as well, who did not see the first ones. Their shares count too,
and agreement is printed. It has no `--seed-defect`: it only counts grades that people gave.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from sets import DATASETS

GRADES = DATASETS / "readers" / "follow-ups.jsonl"
BARS = {"related": 0.85, "asked": 0.60, "two or more": 0.80}
_TWO = 2


def main() -> None:
    rows = [json.loads(line) for line in GRADES.read_text().splitlines()]
    runs = dict.fromkeys(row["run"] for row in rows)
    is_good = []
    for run in runs:
        graded = [row for row in rows if row["run"] == run]
        is_good.append(report(run, graded))
        if all("second" in each for row in graded for each in row["questions"]):
            is_good.append(report(f"{run}, second grades", list(map(_second, graded))))
            _report_agreement(graded)
    sys.exit(0 if all(is_good) else 1)


def _second(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with the grades of the second person."""
    return row | {"questions": [each | each["second"] for each in row["questions"]]}


def _report_agreement(rows: Sequence[dict[str, Any]]) -> None:
    """Print how many questions have the same grades by both persons."""
    questions = [each for row in rows for each in row["questions"]]
    for name in ("related", "asked"):
        same = [each[name] is each["second"][name] for each in questions]
        first_only = sum(each[name] and not each["second"][name] for each in questions)
        print(
            f"  {name}: the same {sum(same)} of {len(same)},"
            f" only by the first {first_only}, by the second {same.count(False) - first_only}"
        )


def report(run: str, rows: Sequence[dict[str, Any]]) -> bool:
    """Print the shares of one run; report whether all suffice."""
    questions = [each for row in rows for each in row["questions"]]
    shares = {name: _share([each[name] for each in questions]) for name in ("related", "asked")}
    shares["two or more"] = _share([len(row["questions"]) >= _TWO for row in rows])
    listed = ", ".join(f"{name} {share:.3f} ({BARS[name]})" for name, share in shares.items())
    print(f"{run}: {len(rows)} answers, {len(questions)} questions: {listed}")
    return all(share >= BARS[name] for name, share in shares.items())


def _share(found: Sequence[bool]) -> float:
    return sum(found) / max(1, len(found))


if __name__ == "__main__":
    main()
