"""Sections that are quoted, and their order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docstead.assistant.extractive.quotes import QuoteFinder
from key_quotes import CODE, REST, completed, excerpt, quotes, section_of, stems, words


def test_a_section_that_has_what_is_asked_for_comes_first() -> None:
    number = excerpt("Revoked keys live for 30 days.", "Limits", 0.6)
    other = excerpt("Revoked keys live for some time.", "Keys", 0.65)
    found = quotes("How long do revoked keys live?", other, number)
    assert found[0].excerpt is number


def test_the_page_with_more_sections_on_the_question_comes_first() -> None:
    other = section_of("Revoked keys stop at night, or so.", "Other", "stop", 0.71)
    page = [section_of(f"Revoked keys stop {each} times.", "Keys", each) for each in "abc"]
    assert quotes("revoked keys stop", other, *page)[0].excerpt.title == "Keys"


def test_at_most_two_sections_of_a_page() -> None:
    page = [
        section_of(f"Revoked keys stop {each} times, {each}a {each}b.", "Keys", each)
        for each in "abcd"
    ]
    other = section_of("Revoked keys stop at night, or so, when it is dark.", "Other", "stop")
    found = [each.excerpt.title for each in quotes("revoked keys stop", *page, other)]
    assert sorted(found) == ["Keys", "Keys", "Other"]


def test_a_section_whose_quote_has_more_of_the_question_comes_first() -> None:
    long = "and so it goes on and on in here without an end " * 6
    spread = "\n\n".join(f"{words} {long}." for words in ("Revoked", "Api keys", "To stop"))
    scattered = section_of(spread, "Scattered", "all", 0.83)
    together = section_of(f"Revoked api keys stop at once.\n\n{REST}{REST}", "Together", "one", 0.7)
    found = quotes("revoked api keys stop", scattered, together)
    assert found[0].excerpt is together


def test_what_was_said_is_not_said_again() -> None:
    same = "Revoked keys stop working within five seconds."
    found = quotes("revoked keys stop", excerpt(same, "One"), excerpt(f"{same} Always.", "Two"))
    assert len(found) == 1


@pytest.mark.parametrize(("page_size", "most"), [(1, 1), (3, 3), (5, 4), (10, 8), (50, 14)])
def test_a_client_that_asks_for_more_results_gets_more_sections(page_size: int, most: int) -> None:
    found = [
        excerpt("Create an api key. " + " ".join(f"w{n}x{word}" for word in range(20)), f"page{n}")
        for n in range(14)
    ]
    extractive = QuoteFinder(stems, lambda markdown: markdown.split("\n\n"))
    question = "create api key"
    assert len(extractive.quotes(question, words(question), found, page_size)) == most


def test_at_most_four_sections() -> None:
    texts = {word: f"Revoked keys stop. {word} {word}a {word}b {word}c" for word in "abcdefgh"}
    found = quotes("revoked keys stop", *(excerpt(text, word) for word, text in texts.items()))
    assert len(found) == 4


def test_sections_that_are_far_behind_the_best_one_are_left_out() -> None:
    best = excerpt("Revoked keys stop working at once.", "Revoking", 0.9)
    near = excerpt("Revoked keys also stop other things.", "Near", 0.7)
    far = excerpt("Revoked keys are never told to stop by mail.", "Far", 0.5)
    found = quotes("revoked keys stop", best, near, far)
    assert [each.excerpt.title for each in found] == ["Revoking", "Near"]


def test_what_was_found_late_is_quoted_where_it_has_the_answer() -> None:
    early = [excerpt(f"Keys are made of {each}.", each, 0.6) for each in "abcdefg"]
    late = excerpt("Revoked keys live for 30 days.", "Limits", 0.6)
    found = quotes("How long do revoked keys live?", *early, late)
    assert found[0].excerpt is late


def test_without_excerpts_there_are_no_quotes() -> None:
    assert quotes("revoked keys") == ()


def test_what_only_leads_on_is_left_out() -> None:
    says = excerpt("A revoked key stops at once.", "Revoking")
    outline = excerpt("- Revoked keys\n- Lost keys", "Keys")
    pointer = excerpt("For more on revoked keys, see [keys](/keys).", "More")
    found = quotes("revoked keys", outline, pointer, says)
    assert "More" not in [each.excerpt.title for each in found]
    assert [each.excerpt.title for each in quotes("revoked keys", says, outline)] == ["Revoking"]
    for single in (outline, pointer):
        assert len(quotes("revoked keys", single)) == 1


@pytest.mark.parametrize(
    "tail",
    [
        "More on revoked keys [here](/keys).",
        "For examples of revoked keys, see [Keys](/keys).",
        "Revoked keys have these parameters:\n\n**Python**",
    ],
)
def test_a_short_pointer_or_introduction_is_not_quoted(tail: str) -> None:
    question = "how do revoked keys stop"
    saying = excerpt("Revoked keys stop within a second.", "Revoke", 0.6)
    pointing = excerpt(tail, "Tail", 0.9)
    found = quotes(question, pointing, saying)
    assert [each.excerpt.name for each in found] == ["Revoke"]
    parts = completed(question, saying, replace(pointing, link=saying.link))
    assert parts == [saying.markdown]
    short = excerpt("Revoked keys stop at once.", "Short", 0.9)
    assert quotes(question, short)[0].excerpt is short


def test_an_outline_comes_after_a_section_that_it_lists() -> None:
    outline = excerpt("- Revoked keys that were lost, and why nobody finds them?", "Keys")
    says = excerpt("A key stops at once.", score=0.5)
    listed = replace(
        says, heading_path=("Revoked keys that were lost, and why nobody finds them?",)
    )
    assert quotes("revoked keys", outline, listed)[0].excerpt is listed
    assert quotes("revoked keys", outline, says)[0].excerpt is outline


def test_code_comes_before_prose_of_the_same_score() -> None:
    prose = excerpt("To install parcelo is easy and takes a minute.", score=0.72)
    code = excerpt(f"Install parcelo with pip:\n\n{CODE}")
    far = replace(code, cosine=0.1)
    elsewhere = replace(code, link="https://docs/other")
    assert [each.excerpt for each in quotes("install parcelo", prose, code)] == [code, prose]
    assert quotes("install parcelo", prose, elsewhere)[0].excerpt is prose
    near = replace(prose, cosine=0.6)
    assert quotes("install parcelo", near, far)[0].excerpt is near


def test_dashes_within_a_line_are_read_in_one_go() -> None:
    says = excerpt("Revoked keys stop at once. Revoked keys are dead.", "Revoking", 0.9)
    odd = excerpt(f"- Revoked {'a- ' * 300}.", "Odd")  # each dash might begin an entry
    assert [each.excerpt.title for each in quotes("revoked keys", says, odd)] == ["Revoking", "Odd"]


def test_what_is_asked_for_by_name_comes_first() -> None:
    listed = "`maxAge` (integer)\n\nSeconds that a key lives."
    much = excerpt("Keys with a maxAge live long, and maxAge is set for keys.", "Long", 0.9)
    found = quotes("What does maxAge mean for keys?", much, excerpt(listed, "Options", 0.6))
    assert found[0].markdown == listed


def test_a_definition_is_how_the_section_of_that_name_begins() -> None:
    uses = excerpt(f"Create a workspace. A workspace has workspaces.\n\n{REST}", "Other", 0.9)
    named = excerpt(f"It holds projects and people.\n\n{REST}", "Workspaces", 0.6)
    extractive = QuoteFinder(stems, lambda markdown: markdown.split("\n\n"))
    found = extractive.quotes("What is a workspace?", words("workspace"), (uses, named))
    assert (found[0].excerpt, found[0].markdown) == (named, "It holds projects and people.")


def test_a_changelog_comes_after_a_guide_that_says_as_much() -> None:
    stated = "Parcelo keys are revoked by an administrator."
    history = replace(excerpt(stated, "History", score=0.75), is_aside=True)
    guide = excerpt("Parcelo keys are revoked in the settings.", "Guide", score=0.7)
    assert quotes("revoke parcelo keys", history, guide)[0].excerpt is guide


def test_a_name_among_other_words_is_looked_up_in_what_was_found_first() -> None:
    table = "| Code | Reason |\n| --- | --- |\n| **401** | Unauthorized |"
    cause = excerpt("Set the environment of the client.", "I get a 401 in Python", score=0.9)
    codes = excerpt(table, "Codes", score=0.4)
    assert quotes("parcelo client in Python gives 401", cause, codes)[0].excerpt is cause
    assert quotes("401", cause, codes)[0].excerpt is codes
