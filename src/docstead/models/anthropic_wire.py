"""Conversion between our values and Anthropic's Messages API."""

from __future__ import annotations

import re
from collections.abc import AsyncIterable, AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from docstead.base.errors import ModelRefused
from docstead.models.chat import (
    ChatMessage,
    ChatRole,
    FinishReason,
    InputFile,
    ModelEvent,
    ModelFinish,
    ModelReasoning,
    ModelReasoningDelta,
    ModelTextDelta,
    ModelUsage,
    ProviderMessage,
    ToolCall,
    ToolSpec,
    ToolUse,
)
from docstead.models.inputs import PDF, encoded

# Reasoning is only sent back to the provider that signed it.
_SIGNED = "anthropic:"
_REDACTED = "anthropic-redacted:"
_CACHED = {"type": "ephemeral"}
_CALL = "docstead_call"  # placeholder in an original for the next tool call
_FORBIDDEN_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST_NAME = 64
_PARTS = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}
_FINISHES = {
    "end_turn": FinishReason.STOP,
    "stop_sequence": FinishReason.STOP,
    "pause_turn": FinishReason.STOP,
    "max_tokens": FinishReason.LENGTH,
    "model_context_window_exceeded": FinishReason.LENGTH,
    "tool_use": FinishReason.TOOL_CALLS,
}
_TOOL_USES = {ToolUse.AUTO: "auto", ToolUse.NONE: "none", ToolUse.REQUIRED: "any"}

Block = dict[str, Any]


def wire_system(messages: Sequence[ChatMessage]) -> list[Block]:
    """Return the system prompt, marked for caching because all calls begin with it."""
    text = "\n\n".join(m.text for m in messages if m.role is ChatRole.SYSTEM and m.text)
    return [{"type": "text", "text": text, "cache_control": _CACHED}] if text else []


def wire_messages(messages: Sequence[ChatMessage], model_name: str = "") -> list[dict[str, Any]]:
    """Return the conversation in turns; consecutive messages of a role are merged.

    Messages from the model `model_name` are sent as they were received.
    """
    turns: list[dict[str, Any]] = []
    for message in messages:
        if message.role is ChatRole.SYSTEM:
            continue
        role = "assistant" if message.role is ChatRole.ASSISTANT else "user"
        blocks = list(_blocks(message, model_name))
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += blocks
        elif blocks:
            turns.append({"role": role, "content": blocks})
    # With the second-last mark the provider finds the previous request, even if there are more
    # new blocks than it searches.
    for turn in [turn for turn in turns if turn["role"] == "user"][-2:]:
        turn["content"][-1]["cache_control"] = _CACHED
    return turns


