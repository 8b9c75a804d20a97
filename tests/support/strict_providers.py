"""Rules of providers for conversations, each with the page that documents it.

The first part of a request's path names the provider: `/anthropic-strict/v1/messages`,
`/openai-strict/…`, `/openai-reasoning-strict/…`, `/gemini-strict/v1/chat/completions`,
`/openai-responses-strict/v1/responses`. A signature is derived from the signed content, so
changes are detected without stored state.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import strict_responses

Body = Mapping[str, Any]
Block = Mapping[str, Any]

_ANTHROPIC = "https://docs.claude.com/en"
_OPENAI = "https://platform.openai.com/docs"
_GEMINI = "https://ai.google.dev/gemini-api/docs"
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_MOST_MARKS = 4
_LEAST_BUDGET = 1024
_IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_ANY_SIGNATURE = "skip_thought_signature_validator"  # Gemini's, for calls of other models


@dataclass(frozen=True)
class ProviderRule:
    """A rule; `breaches` yields the positions where a request violates it."""

    text: str
    source: str
    breaches: Callable[[Body], Iterator[str]]


def signature(signed: str) -> str:
    return hashlib.sha256(f"signed {signed}".encode()).hexdigest()


def provider_of(path: str) -> str:
    """Return the provider whose rules apply to a request path, or ""."""
    name = path.strip("/").partition("/")[0]
    return name.removesuffix("-strict") if name.endswith("-strict") else ""


def refusal(path: str, body: Body) -> str | None:
    """Return an error message with the page of its rule; None if the request is accepted."""
    for rule in RULES.get(provider_of(path), ()):
        for position in rule.breaches(body):
            return f"{position}: {rule.text} ({rule.source})"
    return None


# --- Anthropic --------------------------------------------------------------


def _turns(body: Body) -> list[tuple[str, list[Block]]]:
    """Return the turns; consecutive messages of one role are combined, as by the API."""
    turns: list[tuple[str, list[Block]]] = []
    for message in body["messages"]:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if turns and turns[-1][0] == message["role"]:
            turns[-1][1].extend(blocks)
        else:
            turns.append((message["role"], list(blocks)))
    return turns


def _of_type(blocks: Sequence[Block], *kinds: str) -> list[Block]:
    return [block for block in blocks if block["type"] in kinds]


def _thinks(body: Body) -> bool:
    return bool((body.get("thinking") or {}).get("type") in ("enabled", "adaptive"))


def _first_is_user(body: Body) -> Iterator[str]:
    turns = _turns(body)
    if not turns or turns[0][0] != "user":
        yield "messages.0"


def _budget(body: Body) -> Iterator[str]:
    thinking = body.get("thinking") or {}
    budget = thinking.get("budget_tokens", 0)
    is_wrong = not _LEAST_BUDGET <= budget < body.get("max_tokens", 0)
    if thinking.get("type") == "enabled" and is_wrong:
        yield "thinking.budget_tokens"


def _unforced(body: Body) -> Iterator[str]:
    if _thinks(body) and (body.get("tool_choice") or {}).get("type") in ("any", "tool"):
        yield "tool_choice"
    if _thinks(body) and (body.get("temperature", 1) != 1 or "top_k" in body):
        yield "temperature"


def _has_tools(body: Body) -> Iterator[str]:
    blocks = chain.from_iterable(blocks for _, blocks in _turns(body))
    if not body.get("tools") and _of_type([*blocks], "tool_use", "tool_result"):
        yield "tools"


def _marks(body: Body) -> Iterator[str]:
    blocks = chain.from_iterable(blocks for _, blocks in _turns(body))
    system = body.get("system") or []
    marked = [*blocks, *body.get("tools", ()), *(system if isinstance(system, list) else ())]
    if sum("cache_control" in block for block in marked) > _MOST_MARKS:
        yield "cache_control"


def _texts(body: Body) -> Iterator[str]:
    for number, (_, blocks) in enumerate(_turns(body)):
        inner = chain.from_iterable(
            block["content"] for block in _of_type(blocks, "tool_result")
            if not isinstance(block["content"], str)
        )  # fmt: skip
        texts = _of_type([*blocks, *inner], "text")
        if not all(block["text"].strip() for block in texts):
            yield f"messages.{number}"


def _inputs(body: Body) -> Iterator[str]:
    for number, (_, blocks) in enumerate(_turns(body)):
        for block in _of_type(blocks, "tool_use"):
            if not isinstance(block["input"], dict) or not _NAME.fullmatch(block["name"]):
                yield f"messages.{number}.{block['id']}"


def _results_follow(body: Body) -> Iterator[str]:
    """Require one result for each call, in the next turn, before any text."""
    turns = [*_turns(body), ("user", [])]
    for number, ((role, blocks), (_, after)) in enumerate(pairwise([("user", []), *turns])):
        called = [block["id"] for block in _of_type(blocks, "tool_use")]
        results = [block["tool_use_id"] for block in _of_type(after, "tool_result")]
        kinds = [block["type"] for block in after]
        is_first = kinds[: len(results)] == ["tool_result"] * len(results)
        if sorted(called if role == "assistant" else []) != sorted(results) or not is_first:
            yield f"messages.{number}"


def _signed(body: Body) -> Iterator[str]:
    for number, (_, blocks) in enumerate(_turns(body)):
        for block in _of_type(blocks, "thinking"):
            if block.get("signature") != signature(block["thinking"]):
                yield f"messages.{number}"


def _reasoning_first(body: Body) -> Iterator[str]:
    """Require turns with calls to begin with thinking, since the user's last message."""
    turns = _turns(body)
    last = max(
        (n for n, (role, blocks) in enumerate(turns)
         if role == "user" and not _of_type(blocks, "tool_result")), default=0,
    )  # fmt: skip
    for number, (role, blocks) in enumerate(turns[last:], last):
        calls = role == "assistant" and _of_type(blocks, "tool_use")
        if _thinks(body) and calls and not blocks[0]["type"].endswith("thinking"):
            yield f"messages.{number}"


