"""Conversion between our values and OpenAI's Chat Completions API."""

from __future__ import annotations

import json
import operator
import re
from collections.abc import AsyncIterable, AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docstead.base.errors import InvalidRequest, ModelRefused
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

# Servers expect reasoning under the name under which they sent it.
_REASONING_FIELDS = ("reasoning_content", "reasoning")
_OPENING = re.compile(r"\s*<think(?:ing)?>")
_OPENINGS = ("<think>", "<thinking>")
_CLOSING = re.compile(r"</think(?:ing)?>\s*")
_LONGEST_CLOSING = len("</thinking>") - 1
_FORBIDDEN_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST_NAME = 64
_CALL_FIELDS = frozenset({"index", "id", "type", "function"})
# Response fields that must be sent back, by server.
_ECHOED_FIELDS = (*_REASONING_FIELDS, "reasoning_details", "thinking_blocks", "extra_content")


def wire_messages(messages: Sequence[ChatMessage], model_name: str = "") -> list[dict[str, Any]]:
    """Return the messages; those of the model `model_name` with all fields that it sent.

    Tool results are text in this protocol. Their images follow the last result in a user message.
    """
    wire: list[dict[str, Any]] = []
    pictures: list[dict[str, Any]] = []
    for message in messages:
        if message.role is ChatRole.TOOL:
            pictures += _pictures(message)
        else:
            wire += _shown(pictures)
            pictures = []
        wire.append(_wire_message(message, model_name))
    return [*wire, *_shown(pictures)]


def _pictures(result: ChatMessage) -> list[dict[str, Any]]:
    if not result.files:
        return []
    name = f"Pictures of the result of {result.tool_call_id}, which are data of the tool:"
    return [{"type": "text", "text": name}, *map(_file, result.files)]


