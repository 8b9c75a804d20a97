"""Confidence that the first quote answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docstead.assistant.events import TextDelta
from docstead.assistant.extractive.answerability import SemanticSimilarity
from docstead.assistant.extractive.confidence import QuoteTraits, is_sure, traits_of
from docstead.assistant.extractive.evidence import Excerpt, QuestionWord
from docstead.assistant.replies import quoted
from docstead.assistant.retrieval import RetrievedPassages
from docstead.search.documents import Passage

LIKELY = QuoteTraits(covered=1.0, cosine=0.6, lead=0.3, ahead=0.3, titled=0.3, leads=3, links=0.0)


def stems(text: str) -> frozenset[str]:
    return frozenset(text.lower().replace(".", "").split())


def excerpt(page: str, markdown: str, score: float, cosine: float, share: float) -> Excerpt:
    return Excerpt(f"https://docs/{page}#a", page.title(), ("A",), markdown, score, share, cosine)


@pytest.mark.parametrize(
    "worse",
    [{"covered": 0.0}, {"cosine": 0.0, "lead": 0.1}, {"ahead": -0.6, "leads": 0}, {"links": 1.0}],
)
def test_a_quote_is_sure_unless_one_of_its_traits_is_poor(worse: dict[str, float]) -> None:
    assert is_sure(LIKELY)
    assert not is_sure(replace(LIKELY, **worse))


def test_a_quote_may_be_a_little_unsure() -> None:
    unsure = replace(LIKELY, covered=0.8, cosine=0.4, lead=0.15, ahead=0.0, titled=0.0, leads=2)
    assert is_sure(unsure)
    assert not is_sure(replace(unsure, cosine=0.35))


def test_traits_compare_the_quote_with_what_else_was_found() -> None:
    first = excerpt("keys", "Revoked keys stop. See [more](/more).", 0.9, 0.7, 0.2)
    same = excerpt("keys", "Keys are strings.", 0.8, 0.5, 0.1)
    other = excerpt("logs", "Logs of keys.", 0.6, 0.4, 0.5)
    words = [QuestionWord(("revoked",), 3.0), QuestionWord(("keys",), 1.0)]
    traits = traits_of(first, first.markdown, [first, same, other], words, stems, lead=0.25)
    assert traits.covered == 1.0
    assert traits.titled == 0.25
    assert traits.ahead == pytest.approx(0.3)
    assert traits.leads == 2  # not by words
    assert traits.links == pytest.approx(1 / 6)


def test_translations_do_not_count() -> None:
    first = replace(excerpt("keys", "Revoked keys stop.", 0.6, 0.7, 0.2), language="en")
    translated = replace(excerpt("es/keys", "Keys.", 0.8, 0.8, 0.5), language="es")
    alike = replace(excerpt("logs", "Logs.", 0.4, 0.4, 0.1), language=None)
    words = [QuestionWord(("revoked",), 3.0)]
    traits = traits_of(first, first.markdown, [translated, first, alike], words, stems, lead=0.25)
    assert traits.ahead == pytest.approx(0.2)  # of the page without a language
    assert traits.leads == 3


def found(question: str, lead: float, cosine: float | None) -> RetrievedPassages:
    text = "Revoked keys stop.\n\n`maxAge` (integer)\n\nSeconds that a key lives."
    one = replace(excerpt("keys", text, 0.7, 0.0, 0.5), cosine=cosine)
    other = replace(excerpt("blanks", "Blank keys.", 0.6, 0.0, 0.6), cosine=cosine)
    words = tuple(QuestionWord((each,), 2.0) for each in sorted(stems(question)))
    passage = Passage("keys", "Keys", ("A",), "a", text, 0.7)
    nearness = None if cosine is None else SemanticSimilarity(lead, lambda texts: 0.0)
    return RetrievedPassages(question, (passage,), (one, other), words, True, stems, nearness)


@pytest.mark.parametrize(
    ("question", "cosine", "is_answered"),
    [
        ("why do keys turn blank after an hour", 0.3, False),
        ("why do revoked keys stop", 0.8, True),
        ("why do keys turn blank after an hour", None, True),  # by words only
        ("maxAge", 0.3, True),  # listed by its name
        ("keys", 0.1, True),  # the page's name
        ("blanks", 0.1, True),
    ],
)
def test_a_quote_that_is_not_likely_to_answer_is_none(
    question: str, cosine: float | None, is_answered: bool
) -> None:
    said = [
        each.text for each in quoted(found(question, 0.4, cosine)) if isinstance(each, TextDelta)
    ]
    assert bool(said) == is_answered


@pytest.mark.parametrize(
    ("elsewhere", "is_answered"), [("Blank keys.", True), ("`403 Gone`", False)]
)
def test_code_that_a_question_repeats_is_sure_if_only_one_page_has_it(
    elsewhere: str, is_answered: bool
) -> None:
    asked = found("every request says 403 gone since monday", 0.0, 0.3)
    one, other = asked.candidates
    one = replace(one, markdown="A key that expired gets `403 Gone`.")
    asked = replace(asked, candidates=(one, replace(other, markdown=elsewhere)))
    assert bool(list(quoted(asked))) == is_answered
