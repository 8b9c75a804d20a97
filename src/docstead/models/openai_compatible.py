"""Any server that speaks OpenAI's chat completions."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from docstead.base.errors import ModelBadAnswer, ModelError, ModelTimeout, ModelUnreachable
from docstead.models.chat import Message, ModelEvent, ToolSpec, ToolUse
from docstead.models.failures import Fault, model_error
from docstead.models.openai_wire import events_of, wire_messages, wire_tools
from docstead.models.patience import Patience, PerLoop, patiently, sound

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_log = logging.getLogger(__name__)

_OWN_HOST = "api.openai.com"
_NO_KEY = "none"  # servers without keys are asked with one all the same


class OpenAICompatible:
    """A chat model behind `base_url`. The client library is loaded at the first question.

    `options` goes into every request as it is: temperature, reasoning effort and the like.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        model: str,
        *,
        name: str = "",
        patience: Patience | None = None,
        max_output_tokens: int | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.model = model
        self._name = name or model
        self._base_url = base_url
        self._api_key = api_key
        self._patience = patience or Patience()
        self._max_output_tokens = max_output_tokens
        self._options = dict(options or {})
        self._clients = PerLoop(self._connect)

    @property
    def name(self) -> str:
        return self._name

    async def stream(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolSpec] = (),
        tool_use: ToolUse = ToolUse.AUTO,
        max_output_tokens: int | None = None,
    ) -> AsyncGenerator[ModelEvent, None]:
        request = self._request(messages, tools, tool_use, max_output_tokens)
        async with aclosing(sound(self._events(request), self._failure)) as events:
            async for event in events:
                yield event

    async def close(self) -> None:
        client = self._clients.take()
        if client is not None:
            await client.close()

    async def _events(self, request: dict[str, Any]) -> AsyncGenerator[ModelEvent, None]:
        async def begin() -> Any:
            return await self._clients.here().chat.completions.create(**request)

        async with aclosing(patiently(begin, self._patience)) as chunks:
            async for event in events_of(chunks, self._name):
                yield event

    def _request(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        tool_use: ToolUse,
        max_output_tokens: int | None,
    ) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.model,
            "messages": wire_messages(messages),
            "stream": True,
            "stream_options": {"include_usage": True},
            "extra_body": self._options,
        }
        if tools:
            request |= {"tools": wire_tools(tools), "tool_choice": tool_use.value}
        if limit := max_output_tokens or self._max_output_tokens:
            # Only OpenAI itself insists on the newer name.
            is_own = urlsplit(self._base_url).hostname == _OWN_HOST
            request["max_completion_tokens" if is_own else "max_tokens"] = limit
        return request

    def _connect(self) -> AsyncOpenAI:
        import openai

        patience = self._patience
        longest = max(patience.first_seconds, patience.silence_seconds)
        return openai.AsyncOpenAI(
            base_url=self._base_url,
            api_key=self._api_key or _NO_KEY,
            timeout=openai.Timeout(longest, connect=patience.connect_seconds),
            max_retries=0,
        )

    def _failure(self, error: Exception) -> ModelError:
        failure = self._translated(error)
        _log.warning("the chat model %s failed: %s", self._name, failure.detail)
        return failure

    def _translated(self, error: Exception) -> ModelError:
        import openai

        if isinstance(error, openai.APITimeoutError):
            return ModelTimeout(detail=f"{self._base_url} did not answer in time")
        if isinstance(error, openai.APIStatusError):
            fault = Fault(
                error.message, error.status_code, error.code or "", error.response.headers
            )
            return model_error(fault, self._api_key)
        if isinstance(error, openai.APIConnectionError):
            return ModelUnreachable(detail=f"{self._base_url}: {error.__cause__ or error}")
        if isinstance(error, openai.APIError):
            return model_error(
                Fault(error.message, code=f"{error.code or error.type}"), self._api_key
            )
        return ModelBadAnswer(detail=f"the answer cannot be understood: {error!r}")
