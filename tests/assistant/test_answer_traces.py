"""Evidence that is stored with an answer for maintainers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chat_server import ChatServer
from docstead.accounts.tenancy import Deployment
from docstead.analytics.conversations import ConversationReports
from docstead.assistant.answer_task import AnswerOptions
from docstead.assistant.answer_trace import AnswerTrace, CheckOutcome, TraceSelection
from docstead.assistant.conversation import ContextItem
from docstead.assistant.writing.answer_writer import SentencePolicy
from docstead.markup.words import ShellTexts

NOT_COVERED = ShellTexts().not_covered
Ask = Callable[..., Any]
Kept = Callable[[Any], AnswerTrace]
KEYS = "How do I create an API key?"
SITE = "https://parcelo.example.com"
CREATE = f"{SITE}/guides/keys#create-a-key"
STRICT = AnswerOptions(falls_back=False)


class TestEvidence:
    @pytest.fixture
    def kept(self, backend: Any, deployment: Deployment) -> Callable[[Any], AnswerTrace]:
        def kept(answer: Any) -> AnswerTrace:
            conversations = ConversationReports(backend.database)
            found = conversations.opened([deployment.id], answer.thread_id)
            trace = found.exchanges[-1].trace
            assert trace is not None
            return trace

        return kept

    @pytest.mark.parametrize(
        ("policy", "outcome"),
        [(SentencePolicy.DROP, CheckOutcome.DROPPED), (SentencePolicy.FLAG, CheckOutcome.FLAGGED)],
    )
    def test_every_sentence_with_what_became_of_it(
        self,
        ask_model: Ask,
        model_server: ChatServer,
        kept: Kept,
        policy: SentencePolicy,
        outcome: CheckOutcome,
    ) -> None:
        model_server.pieces = ["Sure! Open Settings and choose Keys. The key is shown twice."]
        checks = kept(ask_model(KEYS, answer_options=AnswerOptions(policy=policy))).checks
        assert [each.outcome for each in checks] == [
            CheckOutcome.CONNECTIVE,
            CheckOutcome.SUPPORTED,
            outcome,
        ]
        assert checks[1].quote == "Open Settings and choose Keys."
        assert checks[1].url.startswith(f"{CREATE}:~:text=")
        assert (checks[2].sentence, bool(checks[2].reason)) == ("The key is shown twice.", True)

    def test_the_passages_that_the_model_was_given(
        self, ask_model: Ask, model_server: ChatServer, kept: Kept
    ) -> None:
        model_server.pieces = ["Open Settings and choose Keys."]
        given = kept(ask_model(KEYS)).given
        assert given[0].url == CREATE
        assert "Press **New key**" in given[0].text

    def test_the_element_of_a_selection_reaches_the_model_and_the_record(
        self, ask_model: Ask, model_server: ChatServer, kept: Kept
    ) -> None:
        selection = ContextItem("parcelo.send()", path="/guides/install", element_id="send-code")
        answer = ask_model(KEYS, context=(selection,))
        shown = "The reader selected this text on /guides/install in the element send-code:"
        assert shown in model_server.last_messages[-1]["content"]
        assert kept(answer).selected == (TraceSelection("/guides/install", "send-code"),)

    def test_checks_of_an_answer_that_broke_off(
        self, ask_model: Ask, model_server: ChatServer, kept: Kept
    ) -> None:
        model_server.pieces, model_server.breaks_after = ["Copy the key. ", "Copy the", " key."], 2
        assert [each.sentence for each in kept(ask_model(KEYS)).checks] == ["Copy the key."]