def wire_tools(tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    return [
        {
            "name": tool.name,
            "description": tool.description,
            "input_schema": dict(tool.parameters),
        }
        for tool in tools
    ]


def wire_tool_use(tool_use: ToolUse) -> dict[str, str]:
    return {"type": _TOOL_USES[tool_use]}


def _blocks(message: ChatMessage, model_name: str) -> Iterator[Block]:
    if message.role is ChatRole.TOOL:
        # The protocol rejects empty text.
        yield {
            "type": "tool_result",
            "tool_use_id": message.tool_call_id,
            "content": [
                {"type": "text", "text": message.text or "(nothing)"},
                *map(_file, message.files),
            ],
        }
        return
    if message.original is not None and message.original.model == model_name:
        yield from _original_blocks(message, message.original)
        return
    yield from map(_file, message.files)
    yield from filter(None, map(_reasoning_block, message.reasoning))
    if message.text.strip():
        yield {"type": "text", "text": message.text}
    yield from map(_tool_use, message.tool_calls)


def _original_blocks(message: ChatMessage, original: ProviderMessage) -> Iterator[Block]:
    """Yield the blocks as received. Arguments may have been shortened since."""
    calls = iter(message.tool_calls)
    for block in original.content:
        if block["type"] != _CALL:
            yield dict(block)
        elif (call := next(calls, None)) is not None:
            yield _tool_use(call)


def _file(file: InputFile) -> Block:
    source = {"type": "base64", "media_type": file.media_type, "data": encoded(file)}
    if file.media_type == PDF:
        return {"type": "document", "title": file.name, "source": source}
    return {"type": "image", "source": source}


def _tool_use(call: ToolCall) -> Block:
    name = _FORBIDDEN_IN_NAMES.sub("_", call.name)[:_LONGEST_NAME] or "unnamed"
    return {"type": "tool_use", "id": call.id, "name": name, "input": call.values_or_text()}


def _reasoning_block(reasoning: ModelReasoning) -> Block | None:
    if reasoning.signature.startswith(_SIGNED):
        signature = reasoning.signature.removeprefix(_SIGNED)
        return {"type": "thinking", "thinking": reasoning.text, "signature": signature}
    if reasoning.signature.startswith(_REDACTED):
        data = reasoning.signature.removeprefix(_REDACTED)
        return {"type": "redacted_thinking", "data": data}
    return None


@dataclass(slots=True)
class _AnthropicAnswer:
    """State of a streamed response."""

    model_name: str
    usage: dict[str, int] = field(default_factory=dict)
    reported: dict[str, int] = field(default_factory=dict)  # part of `usage` that was yielded
    call: ToolCall | None = None
    signature: str = ""
    reason: str = ""
    refusal: str = ""
    blocks: list[Block] = field(default_factory=list)

    def count(self, usage: Any) -> None:
        """Record usage, which is cumulative."""
        names = (
            "input_tokens",
            "output_tokens",
            "cache_read_input_tokens",
            "cache_creation_input_tokens",
        )
        known = ((name, getattr(usage, name, None)) for name in names)
        self.usage |= {name: value for name, value in known if value is not None}

    def new_usage(self) -> Iterator[ModelUsage]:
        """Yield the usage since the last call; input is paid even if the response breaks off."""
        counts = {name: each - self.reported.get(name, 0) for name, each in self.usage.items()}
        self.reported = dict(self.usage)
        cached = counts.get("cache_read_input_tokens", 0)
        written = counts.get("cache_creation_input_tokens", 0)
        if any(counts.values()):
            yield ModelUsage(
                input_tokens=counts.get("input_tokens", 0) + cached + written,
                output_tokens=counts.get("output_tokens", 0),
                cached_tokens=cached,
                model=self.model_name,
                written_tokens=written,
            )

    def ending(self) -> Iterator[ModelEvent]:
        yield from self.new_usage()
        if self.reason == "refusal":
            raise ModelRefused(detail=self.refusal or "the model refused")
        if blocks := [block for block in self.blocks if _is_sendable(block)]:
            yield ProviderMessage(self.model_name, blocks)
        if self.reason:
            yield ModelFinish(_FINISHES.get(self.reason, FinishReason.STOP))


def _is_sendable(block: Block) -> bool:
    """Report whether a block can be sent back; empty text is rejected."""
    return block["type"] != "text" or bool(block["text"].strip())


async def events_of(items: AsyncIterable[Any], model_name: str) -> AsyncIterator[ModelEvent]:
    """Yield the events of a stream, without `ModelFinish` if it was interrupted."""
    answer = _AnthropicAnswer(model_name)
    async for item in items:
        for event in _events_of(item, answer):
            yield event
    for event in answer.ending():
        yield event


def _events_of(item: Any, answer: _AnthropicAnswer) -> Iterator[ModelEvent]:
    match item.type:
        case "message_start":
            answer.count(item.message.usage)
            yield from answer.new_usage()
        case "content_block_start":
            yield from _begun(item.content_block, answer)
        case "content_block_delta":
            yield from _continued(item.delta, answer)
        case "content_block_stop":
            yield from _ended(answer)
        case "message_delta":
            answer.count(item.usage)
            answer.reason = item.delta.stop_reason or answer.reason
            details = getattr(item.delta, "stop_details", None)
            answer.refusal = getattr(details, "explanation", None) or ""


def _begun(block: Any, answer: _AnthropicAnswer) -> Iterator[ModelEvent]:
    started = block.model_dump(mode="json", exclude_none=True)
    answer.blocks.append({"type": _CALL} if block.type == "tool_use" else started)
    match block.type:
        case "tool_use":
            answer.call = ToolCall(block.id, block.name, "")
        case "text" if block.text:
            yield ModelTextDelta(block.text)
        case "thinking" if block.thinking:
            yield ModelReasoningDelta(block.thinking)
        case "redacted_thinking":
            yield ModelReasoningDelta("", signature=_REDACTED + block.data)


def _continued(delta: Any, answer: _AnthropicAnswer) -> Iterator[ModelEvent]:
    if (part := _PARTS.get(delta.type)) and answer.blocks:
        block = answer.blocks[-1]
        block[part] = block.get(part, "") + getattr(delta, part)
    match delta.type:
        case "text_delta" if delta.text:
            yield ModelTextDelta(delta.text)
        case "thinking_delta" if delta.thinking:
            yield ModelReasoningDelta(delta.thinking)
        case "signature_delta":
            answer.signature += delta.signature
        case "input_json_delta" if answer.call is not None:
            call = answer.call
            answer.call = ToolCall(call.id, call.name, call.arguments + delta.partial_json)


def _ended(answer: _AnthropicAnswer) -> Iterator[ModelEvent]:
    if answer.signature:
        yield ModelReasoningDelta("", signature=_SIGNED + answer.signature)
        answer.signature = ""
    if answer.call is not None:
        yield ToolCall(answer.call.id, answer.call.name, answer.call.arguments or "{}")
        answer.call = None
