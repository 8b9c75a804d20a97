"""Notes of maintainers for the assistant: skills and instructions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from chat_server import Call, ChatServer, Reply, Rule
from docstead.accounts.tenancy import Deployment
from docstead.assistant.events import AnswerFinished, ToolAnswered, ToolCalled
from docstead.content.assistant_notes import AssistantNotes, Skill
from documentation import CurrentDocumentation

Ask = Callable[..., Any]
STEPS = {"billing": 12, "fees": 13, "moon": 14, "tides": 15}
SLUGS = tuple(STEPS)
INSTRUCTIONS = "Always greet the captain first. Refunds of fees take nine days."


@pytest.fixture(autouse=True)
def _notes(editions: CurrentDocumentation, deployment: Deployment) -> None:
    skills = (
        Skill(slug, slug.title(), "", f"The {slug} rule has {steps} steps.")
        for slug, steps in STEPS.items()
    )
    notes = AssistantNotes(INSTRUCTIONS, skills=tuple(skills))
    published = editions.published[deployment.id]
    site = replace(published.site, assistant=notes)
    editions.published[deployment.id] = replace(published, site=site)


def test_at_most_three_skills_are_loaded(ask_model: Ask, model_server: ChatServer) -> None:
    def loading(said: Any) -> Reply:
        return Reply(calls=(Call("load_skill", {"slug": SLUGS[len(said.used)]}),))

    model_server.rules = [
        Rule(lambda said: len(said.used) < len(SLUGS), loading),
        Rule("", Reply("The moon rule has 14 steps. The tides rule has 15 steps.")),
    ]
    answer = ask_model("Which steps does the moon rule have?")
    results = [e.result for e in answer.events if isinstance(e, ToolAnswered)]
    assert [each.get("skill") for each in results] == ["billing", "fees", "moon", None]
    assert "no more may be" in results[-1]["error"]
    # Only what was loaded may be said; a skill is no source, and its answer is one.
    assert answer.text.strip() == "The moon rule has 14 steps."
    assert answer.urls == []
    assert answer.events[-1] == AnswerFinished(answer.thread_id, True, answer.events[-1].usage)


def test_calls_that_a_server_numbers_alike_are_distinguished(
    ask_model: Ask, model_server: ChatServer
) -> None:
    search = Call("search_documentation", {"query": "keys"}, id="call_0")
    model_server.rules = [
        Rule(lambda said: len(said.used) < 3, Reply(calls=(search,))),
        Rule("", Reply("Copy the key.")),
    ]
    events = ask_model("How do I create an API key?").events
    called = [e.call_id for e in events if isinstance(e, ToolCalled)]
    assert len(set(called)) == 3
    assert called == [e.call_id for e in events if isinstance(e, ToolAnswered)]


def test_instructions_are_followed_and_not_repeated(
    ask_model: Ask, model_server: ChatServer
) -> None:
    model_server.pieces = ["Always greet the captain first. ", "It takes nine days for fees."]
    text = ask_model("How long do refunds of fees take?").text
    assert "captain" not in text
    assert "nine days" in text
