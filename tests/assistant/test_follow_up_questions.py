"""Questions that lean on those before them."""

from __future__ import annotations

import pytest

from docstead.assistant.follow_up_questions import asks_for_another, readings, topic

KEY = "How do I create an API key?"


@pytest.mark.parametrize(
    ("before", "question", "meant"),
    [
        ("How do I install the client for TypeScript?", "and for Python?",
         "How do I install the client for Python?"),
        ("How do I install the TypeScript SDK?", "What about Python?",
         "How do I install the Python SDK?"),
        ("How do I deploy with Docker on AWS?", "with Podman?",
         "How do I deploy with Podman on AWS?"),
        ("What happens to webhooks that fail?", "and the signature?",
         "What happens to webhooks that fail the signature?"),
        (KEY, "How do I revoke it?", "How do I revoke API key?"),
        (KEY, "how long is it valid?", "how long is API key valid?"),
        ("How do I set the timeout in the client?", "What is its default?",
         "What is timeout in the client default?"),
        ("How do I set the timeout in the client?", "And what is the default?",
         "what is the default? How do I set the timeout in the client"),
        ("How do I install the client?", "and on Windows?",
         "How do I install the client on Windows?"),
        ("What does retryCount do?", "how do I turn it off?",
         "how do I turn retryCount off?"),
        ("How do I issue a refund?", "and how long until the customer has the money?",
         "how long until the customer has the money refund"),
        ("How do I configure webhooks?", "Python example",
         "How do I configure webhooks Python example"),
    ],
)  # fmt: skip
def test_the_likeliest_reading_comes_first(before: str, question: str, meant: str) -> None:
    assert readings(question, [before])[0] == meant


@pytest.mark.parametrize(
    "question",
    [
        "How do I bake sourdough bread?",
        "And how do I bake sourdough bread?",
        "Is it possible to hide a tool?",
        "How do I create a queue, pause a queue and resume it?",
        "Thanks!",
        "",
    ],
)
def test_a_question_without_context_is_left_unchanged(question: str) -> None:
    assert readings(question, [KEY]) == ()


def test_what_is_turned_off_is_also_disabled() -> None:
    found = readings("how do I turn it off?", ["How does the telemetry work?"])
    assert found[:2] == ("how do I turn telemetry off?", "how do I disable telemetry?")


@pytest.mark.parametrize(
    ("question", "is_another"),
    [
        ("What about the other one?", True),
        ("is there another way?", True),
        ("and any other options?", True),
        ("Anything else?", True),
        ("What about the other key?", False),
        ("How do I create another one?", False),
        ("", False),
    ],
)
def test_another_answer_is_asked_for(question: str, is_another: bool) -> None:
    assert asks_for_another(question) is is_another


def test_without_a_question_before_nothing_is_read_into_one() -> None:
    assert readings("and for Python?", []) == ()


def test_a_chain_of_questions_is_followed_back() -> None:
    assert readings("can I change that?", [KEY, "how long is it valid?"])[0] == (
        "can I change API key valid?"
    )


@pytest.mark.parametrize(
    ("question", "about"),
    [
        (KEY, "API key"),
        ("What is a workspace?", "workspace"),
        ("Where can I find the log file on JetBrains?", "log file on JetBrains"),
        ("What happens to webhooks that fail?", "webhooks that fail"),
        ("remote server", "remote server"),
    ],
)
def test_what_a_question_is_about(question: str, about: str) -> None:
    assert topic(question) == about
