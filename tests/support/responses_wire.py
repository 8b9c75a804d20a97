"""OpenAI's Responses API, as implemented by the scripted model.

The ids of an answer's items contain a common key, by which `strict_responses` recognizes those
that belong together.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from chat_wires import Call, ChatRequest, Reply, Spoken


class Responses:
    """Items and events."""

    def conversation(self, body: Mapping[str, Any]) -> ChatRequest:
        rules = body.get("instructions", "")
        messages = [Spoken("system", rules)] if rules else []
        for item in body["input"]:
            messages += self._spoken(item)
        tools = body.get("tools", ())
        return ChatRequest(
            tuple(_joined(messages)),
            tuple(each["name"] for each in tools),
            str(body.get("tool_choice", "")),
            body["model"],
            {each["name"]: each["parameters"] for each in tools},
        )

    def _spoken(self, item: Mapping[str, Any]) -> Iterator[Spoken]:
        kind = item.get("type", "message")
        if kind == "function_call_output":
            yield Spoken("tool", _text(item["output"]), call_id=item["call_id"])
        elif kind == "function_call":
            call = Call(item["name"], item["arguments"], item["call_id"])
            yield Spoken("assistant", "", (call,))
        elif kind == "message":
            yield Spoken(item["role"], _text(item["content"]))

    def refusal(self, reply: Reply) -> Any:
        words = reply.error or "secret detail of the provider"
        return {"error": {"message": words, "type": "error", "code": reply.error_code or None}}

    def events(self, reply: Reply) -> Iterator[bytes]:
        yield _event("response.created", response=_response([], reply, "in_progress"))
        for piece in reply.reasoning:
            yield _event(
                "response.reasoning_summary_text.delta", item_id="rs", output_index=0,
                summary_index=0, delta=piece,
            )  # fmt: skip
        for piece in reply.pieces:
            yield _event(
                "response.output_text.delta", item_id="msg", output_index=0,
                content_index=0, delta=piece, logprobs=[],
            )  # fmt: skip
        if reply.error:
            yield _event("error", message=reply.error, code=reply.error_code or None, param=None)
            return
        items = list(_items(reply))
        for index, item in enumerate(items):
            yield _event("response.output_item.done", output_index=index, item=item)
        is_cut = reply.ending == "length"
        status = "incomplete" if is_cut else "completed"
        yield _event(f"response.{status}", response=_response(items, reply, status))


def _items(reply: Reply) -> Iterator[dict[str, Any]]:
    key = hashlib.sha256(repr((reply.pieces, reply.calls)).encode()).hexdigest()[:12]
    if reply.reasoning:
        summary = {"type": "summary_text", "text": "".join(reply.reasoning)}
        yield {
            "id": f"rs_{key}", "type": "reasoning", "summary": [summary],
            "encrypted_content": encrypted(f"rs_{key}"),
        }  # fmt: skip
    if reply.pieces:
        part = {"type": "output_text", "text": "".join(reply.pieces), "annotations": []}
        yield {
            "id": f"msg_{key}", "type": "message", "role": "assistant", "status": "completed",
            "content": [part],
        }  # fmt: skip
    for number, call in enumerate(reply.calls):
        yield {
            "id": f"fc_{key}_{number}", "type": "function_call", "status": "completed",
            "call_id": call.id or f"call_{number}", "name": call.name, "arguments": call.json,
        }  # fmt: skip


def encrypted(item_id: str) -> str:
    """Return the encrypted reasoning of an item."""
    return hashlib.sha256(f"reasoning {item_id}".encode()).hexdigest()


def _response(items: list[dict[str, Any]], reply: Reply, status: str) -> dict[str, Any]:
    details = {"reason": "max_output_tokens"} if status == "incomplete" else None
    usage = {
        "input_tokens": reply.usage[0], "output_tokens": reply.usage[1],
        "total_tokens": sum(reply.usage), "input_tokens_details": {"cached_tokens": reply.cached},
        "output_tokens_details": {"reasoning_tokens": 0},
    }  # fmt: skip
    return {
        "id": "resp_1", "object": "response", "created_at": 1, "model": "scripted",
        "status": status, "output": items, "incomplete_details": details, "error": None,
        "usage": usage if any(reply.usage) else None,
        "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
    }  # fmt: skip


def _joined(messages: list[Spoken]) -> Iterator[Spoken]:
    """Yield the messages, with text and calls of an answer combined."""
    waiting: Spoken | None = None
    for message in [*messages, Spoken("", "")]:
        if message.role == "assistant" and waiting is not None:
            waiting = Spoken(
                "assistant", waiting.text + message.text, (*waiting.calls, *message.calls)
            )
        elif message.role == "assistant":
            waiting = message
        else:
            yield from (each for each in (waiting, message) if each is not None and each.role)
            waiting = None


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if "text" in part)


def _event(kind: str, **fields: Any) -> bytes:
    value = {"type": kind, "sequence_number": 0, **fields}
    return f"event: {kind}\ndata: {json.dumps(value)}\n\n".encode()
