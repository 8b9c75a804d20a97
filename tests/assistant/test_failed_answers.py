"""Questions that a model refuses, and answers that it fails to write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from chat_server import Call, ChatServer, Reply, Rule
from docstead.assistant.answer_task import AnswerOptions
from docstead.assistant.answer_trace import AnswerTrace
from docstead.assistant.events import (
    AnswerFailed,
    AnswerFinished,
    SourceFound,
    TokenUsage,
)
from docstead.assistant.prompt import NOT_COVERED_MARK
from docstead.assistant.refusals import SupportContact
from docstead.markup.words import ShellTexts
from docstead.storage.schema import turns

NOT_COVERED = ShellTexts().not_covered
Ask = Callable[..., Any]
Kept = Callable[[Any], AnswerTrace]
KEYS = "How do I create an API key?"
SITE = "https://parcelo.example.com"
STRICT = AnswerOptions(falls_back=False)


class TestRefusals:
    @pytest.mark.parametrize(
        "pieces",
        [
            ["\n[not", " cov", "ered] Sorry", ", but in general you can use Mars keys."],
            [NOT_COVERED_MARK, " Pass `--mars`, which is not documented."],
            [NOT_COVERED_MARK],
        ],
    )
    def test_what_is_not_covered_has_no_sources(
        self, ask_model: Ask, model_server: ChatServer, pieces: list[str]
    ) -> None:
        model_server.pieces = pieces
        answer = ask_model("Do API keys work on Mars?")
        assert answer.text.startswith(NOT_COVERED)
        assert "Mars keys" not in answer.text
        assert answer.urls == []
        assert answer.events[-1] == AnswerFinished(answer.thread_id, False, TokenUsage(0, 0))

    @pytest.mark.parametrize(
        "said",
        [
            "The documentation does not cover keys on Mars.",
            "Die Dokumentation behandelt Schlüssel auf dem Mars nicht.",
            "文档没有提到火星上的密钥。",
        ],
    )
    def test_a_refusal_is_the_words_of_the_model(
        self, ask_model: Ask, model_server: ChatServer, said: str
    ) -> None:
        model_server.pieces = [NOT_COVERED_MARK, f" {said} In general they need oxygen."]
        answer = ask_model("Do API keys work on Mars?")
        assert answer.text.startswith(f"{said}\n\nI looked for")
        assert "oxygen" not in answer.text
        assert answer.urls == []
        assert answer.events[-1] == AnswerFinished(answer.thread_id, False, TokenUsage(0, 0))

    def test_the_words_around_a_refusal_are_in_the_language_of_the_question(
        self, ask_model: Ask, model_server: ChatServer
    ) -> None:
        said = "Die Dokumentation behandelt Schlüssel auf dem Mars nicht."
        model_server.rules = [
            Rule("<note>", Reply("Which keys are there for planets?")),
            Rule("", Reply(f"{NOT_COVERED_MARK} {said}")),
        ]
        support = SupportContact("https://help.example.com")
        question = "Wie erstelle ich einen Schlüssel für einen Planeten?"
        answer = ask_model(question, answer_options=AnswerOptions(support=support))
        assert answer.text.startswith(f"{said}\n\nGesucht wurde nach `{question[:-1]}`.")
        assert "Fragen Sie gern hier nach: [unser Support](https://help" in answer.text
        assert answer.data("nearest")

    def test_an_answer_that_no_passage_says_has_no_sources_and_is_a_gap(
        self, ask_model: Ask, model_server: ChatServer
    ) -> None:
        model_server.pieces = ["Keys work on Mars. They need oxygen."]
        answer = ask_model("Do API keys work on Mars?")
        assert answer.text.startswith("Keys work on Mars. They need oxygen.")
        assert answer.urls == []
        assert answer.events[-1] == AnswerFinished(answer.thread_id, False, TokenUsage(0, 0))

    @pytest.mark.parametrize(
        ("pieces", "said"),
        [
            (["You are welcome!"], "You are welcome!"),
            (["My pleasure!"], "My pleasure!"),
            ([NOT_COVERED_MARK], ShellTexts().small_talk),
        ],
    )
    def test_thanks_are_the_models_to_answer_and_no_gap(
        self, ask_model: Ask, model_server: ChatServer, pieces: list[str], said: str
    ) -> None:
        model_server.pieces = pieces
        answer = ask_model("Thanks!")
        assert answer.text.startswith(said)
        assert answer.events[-1] == AnswerFinished(answer.thread_id, True, TokenUsage(0, 0))

    def test_it_says_what_was_looked_for_and_what_is_near(
        self, ask_model: Ask, model_server: ChatServer
    ) -> None:
        search = Call("search_documentation", {"query": "keys in space"})
        model_server.rules = [
            Rule(lambda said: not said.used, Reply(calls=(search,))),
            Rule("", Reply(NOT_COVERED_MARK)),
        ]
        answer = ask_model("Do API keys work on Mars?")
        assert "I looked for `Do API keys work on Mars`, `keys in space`." in answer.text
        assert {"title": "API keys", "url": f"{SITE}/guides/keys"} in answer.data("nearest")

    @pytest.mark.parametrize(
        ("contact", "link"),
        [
            ("help@example.com", "[help@example.com](mailto:help@example.com)"),
            (
                "https://help.example.com/new?x=1",
                "(https://help.example.com/new?x=1&threadId={id})",
            ),
        ],
    )
    def test_support_is_named(
        self, ask_model: Ask, model_server: ChatServer, contact: str, link: str
    ) -> None:
        model_server.pieces = [NOT_COVERED_MARK]
        answer = ask_model(
            "Do keys work on Mars?", answer_options=AnswerOptions(support=SupportContact(contact))
        )
        assert link.format(id=answer.thread_id) in answer.text
        assert answer.data("support")["url"] in answer.text


class TestWritingFailures:
    def test_an_answer_that_begins_like_the_mark_is_an_answer(
        self, ask_model: Ask, model_server: ChatServer
    ) -> None:
        model_server.pieces = ["[no", "te] Hello. Copy the key."]
        assert "Copy the key." in ask_model(KEYS).text

    @pytest.mark.parametrize("reply", [Reply(status=401), Reply(), Reply(garbage=b"x\n")])
    def test_quotes_stand_in_for_a_model_that_fails(
        self, ask_model: Ask, model_server: ChatServer, reply: Reply
    ) -> None:
        model_server.rules = [Rule("", reply)]
        answer = ask_model(KEYS)
        assert answer.text.startswith(ShellTexts().quoted)
        assert answer.urls
        assert answer.is_finished

    def test_or_the_answer_fails_and_reveals_no_detail(
        self, ask_model: Ask, model_server: ChatServer
    ) -> None:
        model_server.status = 500
        answer = ask_model(KEYS, answer_options=STRICT)
        failed = answer.events[-1]
        assert isinstance(failed, AnswerFailed)
        assert failed.thread_id == answer.thread_id
        assert "secret" not in failed.message
        assert not any(isinstance(event, SourceFound) for event in answer.events)

    def test_what_was_said_before_a_break_is_kept(
        self, ask_model: Ask, model_server: ChatServer, backend: object
    ) -> None:
        model_server.pieces, model_server.breaks_after = ["Copy the key. ", "Open ", "x"], 2
        answer = ask_model(KEYS)
        assert answer.text.startswith("Copy the key. [1](")
        assert isinstance(answer.events[-1], AnswerFailed)
        with backend.database.reading() as connection:  # type: ignore[attr-defined]
            stored = connection.execute(select(turns.c.answer)).scalars().all()
        assert stored == [answer.text]
