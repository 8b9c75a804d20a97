"""The form of the evaluations' datasets."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

RUNNERS = Path(__file__).parent.parent / "evals/runners"


@pytest.fixture(autouse=True)
def _runners_are_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(RUNNERS), *sys.path])


def test_the_datasets_have_their_form() -> None:
    from check_datasets import READERS, SENTENCES, problems, sentence_problems

    assert list(problems(READERS)) == []
    assert list(sentence_problems(SENTENCES)) == []


def test_errors_are_noticed(tmp_path: Path) -> None:
    from check_datasets import READERS, problems, rows

    folder = tmp_path / "readers"
    shutil.copytree(READERS, folder)
    kept = rows(folder / "questions.jsonl")
    first = next(each for each in kept if each["covered"])
    first |= {"half": "neither", "source": "an issue", "pages": []}
    lines = [json.dumps(each) for each in [*kept, kept[-1]]]
    (folder / "questions.jsonl").write_text("\n".join(lines))
    found = [
        problem for problem in problems(folder) if problem.startswith(("questions:", first["id"]))
    ]
    assert len([f for f in found if "half" in f and f.startswith(f"{first['id']}:")]) == 1
    assert any("not the URL of an issue" in problem for problem in found)
    assert any("has pages and a fact" in problem for problem in found)
    assert any("used 2 times" in problem for problem in found)


def test_errors_of_mixed_questions_and_grades_are_noticed(tmp_path: Path) -> None:
    from check_datasets import READERS, problems, rows

    folder = tmp_path / "readers"
    shutil.copytree(READERS, folder)
    kept, work = rows(folder / "mix-kept.jsonl"), rows(folder / "mix-work.jsonl")
    _write(folder / "mix-kept.jsonl", [*kept, {**work[0], "id": "moved"}])
    graded = {"question": work[0]["id"], "commit": "0", "grade": "bad", "why": "", "words": 9}
    _write(folder / "grades-mix-work.jsonl", [graded, {**graded, "question": "unknown"}])
    found = list(problems(folder))
    assert "moved: the half is not the one of its file" in found
    assert f"{work[0]['documentation']} is in both halves" in found
    assert f"grades-mix-work.jsonl: {work[0]['id']} has no reason" in found
    assert "grades-mix-work.jsonl: there is no question unknown" in found


def _write(file: Path, kept: list[dict[str, object]]) -> None:
    file.write_text("".join(f"{json.dumps(each)}\n" for each in kept))


def test_errors_of_sentences_are_noticed(tmp_path: Path) -> None:
    from check_datasets import SENTENCES, rows, sentence_problems

    folder = tmp_path / "sentences"
    shutil.copytree(SENTENCES, folder)
    first, *others = rows(folder / "work.jsonl")
    false = next(claim for claim in first["claims"] if not claim["true"])
    false |= {"kind": "slip", "language": "xx"}
    kept = rows(folder / "kept.jsonl")
    first |= {"answers": [], "id": kept[0]["id"], "documentation": kept[0]["documentation"]}
    _write(folder / "work.jsonl", [first, *others])
    found = "\n".join(sentence_problems(folder))
    assert "is in two files" in found
    assert "used 2 times" in found
    assert "slip is none of the kinds" in found
    assert "xx is none of the languages" in found
    assert "has true and false claims and an answer" in found
