"""Turns with thinking and parallel calls, by servers that refuse what the providers refuse."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from agent_harness import AgentHarness, agent_harness
from chat_server import Call, ChatRequest, Reply, Rule, chat_server
from docstead.agent.states import JobStatus
from provider_streams import anthropic_stream, openai_stream
from responses_wire import encrypted
from strict_providers import RULES, ProviderRule, refusal, signature

PROVIDERS = ("anthropic", "openai", "openai-reasoning", "openai-responses", "gemini")


@pytest.fixture(
    params=[
        "anthropic",
        "openai",
        *(
            pytest.param(name, marks=pytest.mark.deep)
            for name in ("openai-reasoning", "openai-responses", "gemini")
        ),
    ]
)
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def strict(provider: str, tmp_path: Path) -> Iterator[AgentHarness]:
    """A harness whose model's server refuses what the provider refuses."""
    with ExitStack() as stack:
        chat = stack.enter_context(chat_server())
        is_anthropic = provider == "anthropic"
        model = {
            "provider": provider if provider in ("anthropic", "openai-responses") else "openai",
            "base_url": chat.strict_url(provider),
            "model": "gpt-5" if provider == "openai-reasoning" else "scripted",
        }
        if is_anthropic:
            model["options"] = {"thinking": {"type": "enabled", "budget_tokens": 4096}}
        settings = {"models": {"strict": model}, "agent_models": ("strict",)}
        yield stack.enter_context(agent_harness(tmp_path, chat, checks_here=True, **settings))


def calls(step: int) -> list[tuple[str, str, dict[str, Any]]]:
    """Parallel calls with their ids: two succeed, one fails, one is not understood."""
    tools: list[tuple[str, dict[str, Any]]] = [
        ("read_file", {"path": "index.mdx"}),
        ("read_file", {"path": "nowhere.mdx"}),
        ("bash", {"cmd": "ls"}),
        ("write_file", {"path": f"page-{step}.txt", "text": f"Step {step}.\n"}),
    ]
    return [(f"call_{step}_{n}", name, given) for n, (name, given) in enumerate(tools)]


def anthropic_answer(step: int) -> bytes:
    """Thinking before the text, and again before the calls."""
    reasoning_texts = [f"Thought {step}.", f"On second thought {step}."]
    blocks = [
        {"type": "thinking", "thinking": t, "signature": signature(t)} for t in reasoning_texts
    ]
    uses = [
        {"type": "tool_use", "id": id_, "name": name, "input": given}
        for id_, name, given in calls(step)
    ]
    text = {"type": "text", "text": f"Step {step}."}
    return anthropic_stream([blocks[0], text, blocks[1], *uses])


def openai_answer(step: int) -> bytes:
    wire: list[dict[str, Any]] = [
        {
            "index": at,
            "id": id_,
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(given)},
        }
        for at, (id_, name, given) in enumerate(calls(step))
    ]
    wire[0]["extra_content"] = {"google": {"thought_signature": signature(wire[0]["id"])}}
    reasoning = {"reasoning_content": f"Thought {step}."}
    return openai_stream({"role": "assistant", **reasoning, "tool_calls": wire})


def responses_answer(step: int) -> Reply:
    uses = [Call(name, given, id_) for id_, name, given in calls(step)]
    return Reply(f"Step {step}.", calls=uses, reasoning=[f"Thought {step}."])


ANSWERS: dict[str, Callable[[int], Reply]] = {
    "anthropic": lambda step: Reply(garbage=anthropic_answer(step)),
    "openai-responses": responses_answer,
}


def answer_of(provider: str) -> Callable[[int], Reply]:
    return ANSWERS.get(provider, lambda step: Reply(garbage=openai_answer(step)))


def playing(answer: Callable[[int], Reply]) -> Callable[[ChatRequest], Reply]:
    """Two answers with calls for each instruction, then a text."""

    def reply(said: ChatRequest) -> Reply:
        since = [m.role for m in said.messages[: -len(said.messages) - 1 : -1]].index("user")
        steps = sum(bool(message.calls) for message in said.messages)
        done = sum(bool(m.calls) for m in said.messages[len(said.messages) - since :])
        return answer(steps) if done < 2 else Reply("It is done.")

    return reply


@pytest.mark.parametrize("turns", [2, pytest.param(10, marks=pytest.mark.deep)])
def test_turns_are_not_refused(strict: AgentHarness, provider: str, turns: int) -> None:
    strict.chat.rules = [Rule(lambda _: True, playing(answer_of(provider)))]
    job = strict.run("Turn 0")
    for number in range(1, turns):
        strict.follow_up(job, f"Turn {number}")
        job = strict.ended(job)
    assert strict.chat.refusals == []
    assert job.status is JobStatus.COMPLETED
    assert [turn.steps for turn in strict.agent.turns(job.id)] == [3] * turns
    assert len(strict.git("ls-tree", "--name-only", job.branch).split()) >= 2 * turns


@pytest.mark.parametrize(
    "provider", ["anthropic", pytest.param("gemini", marks=pytest.mark.deep)], indirect=True
)
def test_a_wrong_signature_is_refused(strict: AgentHarness, provider: str) -> None:
    strict.says(Reply(garbage=broken_answer(provider)), Reply("Done."))
    job = strict.run("Do it")
    assert job.status is JobStatus.FAILED
    assert "https://" in (strict.last_turn(job).end.error or "")


