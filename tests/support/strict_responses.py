"""Rules of OpenAI's Responses API, each of which rejects a request that violates it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from responses_wire import encrypted

Body = Mapping[str, Any]

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LEAST_TOKENS = 16
_KEY = re.compile(r"(?:rs|fc|msg)_([0-9a-f]{12})")
_PARTS = {
    "user": ("input_text", "input_image", "input_file"),
    "assistant": ("output_text", "refusal"),
}


def _of_type(body: Body, kind: str) -> list[tuple[int, Mapping[str, Any]]]:
    return [(n, item) for n, item in enumerate(body["input"]) if item.get("type") == kind]


def outputs(body: Body) -> Iterator[str]:
    """Require one output for each call, after it."""
    calls = [item["call_id"] for _, item in _of_type(body, "function_call")]
    results = [item["call_id"] for _, item in _of_type(body, "function_call_output")]
    if Counter(calls) != Counter(results):
        yield "input"
    for number, item in _of_type(body, "function_call_output"):
        before = [each.get("call_id") for each in body["input"][:number]]
        if item["call_id"] not in before:
            yield f"input[{number}].call_id"


def followed(body: Body) -> Iterator[str]:
    """Require a reasoning item to be followed by an item of its answer."""
    items: Sequence[Mapping[str, Any]] = body["input"]
    for number, item in enumerate(items):
        after = items[number + 1] if number + 1 < len(items) else {}
        if item.get("type") == "reasoning" and _key(item) != _key(after):
            yield f"input[{number}]"
        reasons = {_key(each) for each in items[:number] if each.get("type") == "reasoning"}
        if item.get("type") == "function_call" and _key(item) and _key(item) not in reasons:
            yield f"input[{number}].id"


def stored(body: Body) -> Iterator[str]:
    """Require encrypted reasoning to be sent back if responses are not stored."""
    for number, item in _of_type(body, "reasoning"):
        if not body.get("store", True) and item.get("encrypted_content") != encrypted(item["id"]):
            yield f"input[{number}].encrypted_content"


def functions(body: Body) -> Iterator[str]:
    for number, item in _of_type(body, "function_call"):
        if not _NAME.fullmatch(item["name"]) or not is_object(item["arguments"]):
            yield f"input[{number}]"
    for tool in body.get("tools", ()):
        if tool.get("type") != "function" or not _NAME.fullmatch(tool.get("name", "")):
            yield "tools"


def parts(body: Body) -> Iterator[str]:
    for number, item in enumerate(body["input"]):
        content = item.get("content")
        kinds = [part["type"] for part in content] if isinstance(content, list) else []
        if item.get("role") and not set(kinds) <= set(_PARTS.get(item["role"], ())):
            yield f"input[{number}].content"


def limits(body: Body) -> Iterator[str]:
    if body.get("max_output_tokens", _LEAST_TOKENS) < _LEAST_TOKENS:
        yield "max_output_tokens"
    for name in ("messages", "max_tokens", "max_completion_tokens", "temperature"):
        if name in body:
            yield name


def _key(item: Mapping[str, Any]) -> str:
    match = _KEY.match(str(item.get("id", "")))
    return match[1] if match else ""


def is_object(text: object) -> bool:
    """Report whether a text is a JSON object."""
    try:
        return isinstance(text, str) and isinstance(json.loads(text), dict)
    except ValueError:
        return False