def _pictures(body: Body) -> Iterator[str]:
    for number, (_, blocks) in enumerate(_turns(body)):
        results = [b["content"] for b in _of_type(blocks, "tool_result")]
        inner = chain.from_iterable(each for each in results if not isinstance(each, str))
        for block in _of_type([*blocks, *inner], "image"):
            source = block["source"]
            if source["type"] != "base64" or source["media_type"] not in _IMAGES:
                yield f"messages.{number}"


# --- OpenAI and servers with its API ----------------------------------------


def _calls(message: Body) -> Sequence[Block]:
    return message.get("tool_calls") or ()


def _tools_answer(body: Body) -> Iterator[str]:
    """Require one result for each call, in the messages that follow it."""
    waiting: list[str] = []
    for number, message in enumerate([*body["messages"], {"role": "end"}]):
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                yield f"messages.{number}.tool_call_id"
                return
            waiting.remove(message["tool_call_id"])
        elif waiting:
            yield f"messages.{number}.role"
            return
        else:
            waiting = [call["id"] for call in _calls(message)]


def _contents(body: Body) -> Iterator[str]:
    for number, message in enumerate(body["messages"]):
        has_calls = bool(_calls(message))
        if "tool_calls" in message and not has_calls:
            yield f"messages.{number}.tool_calls"
        if message.get("content") is None and not has_calls:
            yield f"messages.{number}.content"


def _functions(body: Body) -> Iterator[str]:
    for number, message in enumerate(body["messages"]):
        for call in _calls(message):
            function = call["function"]
            if not _NAME.fullmatch(function["name"]) or not strict_responses.is_object(
                function["arguments"]
            ):
                yield f"messages.{number}.tool_calls"


def _only_users_show(body: Body) -> Iterator[str]:
    """Require parts other than text to be in messages of the user."""
    for number, message in enumerate(body["messages"]):
        content = message.get("content")
        parts = content if isinstance(content, list) else []
        if message["role"] != "user" and any(part["type"] != "text" for part in parts):
            yield f"messages.{number}.content"


def _new_limit(body: Body) -> Iterator[str]:
    if "max_tokens" in body:
        yield "max_tokens"


