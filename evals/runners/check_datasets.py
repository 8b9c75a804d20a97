"""Validation of the datasets: fields, references, halves and counts.

    python evals/runners/check_datasets.py

Prints one line per error and exits with status 1 if there is any.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from sentence_sets import HALVES
from sets import DATASETS

Row = dict[str, Any]

READERS = DATASETS / "readers"
SENTENCES = DATASETS / "sentences"
KINDS = frozenset(
    [
        "overview",
        "how-to",
        "trouble",
        "can-i",
        "comparison",
        "keywords",
        "misspelled",
        "follow-up",
        "foreign",
    ]
)
LANGUAGES = frozenset(["en", "de", "es", "fr", "zh", "ja", "pt"])
#: Questions in the mix that readers ask, by half. Documentation is of one half only, but that of
#: `fresh`, `second`, `third`, `fourth` and `fifth` may be in other sets.
MIXED = {
    name: f"mix-{name}" for name in ("work", "kept", "fresh", "second", "third", "fourth", "fifth")
}
#: Grades of the rubric; `answered` is for questions that the documentation does not cover.
GRADES = frozenset(
    ["good", "partial", "bad", "closest-right", "closest-wrong", "nothing", "answered"]
)
# : Fields of every row of a file.
FIELDS = {
    "questions": (
        "id documentation root commit half kind language question previous source covered pages"
    ),
    "claims": "id question half language true claim page heading lines",
    "answers": "id question half language pages answer",
}
FALSE_KINDS = frozenset(
    [
        "absolute claim",
        "condition dropped",
        "condition turned round",
        "default",
        "denial",
        "invented option",
        "number",
        "order of steps",
        "role exchanged",
        "scope reduced",
        "scope widened",
        "two sentences mixed",
        "unit",
        "wrong file",
        "wrong plan",
        "wrong product",
        "wrong value",
    ]
)
#: The files of `sentences` that have other pages of the same documentation.
OTHER_PAGES = frozenset(["seventh", "eighth"])
# : Minimum counts for meaningful figures.
LEAST = {
    "covered questions": 200,
    "questions not covered": 60,
    "misspelled questions": 15,
    "questions in other languages": 15,
    "true claims": 150,
    "false claims": 80,
    "questions with claims": 40,
    "languages of claims": 7,
    "answers": 60,
}


def main() -> None:
    found = [*problems(READERS), *sentence_problems(SENTENCES)]
    for problem in found:
        print(problem)
    if found:
        sys.exit(1)
    print(", ".join(f"{count} {name}" for name, count in counts(READERS).items()))


def problems(folder: Path) -> Iterator[str]:
    """Yield a message for each error in the three files of a folder."""
    sets = {name: rows(folder / f"{name}.jsonl") for name in FIELDS}
    for name, kept in sets.items():
        yield from _common_problems(name, kept)
    for each in sets["questions"]:
        yield from _question_problems(each)
    questions = {each["id"]: each for each in sets["questions"]}
    for each in [*sets["claims"], *sets["answers"]]:
        yield from _reference_problems(each, questions)
    yield from _mixed_problems(folder)
    for name, count in counts(folder).items():
        if count < LEAST[name]:
            yield f"{count} {name}, at least {LEAST[name]} are needed"


def sentence_problems(folder: Path) -> Iterator[str]:
    """Yield a message for each error of the files of `sentences`."""
    halves = {name: rows(folder / f"{name}.jsonl") for name in HALVES}
    yield from _shared_pages(halves)
    seen = Counter(row["id"] for half in halves.values() for row in half)
    yield from (f"the id {key} is used {n} times" for key, n in seen.items() if n > 1)
    for row in (row for half in halves.values() for row in half):
        for each in [*row["claims"], *row["answers"]]:
            if each["language"] not in LANGUAGES:
                yield f"{row['id']}: {each['language']} is none of the languages"
        for claim in row["claims"]:
            if not claim["true"] and claim["kind"] not in FALSE_KINDS:
                yield f"{row['id']}: {claim['kind']} is none of the kinds"
        if {claim["true"] for claim in row["claims"]} != {True, False} or not row["answers"]:
            yield f"{row['id']}: it has true and false claims and an answer"


def _shared_pages(halves: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    """Yield a message for each documentation, or page of `OTHER_PAGES`, of two files."""
    for one, other in combinations(halves, 2):
        shared = _documentation(halves[one]) & _documentation(halves[other])
        if shared and OTHER_PAGES.isdisjoint((one, other)):
            yield f"{', '.join(sorted(shared))} is in two files"
    pages = Counter(
        page
        for half in halves.values()
        for page in {(row["documentation"], row["page"]) for row in half}
    )
    yield from (f"{page} of {name} is in two files" for (name, page), n in pages.items() if n > 1)


def _documentation(half: Iterable[Row]) -> set[str]:
    return {row["documentation"] for row in half}


def counts(folder: Path) -> dict[str, int]:
    """Return the counts that LEAST limits."""
    questions, claims, answers = (rows(folder / f"{name}.jsonl") for name in FIELDS)
    return {
        "covered questions": sum(each["covered"] for each in questions),
        "questions not covered": sum(not each["covered"] for each in questions),
        "misspelled questions": sum(each["kind"] == "misspelled" for each in questions),
        "questions in other languages": sum(each["language"] != "en" for each in questions),
        "true claims": sum(each["true"] for each in claims),
        "false claims": sum(not each["true"] for each in claims),
        "questions with claims": len({each["question"] for each in claims}),
        "languages of claims": len({each["language"] for each in claims}),
        "answers": len(answers),
    }


def rows(file: Path) -> list[Row]:
    """Return the rows of a file with one JSON object per line."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]


