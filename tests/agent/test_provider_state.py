"""Turns with thinking and parallel calls: what a provider has sent comes back unchanged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from agent_harness import AgentHarness, agent_harness
from chat_server import Reply, chat_server
from docstead.agent.states import JobStatus
from provider_streams import anthropic_stream, openai_stream


@pytest.fixture(params=["openai", "anthropic"])
def strict(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[AgentHarness]:
    """A harness whose model speaks one of the protocols."""

    def models(url: str) -> dict[str, Any]:
        provider = request.param
        base = url if provider == "openai" else url.removesuffix("/v1")
        return {"strict": {"provider": provider, "base_url": base, "model": "scripted"}}

    with ExitStack() as stack:
        chat = stack.enter_context(chat_server())
        settings = {"models": models, "agent_models": ("strict",)}
        yield stack.enter_context(agent_harness(tmp_path, chat, checks_here=True, **settings))


def calls(number: int) -> list[dict[str, Any]]:
    """Two reads and a new file."""
    tools: list[tuple[str, dict[str, Any]]] = [
        ("read_file", {"path": "index.mdx"}),
        ("list_files", {}),
        ("write_file", {"path": f"page-{number}.txt", "text": "x" * 2_000}),
    ]
    return [
        {"type": "tool_use", "id": f"call_{number}_{at}", "name": name, "input": arguments}
        for at, (name, arguments) in enumerate(tools)
    ]


def anthropic_message(number: int) -> list[dict[str, Any]]:
    return [
        {"type": "thinking", "thinking": f"Thought {number}.", "signature": f"s{number}a"},
        {"type": "text", "text": f"Step {number}."},
        {"type": "thinking", "thinking": "And more.", "signature": f"s{number}b"},
        *calls(number),
    ]


def openai_message(number: int) -> dict[str, Any]:
    wire = [
        {
            "id": call["id"],
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call["input"])},
        }
        for call in calls(number)
    ]
    wire[0]["extra_content"] = {"google": {"thought_signature": f"signed {number}"}}
    return {
        "role": "assistant",
        "content": f"Step {number}.",
        "reasoning_content": f"Thought {number}.",
        "tool_calls": wire,
    }


@pytest.mark.parametrize("turns", [3, pytest.param(10, marks=pytest.mark.deep)])
def test_every_message_of_the_model_comes_back_as_it_was(strict: AgentHarness, turns: int) -> None:
    is_openai = strict.chat.url in strict.services.settings.models["strict"].base_url
    sent: list[Any] = []
    replies = []
    for number in range(turns):
        if is_openai:
            message = openai_message(number)
            tools = [{**call, "index": at} for at, call in enumerate(message["tool_calls"])]
            sent.append(message)
            replies.append(Reply(garbage=openai_stream({**message, "tool_calls": tools})))
        else:
            sent.append({"role": "assistant", "content": anthropic_message(number)})
            replies.append(Reply(garbage=anthropic_stream(anthropic_message(number))))
        replies.append(Reply("Done."))
    strict.says(*replies)
    job = strict.run("Turn 0")
    for number in range(1, turns):
        strict.follow_up(job, f"Turn {number}")
        job = strict.ended(job)
    assert job.status is JobStatus.COMPLETED
    back = [m for m in strict.chat.last_messages if m["role"] == "assistant"]
    assert [message for message in back if not is_plain(message)] == sent


def is_plain(message: dict[str, Any]) -> bool:
    """Report whether a message is only text."""
    content = message["content"]
    blocks = content if isinstance(content, list) else []
    return not message.get("tool_calls") and all(block["type"] == "text" for block in blocks)
