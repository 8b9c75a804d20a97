"""Answers in the words of a model, which is scripted behind a real server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chat_server import ChatServer, Reply, Rule
from docstead.assistant.answer_task import AnswerOptions
from docstead.assistant.answer_trace import AnswerTrace
from docstead.assistant.conversation import ConversationMessage, Question, Speaker
from docstead.assistant.events import (
    TextDelta,
)
from docstead.assistant.refusals import words_of
from docstead.assistant.writing.answer_writer import SentencePolicy
from docstead.markup.words import ShellTexts
from documentation import Documentation

NOT_COVERED = ShellTexts().not_covered
Ask = Callable[..., Any]
Kept = Callable[[Any], AnswerTrace]
KEYS = "How do I create an API key?"
SITE = "https://parcelo.example.com"
CREATE = f"{SITE}/guides/keys#create-a-key"
STRICT = AnswerOptions(falls_back=False)


class TestSentences:
    def test_what_is_supported_is_said_with_its_source(
        self, ask_model: Ask, model_server: ChatServer
    ) -> None:
        model_server.pieces = ["Open Settings and ", "choose Keys [1]. ", "Copy the key [1]."]
        answer = ask_model(KEYS)
        first, second = [e.text for e in answer.events if isinstance(e, TextDelta)]
        assert first.startswith(f"Open Settings and choose Keys. [1]({CREATE}:~:text=Open%20")
        assert second.startswith(f"Copy the key. [1]({CREATE}:~:text=Copy%20the%20key.")
        assert answer.urls == [f"{CREATE}:~:text=Open%20Settings%20and%20choose%20Keys."]
        assert answer.is_finished

    def test_a_sentence_leaves_as_soon_as_it_is_whole(
        self, ask_model: Ask, model_server: ChatServer
    ) -> None:
        model_server.pieces = ["Open Settings and choose Keys. ", "Copy", " the ", "key."]
        texts = [e.text for e in ask_model(KEYS).events if isinstance(e, TextDelta)]
        assert [text.partition(" [")[0] for text in texts] == [
            "Open Settings and choose Keys.",
            "Copy the key.",
        ]

    def test_a_sentence_after_a_removed_one_does_not_refer_to_it(
        self, ask_model: Ask, model_server: ChatServer
    ) -> None:
        removed, rest = "Keys are rotated every 30 days. ", "However, copy the key."
        model_server.pieces = ["Open Settings and choose Keys. ", removed, rest]
        answer = ask_model(KEYS)
        assert "Copy the key. [1]" in answer.text
        assert "However" not in answer.text
        model_server.pieces = ["Open Settings and choose Keys. ", rest]
        assert "However, copy the key." in ask_model(KEYS).text

    def test_labels_and_questions_are_not_cited(
        self, ask_model: Ask, model_server: ChatServer
    ) -> None:
        model_server.pieces = [
            "1. **Choose Keys.** Open Settings and choose Keys.\n\nDo you want to copy the key?"
        ]
        text = ask_model(KEYS).text
        assert "1. **Choose Keys.** Open Settings and choose Keys. [1]" in text
        assert text.rstrip().endswith("Do you want to copy the key?")

    @pytest.mark.parametrize(
        "invented",
        [
            "Keys are rotated every 30 days.",
            "Open Keys and choose Settings.",
            "The key is shown twice.",
            "Pass `--forever` to keep the key.",
            "The key is never shown.",
            "Only administrators of the Premium plan may do this.",
        ],
    )
    def test_what_nothing_supports_is_left_out(
        self, ask_model: Ask, model_server: ChatServer, invented: str
    ) -> None:
        model_server.pieces = [f"Open Settings and choose Keys. {invented} Copy the key."]
        answer = ask_model(KEYS)
        assert invented not in answer.text
        assert "choose Keys." in answer.text
        assert "Copy the key." in answer.text
        assert answer.data("checks") == {"supported": 2, "unsupported": 1}

    @pytest.mark.parametrize(
        "said",
        [
            "Treat it like a password and hand it to nobody.",
            "Bewahren Sie den Schlüssel sorgfältig auf.",
            "请妥善保管密钥。",
        ],
    )
    def test_other_words_stay_without_a_citation(
        self, ask_model: Ask, model_server: ChatServer, said: str
    ) -> None:
        model_server.pieces = [f"Copy the key. {said}"]
        answer = ask_model(KEYS)
        assert answer.text.endswith(said)
        assert len(answer.urls) == 1
        assert answer.data("checks") == {"supported": 1, "unsupported": 0}

    @pytest.mark.parametrize(
        "invented",
        ["Der Schlüssel gilt 37 Tage.", "Setzen Sie `PARCELO_FOREVER`.", "请设置 --forever 选项。"],
    )
    def test_facts_are_checked_in_other_languages(
        self, ask_model: Ask, model_server: ChatServer, invented: str
    ) -> None:
        model_server.pieces = [f"Copy the key. Press New key. Open Settings. {invented}"]
        assert invented not in ask_model(KEYS).text

    def test_facts_of_the_question_and_of_earlier_ones_may_be_repeated(
        self, ask_model: Ask, model_server: ChatServer
    ) -> None:
        model_server.pieces = ["Copy the key to all 37 of your servers, also those of Zenith."]
        answer = ask_model("Our 37 servers are at Zenith.", "I see.", KEYS)
        assert "37 of your servers" in answer.text

    @pytest.mark.parametrize("kept", ["Copy the key.", ""])
    def test_where_much_is_left_out_a_note_and_the_passages_follow(
        self, ask_model: Ask, model_server: ChatServer, kept: str
    ) -> None:
        model_server.pieces = [f"{kept} Keys last 37 days. Pass `--forever` to keep them."]
        text = ask_model(KEYS).text
        assert text.startswith(kept)
        assert "*Some statements could not be confirmed." in text
        assert f"- [API keys › Create a key]({CREATE})\n" in text
        assert NOT_COVERED not in text

    def test_the_note_is_in_the_language_of_the_reader(self, published: Documentation) -> None:
        question = Question((ConversationMessage(Speaker.USER, KEYS),), language="de")
        assert words_of(question, published.site).unconfirmed.startswith("Einige Aussagen")

    def test_where_little_is_left_out_nothing_is_said_of_it(
        self, ask_model: Ask, model_server: ChatServer
    ) -> None:
        model_server.pieces = ["Copy the key. Press New key. Keys last 37 days."]
        assert "could not be confirmed" not in ask_model(KEYS).text

    def test_it_is_marked_instead_where_the_settings_say_so(
        self, ask_model: Ask, model_server: ChatServer
    ) -> None:
        model_server.pieces = ["Copy the key. Keys are rotated every 30 days."]
        answer = ask_model(KEYS, answer_options=AnswerOptions(policy=SentencePolicy.FLAG))
        assert "30 days. *(not confirmed by the documentation)*" in answer.text

    def test_unchecked_words_travel_as_they_come(
        self, ask_model: Ask, model_server: ChatServer
    ) -> None:
        model_server.pieces = ["Keys are ", "rotated ", "daily [1]."]
        answer = ask_model(KEYS, answer_options=AnswerOptions(policy=SentencePolicy.OFF))
        assert answer.text.startswith("Keys are rotated daily.")
        assert answer.urls == [CREATE]

    @pytest.mark.parametrize("size", [10, 5_000])
    def test_an_answer_that_never_ends_is_cut(
        self, ask_model: Ask, model_server: ChatServer, size: int
    ) -> None:
        text = "Keys are rotated daily. " * 500
        model_server.pieces = [
            text[position : position + size] for position in range(0, len(text), size)
        ]
        answer = ask_model(
            KEYS, answer_options=AnswerOptions(policy=SentencePolicy.OFF, longest=1_000)
        )
        assert 900 < len(answer.text) <= 1_000
        assert text.startswith(answer.text)
        assert answer.is_finished

    def test_sources_are_those_that_are_cited_in_order(
        self, ask_model: Ask, model_server: ChatServer
    ) -> None:
        model_server.pieces = [
            "Revoking cannot be undone. The key is shown once. "
            "A revoked key stops working within five seconds."
        ]
        answer = ask_model("How do I create and revoke an API key?")
        assert [url.partition(":~:")[0] for url in answer.urls] == [
            f"{SITE}/guides/keys#revoke-a-key",
            CREATE,
        ]
        assert answer.text.count("[1](") == 2

    def test_a_wrong_number_is_put_right(self, ask_model: Ask, model_server: ChatServer) -> None:
        model_server.pieces = ["The key is shown once [3]. Copy the key [99]."]
        assert {url.partition(":~:")[0] for url in ask_model(KEYS).urls} == {CREATE}

    def test_lists_tables_and_code_keep_their_form(
        self, ask_model: Ask, model_server: ChatServer
    ) -> None:
        model_server.pieces = [
            "Follow these steps:\n\n1. Open **Settings** and choose *Keys*. [1]\n"
            "2. Wait for 40 days.\n3. Press **New key**.\n\n"
            "| Operation | Limit |\n| --- | --- |\n| Send parcel | 100 per minute |\n"
            "| List parcels | 100 per minute |\n\n"
            "```bash\npip install parcelo\n```\n\n```bash\npip install --turbo parcelo\n```\n"
        ]
        text = ask_model(
            "How do I create a key, install, and what are the limits of each operation?"
        ).text
        assert "Follow these steps:\n\n1. Open **Settings**" in text
        assert "\n3. Press **New key**." in text
        assert "Wait" not in text
        assert "| Send parcel | 100 per minute |" in text
        assert "List parcels" not in text
        assert "```bash\npip install parcelo\n```" in text
        assert "turbo" not in text

    def test_an_introduction_to_nothing_is_left_out(
        self, ask_model: Ask, model_server: ChatServer
    ) -> None:
        model_server.pieces = ["Copy the key.\n\n## Example\n\nHere is one:\n\n- Wait 40 days.\n"]
        assert ask_model(KEYS).text.partition(" [")[0] == "Copy the key."

    def test_half_a_sentence_at_the_end_of_a_cut_answer_is_left_out(
        self, ask_model: Ask, model_server: ChatServer
    ) -> None:
        model_server.rules = [Rule("", Reply("Copy the key. Open Settings and", finish="length"))]
        assert "Settings" not in ask_model(KEYS).text

    def test_images_and_foreign_links_are_taken_out(
        self, ask_model: Ask, model_server: ChatServer
    ) -> None:
        model_server.pieces = [
            "Copy ![the](https://evil.example/x.png) [key](https://evil.example). "
            "Open [Settings](/guides/keys) and choose Keys."
        ]
        text = ask_model(KEYS).text
        assert "evil" not in text
        assert f"[Settings]({SITE}/guides/keys)" in text

    def test_the_rules_are_not_repeated(self, ask_model: Ask, model_server: ChatServer) -> None:
        def echo(said: Any) -> Reply:
            return Reply(said.system)

        model_server.rules = [Rule("", echo)]
        for options in (
            AnswerOptions(),
            AnswerOptions(policy=SentencePolicy.OFF),
            AnswerOptions(policy=SentencePolicy.FLAG),
        ):
            text = ask_model(KEYS, answer_options=options).text
            assert "Answer only from the passages" not in text
            assert "do not guess" not in text


def test_three_further_questions_are_suggested(ask_model: Ask, model_server: ChatServer) -> None:
    model_server.pieces = ["Copy the key."]
    suggestions = ask_model(KEYS).data("suggestions")
    assert "How do I revoke a key?" in suggestions
    assert len(suggestions) <= 3
