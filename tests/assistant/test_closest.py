"""Closest sections of a question without a direct answer."""

from __future__ import annotations

import pytest

from docstead.assistant.closest import closest_sections
from docstead.assistant.extractive.evidence import Excerpt, QuestionWord
from docstead.assistant.retrieval import RetrievedPassages
from docstead.assistant.section_links import SectionLink
from docstead.search.documents import Passage

CAPITAL = QuestionWord(("capital",), 4.0, also=("chief",), near=(("social", 0.72),))


def closest(markdown: str, cosine: float | None = None, *, is_understood: bool = True) -> list[str]:
    sections = closest_to_capital(markdown, cosine, is_understood=is_understood)
    return [each.url.partition("#")[0] for each in sections]


def closest_to_capital(
    markdown: str, cosine: float | None = None, *, is_understood: bool = True
) -> tuple[SectionLink, ...]:
    passage = Passage("posts", "Posts", (), "", markdown, 1.0)
    excerpt = Excerpt("/posts", "Posts", (), markdown, 1.0, cosine=cosine)
    found = RetrievedPassages(
        "capital",
        (passage,),
        (excerpt,),
        (CAPITAL,),
        False,
        lambda t: frozenset(t.lower().split()),
        is_understood=is_understood,
    )
    return closest_sections(found)


@pytest.mark.parametrize(
    ("markdown", "near"),
    [
        ("the capital city", True),
        ("the chief city", True),  # a synonym
        ("a post on social media", False),  # only a near-synonym
        ("nothing of it", False),
    ],
)
def test_sections_with_a_word_or_synonym_are_near(markdown: str, near: bool) -> None:
    assert closest(markdown) == (["/posts"] if near else [])


def test_sections_with_a_similar_meaning_are_near() -> None:
    assert closest("a post on social media", cosine=0.45) == ["/posts"]
    assert closest("a post on social media", cosine=0.44) == []


def test_sections_with_a_word_and_another_meaning_are_not_near() -> None:
    assert closest("the capital city", cosine=0.25) == ["/posts"]
    assert closest("the capital city", cosine=0.24) == []


def test_a_word_of_a_question_translated_in_part_is_not_enough() -> None:
    assert closest("the capital city", cosine=0.44, is_understood=False) == []
    assert closest("the capital city", cosine=0.45, is_understood=False) == ["/posts"]
    assert closest("the capital city", is_understood=False) == ["/posts"]  # no vectors


@pytest.mark.parametrize(
    "unfit",
    [
        "![The capital on a map of roads](/map.png)",
        "![The capital on a map of roads](/map.png)\n\nThe capital on a map of roads",
        "On the capital see the [reference](/capital) for details.",
        "Learn more about the capital in [this guide](/capital).",
    ],
)
def test_no_picture_or_pointer_says_what_a_section_contains(unfit: str) -> None:
    sections = closest_to_capital(f"{unfit}\n\nThe largest city is not the capital of it.")
    assert [each.sentence for each in sections] == ["The largest city is not the capital of it."]
    assert [each.sentence for each in closest_to_capital(unfit)] == [""]


def test_a_section_without_sentences_has_its_introduction() -> None:
    introduction = "List the capital of each country:\n\n```bash\ncapital list\n```"
    assert [s.sentence for s in closest_to_capital(introduction)] == [
        "List the capital of each country…"
    ]
    sections = closest_to_capital(f"{introduction}\n\nIt takes a minute or two.")
    assert [each.sentence for each in sections] == ["It takes a minute or two."]
