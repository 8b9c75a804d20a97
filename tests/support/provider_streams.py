"""Streams of both protocols, written block by block as providers send them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any


def anthropic_stream(blocks: list[dict[str, Any]], reason: str = "tool_use") -> bytes:
    """Return the events by which Anthropic sends these blocks."""
    return "".join(
        f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
        for event in _anthropic_events(blocks, reason)
    ).encode()


def _anthropic_events(blocks: list[dict[str, Any]], reason: str) -> Iterator[dict[str, Any]]:
    message = {"id": "m", "type": "message", "role": "assistant", "model": "tiny", "content": []}
    ends: dict[str, Any] = {"stop_reason": None, "stop_sequence": None}
    usage = {"input_tokens": 1, "output_tokens": 1}
    yield {"type": "message_start", "message": {**message, **ends, "usage": usage}}
    for index, block in enumerate(blocks):
        empty, deltas = _in_deltas(block)
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": reason, "stop_sequence": None},
        "usage": {"output_tokens": 2},
    }
    yield {"type": "message_stop"}


def _in_deltas(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    match block["type"]:
        case "thinking":
            halves = [block["thinking"][:5], block["thinking"][5:]]
            texts = [{"type": "thinking_delta", "thinking": half} for half in halves if half]
            signature = {"type": "signature_delta", "signature": block["signature"]}
            return {**block, "thinking": "", "signature": ""}, [*texts, signature]
        case "text":
            return {**block, "text": ""}, [{"type": "text_delta", "text": block["text"]}]
        case "tool_use":
            arguments = json.dumps(block["input"])
            return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": arguments}]
        case _:
            return block, []


def openai_stream(*deltas: dict[str, Any], finish: str = "tool_calls") -> bytes:
    chunks = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    chunks.append({"index": 0, "delta": {}, "finish_reason": finish})
    lines = [json.dumps({"id": "c", "object": "x", "choices": [chunk]}) for chunk in chunks]
    return "".join(f"data: {line}\n\n" for line in lines).encode()