def half(question_id: str) -> str:
    """Return the half of a question, its claims and answers, from a hash of its id."""
    odd = int(hashlib.sha256(question_id.encode()).hexdigest(), 16) % 2
    return "kept" if odd else "work"


def _common_problems(name: str, kept: Iterable[Row]) -> Iterator[str]:
    seen = Counter(each.get("id") for each in kept)
    yield from (f"{name}: the id {key} is used {n} times" for key, n in seen.items() if n > 1)
    for each in kept:
        missing = [field for field in FIELDS[name].split() if field not in each]
        if missing:
            yield f"{name}: {each.get('id')} lacks {', '.join(missing)}"
        elif each["language"] not in LANGUAGES:
            yield f"{each['id']}: {each['language']} is none of the languages"


def _mixed_problems(folder: Path) -> Iterator[str]:
    """Check the files of mixed questions."""
    halves = {half: rows(folder / f"{name}.jsonl") for half, name in MIXED.items()}
    yield from _common_problems("questions", [row for kept in halves.values() for row in kept])
    for name, kept in halves.items():
        for row in kept:
            if row["half"] != name:
                yield f"{row['id']}: the half is not the one of its file"
            if row["kind"] not in KINDS | {"title"}:
                yield f"{row['id']}: {row['kind']} is none of the kinds"
            if bool(row["source"]) != (row["kind"] == "title"):
                yield f"{row['id']}: a title has a source, and other questions have none"
            if row["source"]:
                yield from _source_problems(row)
            yield from _form_problems(row)
    for name in MIXED.values():
        yield from _grade_problems(folder / f"grades-{name}.jsonl", rows(folder / f"{name}.jsonl"))
    work, kept = ({row["documentation"] for row in halves[half]} for half in ("work", "kept"))
    yield from (f"{name} is in both halves" for name in work & kept)


def _grade_problems(file: Path, questions: Iterable[Row]) -> Iterator[str]:
    """Check grades, if there are any."""
    known = {row["id"] for row in questions}
    for row in rows(file) if file.exists() else ():
        if row["question"] not in known:
            yield f"{file.name}: there is no question {row['question']}"
        if row["grade"] not in GRADES or not isinstance(row["words"], int):
            yield f"{file.name}: {row['question']} has no grade"
        if row["grade"] in ("partial", "bad") and not row["why"]:
            yield f"{file.name}: {row['question']} has no reason"


def _question_problems(row: Row) -> Iterator[str]:
    name = row["id"]
    if row["half"] != half(name):
        yield f"{name}: the half is not the one of its hash"
    if row["kind"] not in KINDS:
        yield f"{name}: {row['kind']} is none of the kinds"
    yield from _source_problems(row)
    yield from _form_problems(row)


def _source_problems(row: Row) -> Iterator[str]:
    if not re.fullmatch(r"https://github\.com/[\w.-]+/[\w.-]+/issues/\d+", row["source"]):
        yield f"{row['id']}: {row['source']} is not the URL of an issue"


def _form_problems(row: Row) -> Iterator[str]:
    name = row["id"]
    if not re.fullmatch(r"[0-9a-f]{40}", row["commit"]):
        yield f"{name}: {row['commit']} is not a commit"
    if row["covered"] and not (row["pages"] and row.get("fact")):
        yield f"{name}: a covered question has pages and a fact"
    if not row["covered"] and not (row.get("near") and row.get("why")):
        yield f"{name}: a question that is not covered has near pages and a reason"
    if row["kind"] == "follow-up" and not row["previous"]:
        yield f"{name}: a follow-up has a previous question"
    if (row["language"] != "en" or row["kind"] == "misspelled") and not row.get("plain"):
        yield f"{name}: a misspelled or foreign question has its plain form"


def _reference_problems(row: Row, questions: dict[str, Row]) -> Iterator[str]:
    asked = questions.get(row["question"])
    if asked is None:
        yield f"{row['id']}: there is no question {row['question']}"
    elif not asked["covered"]:
        yield f"{row['id']}: {asked['id']} is not covered"
    elif row["half"] != asked["half"]:
        yield f"{row['id']}: the half is not the one of its question"


if __name__ == "__main__":
    main()
