"""Client for servers with Anthropic's Messages API."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Sequence
from typing import Any

from docstead.base.errors import ModelBadAnswer, ModelError, ModelTimeout, ModelUnreachable
from docstead.base.response_limits import UNCOMPRESSED
from docstead.models.anthropic_wire import (
    events_of,
    wire_messages,
    wire_system,
    wire_tool_use,
    wire_tools,
)
from docstead.models.chat import ChatMessage, ModelEvent, ToolSpec, ToolUse
from docstead.models.provider_errors import ProviderError, model_error
from docstead.models.remote import STREAM_HOOKS, RemoteModel

_OUTPUT_TOKENS = 8_192  # required by the protocol
_FIRST_ERROR_STATUS = 400
_NO_KEY = "none"  # the library requires a value and sends no header with this one


class AnthropicMessages(RemoteModel):
    """`base_url` is the prefix of `/v1/messages`."""

    def _connect(self) -> Any:
        import anthropic

        timeouts = self._timeouts
        longest = max(timeouts.first_seconds, timeouts.silence_seconds)
        return anthropic.AsyncAnthropic(
            base_url=self._base_url,
            api_key=self._api_key or _NO_KEY,
            timeout=anthropic.Timeout(longest, connect=timeouts.connect_seconds),
            max_retries=0,
            default_headers=UNCOMPRESSED,
            http_client=anthropic.DefaultAsyncHttpxClient(event_hooks=STREAM_HOOKS),
        )

    def _request(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolSpec],
        tool_use: ToolUse,
        max_output_tokens: int | None,
    ) -> dict[str, Any]:
        # In the body as it is: the client's own walk through a long conversation takes long.
        body: dict[str, Any] = {"messages": wire_messages(messages, self.name)}
        if system := wire_system(messages):
            body["system"] = system
        if tools:
            body |= {"tools": wire_tools(tools), "tool_choice": wire_tool_use(tool_use)}
        return {
            "model": self.model,
            "messages": (),
            "max_tokens": self._output_limit(max_output_tokens or _OUTPUT_TOKENS),
            "stream": True,
            "extra_body": {**body, **self._options},
        }

    def _output_limit(self, requested: int) -> int:
        """Return the output token limit; a thinking budget counts towards it and must be less."""
        thinking = self._options.get("thinking")
        budget = thinking.get("budget_tokens", 0) if isinstance(thinking, dict) else 0
        return requested if requested > budget else requested + int(budget)

    async def _begin(self, client: Any, request: dict[str, Any]) -> Any:
        return await client.messages.create(**request)

    def _understood(self, items: AsyncIterable[Any]) -> AsyncIterator[ModelEvent]:
        return events_of(items, self.name)

    def _characters(self, item: Any) -> int:  # noqa: ARG002 - usage is reported at the beginning
        return 0

    def _translated(self, error: Exception) -> ModelError:
        import anthropic

        if isinstance(error, anthropic.APITimeoutError):
            return ModelTimeout(detail=f"{self._base_url} did not answer in time")
        if isinstance(error, anthropic.APIConnectionError):
            return ModelUnreachable(detail=f"{self._base_url}: {error.__cause__ or error}")
        if isinstance(error, anthropic.APIStatusError):
            # Errors within a stream carry the status of the successful response.
            status = error.status_code if error.status_code >= _FIRST_ERROR_STATUS else None
            words = error.api_message or error.message
            failure = ProviderError(words, status, f"{error.type or ''}", error.response.headers)
            return model_error(failure, self._api_key)
        return ModelBadAnswer(detail=f"the answer cannot be understood: {error!r}")
