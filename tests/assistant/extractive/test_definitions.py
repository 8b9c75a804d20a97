"""Sections that introduce what a question asks the meaning of."""

from __future__ import annotations

import pytest

from docstead.assistant.extractive.definitions import DefinitionQuestion
from docstead.assistant.extractive.evidence import Excerpt
from docstead.assistant.extractive.quotes import QuoteFinder


def stems(text: str) -> frozenset[str]:
    """Words without plural and articles, enough for these texts."""
    words = "".join(c if c.isalnum() else " " for c in text.lower()).split()
    return frozenset(word.removesuffix("s") for word in words if word not in ("a", "an", "the"))


def blocks(markdown: str) -> list[str]:
    return markdown.split("\n\n")


def section(markdown: str, *names: str, link: str = "https://docs/page") -> Excerpt:
    return Excerpt(link, names[0], names[1:], markdown, 0.7)


def introduced(question: str, excerpt: Excerpt) -> str:
    found = DefinitionQuestion(question, (), stems, blocks).introduced(excerpt)
    return found[1] if found else ""


HOOKS = section("Learn more.\n\n**A hook** is a step of the build. It may fail.", "Build hooks")


@pytest.mark.parametrize(
    "question",
    [
        "What is a hook?",
        "what are hooks",
        "What's a hook?",
        "What does hook mean?",
        "explain hooks",
        "What is the meaning of hook?",
    ],
)
def test_a_sentence_that_says_what_it_is_introduces_it(question: str) -> None:
    assert introduced(question, HOOKS) == "**A hook** is a step of the build. It may fail."


@pytest.mark.parametrize(
    "text",
    [
        "Hooks are added to the settings of a build.",
        "A hook is not run twice.",
        "`hook` (string)",
        "| Hook | is a | row | of | a | table |",
        "- Hooks are a list",
        "It is a hook.",
    ],
)
def test_what_says_something_else_does_not(text: str) -> None:
    assert introduced("What is a hook?", section(text, "Build hooks", "Settings")) == ""


def test_other_questions_ask_no_meaning() -> None:
    assert not DefinitionQuestion("How do I add a hook?", (), stems, blocks)
    assert not DefinitionQuestion("What is?", (), stems, blocks)


def test_what_introduces_it_is_quoted_before_what_lists_it() -> None:
    fields = section("`hook` (string)\n\nThe hook.", "List hooks", "Body", link="https://docs/list")
    does = section("Hooks let you change a build.", "Hooks", "Overview", link="https://docs/does")
    begins = section("Hook runners pause a build until they end.", "Builds", link="https://docs/b")
    extractive = QuoteFinder(stems, blocks)
    quotes = extractive.quotes("What is a hook?", (), (fields, begins, does, HOOKS))
    assert [each.excerpt for each in quotes] == [HOOKS, does, begins]


def test_a_list_that_a_definition_announces_is_kept() -> None:
    text = "A run is one go of a task. It has:\n\n- an id\n- a status\n\nMore."
    assert introduced("What is a run?", section(text, "Runs")) == text.removesuffix("\n\nMore.")
