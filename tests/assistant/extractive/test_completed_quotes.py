"""The first quote with further parts of its page."""

from __future__ import annotations

import pytest

from docstead.assistant.extractive.evidence import Excerpt
from docstead.assistant.extractive.quotes import Quote, QuoteFinder, rendered
from key_quotes import CODE, completed, excerpt, part_of_keys, stems, words


def test_the_first_quote_is_completed_by_other_sections_of_its_page() -> None:
    first = part_of_keys("Revoked keys stop.", "Revoking", 0.9)
    also = part_of_keys("They can be restored for an hour.", "Restoring")
    far = part_of_keys("They are made of letters.", "Letters", 0.2)
    other = excerpt("Revoked keys stay in the log.", "Log")
    outline = part_of_keys("- Revoking\n- Restoring", "Summary")
    assert completed("how do revoked keys stop", first, far, other, outline, also) == [
        "Revoked keys stop.",
        "They can be restored for an hour.",
    ]


def test_a_completed_quote_has_at_most_120_words() -> None:
    parts = [part_of_keys(f"Revoked keys stop. {f'word{n} ' * 35}", f"Part {n}") for n in range(6)]
    found = completed("how do revoked keys stop", *parts)
    assert len(found) == 3
    assert len(" ".join(found).split()) <= 120


def test_a_part_says_more_than_a_short_quote_whose_words_it_has() -> None:
    first = part_of_keys("Revoke your keys.", "Top", 0.9)
    steps = part_of_keys("To revoke your keys, press delete and confirm by mail.", "Steps")
    again = part_of_keys("Your keys.", "Again")
    assert completed("revoke keys", first, again, steps) == [first.markdown, steps.markdown]


@pytest.mark.parametrize(
    ("question", "markdown"),
    [
        ("what is maxAge", "`maxAge` (integer)\n\nSeconds that a key lives."),
        ("install parcelo", f"Install parcelo:\n\n{CODE}"),
    ],
)
def test_an_entry_or_code_for_all_that_is_asked_is_enough(question: str, markdown: str) -> None:
    first = part_of_keys(markdown, "First", 0.9)
    assert len(completed(question, first, part_of_keys("Keys have names.", "Names"))) == 1


def test_an_error_in_code_is_completed_by_its_fix() -> None:
    error = part_of_keys("You see:\n\n```\nError: keys missing\n```", "Error", 0.9)
    fix = part_of_keys("Create them.", "Fix")
    assert completed("Error: keys missing", error, fix)[1:] == ["Create them."]


def test_a_part_is_selected_once_for_its_length_and_its_ending() -> None:
    read: list[str] = []

    def blocks(markdown: str) -> list[str]:
        read.append(markdown)
        return markdown.split("\n\n")

    first = part_of_keys("Revoked keys stop.\n\nJoin our community on Discord!", "Revoking", 0.9)
    also = part_of_keys("They can be restored for an hour.", "Restoring")
    question = "how do revoked keys stop"
    extractive = QuoteFinder(stems, blocks)
    quote = extractive.quotes(question, words(question), [first, also])[0]
    read.clear()
    parts = extractive.completed(question, words(question), quote, [first, also])
    assert [each.markdown for each in parts] == ["Revoked keys stop.", also.markdown]
    assert read.count(first.markdown) == 0
    assert read.count(also.markdown) == 2  # to select it, and to see that it is no call to action


def test_a_quote_is_linked() -> None:
    quote = Quote(excerpt("", "A [b]"), f"Install:\n\n{CODE}")
    answer = "".join(rendered(quote, "https://docs/a#:~:text=Install"))
    assert answer == (
        "\n**[A \\[b\\]](https://docs/a#:~:text=Install)**\n\n"
        "> Install:\n>\n> ```bash\n> pip install parcelo\n> ```\n"
    )


def opening(*page: Excerpt) -> list[str]:
    extractive = QuoteFinder(stems, lambda markdown: markdown.split("\n\n"))
    return [each.markdown for each in extractive.opening(words("keys"), page)]


def test_a_page_that_is_asked_for_is_quoted_from_its_beginning() -> None:
    steps = part_of_keys(f"Install it:\n\n{CODE}\n\nRun it. {'word ' * 79}word\n\nMore.", "Steps")
    long = part_of_keys(f"{' '.join(f'long{n}' for n in range(60))}\n\nEnd.", "Long")
    after = part_of_keys("Keys are short.", "After")
    about = excerpt("All about keys.")
    assert opening(about, steps, long, after) == [about.markdown, steps.markdown]


def test_what_says_nothing_is_no_part_of_an_opening() -> None:
    card = excerpt("- [Quickstart](https://docs/start)")
    assert opening(card, part_of_keys("Keys open doors.", "Doors")) == ["Keys open doors."]
    assert opening(card) == []


def test_an_opening_does_not_end_with_an_introduction() -> None:
    page = excerpt(f"Keys open doors.\n\nInstall them:\n\n{CODE} {'word ' * 120}")
    assert opening(page) == ["Keys open doors."]
