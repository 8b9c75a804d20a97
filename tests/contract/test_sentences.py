"""The table of sentences is whole: each sentence, test and mutation in it is there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from interface_sentences import (
    LIST,
    TABLE,
    Row,
    Table,
    UnbreakableSentences,
    listed,
    problems,
    read_list,
    read_table,
)

KNOWN = read_list(LIST.read_text())
WHOLE = read_table(TABLE.read_text())
INTERFACE = """# Title

The service answers. It is quick.

Limits:

| Field | Required | Notes |
|---|---|---|
| fp | yes | An identifier. Use it. |
| fp | no | |

1. Rule one holds.
"""


def test_every_sentence_has_a_test_and_a_mutation_or_a_reason() -> None:
    assert problems(WHOLE, KNOWN) == []
    assert all(note.reason for note in WHOLE.notes)
    assert sum(len(note.of) for note in WHOLE.notes) < len(KNOWN) / 8


def test_sentences_are_listed_by_their_first_words() -> None:
    assert list(listed(INTERFACE)) == [
        "The service answers.",
        "It is quick.",
        "fp | yes",
        "fp: An identifier.",
        "fp: Use it.",
        "fp | no",
        "Rule one holds.",
    ]
    changed = INTERFACE.replace("quick", "slow")
    assert dict(listed(changed).items() - listed(INTERFACE).items()).keys() == {"It is slow."}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"of": ()}, "it quotes no sentence"),
        ({"of": ("It sings.",)}, "the interface has no such sentence: It sings."),
        ({"test": "tests/nowhere.py::test_a"}, "there is no test 'tests/nowhere.py'"),
        ({"test": "tests/api/agent/test_jobs.py::test_a"}, "there is no test"),
        ({"test": "tests/api/agent/test_jobs.py::test_odd_ids[none]"}, "there is no test"),
        ({"file": "nowhere.py"}, "nowhere.py has 0 times"),
        ({"old": "def "}, "times 'def '"),
        ({"old": "a text that is not there"}, "0 times"),
        ({"new": "status = 400"}, "the mutation changes nothing"),
    ],
)
def test_a_broken_row_is_named(change: dict[str, object], problem: str) -> None:
    row = Row(
        of=("The service answers.",),
        says="It answers",
        test="tests/api/agent/test_jobs.py::test_odd_ids",
        file="base/errors.py",
        old="status = 400",
        new="status = 422",
    )
    table = Table((row,), ())
    known = {"The service answers.": ""}
    assert problems(table, known) == []
    broken = Table((row, replace(row, **change)), ())  # of each field
    (found,) = problems(broken, known)
    assert problem in found


def test_a_sentence_is_missing_or_there_twice() -> None:
    known = {"The service answers.": "", "It is quick.": ""}
    table = Table((), (UnbreakableSentences(("The service answers.",), "An introduction."),))
    assert problems(table, known) == ["no row has: It is quick."]
    row = replace(WHOLE.rows[0], of=tuple(known))
    assert problems(Table((row,), table.notes), known) == [
        "both tested and noted: The service answers."
    ]
