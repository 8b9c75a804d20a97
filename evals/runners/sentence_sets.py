"""Sentences and answers of a model on the documentation that readers' questions ask about."""

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
OWN_LANGUAGE = "en"
_GERMAN = re.compile(r"\b(?:Sie|der|die|das|den)\b")


@dataclass(frozen=True)
class SentenceClaim:
    text: str
    is_true: bool
    language: str
    question: str  # in the documentation's language
    folder: Path
    page: str = ""  # with the section that it follows or contradicts
    line: int = 0


@dataclass(frozen=True)
class WholeAnswer:
    text: str
    question: str
    folder: Path
    pages: Sequence[str]


def given(file: Path) -> Iterator[SentenceClaim]:
    """The claims of a file on the project's own documentation."""
    for row in json.loads(file.read_text()):
        language = "de" if _GERMAN.search(" ".join(row["true"])) else OWN_LANGUAGE
        for is_true in (True, False):
            for text in row[str(is_true).lower()]:
                yield SentenceClaim(text, is_true, language, row["ask"], ROOT / "docs")


def half_of(half: str, repositories: Path) -> Iterator[SentenceClaim]:
    """The claims of a half whose documentation is in the folder."""
    questions = {each["id"]: each for each in _rows(READERS / "questions.jsonl")}
    for row in _rows(CLAIMS):
        question = questions[row["question"]]
        folder = documentation_of(question, repositories)
        if row["half"] == half and folder.is_dir():
            asked = question.get("plain") or question["question"]
            place = row["page"], row["lines"][0]
            yield SentenceClaim(row["claim"], row["true"], row["language"], asked, folder, *place)


def answers_of(half: str, repositories: Path) -> Iterator[WholeAnswer]:
    """The answers of a half whose documentation is in the folder."""
    questions = {each["id"]: each for each in _rows(READERS / "questions.jsonl")}
    for row in _rows(ANSWERS):
        question = questions[row["question"]]
        folder = documentation_of(question, repositories)
        if row["half"] == half and folder.is_dir():
            asked = question.get("plain") or question["question"]
            yield WholeAnswer(row["answer"], asked, folder, row["pages"])


def asked_questions(half: str) -> Iterator[dict[str, Any]]:
    """The questions of a half that have claims or answers."""
    named = {row["question"] for row in (*_rows(CLAIMS), *_rows(ANSWERS)) if row["half"] == half}
    return (each for each in _rows(READERS / "questions.jsonl") if each["id"] in named)


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]
