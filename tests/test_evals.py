"""The floors of the evaluations that are always the same."""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from corpus import Corpus

EVALS = Path(__file__).parent.parent / "evals"


#: Questions that our own documentation answers, each with what the answer must have.
COVERED = {
    "What is DOCSTEAD_SEARCH_BY_MEANING for?": "whether search also compares meanings",
    "What is model_fallback?": "the reader gets an error instead",
    "What does assistant_check = flag do?": "they are sent, and marked",
    "How long is a key shown after it is created?": "shown once",
    "What happens to answers when the connection is lost?": "finished and kept",
    "Which frontmatter keeps a page from search?": "noindex",
    "How do I revoke a key?": "docstead keys revoke",
    "How many times may the model use tools for an answer?": "six times",
}
NOT_COVERED = (
    "How do I connect Firebase as an auth provider?",
    "Does it run on an Arduino?",
    "How do I bill customers with Stripe?",
    "Can I import from Confluence?",
    "Is there a Grafana dashboard?",
    "How do I deploy with Terraform?",
    "How do I sync with Notion?",
    "What is the capital of France?",
)


@pytest.fixture(autouse=True)
def _evals_are_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(EVALS), *sys.path])


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Our own documentation, found by words alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(EVALS), *sys.path])
        from citations import OWN_DOCS
        from corpus import opened

        options = argparse.Namespace(cache=tmp_path_factory.mktemp("cache"), words_alone=True)
        return opened("own", OWN_DOCS, options)


def test_invented_sentences_are_left_out_and_supported_ones_are_not(own: Corpus) -> None:
    from chat_server import chat_server
    from citations import Score, Trial, run, writing_of

    good, lost = Score(), Score()
    with chat_server() as server:
        trial = Trial(own, server, writing_of(server, None), random.Random(3), good, lost)
        run(trial, 18)
    assert sum(good.made.values()) + sum(lost.made.values()) >= 100
    # Without a sentence model, and on pages that change: the bar itself is the command's.
    assert 1 - lost.share() >= 0.95, lost.wrong
    assert 1 - good.share() <= 0.05, good.wrong  # no sentence model helps here


def test_answers_without_a_model_have_the_facts_and_know_when_to_say_no(own: Corpus) -> None:
    answers = {question: own.ask(question) for question in COVERED}
    right = [fact in answers[question].text for question, fact in COVERED.items()]
    assert all(answer.pages for answer in answers.values())
    assert sum(right) >= 0.85 * len(right), dict(zip(COVERED, right, strict=True))
    refused = [not own.ask(question).pages for question in NOT_COVERED]
    assert sum(refused) >= 0.9 * len(refused) - 0.5, dict(zip(NOT_COVERED, refused, strict=True))


def test_nobody_who_lies_in_wait_gets_anything() -> None:
    from injection import run
    from injections import payloads

    chosen = list(payloads())
    assert len(chosen) >= 300
    assert run(chosen[::24]) == []
