"""Entries of sections: questions with answers, and errors with what to do."""

from __future__ import annotations

from collections.abc import Callable

from docstead.search.documents import SearchDocument
from docstead.search.entries import split_entries
from docstead.search.index import Index

QUESTIONS = """
Ask us by email.

**Can I embed the checkout in a frame?**

A: No. Redirect to its address.

**Q12: I see "mandate required"**

A: The country of the card is missing:

- Set it.
"""
FRAMED = "Can I embed the checkout in a frame?"


def test_each_question_is_a_passage_with_its_answer() -> None:
    assert list(split_entries(QUESTIONS, ("Billing",))) == [
        ("", "Ask us by email."),
        (FRAMED, "No. Redirect to its address."),
        ('I see "mandate required"', "The country of the card is missing:\n\n- Set it."),
    ]


def test_errors_are_entries_below_a_heading_for_troubles_only() -> None:
    text = "**Port is in use**\n\nStop the other one.\n\n**Solution**\n\nOr wait."
    entry = "Stop the other one.\n\n**Solution**\n\nOr wait."
    assert list(split_entries(text, ("Servers", "Troubleshooting"))) == [("Port is in use", entry)]
    assert list(split_entries(text, ("Servers", "Ports"))) == [("", text)]


def test_a_question_without_an_answer_belongs_to_the_next_text() -> None:
    text = "**Why?**\n\n**How?**\n\nSo."
    assert list(split_entries(text, ())) == [("Why?", "**How?**\n\nSo.")]


def test_an_entry_is_found_under_its_own_heading(
    index_of: Callable[..., Index], page: Callable[..., SearchDocument]
) -> None:
    index = index_of(page("billing", "Billing", {"Questions": QUESTIONS}))
    first, second = index.search("embed the checkout in a frame, card country", limit=5)
    assert first.heading_path == ("Questions", FRAMED)
    assert (first.anchor, first.markdown) == ("questions", "No. Redirect to its address.")
    assert second.heading_path[-1] == 'I see "mandate required"'


def test_a_row_of_a_table_of_symptoms_is_an_entry() -> None:
    head = "| Symptom | What to do |\n| --- | --- |"
    rows = [
        "| `404` everywhere | Pass the host on. |",
        "| The stream stops | Turn it off. |",
    ]
    text = "\n".join(["Before.", "", head, *rows])
    assert list(split_entries(text, ())) == [
        ("", "Before."),
        ("404 everywhere", f"{head}\n{rows[0]}"),
        ("The stream stops", f"{head}\n{rows[1]}"),
    ]
