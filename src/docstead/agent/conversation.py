"""Conversation with the model, as stored and as sent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from docstead.models.chat import (
    ChatMessage,
    ChatRole,
    ModelReasoning,
    ProviderMessage,
    ToolCall,
)
from docstead.models.usage_estimates import file_tokens, written_characters

# characters per token: English prose has about four, code and other languages fewer
_CHARACTERS_PER_TOKEN = 3
_KEPT_RESULTS = 6  # latest results that are shortened last
_SHORT = 400
REPLACES = "replaces"  # in a stored summary: the number of replaced messages, 0 without notes
_TARGET_SHARE = 0.6  # of the window, after shortening, so that not every call changes the prefix


def message_json(message: ChatMessage) -> dict[str, Any]:
    """Return a message in its stored form."""
    original = message.original
    return {
        "role": message.role.value,
        "text": message.text,
        "toolCalls": [[call.id, call.name, call.arguments] for call in message.tool_calls],
        "toolCallId": message.tool_call_id,
        "reasoning": [[each.text, each.signature] for each in message.reasoning],
        "original": original and [original.model, original.content],
    }


def message_of(kept: Mapping[str, Any]) -> ChatMessage:
    """Return a message from its stored form."""
    return ChatMessage(
        ChatRole(kept["role"]),
        kept["text"],
        tool_calls=tuple(ToolCall(*call) for call in kept["toolCalls"]),
        tool_call_id=kept["toolCallId"],
        reasoning=tuple(ModelReasoning(*each) for each in kept["reasoning"]),
        original=ProviderMessage(*original) if (original := kept.get("original")) else None,
    )


def complete(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Return the messages with a result for every call.

    A turn that ended within a step leaves calls without results, which providers reject in the next
    turn. Call ids do not suffice, because some providers restart numbering with every response.
    """
    whole: list[ChatMessage] = []
    waiting: list[str] = []
    for message in messages:
        if message.role is ChatRole.TOOL and message.tool_call_id in waiting:
            waiting.remove(message.tool_call_id)
        else:
            whole += _not_done(waiting)
            waiting = [call.id for call in message.tool_calls]
        whole.append(message)
    return [*whole, *_not_done(waiting)]


def summarized(kept: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return stored messages with the latest summary in place of those that it replaces."""
    newest = next((each for each in reversed(kept) if each.get(REPLACES)), None)
    rest = kept if newest is None else kept[newest[REPLACES] :]
    messages = [each for each in rest if REPLACES not in each]
    return messages if newest is None else [newest, *messages]


def _not_done(call_ids: Sequence[str]) -> list[ChatMessage]:
    text = "This was not done: the turn ended before it."
    return [ChatMessage(ChatRole.TOOL, text, tool_call_id=each) for each in call_ids]


def fitted(messages: Sequence[ChatMessage], window_tokens: int) -> list[ChatMessage]:
    """Shorten messages to fit into the model's context window.

    Old tool results are shortened first, then arguments of old calls, then newer results, then old
    prompts. The model sees what was omitted and can request it again. Results that it has not seen
    yet are never shortened: those beyond the window are withheld entirely, and the model is asked
    to read less at once.
    """
    limit = window_characters(window_tokens)
    size, fitting = size_of(messages), list(messages)
    if size <= limit:
        return fitting
    for at in _shortening_order(fitting):
        if size <= limit * _TARGET_SHARE:
            break
        before, fitting[at] = fitting[at], _shortened(fitting[at])
        size += _size(fitting[at]) - _size(before)
    return fitting if size <= limit else _withheld(fitting, size - limit)


def _shortening_order(messages: Sequence[ChatMessage]) -> list[int]:
    """Return indexes of messages that may be shortened, the most dispensable first."""
    unseen = _unseen(messages)
    results = [at for at, message in enumerate(messages) if message.role is ChatRole.TOOL]
    old = results[:-_KEPT_RESULTS]
    newest = old[-1] if old else 0
    calls = [at for at, message in enumerate(messages[:newest]) if message.tool_calls]
    newer = [at for at in results[-_KEPT_RESULTS:] if at < unseen]
    prompts = [at for at, message in enumerate(messages) if message.role is ChatRole.USER]
    return [*(at for at in old if at < unseen), *calls, *newer, *prompts[:-1]]


def _unseen(messages: Sequence[ChatMessage]) -> int:
    """Return the index of the first message that the model has not seen."""
    answers = (at for at, message in enumerate(messages) if message.role is ChatRole.ASSISTANT)
    return max(answers, default=-1) + 1


def _withheld(messages: list[ChatMessage], excess: int) -> list[ChatMessage]:
    """Withhold the last unseen results, as many as exceed the window."""
    shown = list(messages)
    for at in range(len(messages) - 1, _unseen(messages) - 1, -1):
        message = messages[at]
        if excess <= 0:
            break
        if message.role is ChatRole.TOOL and _size(message) > _SHORT:
            shown[at] = replace(message, text=_too_much(_size(message)), files=())
            excess -= _size(message) - _size(shown[at])
    return shown


def _too_much(characters: int) -> str:
    return (
        f"This result of {characters:,} characters is not shown, because the results of your "
        "last answer are together longer than you can read at once. Nothing of it was lost: "
        "make the call again with fewer others, or ask for fewer lines."
    )


def _shortened(message: ChatMessage) -> ChatMessage:
    calls = tuple(replace(call, arguments=_short_values(call)) for call in message.tool_calls)
    text = _short_text(message.text, message.role)
    if message.files:
        names = ", ".join(file.name for file in message.files)
        text += f"\n[These files were left out to save room: {names}]"
    return replace(message, text=text, tool_calls=calls, files=())


def _short_text(text: str, role: ChatRole) -> str:
    if len(text) <= 2 * _SHORT or role is ChatRole.ASSISTANT:
        return text
    # Keep the delimiter after untrusted text: what follows it is trusted.
    last = text.rpartition("\n")[2]
    fence = f"\n{last}" if last.endswith(">>") and len(last) < _SHORT else ""
    missing = len(text) - _SHORT - len(fence)
    advice = "; use the tool again if you need them" if role is ChatRole.TOOL else ""
    mark = f"[{missing} characters were left out to save room{advice}]"
    return f"{text[:_SHORT]}\n{mark}{fence}"


def _short_values(call: ToolCall) -> str:
    try:
        values = call.values()
    except Exception:  # the arguments were not valid JSON; keep them
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


def window_characters(window_tokens: int) -> int:
    """Return the number of characters of prose that fill a window of this many tokens."""
    return window_tokens * _CHARACTERS_PER_TOKEN


def size_of(messages: Iterable[ChatMessage]) -> int:
    """Return the size of messages, in characters of prose with about as many tokens."""
    return sum(map(_size, messages))


def _size(message: ChatMessage) -> int:
    tokens = sum(map(file_tokens, message.files))
    return written_characters(message) + tokens * _CHARACTERS_PER_TOKEN
