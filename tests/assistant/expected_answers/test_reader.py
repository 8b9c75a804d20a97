from __future__ import annotations

from pathlib import Path

import pytest

from docstead.assistant.expected_answers.reader import MOST_ENTRIES, read_expected_answers
from docstead.repository.positions import Diagnostics

ENTRY = "- question: How do I rotate a key?\n  facts: [Revoke the old one]\n  pages: guides/keys\n"


def read(root: Path, text: str, name: str = "answers.yaml") -> tuple[list[object], list[str]]:
    """The entries as plain texts, and the diagnostics as lines."""
    file, diagnostics = root / name, Diagnostics()
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    entries = [
        (each.question.text, [f.text for f in each.facts], [p.text for p in each.pages])
        for each in read_expected_answers(root, diagnostics)
    ]
    return entries, [str(diagnostic) for diagnostic in diagnostics.sorted()]


@pytest.mark.parametrize("name", ["answers.yaml", ".docs/answers.yaml"])
def test_an_entry_has_a_question_facts_and_pages(tmp_path: Path, name: str) -> None:
    entries, diagnostics = read(tmp_path, ENTRY, name)
    assert entries == [("How do I rotate a key?", ["Revoke the old one"], ["guides/keys"])]
    assert diagnostics == []


def test_texts_know_their_positions(tmp_path: Path) -> None:
    (tmp_path / "answers.yaml").write_text(f"# Support\n{ENTRY}")
    (entry,) = read_expected_answers(tmp_path, Diagnostics())
    texts = (entry.question, *entry.facts, *entry.pages)
    assert [str(each.position) for each in texts] == [
        "answers.yaml:2:13",
        "answers.yaml:3:11",
        "answers.yaml:4:10",
    ]


def test_numbers_are_texts(tmp_path: Path) -> None:
    entries, _ = read(tmp_path, "- {question: How many?, facts: 30, pages: [limits]}")
    assert entries == [("How many?", ["30"], ["limits"])]


@pytest.mark.parametrize(
    ("text", "diagnostic"),
    [
        ("- question: [", "1:1: warning answers-syntax: not YAML"),
        ("question: How?", "1:1: warning answers-syntax: the file must be a list"),
        ("- How?", "1:3: warning answers-syntax: an entry must have keys"),
        ("- question: How?", "1:3: warning answers-syntax: an entry needs"),
        ("- pages: a", "1:3: warning answers-syntax: an entry needs"),
        ("- question: [A?, B?]\n  pages: a", "1:3: warning answers-syntax: an entry needs"),
        (f"{ENTRY}  fact: x", "4:3: warning answers-syntax: `fact` is not a key of an entry"),
        (f"{ENTRY}  ? [a]\n  : x", "4:5: warning answers-syntax: this is not a key of an entry"),
        ("- {question: A?, pages: [{a: b}, c]}", "1:26: warning answers-syntax: this must be"),
        ("- {question: A?, pages: a}\n---\n- x", "2:1: warning answers-syntax: not YAML"),
        ("[" * 5_000, "1:201: warning answers-syntax: not YAML: nested too deeply"),
        (ENTRY * (MOST_ENTRIES + 1), "1501:3: warning answers-limit: only the first 500 entries"),
        (ENTRY.replace("Revoke", "a" * 990), "2:11: warning answers-limit: a text has at"),
        (f"- {{question: A?, pages: [{'b, ' * 21}]}}", "1:86: warning answers-limit: only the"),
        (f"- {{{'a: b, ' * 21}}}", "1:3: warning answers-limit: only the first 20 keys"),
        ("#" * 1_000_001, "1:1: warning answers-limit: the file is larger than 1 MB"),
    ],
)
def test_a_diagnostic_has_its_position(tmp_path: Path, text: str, diagnostic: str) -> None:
    _, diagnostics = read(tmp_path, text)
    assert diagnostics[0].startswith(f"answers.yaml:{diagnostic}")


def test_a_misspelled_key_is_one_diagnostic(tmp_path: Path) -> None:
    _, (diagnostic,) = read(tmp_path, "- question: A?\n  page: a")
    assert diagnostic.startswith(
        "answers.yaml:2:3: warning answers-syntax: `page` is not a key of an entry"
    )


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "[]"])
def test_an_empty_file_has_no_entries(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text) == ([], [])


def test_a_link_out_of_the_repository_is_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "answers.yaml").write_text(ENTRY)
    (root / "answers.yaml").symlink_to(tmp_path / "answers.yaml")
    assert read_expected_answers(root, Diagnostics()) == ()
