"""Endings of quotes."""

from __future__ import annotations

import pytest

from docstead.assistant.extractive.quotes import QuoteFinder
from docstead.search.chunks import blocks
from key_quotes import CODE, REST, completed, excerpt, part_of_keys, stems, words

ERROR = "Revoked keys stop with an error."
QUESTION = "revoked keys stop with an error"
SAID = "Revoked keys stop. Keys stop with an error."


def quoted(question: str, *parts: str) -> str:
    """Return the first quote of a section with these blocks, as it is shown."""
    finder = QuoteFinder(stems, blocks)
    section = excerpt("\n\n".join(parts))
    first = finder.quotes(question, words(question), [section])[0]
    return finder.completed(question, words(question), first, [section])[0].markdown


def test_a_workaround_follows_its_error() -> None:
    workaround = ("**Workaround:** Create another one:", CODE, "Then restart the client.")
    shown = "\n\n".join((ERROR, *workaround))
    assert quoted(QUESTION, REST, ERROR, *workaround, REST) == shown


def test_what_is_added_fits_into_120_words() -> None:
    sentences = [f"Part {n} is said in here, with some more words." for n in range(30)]
    quote = quoted(QUESTION, REST, ERROR, *sentences)
    assert quote.startswith(f"{ERROR}\n\n{sentences[0]}")
    assert 105 <= len(quote.split()) <= 120


@pytest.mark.parametrize(
    "topic",
    [
        "**Lost files**\n\nLook for them.",
        "`maxAge` (integer)\n\nSeconds to live.",
        "Reach out to us on the forum of the product.",
    ],
)
def test_a_quote_does_not_continue_with_another_topic(topic: str) -> None:
    assert quoted(QUESTION, REST, ERROR, topic, REST) == ERROR


def test_a_quote_does_not_continue_after_a_part_of_a_paragraph() -> None:
    long = f"{ERROR} {REST}"
    assert quoted(QUESTION, long, "That is all.").startswith(ERROR)
    assert "That is all." not in quoted(QUESTION, long, "That is all.")


def test_code_is_no_call_to_action() -> None:
    first = part_of_keys(ERROR, "Revoking", 0.9)
    code = part_of_keys("```\nJoin our Discord server\n```", "Output")
    assert completed(QUESTION, first, code) == [ERROR, code.markdown]


def test_a_quote_does_not_continue_with_a_variant_of_its_code() -> None:
    code = "```text Output\nrevoked keys stop with an error\n```"
    assert quoted(QUESTION, REST, ERROR, code, CODE, REST) == f"{ERROR}\n\n{code}"


def test_a_configuration_precedes_its_explanation() -> None:
    shown = ("The file looks like this:", CODE, ERROR)
    assert quoted(QUESTION, REST, *shown, REST) == "\n\n".join(shown)


def test_code_is_not_added_without_the_text_above_it() -> None:
    announcement = "Some words. " * 55 + "The file looks like this:"
    assert quoted(QUESTION, REST, announcement, CODE, ERROR) == ERROR


def test_what_follows_comes_before_what_precedes() -> None:
    before, after = (f"{name} " * 70 + "end." for name in ("Earlier", "Later"))
    assert quoted(QUESTION, REST, before, ERROR, after, REST) == f"{ERROR}\n\n{after}"
    assert quoted(QUESTION, REST, before, ERROR) == f"{before}\n\n{ERROR}"


@pytest.mark.parametrize(
    ("before", "shown"),
    [
        ("Press the button.", f"**Revoked keys stop**\n\n{ERROR}"),
        ("Join our Discord community.", ERROR),
    ],
)
def test_a_quote_does_not_begin_with_another_topic(before: str, shown: str) -> None:
    assert quoted(QUESTION, REST, before, *shown.split("\n\n"), REST) == shown


def test_a_part_of_a_paragraph_has_nothing_before_it() -> None:
    sentences = " ".join(f"Part {n} is said in here." for n in range(8))
    quote = quoted(QUESTION, REST, "Press the button.", f"{sentences} {ERROR}", REST)
    assert quote.endswith(ERROR)
    assert "Press the button." not in quote


def test_text_above_code_is_not_added_without_it() -> None:
    code = "```bash\n" + "parcelo create --now\n" * 60 + "```"
    assert quoted(QUESTION, REST, ERROR, "Run this script.", code) == ERROR


def test_code_that_the_last_item_announces_is_shown() -> None:
    items = "- Revoked keys stop with an error.\n- Create another one:"
    shown = ("Do this:", items, CODE)
    assert quoted(QUESTION, REST, *shown, REST) == "\n\n".join(shown)


@pytest.mark.parametrize(
    ("items", "shown"),
    [
        (f"- {ERROR}\n- Create another one:", f"- {ERROR}"),
        (f"- {ERROR}\n- Create another one. For example:", f"- {ERROR}\n- Create another one."),
    ],
)
def test_an_item_that_announces_what_does_not_fit_is_left_out(items: str, shown: str) -> None:
    code = "```bash\n" + "parcelo create --now\n" * 60 + "```"
    assert quoted(QUESTION, REST, "Do this:", items, code) == f"Do this:\n\n{shown}"


def test_a_label_that_is_announced_has_its_text() -> None:
    shown = (f"{ERROR} Do this:", "**Create one**", "Press the button.")
    assert quoted(QUESTION, REST, *shown, REST) == "\n\n".join(shown)


