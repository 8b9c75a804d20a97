"""Conversion between our values and OpenAI's Responses API.

A reasoning item is only accepted before the item that it led to, and vice versa. Responses are
therefore sent back to their model with all items, in order.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterator, Mapping, Sequence
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
    ModelReasoningDelta,
    ModelTextDelta,
    ModelUsage,
    ProviderMessage,
    ToolCall,
    ToolSpec,
)
from docstead.models.inputs import PDF, data_url
from docstead.models.openai_wire import whole_characters, wire_arguments, wire_name

_CALL, _REASONING = "function_call", "reasoning"
_REASONING_DELTAS = ("response.reasoning_summary_text.delta", "response.reasoning_text.delta")
_ENDINGS = ("response.completed", "response.incomplete")

Item = dict[str, Any]


class ResponseFailed(Exception):
    """The provider ended a response with an error."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code, self.words = code, words


def wire_instructions(messages: Sequence[ChatMessage]) -> str:
    """Return the system prompt, which is separate from the conversation in this API."""
    return "\n\n".join(m.text for m in messages if m.role is ChatRole.SYSTEM and m.text)


def wire_input(messages: Sequence[ChatMessage], model_name: str = "") -> list[Item]:
    """Return the conversation as items; responses of the model `model_name` as received."""
    return [item for message in messages for item in _items(message, model_name)]


def wire_tools(tools: Sequence[ToolSpec]) -> list[Item]:
    """Return the tools, without `strict`, which would make every argument required."""
    return [
        {
            "type": "function",
            "name": tool.name,
            "description": tool.description,
            "parameters": dict(tool.parameters),
            "strict": False,
        }
        for tool in tools
    ]


def _items(message: ChatMessage, model_name: str) -> Iterator[Item]:
    if message.role is ChatRole.SYSTEM:
        return
    if message.role is ChatRole.TOOL:
        yield {
            "type": "function_call_output",
            "call_id": message.tool_call_id,
            "output": _content(message),
        }
    elif message.original is not None and message.original.model == model_name:
        yield from _original_items(message, message.original)
    else:
        if message.text or message.files:
            yield {"role": message.role.value, "content": _content(message)}
        yield from map(_call, message.tool_calls)


def _original_items(message: ChatMessage, original: ProviderMessage) -> Iterator[Item]:
    """Yield the items as received. Arguments may have been shortened since."""
    calls = iter(message.tool_calls)
    for item in original.content:
        if item["type"] != _CALL:
            yield dict(item)
        elif (call := next(calls, None)) is not None:
            yield {**item, **_call(call)}


def _content(message: ChatMessage) -> str | list[Item]:
    if not message.files:
        return message.text
    text = [{"type": "input_text", "text": message.text}] if message.text else []
    return [*text, *map(_file, message.files)]


def _file(file: InputFile) -> Item:
    if file.media_type == PDF:
        return {"type": "input_file", "filename": file.name, "file_data": data_url(file)}
    return {"type": "input_image", "image_url": data_url(file)}


def _call(call: ToolCall) -> Item:
    return {
        "type": _CALL,
        "call_id": call.id,
        "name": wire_name(call),
        "arguments": wire_arguments(call),
    }


@dataclass(slots=True)
class _ResponseAnswer:
    """State of a streamed response."""

    model_name: str
    items: list[Item] = field(default_factory=list)
    half: str = ""
    usage: ModelUsage | None = None
    is_over: bool = False
    is_cut: bool = False
    refusal: str = ""

    def end(self, response: Any) -> None:
        """Record the final event, which describes the whole response."""
        self.is_over = True
        details = getattr(response, "incomplete_details", None)
        reason = getattr(details, "reason", None)
        self.is_cut = reason is not None
        if reason == "content_filter":
            self.refusal = self.refusal or "the provider's filter cut the answer"
        self.usage = _usage(response.usage, self.model_name) if response.usage else None
        # It contains items without their own end event, such as a truncated call.
        self.items = [_received(item) for item in response.output or ()] or self.items

    def ending(self) -> Iterator[ModelEvent]:
        if self.half:
            yield ModelTextDelta("\ufffd")
        if self.usage is not None:
            yield self.usage
        if self.refusal:
            raise ModelRefused(detail=self.refusal)
        calls = [item for item in self.items if item["type"] == _CALL]
        for number, call in enumerate(calls):
            call_id = call.get("call_id") or f"call_{number}"
            yield ToolCall(call_id, call.get("name") or "", call.get("arguments") or "{}")
        if kept := _without_last_reasoning(self.items):
            stored = [{**item, "arguments": ""} if item["type"] == _CALL else item for item in kept]
            yield ProviderMessage(self.model_name, stored)
        if self.is_cut:
            yield ModelFinish(FinishReason.LENGTH)
        elif self.is_over:
            yield ModelFinish(FinishReason.TOOL_CALLS if calls else FinishReason.STOP)


async def events_of(items: AsyncIterable[Any], model_name: str) -> AsyncIterator[ModelEvent]:
    """Yield the events of a stream, without `ModelFinish` if it was interrupted.

    Raises:
        ResponseFailed: the provider ended it with an error.
    """
    answer = _ResponseAnswer(model_name)
    async for item in items:
        for event in _events_of(item, answer):
            yield event
    for event in answer.ending():
        yield event


def _events_of(item: Any, answer: _ResponseAnswer) -> Iterator[ModelEvent]:
    if item.type in _REASONING_DELTAS:
        yield ModelReasoningDelta(item.delta)
    elif item.type in _ENDINGS:
        answer.end(item.response)
    match item.type:
        case "response.output_text.delta":
            text, answer.half = whole_characters(answer.half + item.delta)
            if text:
                yield ModelTextDelta(text)
        case "response.refusal.delta":
            answer.refusal += item.delta
        case "response.output_item.done":
            answer.items.append(_received(item.item))
        case "response.failed":
            error = item.response.error
            raise ResponseFailed(getattr(error, "code", None) or "", _words(error))
        case "error":
            raise ResponseFailed(getattr(item, "code", None) or "", _words(item))


def _received(item: Any) -> Item:
    """Return an item in the form in which it is sent back."""
    received: Item = item.model_dump(mode="json", exclude_none=True)
    received.pop("status", None)
    return received


def _without_last_reasoning(items: Sequence[Item]) -> list[Item]:
    """Remove reasoning at the end, whose following item was truncated."""
    kept = [*items]
    while kept and kept[-1]["type"] == _REASONING:
        kept.pop()
    return kept


def _words(error: Any) -> str:
    return str(getattr(error, "message", None) or "the answer failed")


def _usage(usage: Any, model_name: str) -> ModelUsage:
    details: Mapping[str, Any] | Any = getattr(usage, "input_tokens_details", None)
    return ModelUsage(
        input_tokens=usage.input_tokens or 0,
        output_tokens=usage.output_tokens or 0,
        cached_tokens=getattr(details, "cached_tokens", None) or 0,
        model=model_name,
    )
