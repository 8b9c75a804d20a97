"""Client for servers with OpenAI's Embeddings API.

Failure rule: every provider error is `Unavailable`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from docstead.base.errors import Unavailable
from docstead.base.response_limits import UNCOMPRESSED, ResponseLimits
from docstead.base.units import MIB
from docstead.models.embedding import space_of

if TYPE_CHECKING:
    from openai import OpenAI

    from docstead.models.embedding import Matrix

_RETRIES = 1
_HOOKS = {"response": [ResponseLimits(64 * MIB).limit_response]}


class OpenAIEmbeddings:
    """An embedding model behind `base_url`. The client library is loaded on first use."""

    def __init__(
        self, base_url: str, api_key: str, model: str, *, timeout_seconds: float = 10.0
    ) -> None:
        self.space = f"openai.{space_of(base_url, model)}"
        self._base_url = base_url
        self._api_key = api_key
        self._model = model
        self._timeout_seconds = timeout_seconds

    def embed(self, texts: Sequence[str]) -> Matrix:
        import numpy as np

        try:
            answer = self._client.embeddings.create(
                model=self._model, input=list(texts), encoding_format="float"
            )
            rows = np.array([each.embedding for each in answer.data], np.float32)
            lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        except Exception as error:
            # Broken connections and malformed responses raise errors of several libraries.
            raise Unavailable(f"The embeddings model failed: {type(error).__name__}") from error
        if len(rows) != len(texts) or not (lengths > 0).all():
            raise Unavailable("The embeddings model gave no vector for a text.")
        return np.asarray(rows / lengths, np.float32)

    @cached_property
    def _client(self) -> OpenAI:
        import openai

        return openai.OpenAI(
            base_url=self._base_url,
            api_key=self._api_key or "none",
            timeout=self._timeout_seconds,
            max_retries=_RETRIES,
            default_headers=UNCOMPRESSED,
            http_client=openai.DefaultHttpxClient(event_hooks=_HOOKS),
        )