def broken_answer(provider: str) -> bytes:
    answer = anthropic_answer if provider == "anthropic" else openai_answer
    signed = "Thought 0." if provider == "anthropic" else "call_0_0"
    return answer(0).replace(signature(signed).encode(), b"0" * 64)


CHAT: list[dict[str, Any]] = [{"role": "user", "content": "Hello"}]
CALL = {"id": "c", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
CUT_CALL = {**CALL, "function": {"name": "ls", "arguments": "{"}}
CALLED: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "c", "content": "nothing"}
SHOWN = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
USE: dict[str, Any] = {"type": "tool_use", "id": "u", "name": "ls", "input": {}}
USED = {"type": "tool_result", "tool_use_id": "u", "content": "nothing"}
REASONING = {"type": "thinking", "thinking": "Hm.", "signature": signature("Hm.")}
THINKS = {"max_tokens": 9_000, "thinking": {"type": "enabled", "budget_tokens": 2_000}}
TOOLS = {"tools": [{"name": "ls"}]}


REASON = {"type": "reasoning", "id": "rs_0123456789ab", "summary": []}
REASON["encrypted_content"] = encrypted("rs_0123456789ab")
FUNCTION = {
    "type": "function_call", "id": "fc_0123456789ab_0", "call_id": "c", "name": "ls",
    "arguments": "{}",
}  # fmt: skip
OUTPUT = {"type": "function_call_output", "call_id": "c", "output": "nothing"}


def items(*more: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"input": [{"role": "user", "content": "Hello"}, *more], "store": False, **fields}


def chat(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"messages": [*CHAT, *messages], **more}


def said(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": [*blocks]}


def result(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": [*blocks]}


BLANK = {"type": "text", "text": " "}
MARK = {"cache_control": {"type": "ephemeral"}}
PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/svg+xml", "data": ""}}

# One request for each rule, in the order of the rules.
BROKEN: dict[str, list[dict[str, Any]]] = {
    "anthropic": [
        {"messages": [said({"type": "text", "text": "Hello"})]},
        chat(max_tokens=1_000, thinking={"type": "enabled", "budget_tokens": 1_024}),
        chat(**THINKS, tool_choice={"type": "any"}),
        chat(said(USE), result(USED)),
        chat(result(*[{"type": "text", "text": "x", **MARK}] * 5)),
        chat(said(BLANK)),
        chat(said({**USE, "input": "{}"}), result(USED), **TOOLS),
        chat(said(USE), result({"type": "text", "text": "First"}, USED), **TOOLS),
        chat(said({**REASONING, "signature": "other"}, USE), result(USED), **THINKS, **TOOLS),
        chat(said(USE), result(USED), **THINKS, **TOOLS),
        chat(result(PICTURE)),
    ],
    "openai": [
        chat(CALLED, {"role": "user", "content": "And?"}),
        chat({"role": "assistant", "content": None}),
        chat({**CALLED, "tool_calls": [CUT_CALL]}, RESULT),
        chat(CALLED, {**RESULT, "content": [SHOWN]}),
    ],
    "openai-reasoning": [chat(max_tokens=100)],
    "openai-responses": [
        items(REASON, FUNCTION),
        items(REASON, {"role": "user", "content": "And?"}),
        items({**REASON, "encrypted_content": None}, FUNCTION, OUTPUT),
        items(REASON, {**FUNCTION, "arguments": "{"}, OUTPUT),
        items({"role": "assistant", "content": [{"type": "input_text", "text": "Hm"}]}),
        items(max_output_tokens=8),
    ],
    "gemini": [chat(CALLED, RESULT)],
}  # fmt: skip
ACCEPTED: dict[str, dict[str, Any]] = {
    "anthropic": chat(
        said(REASONING, USE), result(USED, {"type": "text", "text": "Go on."}), **THINKS, **TOOLS
    ),
    "openai": chat(CALLED, RESULT, {"role": "user", "content": [SHOWN]}),
    "openai-reasoning": chat(CALLED, RESULT, max_completion_tokens=100),
    "openai-responses": items(REASON, FUNCTION, OUTPUT, max_output_tokens=100),
    "gemini": chat(CALLED, RESULT, {"role": "user", "content": "Go on."}),
}


def own_rules(provider: str) -> list[ProviderRule]:
    """The rules of a provider that the plain OpenAI protocol does not have."""
    shared = RULES["openai"] if provider not in ("openai", "openai-responses") else ()
    return [rule for rule in RULES[provider] if rule not in shared]


@pytest.mark.parametrize("name", PROVIDERS)
def test_every_rule_refuses_and_cites_its_page(name: str) -> None:
    path = f"/{name}-strict/v1/messages"
    assert refusal(path, ACCEPTED[name]) is None
    for rule, body in zip(own_rules(name), BROKEN[name], strict=True):
        words = refusal(path, body) or ""
        assert rule.text in words
        assert rule.source in words


def test_other_urls_refuse_nothing() -> None:
    assert refusal("/v1/messages", BROKEN["anthropic"][0]) is None