def test_a_table_below_an_announced_label_is_shortened() -> None:
    rows = "\n".join(f"| name{n} | {'word ' * 20}|" for n in range(9))
    table = f"| Name | Text |\n| --- | --- |\n{rows}"
    quote = quoted(QUESTION, REST, f"{ERROR} Choose one:", "**Python**", "**Names**", table)
    assert quote.startswith(f"{ERROR} Choose one:\n\n**Python**\n\n**Names**\n\n| Name | Text |")
    assert len(quote.split()) <= 120


@pytest.mark.parametrize("end", ["Here are dos and don'ts:", "**Python**", "> **Note:**"])
def test_an_announcement_that_nothing_follows_is_left_out(end: str) -> None:
    assert quoted(QUESTION, ERROR, end) == ERROR
    assert quoted(QUESTION, f"{ERROR} It has reasons:") == ERROR


def test_a_sentence_in_bold_is_no_label() -> None:
    note = "**Note: this only applies to keys that are not revoked yet**"
    assert quoted(QUESTION, ERROR, note) == f"{ERROR}\n\n{note}"


def test_a_quote_of_nothing_but_an_announcement_stays() -> None:
    announcement = "Revoked keys stop with one of these errors:"
    assert quoted(QUESTION, announcement) == announcement


@pytest.mark.parametrize(
    "call",
    [
        "Join our Discord community.",
        "If you run into any problem, please contact support.",
        "Any questions? Contact us.",
        "> **Using Parcelo?** [Star us](https://example.com) to help others.",
        "Still stuck? [Reach out](https://example.com) on the forum.",
    ],
)
def test_a_call_to_action_at_the_end_is_left_out(call: str) -> None:
    assert quoted(QUESTION, ERROR, call) == ERROR


def test_a_call_to_action_that_is_asked_for_stays() -> None:
    call = "Join our Discord community."
    assert quoted("revoked keys discord", ERROR, call) == f"{ERROR}\n\n{call}"


def test_a_paragraph_with_a_call_to_action_stays() -> None:
    text = "Revoking is in beta, so it may fail. Contact us for help."
    assert quoted(QUESTION, ERROR, text) == f"{ERROR}\n\n{text}"


def test_a_question_is_no_call_to_action() -> None:
    assert quoted(QUESTION, ERROR, "Is parcelo safe?") == f"{ERROR}\n\nIs parcelo safe?"


def test_sections_of_calls_to_action_complete_no_quote() -> None:
    first = part_of_keys(ERROR, "Revoking", 0.9)
    feedback = part_of_keys("We'd love to hear from you. Please open an issue.", "Feedback")
    assert completed(QUESTION, first, feedback) == [ERROR]


def test_what_description_and_first_paragraph_both_say_is_quoted_once() -> None:
    description = "Guide to keys that are revoked"
    text = "This guide to revoked keys explains that keys are dead. They stop with an error."
    assert quoted(QUESTION, description, text) == text
    assert quoted(QUESTION, text, description) == text
    for other in ("A guide to locks and doors", "Revoked keys"):
        assert quoted(QUESTION, other, text) == f"{other}\n\n{text}"


@pytest.mark.parametrize(
    "leaning",
    [
        "Or revoked keys stop with an error.",
        "This means that revoked keys stop with an error.",
        "It stops revoked keys with an error.",
        "**Otherwise**, revoked keys stop with an error.",
    ],
)
def test_a_quote_begins_with_what_its_first_sentence_refers_to(leaning: str) -> None:
    shown = f"Press the button. {leaning} {SAID}"
    assert quoted(QUESTION, REST, f"{REST} {shown}", REST) == shown
    labelled = ("**Buttons**", "Press the button.", leaning)
    assert quoted(QUESTION, REST, *labelled, REST) == "\n\n".join(labelled)


def test_what_a_sentence_refers_to_comes_before_what_follows() -> None:
    leaning, after = f"However, {ERROR[0].lower()}{ERROR[1:]}", "Later " * 70 + "end."
    before = "Earlier " * 50 + "end."
    assert quoted(QUESTION, REST, before, leaning, after, REST) == f"{before}\n\n{leaning}"


def test_a_sentence_that_refers_to_too_much_is_left_out_if_the_rest_answers() -> None:
    before = "Earlier " * 115 + "end."
    leaning = "This is why it is so."
    assert quoted(QUESTION, REST, before, f"{leaning} {ERROR}", REST) == ERROR
    only = f"Thus {ERROR}"
    assert quoted(QUESTION, REST, before, only, REST) == only


@pytest.mark.parametrize("begin", ["This guide shows that", "It is possible that", "Or-keys:"])
def test_a_complete_sentence_has_no_sentence_before(begin: str) -> None:
    shown = f"{begin} revoked keys stop with an error. {SAID}"
    assert quoted(QUESTION, REST, f"{REST} Press the button. {shown}", REST) == shown


STEPS = ("1. Find the error.", CODE, "2. Press the button.", CODE, "3. See that revoked keys stop.")


def test_a_quote_with_two_steps_has_the_steps_between() -> None:
    quote = quoted(QUESTION, REST, *STEPS, REST)
    assert quote == "\n\n".join(STEPS)


def test_a_step_after_steps_that_do_not_fit_is_left_out() -> None:
    long = "2. " + "Press the button. " * 40
    first = "1. Revoked keys stop with an error, so find it."
    quote = quoted(QUESTION, REST, first, CODE, long, CODE, "3. See the error of revoked keys.")
    assert quote.endswith(f"{first}\n\n{CODE}")