def _shown(pictures: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a user message with these images, if there are any."""
    return [{"role": ChatRole.USER.value, "content": [*pictures]}] if pictures else []


def wire_tools(tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
            },
        }
        for tool in tools
    ]


def _wire_message(message: ChatMessage, model_name: str) -> dict[str, Any]:
    wire: dict[str, Any] = {"role": message.role.value, "content": message.text}
    if message.files and message.role is not ChatRole.TOOL:
        text = [{"type": "text", "text": message.text}] if message.text else []
        wire["content"] = [*text, *map(_file, message.files)]
    if message.role is ChatRole.TOOL:
        wire["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        wire["content"] = message.text or None
        wire["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": wire_name(call), "arguments": wire_arguments(call)},
            }
            for call in message.tool_calls
        ]
    if message.original is not None and message.original.model == model_name:
        return _with_original(wire, message.original.content)
    for part in message.reasoning:
        if part.signature in _REASONING_FIELDS:
            wire[part.signature] = wire.get(part.signature, "") + part.text
    return wire


def _file(file: InputFile) -> dict[str, Any]:
    if file.media_type == PDF:
        return {"type": "file", "file": {"filename": file.name, "file_data": data_url(file)}}
    return {"type": "image_url", "image_url": {"url": data_url(file)}}


def _with_original(wire: dict[str, Any], original: Mapping[str, Any]) -> dict[str, Any]:
    """Return the message with the additional fields of its provider."""
    calls = zip(wire.get("tool_calls", ()), original["calls"], strict=False)
    for call, extra in calls:
        call.update(extra)
    return {**wire, **original["message"]}


def wire_name(call: ToolCall) -> str:
    """Return a tool's name with the characters that the API accepts."""
    return _FORBIDDEN_IN_NAMES.sub("_", call.name)[:_LONGEST_NAME] or "unnamed"


def wire_arguments(call: ToolCall) -> str:
    """Return the arguments; servers reject conversations in which they are not a JSON object."""
    try:
        call.values()
    except InvalidRequest:
        return json.dumps({"malformed": call.arguments}, ensure_ascii=False)
    return call.arguments or "{}"


@dataclass(slots=True)
class _PartialCall:
    id: str = ""
    name: str = ""
    arguments: str = ""
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class _OpenAIAnswer:
    """State of a streamed response."""

    calls: list[_PartialCall] = field(default_factory=list)
    at_index: dict[int, _PartialCall] = field(default_factory=dict)
    usage: ModelUsage | None = None
    reason: str = ""
    refusal: str = ""
    reasoning_field: str = ""
    extra: dict[str, Any] = field(default_factory=dict)

    def add_call(self, piece: Any) -> None:
        """Add a call; some servers number all calls 0 or none, so a new id is also a new call."""
        index = piece.index if piece.index is not None else len(self.calls)
        call = self.at_index.get(index)
        if call is None or (piece.id and call.id and piece.id != call.id):
            call = self.at_index[index] = _PartialCall()
            self.calls.append(call)
        call.id = call.id or piece.id or ""
        if piece.function is not None:
            # Some servers repeat the name in each piece of the arguments.
            name = piece.function.name or ""
            call.name += name if name != call.name else ""
            call.arguments += piece.function.arguments or ""
        extra = piece.model_extra or {}
        call.extra |= {name: extra[name] for name in extra.keys() - _CALL_FIELDS}

    def original(self, model_name: str) -> Iterator[ModelEvent]:
        """Yield fields beyond the protocol, such as reasoning signatures."""
        calls = [call.extra for call in self.calls]
        if self.extra or any(calls):
            yield ProviderMessage(model_name, {"message": self.extra, "calls": calls})

    def ending(self) -> Iterator[ModelEvent]:
        if self.usage is not None:
            yield self.usage
        if self.refusal or self.reason == "content_filter":
            raise ModelRefused(detail=self.refusal or "the provider's filter cut the answer")
        for number, call in enumerate(self.calls):
            yield ToolCall(call.id or f"call_{number}", call.name, call.arguments or "{}")
        if self.reason == "length":
            yield ModelFinish(FinishReason.LENGTH)
        elif self.reason:
            yield ModelFinish(FinishReason.TOOL_CALLS if self.calls else FinishReason.STOP)


async def events_of(chunks: AsyncIterable[Any], model_name: str) -> AsyncIterator[ModelEvent]:
    """Yield the events of a stream, without `ModelFinish` if it was interrupted."""
    answer, text = _OpenAIAnswer(), _TextDecoder()
    async for chunk in chunks:
        if chunk.usage is not None:
            answer.usage = _usage(chunk.usage, model_name)
        for choice in (chunk.choices or ())[:1]:
            for event in _said(choice.delta, answer, text):
                yield event
            answer.reason = choice.finish_reason or answer.reason
    for event in text.rest():
        yield event
    for event in answer.original(model_name):
        yield event
    for event in answer.ending():
        yield event


def characters_of(chunk: Any) -> int:
    """Return the number of characters that a chunk adds to the response."""
    return sum(_delta_characters(choice.delta) for choice in (chunk.choices or ())[:1])


def _delta_characters(delta: Any) -> int:
    if delta is None:
        return 0
    reasoning = (getattr(delta, name, None) for name in _REASONING_FIELDS)
    texts = [delta.content, getattr(delta, "refusal", None), *reasoning]
    for call in delta.tool_calls or ():
        texts += [call.function.name, call.function.arguments] if call.function else []
    return sum(len(text) for text in texts if isinstance(text, str))


def _echoed(before: dict[str, Any], delta: Any) -> dict[str, Any]:
    """Return the fields to send back so far; strings and lists arrive in pieces."""
    found = {name: (delta.model_extra or {}).get(name) for name in _ECHOED_FIELDS}
    pieces = {name: value for name, value in found.items() if value is not None}
    return before | {name: _appended(before.get(name), value) for name, value in pieces.items()}


def _appended(kept: Any, piece: Any) -> Any:
    is_more = type(kept) is type(piece) and isinstance(piece, str | list)
    return operator.add(kept, piece) if is_more else piece


def _said(delta: Any, answer: _OpenAIAnswer, text: _TextDecoder) -> Iterator[ModelEvent]:
    if delta is None:
        return
    for name in _REASONING_FIELDS:
        reasoning_text = getattr(delta, name, None)
        if isinstance(reasoning_text, str) and reasoning_text:
            answer.reasoning_field = name
            yield ModelReasoningDelta(reasoning_text)
            break
    calls = delta.tool_calls or ()
    answer.extra = _echoed(answer.extra, delta)
    if answer.reasoning_field and (delta.content or calls):
        yield ModelReasoningDelta("", signature=answer.reasoning_field)
        answer.reasoning_field = ""
    yield from text.add(delta.content or "")
    answer.refusal += getattr(delta, "refusal", None) or ""
    for call in calls:
        answer.add_call(call)


def _usage(usage: Any, model_name: str) -> ModelUsage:
    details = getattr(usage, "prompt_tokens_details", None)
    return ModelUsage(
        input_tokens=usage.prompt_tokens or 0,
        output_tokens=usage.completion_tokens or 0,
        cached_tokens=getattr(details, "cached_tokens", None) or 0,
        model=model_name,
    )


class _TextDecoder:
    """Decoder that joins surrogate pairs, and separates reasoning between tags."""

    def __init__(self) -> None:
        self._half = ""
        self._held = ""
        self._thinks: bool | None = None  # None until known

    def add(self, piece: str) -> Iterator[ModelEvent]:
        text, self._half = whole_characters(self._half + piece)
        self._held += text
        if self._thinks is None and self._held:
            self._begin()
        if self._thinks:
            yield from self._reasoning_before_answer()
        if self._thinks is False and self._held:
            yield ModelTextDelta(self._held)
            self._held = ""

    def rest(self) -> Iterator[ModelEvent]:
        last = "\ufffd" if self._half else ""
        if self._held or last:
            kind = ModelReasoningDelta if self._thinks else ModelTextDelta
            yield kind(self._held + last)

    def _begin(self) -> None:
        if opening := _OPENING.match(self._held):
            self._thinks, self._held = True, self._held[opening.end() :]
        elif not any(tag.startswith(self._held.lstrip()) for tag in _OPENINGS):
            self._thinks = False

    def _reasoning_before_answer(self) -> Iterator[ModelEvent]:
        if closing := _CLOSING.search(self._held):
            if reasoning_text := self._held[: closing.start()]:
                yield ModelReasoningDelta(reasoning_text)
            self._thinks, self._held = False, self._held[closing.end() :]
        elif reasoning_text := self._held[:-_LONGEST_CLOSING]:
            yield ModelReasoningDelta(reasoning_text)
            self._held = self._held[-_LONGEST_CLOSING:]


def whole_characters(text: str) -> tuple[str, str]:
    """Return the text as characters, and half a character that waits for its other half.

    Some servers cut an emoji, which JSON writes as two surrogates, between two chunks.
    """
    held = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
    text = text.removesuffix(held)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"), held
