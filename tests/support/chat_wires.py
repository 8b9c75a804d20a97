"""Both protocols of the scripted model: parsing of requests, and replies."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Call:
    """A tool call. `arguments` may be raw text, for malformed calls."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)
    id: str = ""

    @property
    def json(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


@dataclass(frozen=True, init=False)
class Reply:
    """Reply of the model: text, tool calls, or one of the failures."""

    pieces: tuple[str, ...]
    calls: tuple[Call, ...]
    reasoning: tuple[str, ...]
    usage: tuple[int, int]  # tokens in and out
    cached: int  # of the tokens in
    finish: str  # in OpenAI's words; "" is what fits
    status: int
    error: str  # the provider's words; with status 200, an error in mid-stream
    error_code: str
    headers: Mapping[str, str]
    pause_seconds: float
    rest: threading.Event | None  # the second half of the pieces waits for it
    breaks_after: int | None
    hangs: bool
    garbage: bytes
    signature: str  # of the reasoning, or of the first call
    is_list: bool  # whether an error comes within an array, as Gemini's does

    def __init__(
        self,
        *pieces: str,
        calls: Sequence[Call] = (),
        reasoning: Sequence[str] = (),
        usage: tuple[int, int] = (0, 0),
        cached: int = 0,
        finish: str = "",
        status: int = 200,
        error: str = "",
        error_code: str = "",
        headers: Mapping[str, str] | None = None,
        pause_seconds: float = 0.0,
        rest: threading.Event | None = None,
        breaks_after: int | None = None,
        hangs: bool = False,
        garbage: bytes = b"",
        signature: str = "",
        is_list: bool = False,
    ) -> None:
        given = {name: value for name, value in locals().items() if name != "self"}
        given |= {"calls": tuple(calls), "reasoning": tuple(reasoning), "headers": headers or {}}
        for name, value in given.items():
            object.__setattr__(self, name, value)

    @property
    def ending(self) -> str:
        return self.finish or ("tool_calls" if self.calls else "stop")


@dataclass(frozen=True)
class Spoken:
    """A message of the conversation, independent of its protocol."""

    role: str  # system, user, assistant, tool
    text: str
    calls: tuple[Call, ...] = ()
    call_id: str = ""


@dataclass(frozen=True)
class ChatRequest:
    messages: tuple[Spoken, ...]
    tools: tuple[str, ...] = ()
    tool_choice: str = ""
    model: str = ""
    schemas: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # of the tools

    @property
    def last(self) -> Spoken:
        return self.messages[-1]

    @property
    def system(self) -> str:
        return "\n".join(each.text for each in self.messages if each.role == "system")

    @property
    def question(self) -> str:
        """Return the latest message of the user."""
        return next((m.text for m in reversed(self.messages) if m.role == "user"), "")

    @property
    def used(self) -> tuple[str, ...]:
        """Return the names of the tools used so far, in order."""
        return tuple(call.name for message in self.messages for call in message.calls)


class OpenAI:
    """Chat completions."""

    def conversation(self, body: Mapping[str, Any]) -> ChatRequest:
        messages = tuple(
            Spoken(
                each["role"],
                _texts(each.get("content") or ""),
                tuple(
                    Call(call["function"]["name"], call["function"]["arguments"], call["id"])
                    for call in each.get("tool_calls", ())
                ),
                each.get("tool_call_id", ""),
            )
            for each in body["messages"]
            if not _is_result_picture(each)
        )
        functions = [each["function"] for each in body.get("tools", ())]
        tools = tuple(each["name"] for each in functions)
        schemas = {each["name"]: each["parameters"] for each in functions}
        choice = str(body.get("tool_choice", ""))
        return ChatRequest(messages, tools, choice, body["model"], schemas)

    def refusal(self, reply: Reply) -> Any:
        error = {"message": reply.error or "secret detail of the provider", "type": "error"}
        refusal = {"error": {**error, "code": reply.error_code or None}}
        return [refusal] if reply.is_list else refusal

    def events(self, reply: Reply) -> Iterator[bytes]:
        yield self._chunk({"role": "assistant", "content": ""})
        yield from (self._chunk({"reasoning_content": piece}) for piece in reply.reasoning)
        yield from (self._chunk({"content": piece}) for piece in reply.pieces)
        if reply.error:
            error = {"message": reply.error, "code": reply.error_code or None}
            yield _data({"error": error})
            return
        for index, call in enumerate(reply.calls):
            yield from self._call(index, call, "" if index else reply.signature)
        yield self._chunk({}, finish=reply.ending)
        if any(reply.usage):
            yield self._chunk(usage=reply.usage, cached=reply.cached)
        yield b"data: [DONE]\n\n"

    def _call(self, index: int, call: Call, signature: str) -> Iterator[bytes]:
        half = len(call.json) // 2
        start = {"name": call.name, "arguments": ""}
        head: dict[str, Any] = {"index": index, "id": call.id or f"call_{index}"}
        head["type"] = "function"
        if signature:
            head["extra_content"] = {"google": {"thought_signature": signature}}
        yield self._chunk({"tool_calls": [{**head, "function": start}]})
        for piece in (call.json[:half], call.json[half:]):
            yield self._chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})

    def _chunk(
        self,
        delta: Mapping[str, Any] | None = None,
        finish: str | None = None,
        usage: tuple[int, int] | None = None,
        cached: int = 0,
    ) -> bytes:
        chunk: dict[str, Any] = {
            "id": "c1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "scripted",
            "choices": [],
        }
        if delta is not None:
            chunk["choices"] = [{"index": 0, "delta": delta, "finish_reason": finish}]
        if usage is not None:
            chunk["usage"] = {
                "prompt_tokens": usage[0],
                "completion_tokens": usage[1],
                "total_tokens": sum(usage),
                "prompt_tokens_details": {"cached_tokens": cached},
            }
        return _data(chunk)


