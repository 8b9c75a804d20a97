"""Sentences and answers of a model about the documentation of readers' questions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sets import DATASETS, documentation_of

ROOT = Path(__file__).parent.parent.parent
READERS = DATASETS / "readers"
CLAIMS, ANSWERS = READERS / "claims.jsonl", READERS / "answers.jsonl"
SENTENCES = DATASETS / "sentences"
#: Files of `sentences`; `readers` has the first two.
HALVES = (
    "work",
    "kept",
    "fresh",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
)
OWN_LANGUAGE = "en"
_GERMAN = re.compile(r"\b(?:Sie|der|die|das|den)\b")


@dataclass(frozen=True)
class SentenceClaim:
    text: str
    is_true: bool
    language: str
    question: str  # in the documentation's language
    folder: Path
    page: str = ""  # with the section that it paraphrases or contradicts
    line: int = 0


@dataclass(frozen=True)
class WholeAnswer:
    text: str
    question: str
    folder: Path
    pages: Sequence[str]


def given(file: Path) -> Iterator[SentenceClaim]:
    """Return the claims of a file about the project's own documentation."""
    for row in json.loads(file.read_text()):
        language = "de" if _GERMAN.search(" ".join(row["true"])) else OWN_LANGUAGE
        for is_true in (True, False):
            for text in row[str(is_true).lower()]:
                yield SentenceClaim(text, is_true, language, row["ask"], ROOT / "docs")


@dataclass(frozen=True)
class SentenceSet:
    """One half of a set. `asked` are its questions, even if their documentation is missing."""

    claims: Sequence[SentenceClaim]
    answers: Sequence[WholeAnswer]
    asked: Sequence[dict[str, Any]]


def readers_set(half: str, repositories: Path) -> SentenceSet:
    """Return the claims and answers of `datasets/readers`."""
    questions = {each["id"]: each for each in _rows(READERS / "questions.jsonl")}
    claims, answers, named = [], [], set()
    for row in (*_rows(CLAIMS), *_rows(ANSWERS)):
        if row["half"] != half:
            continue
        question = questions[row["question"]]
        named.add(question["id"])
        folder = documentation_of(question, repositories)
        if not folder.is_dir():
            continue
        asked = question.get("plain") or question["question"]
        if "answer" in row:
            answers.append(WholeAnswer(row["answer"], asked, folder, row["pages"]))
        else:
            facts = row["claim"], row["true"], row["language"]
            claims.append(SentenceClaim(*facts, asked, folder, row["page"], row["lines"][0]))
    return SentenceSet(claims, answers, [questions[each] for each in sorted(named)])


def sentences_set(half: str, repositories: Path) -> SentenceSet:
    """Return the claims and answers of `datasets/sentences`."""
    claims, answers, asked = [], [], _rows(SENTENCES / f"{half}.jsonl")
    for row in asked:
        folder = documentation_of(row, repositories)
        if not folder.is_dir():
            continue
        for each in row["claims"]:
            facts = each["text"], each["true"], each["language"]
            position = row["page"], each["line"]
            claims.append(SentenceClaim(*facts, row["question"], folder, *position))
        texts = (each["text"] for each in row["answers"])
        answers += [WholeAnswer(each, row["question"], folder, [row["page"]]) for each in texts]
    return SentenceSet(claims, answers, asked)


#: Both are split into two halves, `work` and `kept`.
SENTENCE_SETS = {"readers": readers_set, "sentences": sentences_set}


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]