def _gemini_signed(body: Body) -> Iterator[str]:
    """Require a signature on the first call of each step since the user's last message."""
    messages = body["messages"]
    spoken = [n for n, each in enumerate(messages) if each["role"] == "user"]
    last = spoken[-1] if spoken else 0
    for number, message in enumerate(messages[last:], last):
        for call in _calls(message)[:1]:
            google = (call.get("extra_content") or {}).get("google") or {}
            if google.get("thought_signature") not in (signature(call["id"]), _ANY_SIGNATURE):
                yield f"messages.{number}.tool_calls.0"


_THINKING = f"{_ANTHROPIC}/docs/build-with-claude/extended-thinking"
_USING = f"{_ANTHROPIC}/docs/agents-and-tools/tool-use/implement-tool-use"
_MESSAGES = f"{_ANTHROPIC}/api/messages"
_CHAT = f"{_OPENAI}/api-reference/chat/create"

_REASONING = f"{_OPENAI}/guides/reasoning"
_RESPONSES = f"{_OPENAI}/api-reference/responses/create"

_OPENAI_RULES = (
    ProviderRule(
        "a message with tool_calls must be followed by a tool message for each tool_call_id",
        f"{_OPENAI}/guides/function-calling",
        _tools_answer,
    ),
    ProviderRule("content is required unless there are tool_calls", _CHAT, _contents),
    ProviderRule(
        "names of functions have a-z, A-Z, 0-9, _ and -, at most 64; arguments are JSON",
        _CHAT,
        _functions,
    ),
    ProviderRule("only user messages take images and files", _CHAT, _only_users_show),
)

RULES: Mapping[str, Sequence[ProviderRule]] = {
    "anthropic": (
        ProviderRule("the first message has the role user", _MESSAGES, _first_is_user),
        ProviderRule(
            "budget_tokens is at least 1,024 and less than max_tokens", _THINKING, _budget
        ),
        ProviderRule(
            "thinking excludes forced tool use, temperature and top_k", _THINKING, _unforced
        ),
        ProviderRule("requests with tool_use blocks define tools", _MESSAGES, _has_tools),
        ProviderRule(
            "up to four cache breakpoints",
            f"{_ANTHROPIC}/docs/build-with-claude/prompt-caching",
            _marks,
        ),
        ProviderRule("text blocks are not empty", _MESSAGES, _texts),
        ProviderRule("the input of tool_use is an object, its name short", _MESSAGES, _inputs),
        ProviderRule(
            "tool_result blocks follow their tool_use blocks immediately and come first",
            _USING,
            _results_follow,
        ),
        ProviderRule("thinking blocks are passed back unmodified", _THINKING, _signed),
        ProviderRule(
            "during tool use the last assistant message begins with its thinking block",
            _THINKING,
            _reasoning_first,
        ),
        ProviderRule(
            "images are JPEG, PNG, GIF or WebP",
            f"{_ANTHROPIC}/docs/build-with-claude/vision",
            _pictures,
        ),
    ),
    "openai": _OPENAI_RULES,
    "openai-reasoning": (
        *_OPENAI_RULES,
        ProviderRule("reasoning models take max_completion_tokens", _CHAT, _new_limit),
    ),
    "gemini": (
        *_OPENAI_RULES,
        ProviderRule(
            "the first function call of each step has its thought signature",
            f"{_GEMINI}/thought-signatures",
            _gemini_signed,
        ),
    ),
    "openai-responses": (
        ProviderRule(
            "each function_call has a function_call_output with its call_id, after it",
            f"{_OPENAI}/guides/function-calling",
            strict_responses.outputs,
        ),
        ProviderRule(
            "reasoning and the item that follows it are sent back together",
            _REASONING,
            strict_responses.followed,
        ),
        ProviderRule(
            "without store, reasoning is sent back with its encrypted_content",
            _REASONING,
            strict_responses.stored,
        ),
        ProviderRule(
            "names of functions have a-z, A-Z, 0-9, _ and -, at most 64; arguments are JSON",
            _RESPONSES,
            strict_responses.functions,
        ),
        ProviderRule(
            "users send input_text, input_image and input_file, assistants output_text",
            _RESPONSES,
            strict_responses.parts,
        ),
        ProviderRule(
            "max_output_tokens is at least 16; reasoning models take no temperature",
            _RESPONSES,
            strict_responses.limits,
        ),
    ),
}
