"""Client for OpenAI's Responses API, which preserves reasoning between tool calls."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterable, AsyncIterator, Sequence
from typing import Any

from docstead.base.errors import ModelError
from docstead.models.chat import ChatMessage, ChatRole, ModelEvent, ToolSpec, ToolUse
from docstead.models.openai_client import OpenAIClientModel
from docstead.models.provider_errors import ProviderError, model_error
from docstead.models.responses_wire import (
    ResponseFailed,
    events_of,
    wire_input,
    wire_instructions,
    wire_tools,
)

_LEAST_OUTPUT_TOKENS = 16  # minimum of the API


class OpenAIResponses(OpenAIClientModel):
    """`base_url` is the prefix of `/responses`.

    The provider stores nothing: it returns encrypted reasoning, which is sent back.
    """

    def _request(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolSpec],
        tool_use: ToolUse,
        max_output_tokens: int | None,
    ) -> dict[str, Any]:
        # In the body as it is: the client's own walk through a long conversation takes long.
        body: dict[str, Any] = {
            "input": wire_input(messages, self.name),
            "store": False,
            "include": ["reasoning.encrypted_content"],
            "prompt_cache_key": _cache_key(messages),
        }
        if instructions := wire_instructions(messages):
            body["instructions"] = instructions
        if tools:
            body |= {"tools": wire_tools(tools), "tool_choice": tool_use.value}
        if max_output_tokens:
            body["max_output_tokens"] = max(max_output_tokens, _LEAST_OUTPUT_TOKENS)
        return {
            "model": self.model,
            "input": (),
            "stream": True,
            "extra_body": {**body, **self._options},
        }

    async def _begin(self, client: Any, request: dict[str, Any]) -> Any:
        return await client.responses.create(**request)

    def _understood(self, items: AsyncIterable[Any]) -> AsyncIterator[ModelEvent]:
        return events_of(items, self.name)

    def _characters(self, item: Any) -> int:
        delta = getattr(item, "delta", None)
        return len(delta) if isinstance(delta, str) else 0

    def _translated(self, error: Exception) -> ModelError:
        if isinstance(error, ResponseFailed):
            return model_error(ProviderError(error.words, code=error.code), self._api_key)
        return super()._translated(error)


def _cache_key(messages: Sequence[ChatMessage]) -> str:
    """Return a key shared by all requests of a conversation, for the provider's cache."""
    begin = [m.text for m in messages if m.role is ChatRole.SYSTEM]
    first = next((m.text for m in messages if m.role is ChatRole.USER), "")
    return hashlib.sha256("\0".join([*begin, first]).encode("utf-8", "replace")).hexdigest()[:32]
