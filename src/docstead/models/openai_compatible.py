"""Any server that speaks OpenAI's chat completions.

Failure rule: whatever goes wrong with the provider, before or during the answer, is
`Unavailable` with a sentence fit for readers; the provider's own words go to the log.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Sequence
from typing import TYPE_CHECKING, Any

from docstead.base.errors import Unavailable
from docstead.models.chat import ChatMessage

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_log = logging.getLogger(__name__)

_RETRIES = 2
_CONNECT_SECONDS = 5.0


class OpenAICompatible:
    """A chat model behind `base_url`. The client library is loaded at the first question."""

    def __init__(
        self, base_url: str, api_key: str, model: str, *, timeout_seconds: float = 60.0
    ) -> None:
        self.model = model
        self._base_url = base_url
        self._api_key = api_key
        self._timeout_seconds = timeout_seconds
        self._client: AsyncOpenAI | None = None

    async def stream(self, messages: Sequence[ChatMessage]) -> AsyncGenerator[str, None]:
        import openai

        held, finished = "", False
        try:
            async with await self._completion(messages) as completion:
                async for chunk in completion:
                    finished = finished or _is_last(chunk)
                    text, held = _whole(held + _text_of(chunk))
                    if text:
                        yield text
        except openai.RateLimitError as error:
            _log.warning("the chat model refused: %s", error)
            raise Unavailable("The assistant is busy. Please try again in a moment.") from error
        except Exception as error:
            # Torn connections and malformed lines surface as errors of several libraries.
            _log.warning("the chat model failed: %r", error)
            raise Unavailable("The assistant's model could not be reached.") from error
        if not finished:
            raise Unavailable("The assistant's model broke off.")

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()

    async def _completion(self, messages: Sequence[ChatMessage]) -> Any:
        wire: Any = [{"role": each.role.value, "content": each.text} for each in messages]
        client = self._client or self._connect()
        return await client.chat.completions.create(model=self.model, messages=wire, stream=True)

    def _connect(self) -> AsyncOpenAI:
        import openai

        self._client = openai.AsyncOpenAI(
            base_url=self._base_url,
            api_key=self._api_key,
            timeout=openai.Timeout(self._timeout_seconds, connect=_CONNECT_SECONDS),
            max_retries=_RETRIES,
        )
        return self._client


def _text_of(chunk: Any) -> str:
    return (chunk.choices[0].delta.content or "") if chunk.choices else ""


def _is_last(chunk: Any) -> bool:
    return bool(chunk.choices and chunk.choices[0].finish_reason)


def _whole(text: str) -> tuple[str, str]:
    """The text as characters, and half a character that waits for its other half.

    Some servers cut an emoji, which JSON writes as two surrogates, between two chunks.
    """
    held = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
    text = text.removesuffix(held)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"), held
