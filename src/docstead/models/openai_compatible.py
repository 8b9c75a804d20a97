"""Client for servers with OpenAI's Chat Completions API."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any

from docstead.models.chat import (
    ChatMessage,
    ModelEvent,
    ModelTextDelta,
    ModelUsage,
    ToolSpec,
    ToolUse,
)
from docstead.models.openai_client import OpenAIClientModel, provider_words
from docstead.models.openai_wire import characters_of, events_of, wire_messages, wire_tools
from docstead.models.usage_estimates import UsageMeter

# OpenAI deprecates the older name, and its reasoning models refuse it. Some servers know no
# other: they refuse the newer one (Mistral) or ignore it (Ollama).
_OLDER_LIMIT, _NEWER_LIMIT = "max_tokens", "max_completion_tokens"
_OTHER_LIMIT = {_OLDER_LIMIT: _NEWER_LIMIT, _NEWER_LIMIT: _OLDER_LIMIT}
_UNKNOWN_FIELD = re.compile(
    r"unsupported|not supported|not permitted|not allowed|forbidden"
    r"|un(?:known|recogni[sz]ed|expected)|use 'max",
    re.IGNORECASE,
)


class OpenAICompatible(OpenAIClientModel):
    """`base_url` is the prefix of `/chat/completions`."""

    def __init__(self, base_url: str, api_key: str, model: str, **more: Any) -> None:
        super().__init__(base_url, api_key, model, **more)
        self._limit_field = _NEWER_LIMIT

    def _request(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolSpec],
        tool_use: ToolUse,
        max_output_tokens: int | None,
    ) -> dict[str, Any]:
        # In the body as it is: the client's own walk through a long conversation takes longer
        # than all else that happens between two calls of an agent.
        body: dict[str, Any] = {"messages": wire_messages(messages, self.name)}
        if tools:
            body |= {"tools": wire_tools(tools), "tool_choice": tool_use.value}
        request: dict[str, Any] = {
            "model": self.model,
            "messages": (),
            "stream": True,
            "stream_options": {"include_usage": True},
            "extra_body": {**body, **self._options},
        }
        if max_output_tokens and self._options.keys().isdisjoint(_OTHER_LIMIT):
            request[self._limit_field] = max_output_tokens
        return request

    async def _begin(self, client: Any, request: dict[str, Any]) -> Any:
        """Start a stream, falling back to the other name of the limit if it is rejected."""
        import openai

        try:
            return await client.chat.completions.create(**request)
        except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
            name = next((name for name in _OTHER_LIMIT if name in request), None)
            if name is None or not _is_unknown(name, provider_words(error)):
                raise
        self._limit_field = _OTHER_LIMIT[name]
        request[self._limit_field] = request.pop(name)
        return await client.chat.completions.create(**request)

    async def _events(
        self, request: dict[str, Any], meter: UsageMeter
    ) -> AsyncGenerator[ModelEvent, None]:
        pieces, tokens = 0, None
        async with aclosing(super()._events(request, meter)) as events:
            async for event in events:
                if isinstance(event, ModelUsage):
                    tokens = event.output_tokens
                pieces += isinstance(event, ModelTextDelta)
                yield event
        limit = request.get(_NEWER_LIMIT)
        # Servers that report no usage send one or more tokens per chunk.
        if limit and (pieces if tokens is None else tokens) > limit:
            self._limit_field = _OLDER_LIMIT  # the server ignores the newer name

    def _understood(self, items: AsyncIterable[Any]) -> AsyncIterator[ModelEvent]:
        return events_of(items, self.name)

    def _characters(self, item: Any) -> int:
        return characters_of(item)


def _is_unknown(name: str, words: str) -> bool:
    """Report whether an error is about the field itself, not its value."""
    return re.search(rf"\b{name}\b", words) is not None and bool(_UNKNOWN_FIELD.search(words))
