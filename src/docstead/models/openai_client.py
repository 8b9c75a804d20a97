"""Base class of models that use OpenAI's client library: connection and errors."""

from __future__ import annotations

from typing import Any

from docstead.base.errors import ModelBadAnswer, ModelError, ModelTimeout, ModelUnreachable
from docstead.base.response_limits import UNCOMPRESSED
from docstead.models.provider_errors import ProviderError, model_error
from docstead.models.remote import STREAM_HOOKS, RemoteModel

_NO_KEY = "none"  # placeholder for servers without keys


class OpenAIClientModel(RemoteModel):
    """A model behind OpenAI's library, which is loaded on first use."""

    def _connect(self) -> Any:
        import openai

        timeouts = self._timeouts
        longest = max(timeouts.first_seconds, timeouts.silence_seconds)
        return openai.AsyncOpenAI(
            base_url=self._base_url,
            api_key=self._api_key or _NO_KEY,
            timeout=openai.Timeout(longest, connect=timeouts.connect_seconds),
            max_retries=0,
            default_headers=UNCOMPRESSED,
            http_client=openai.DefaultAsyncHttpxClient(event_hooks=STREAM_HOOKS),
        )

    def _translated(self, error: Exception) -> ModelError:
        import openai

        if isinstance(error, openai.APITimeoutError):
            return ModelTimeout(detail=f"{self._base_url} did not answer in time")
        if isinstance(error, openai.APIConnectionError):
            return ModelUnreachable(detail=f"{self._base_url}: {error.__cause__ or error}")
        if isinstance(error, openai.APIStatusError):
            status, headers = error.status_code, error.response.headers
            failure = ProviderError(provider_words(error), status, error.code or "", headers)
            return model_error(failure, self._api_key)
        if isinstance(error, openai.APIError):
            failure = ProviderError(error.message, code=error.code or error.type or "")
            return model_error(failure, self._api_key)
        return ModelBadAnswer(detail=f"the answer cannot be understood: {error!r}")


def provider_words(error: Any) -> str:
    """Return the provider's message; Gemini wraps errors in an array, which the library ignores."""
    said = error.body
    if isinstance(said, list) and said and isinstance(said[0], dict):
        said = said[0].get("error")
    if isinstance(said, dict) and said.get("message"):
        return str(said["message"])
    return str(error.message)  # the library's own, which repeats the status