class Anthropic:
    """Messages."""

    def conversation(self, body: Mapping[str, Any]) -> ChatRequest:
        system = _texts(body.get("system", ""))
        messages = [Spoken("system", system)] if system else []
        for each in body["messages"]:
            messages += self._spoken(each)
        tools = tuple(each["name"] for each in body.get("tools", ()))
        schemas = {each["name"]: each["input_schema"] for each in body.get("tools", ())}
        choice = body.get("tool_choice", {}).get("type", "")
        return ChatRequest(tuple(messages), tools, choice, body["model"], schemas)

    def _spoken(self, message: Mapping[str, Any]) -> Iterator[Spoken]:
        content = message["content"]
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        for block in content:
            if block["type"] == "tool_result":
                yield Spoken("tool", _texts(block["content"]), call_id=block["tool_use_id"])
        text = _texts(content)
        calls = tuple(
            Call(block["name"], block["input"], block["id"])
            for block in content
            if block["type"] == "tool_use"
        )
        if text or calls:
            yield Spoken(message["role"], text, calls)

    def refusal(self, reply: Reply) -> Mapping[str, Any]:
        words = reply.error or "secret detail of the provider"
        return {
            "type": "error",
            "error": {"type": reply.error_code or "api_error", "message": words},
        }

    def events(self, reply: Reply) -> Iterator[bytes]:
        yield _event("message_start", message=self._message(reply))
        index = 0
        if reply.reasoning:
            yield from self._reasoning(reply.reasoning, reply.signature or "signed")
            index = 1
        if reply.pieces:
            block: dict[str, Any] = {"type": "text", "text": ""}
            yield _event("content_block_start", index=index, content_block=block)
            for piece in reply.pieces:
                delta = {"type": "text_delta", "text": piece}
                yield _event("content_block_delta", index=index, delta=delta)
            yield _event("content_block_stop", index=index)
        if reply.error:
            yield _event("error", **self.refusal(reply))
            return
        for number, call in enumerate(reply.calls, index + 1):
            yield from self._call(number, call)
        ending = _ENDINGS.get(reply.ending, reply.ending)
        delta = {"stop_reason": ending, "stop_sequence": None}
        yield _event("message_delta", delta=delta, usage={"output_tokens": reply.usage[1]})
        yield _event("message_stop")

    def _message(self, reply: Reply) -> Mapping[str, Any]:
        return {
            "id": "m1",
            "type": "message",
            "role": "assistant",
            "content": [],
            "model": "scripted",
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {
                "input_tokens": reply.usage[0] - reply.cached,
                "cache_read_input_tokens": reply.cached,
                "output_tokens": 0,
            },
        }

    def _reasoning(self, pieces: Sequence[str], signature: str) -> Iterator[bytes]:
        block = {"type": "thinking", "thinking": "", "signature": ""}
        yield _event("content_block_start", index=0, content_block=block)
        for piece in pieces:
            delta = {"type": "thinking_delta", "thinking": piece}
            yield _event("content_block_delta", index=0, delta=delta)
        delta = {"type": "signature_delta", "signature": signature}
        yield _event("content_block_delta", index=0, delta=delta)
        yield _event("content_block_stop", index=0)

    def _call(self, index: int, call: Call) -> Iterator[bytes]:
        block = {"type": "tool_use", "id": call.id or f"call_{index}", "name": call.name}
        yield _event("content_block_start", index=index, content_block={**block, "input": {}})
        half = len(call.json) // 2
        for piece in (call.json[:half], call.json[half:]):
            delta = {"type": "input_json_delta", "partial_json": piece}
            yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)


_ENDINGS = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use"}


def _is_result_picture(message: Mapping[str, Any]) -> bool:
    """Report whether a message only contains images of tool results."""
    return message["role"] == "user" and _texts(message["content"]).startswith("Pictures of the ")


def _texts(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(block["text"] for block in content if block["type"] == "text")


def _data(value: Mapping[str, Any]) -> bytes:
    return f"data: {json.dumps(value)}\n\n".encode()


def _event(kind: str, **fields: Any) -> bytes:
    return f"event: {kind}\n".encode() + _data({"type": kind, **fields})
