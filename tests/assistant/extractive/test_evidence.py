"""Relevance of excerpts to questions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docstead.assistant.extractive.answerability import SemanticSimilarity, is_covered
from docstead.assistant.extractive.evidence import Excerpt, QuestionWord, evidence_in

KEYS = Excerpt("https://docs/keys", "Keys", (), "Revoked keys stop working at once.", 0.5)


def stems(text: str) -> frozenset[str]:
    return frozenset("".join(c if c.isalnum() else " " for c in text.lower()).split())


def words(question: str, *, names: str = "") -> list[QuestionWord]:
    return [
        QuestionWord((stem,), 3.0, is_name=stem in stems(names)) for stem in sorted(stems(question))
    ]


def covered(question: str, excerpt: Excerpt = KEYS, **options: object) -> bool:
    lead, said = options.pop("lead", None), options.pop("said", 0.0)
    nearness = None if lead is None else SemanticSimilarity(lead, lambda _: said)
    asked = words(question, **options)
    return is_covered(question, [excerpt], asked, stems, nearness)


@pytest.mark.parametrize(
    "question", ["capital of france", "bake sourdough bread at home", "", "weather tomorrow"]
)
def test_what_has_other_words_is_not_covered(question: str) -> None:
    assert not covered(question)


def test_a_name_is_covered_where_it_is_listed() -> None:
    listed = replace(KEYS, markdown="**423**\n\nThe barge is impounded.")
    assert covered("What does error 423 mean?", listed, lead=0.0)
    assert not covered("What does error 424 mean?", listed, lead=0.0)
    assert not covered("Who pays for a 423?", listed, lead=0.0)


def test_a_passage_with_every_word_is_enough_by_words_only() -> None:
    assert covered("revoked keys stop")


def test_nothing_found_covers_nothing() -> None:
    assert not is_covered("revoked keys", [], words("revoked keys"), stems)


def test_meaning_decides_where_words_do_not() -> None:
    question = "revoked keys expire immediately"
    near, far = replace(KEYS, cosine=0.8), replace(KEYS, cosine=0.1)
    assert covered(question, near, lead=0.3, said=0.6)
    assert not covered(question, far, lead=0.02, said=0.1)


def test_a_sentence_near_the_question_turns_the_scale() -> None:
    excerpt = replace(KEYS, cosine=0.45)
    question = "revoked keys expire immediately"
    assert not covered(question, excerpt, lead=0.2, said=0.1)
    assert covered(question, excerpt, lead=0.2, said=0.95)


def test_a_number_that_is_asked_for_has_to_stand_with_the_words() -> None:
    question = "how many revoked keys stop at once"
    without = replace(KEYS, cosine=0.5)
    with_number = replace(without, markdown="At most 20 revoked keys stop at once, how many.")
    assert not covered(question, without, lead=0.15, said=0.5)
    assert covered(question, with_number, lead=0.15, said=0.5)


def test_who_asks_whether_needs_more_than_who_asks_which() -> None:
    excerpt = replace(KEYS, cosine=0.5)
    assert covered("which revoked keys stop", excerpt, lead=0.15, said=0.7)
    assert not covered("can revoked keys stop", excerpt, lead=0.15, said=0.7)


def test_a_request_to_confirm_asks_whether() -> None:
    found = [
        covered(f"{begin} revoked keys stop", KEYS, lead=0.05, said=said)
        for said in (0.5, 0.6, 0.7, 0.8, 0.9)
        for begin in ("Can you confirm", "Do you confirm")
    ]
    assert found[::2] == found[1::2]


@pytest.mark.parametrize(
    "question",
    [
        "It would be nice to see revoked keys in a list",
        "There doesn't seem to be any list of revoked keys",
        "There is no way to list revoked keys",
        "Why not provide a list of revoked keys?",
        "Any plans to list revoked keys?",
    ],
)
def test_a_wish_is_covered_by_nearly_all_of_its_words_only(question: str) -> None:
    listing = replace(KEYS, markdown=f"Keys, with all that one may ask: {question}")
    assert not covered(question, replace(KEYS, cosine=0.9), lead=0.9, said=0.9)
    assert covered(question, listing, lead=0.9, said=0.9)


def test_a_wish_that_asks_how_is_a_question() -> None:
    question = "It would be nice to list revoked keys. How do I stop them at once?"
    assert covered(question, replace(KEYS, cosine=0.9), lead=0.9, said=0.9)


@pytest.mark.parametrize("said", [0.5, 0.6, 0.7, 0.8, 0.9])
def test_can_i_asks_how(said: float) -> None:
    found = [
        covered(f"{begin} stop revoked keys", KEYS, lead=0.05, said=said)
        for begin in ("How do I", "Can I", "Could we")
    ]
    assert len(set(found)) == 1


def test_a_missing_name_weighs_more_than_another_word() -> None:
    question, excerpt = "revoked keys stop okta", replace(KEYS, cosine=0.6)
    assert covered(question, excerpt, lead=0.25, said=0.4)
    assert not covered(question, excerpt, lead=0.25, said=0.4, names="okta")


def test_words_in_code_count_for_less() -> None:
    question = words("revoked keys stop")
    code = replace(KEYS, markdown="```\nrevoked keys stop\n```", title="Other")
    assert evidence_in(code, question, stems).coverage < 1
    assert evidence_in(KEYS, question, stems).coverage == pytest.approx(1)


def test_a_word_instead_of_another_counts_by_how_near_it_is() -> None:
    def coverage(*near: tuple[str, float]) -> float:
        asked = [QuestionWord(("stop",), 3.0), QuestionWord((), 3.0, near=near)]
        return evidence_in(KEYS, asked, stems).coverage

    assert coverage() == pytest.approx(0.5)
    assert 0.5 < coverage(("revoked", 0.65)) < coverage(("revoked", 0.9)) < 1
    assert coverage(("annulled", 0.9)) == pytest.approx(0.5)


def test_words_that_stand_together_are_distinguished_from_scattered_ones() -> None:
    question = words("revoked keys stop")
    apart = replace(KEYS, title="Other", markdown="Revoked.\n\nKeys.\n\nThey stop.")
    scattered = evidence_in(apart, question, stems)
    assert scattered.coverage == evidence_in(KEYS, question, stems).coverage
    assert scattered.together == pytest.approx(1 / 3)
    assert evidence_in(KEYS, question, stems).together == pytest.approx(1)
