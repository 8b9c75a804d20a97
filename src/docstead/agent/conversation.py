"""The conversation with the model, as it is kept and as it is sent."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from docstead.models.chat import Message, Reasoning, Role, ToolCall

# English prose has about four characters a token; code and other languages have fewer.
_CHARACTERS_PER_TOKEN = 3
_KEPT_RESULTS = 6  # the newest results stay whole as long as anything else can be shortened
_SHORT = 400
_ROOM = 0.6  # of the window, after shortening: not every call begins a new prefix


def message_json(message: Message) -> dict[str, Any]:
    """A message as it is kept."""
    return {
        "role": message.role.value,
        "text": message.text,
        "toolCalls": [[call.id, call.name, call.arguments] for call in message.tool_calls],
        "toolCallId": message.tool_call_id,
        "reasoning": [[each.text, each.signature] for each in message.reasoning],
    }


def message_of(kept: Mapping[str, Any]) -> Message:
    """The message that was kept."""
    return Message(
        Role(kept["role"]),
        kept["text"],
        tool_calls=tuple(ToolCall(*call) for call in kept["toolCalls"]),
        tool_call_id=kept["toolCallId"],
        reasoning=tuple(Reasoning(*each) for each in kept["reasoning"]),
    )


def complete(messages: Sequence[Message]) -> list[Message]:
    """The messages, with a result for every call.

    A turn that ended in the middle of a step leaves calls without results, which no
    provider accepts in the turn after it. Ids alone do not tell: some providers begin
    to count anew with every answer.
    """
    whole: list[Message] = []
    waiting: list[str] = []
    for message in messages:
        if message.role is Role.TOOL and message.tool_call_id in waiting:
            waiting.remove(message.tool_call_id)
        else:
            whole += _not_done(waiting)
            waiting = [call.id for call in message.tool_calls]
        whole.append(message)
    return [*whole, *_not_done(waiting)]


def _not_done(call_ids: Sequence[str]) -> list[Message]:
    text = "This was not done: the turn ended before it."
    return [Message(Role.TOOL, text, tool_call_id=each) for each in call_ids]


def fitted(messages: Sequence[Message], window_tokens: int) -> list[Message]:
    """The messages, so that a model with this window can read them.

    Old results of tools are shortened first, then what old calls wrote, then the newer
    ones. The model is told what was left out, and can ask for it again.
    """
    size, fitting = sum(map(_size, messages)), list(messages)
    if size <= window_tokens * _CHARACTERS_PER_TOKEN:
        return fitting
    room = window_tokens * _CHARACTERS_PER_TOKEN * _ROOM
    results = [at for at, message in enumerate(fitting) if message.role is Role.TOOL]
    old = results[:-_KEPT_RESULTS]
    newest = old[-1] if old else 0
    calls = [at for at, message in enumerate(fitting[:newest]) if message.tool_calls]
    for at in [*old, *calls, *results[-_KEPT_RESULTS:-1]]:
        if size <= room:
            break
        before, fitting[at] = fitting[at], _shortened(fitting[at])
        size += _size(fitting[at]) - _size(before)
    return fitting


def _shortened(message: Message) -> Message:
    calls = tuple(replace(call, arguments=_short_values(call)) for call in message.tool_calls)
    text = _short_text(message.text) if message.role is Role.TOOL else message.text
    return replace(message, text=text, tool_calls=calls)


def _short_text(text: str) -> str:
    if len(text) <= 2 * _SHORT:  # short enough, or shortened before
        return text
    return (
        f"{text[:_SHORT]}\n[{len(text) - _SHORT} characters of this result were left out to save "
        "room; use the tool again if you need them]"
    )


def _short_values(call: ToolCall) -> str:
    try:
        values = call.values()
    except Exception:  # what the model wrote was no JSON; it stays as it is
        return call.arguments
    return json.dumps(
        {
            name: f"{value[:_SHORT]}… [left out]"
            if isinstance(value, str) and len(value) > _SHORT
            else value
            for name, value in values.items()
        },
        ensure_ascii=False,
    )


def _size(message: Message) -> int:
    calls = sum(len(call.arguments) + len(call.name) for call in message.tool_calls)
    return len(message.text) + calls + sum(len(each.text) for each in message.reasoning)
