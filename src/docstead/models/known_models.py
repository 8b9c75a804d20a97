"""Context windows, output limits, prices and inputs of well-known chat models.

A name matches the longest prefix in the table, so dated versions need no rows of their own.
Prices are list prices in US dollars per million tokens (November 2026). Models without a
certain price have none; settings override every value.
"""

from __future__ import annotations

from dataclasses import dataclass

from docstead.models.inputs import InputKind

_NONE: frozenset[InputKind] = frozenset()
_IMAGES: frozenset[InputKind] = frozenset({"image"})
_FILES: frozenset[InputKind] = frozenset({"image", "pdf"})


@dataclass(frozen=True, slots=True)
class KnownModel:
    """Limits in tokens, prices per million tokens, and supported input files.

    `has_temperature` means that a low temperature is accepted, which most reasoning models reject.
    """

    context_tokens: int
    output_tokens: int
    input_price: float = 0.0
    output_price: float = 0.0
    cached_price: float | None = None  # input read from the provider's cache
    written_price: float | None = None  # input written to the provider's cache
    inputs: frozenset[InputKind] = _NONE
    has_temperature: bool = True


def _claude(
    context: int, output: int, price: float, *, cached: float = 0.1, has_temperature: bool = True
) -> KnownModel:
    """Return a Claude model: output costs five times the input, cache writes 1.25."""
    return KnownModel(
        context,
        output,
        price,
        5 * price,
        cached * price,
        1.25 * price,
        inputs=_FILES,
        has_temperature=has_temperature,
    )


def _reasoning(
    context: int,
    output: int,
    price: float = 0.0,
    output_price: float = 0.0,
    cached_price: float | None = None,
    *,
    inputs: frozenset[InputKind] = _FILES,
) -> KnownModel:
    """Return a reasoning model of OpenAI."""
    return KnownModel(
        context,
        output,
        price,
        output_price,
        cached_price,
        inputs=inputs,
        has_temperature=False,
    )


# Sources of `inputs`, read in November 2026:
# - Claude: platform.claude.com/docs/en/build-with-claude/pdf-support (PDFs: all active models).
# - OpenAI: developers.openai.com/api/docs/guides/file-inputs (PDFs: models with vision, from
#   gpt-4o on; chat completions accept them).
# - Gemini: cloud.google.com/vertex-ai/docs/generative-ai/multimodal (images of 2.5 models). No
#   page says that its OpenAI-compatible API accepts PDFs.
# - Mistral: huggingface.co/mistralai/Mistral-Large-3-675B-Instruct-2512 (images).
# All were compared with the catalog of LiteLLM 1.110.2 (evals/runners/model_inputs.py).
# Temperature: OpenAI's reasoning models and Claude Opus 4.7 answer it with status 400, and
# Anthropic's client describes it no longer, so newer models of Claude get none. Google
# advises against a low one for Gemini 3 (ai.google.dev/gemini-api/docs/gemini-3).
_TABLE = {
    "claude-": KnownModel(200_000, 32_000, inputs=_FILES, has_temperature=False),
    "claude-3-": KnownModel(200_000, 4_096, inputs=_IMAGES),
    "claude-3-5-": KnownModel(200_000, 8_192, inputs=_FILES),
    "claude-3-7-sonnet": _claude(200_000, 64_000, 3.0),
    "claude-haiku-4-5": _claude(200_000, 64_000, 1.0),
    "claude-sonnet-4": _claude(200_000, 64_000, 3.0),
    "claude-opus-4-0": _claude(200_000, 32_000, 15.0),
    "claude-opus-4-1": _claude(200_000, 32_000, 15.0),
    "claude-opus-4-2": _claude(200_000, 32_000, 15.0),  # claude-opus-4-20250514
    "claude-opus-4-5": _claude(200_000, 64_000, 5.0),
    "claude-opus-4-6": _claude(200_000, 64_000, 5.0),
    "claude-opus-4-7": _claude(200_000, 64_000, 5.0, has_temperature=False),
    "claude-opus-4-8": _claude(1_000_000, 128_000, 5.0, has_temperature=False),
    "claude-opus-5": _claude(1_000_000, 128_000, 5.0, has_temperature=False),
    "claude-opus-5-5": _claude(1_000_000, 128_000, 4.0, cached=0.05, has_temperature=False),
    "claude-sonnet-5": _claude(1_000_000, 128_000, 2.0, has_temperature=False),
    "claude-sonnet-5-5": _claude(1_000_000, 128_000, 2.0, cached=0.05, has_temperature=False),
    "claude-haiku-5-5": _claude(1_000_000, 128_000, 0.1, has_temperature=False),
    "gpt-4-turbo": KnownModel(128_000, 4_096, 10.0, 30.0, inputs=_IMAGES),
    "gpt-4o": KnownModel(128_000, 16_384, 2.5, 10.0, 1.25, inputs=_FILES),
    "gpt-4o-mini": KnownModel(128_000, 16_384, 0.15, 0.6, 0.075, inputs=_FILES),
    "gpt-4o-audio": KnownModel(128_000, 16_384, 2.5, 10.0),
    "gpt-4o-mini-audio": KnownModel(128_000, 16_384, 0.15, 0.6),
    "gpt-4.1": KnownModel(1_047_576, 32_768, 2.0, 8.0, 0.5, inputs=_FILES),
    "gpt-4.1-mini": KnownModel(1_047_576, 32_768, 0.4, 1.6, 0.1, inputs=_FILES),
    "gpt-4.1-nano": KnownModel(1_047_576, 32_768, 0.1, 0.4, 0.025, inputs=_FILES),
    "gpt-5": _reasoning(400_000, 128_000),
    "gpt-5-2": _reasoning(400_000, 128_000, 1.25, 10.0, 0.125),  # gpt-5-2025-08-07
    "gpt-5-mini": _reasoning(400_000, 128_000, 0.25, 2.0, 0.025),
    "gpt-5-nano": _reasoning(400_000, 128_000, 0.05, 0.4, 0.005),
    "gpt-5-chat": KnownModel(128_000, 16_384, 1.25, 10.0, 0.125, inputs=_FILES),
    "gpt-5.1": _reasoning(400_000, 128_000, 1.25, 10.0, 0.125),
    "gpt-5.2": _reasoning(400_000, 128_000, 1.75, 14.0, 0.175),
    "gpt-5.5-cyber": _reasoning(400_000, 128_000, inputs=_NONE),
    "gpt-6": _reasoning(1_050_000, 128_000),
    "gpt-6-astra": _reasoning(1_050_000, 128_000, 10.0, 50.0, 1.0),
    "gpt-6-luna": _reasoning(1_050_000, 128_000, 0.1, 0.5, 0.01),
    "gpt-6-sol": _reasoning(1_050_000, 128_000, 2.0, 10.0, 0.2),
    "gpt-6.1-sol": _reasoning(1_050_000, 128_000, 2.0, 10.0, 0.1),
    "gpt-6.1-terra": _reasoning(1_050_000, 128_000, 1.0, 5.0, 0.05),
    "chat-latest": _reasoning(400_000, 128_000, 5.0, 30.0, 0.5),
    "o1": _reasoning(200_000, 100_000, 15.0, 60.0, 7.5),
    "o1-pro": _reasoning(200_000, 100_000, 150.0, 600.0),
    "o3": _reasoning(200_000, 100_000, 2.0, 8.0, 0.5),
    "o3-mini": _reasoning(200_000, 100_000, 1.1, 4.4, 0.55, inputs=_NONE),
    "o4-mini": _reasoning(200_000, 100_000, 1.1, 4.4, 0.275),
    "gemini-2.5-pro": KnownModel(1_048_576, 65_536, 1.25, 10.0, 0.125, inputs=_IMAGES),
    "gemini-2.5-pro-preview-tts": KnownModel(8_192, 16_384, 1.0, 20.0),
    "gemini-2.5-flash": KnownModel(1_048_576, 65_536, 0.3, 2.5, 0.03, inputs=_IMAGES),
    "gemini-2.5-flash-lite": KnownModel(1_048_576, 65_536, 0.1, 0.4, 0.01, inputs=_IMAGES),
    "gemini-3": KnownModel(1_048_576, 65_536, inputs=_IMAGES, has_temperature=False),
    "gemini-3-pro": KnownModel(
        1_048_576, 65_536, 2.0, 12.0, 0.2, inputs=_IMAGES, has_temperature=False
    ),
    "gemini-3-flash": KnownModel(
        1_048_576, 65_536, 0.5, 3.0, 0.05, inputs=_IMAGES, has_temperature=False
    ),
    "gemini-4-argon": KnownModel(
        1_048_576, 65_536, 2.0, 10.0, 0.1, inputs=_IMAGES, has_temperature=False
    ),
    "gemini-4-hydrogen": KnownModel(
        1_048_576, 65_536, 1.5, 7.5, 0.075, inputs=_IMAGES, has_temperature=False
    ),
    "gemini-flash-latest": KnownModel(1_048_576, 65_536, inputs=_IMAGES, has_temperature=False),
    "gemini-flash-lite-latest": KnownModel(
        1_048_576, 65_536, inputs=_IMAGES, has_temperature=False
    ),
    "gemini-pro-latest": KnownModel(1_048_576, 65_536, inputs=_IMAGES, has_temperature=False),
    "gemma-3-27b": KnownModel(131_072, 8_192, inputs=_IMAGES),
    "gemma-4-": KnownModel(262_144, 32_768, inputs=_IMAGES),
    "deepseek-": KnownModel(128_000, 8_192),
    "deepseek-flash": KnownModel(1_000_000, 393_216, 0.3, 1.2, 0.006, inputs=_IMAGES),
    "deepseek-v4-flash": KnownModel(1_000_000, 393_216, 0.3, 1.2, 0.006, inputs=_IMAGES),
    "mistral-large": KnownModel(128_000, 32_000),
    "mistral-large-2512": KnownModel(128_000, 32_000, inputs=_IMAGES),
    "mistral-large-3": KnownModel(128_000, 32_000, inputs=_IMAGES),
    "mistral-large-4": KnownModel(128_000, 32_000, inputs=_IMAGES),
    "mistral-large-latest": KnownModel(128_000, 32_000, inputs=_IMAGES),
    "mistral-small-latest": KnownModel(128_000, 32_000, inputs=_IMAGES),
    "mistral-small-2603": KnownModel(128_000, 32_000, inputs=_IMAGES),
    "ministral-3": KnownModel(128_000, 32_000, inputs=_IMAGES),
    "ministral-14b": KnownModel(128_000, 32_000, inputs=_IMAGES),
    "ministral-8b": KnownModel(128_000, 32_000, inputs=_IMAGES),
    "magistral-medium-latest": KnownModel(128_000, 32_000, inputs=_IMAGES),
    "magistral-small-latest": KnownModel(128_000, 32_000, inputs=_IMAGES),
    "pixtral-large": KnownModel(128_000, 32_000, inputs=_IMAGES),
    "mistral-medium": KnownModel(128_000, 32_000, inputs=_IMAGES),
    "codestral": KnownModel(128_000, 32_000),
}
_EXACT = {"gpt-5": _reasoning(400_000, 128_000, 1.25, 10.0, 0.125)}
_DEFAULTS = {
    "anthropic": KnownModel(200_000, 32_000, inputs=_FILES, has_temperature=False),
    "openai": KnownModel(128_000, 8_192),
    "openai-responses": KnownModel(128_000, 8_192),
}


def known_model(provider: str, model: str) -> KnownModel:
    """Return a model's known properties, or the defaults of its protocol.

    `model` is the provider's name; a gateway's prefix ("anthropic/…") is ignored.
    """
    name = model.lower().rpartition("/")[2]
    if name in _EXACT:
        return _EXACT[name]
    prefixes = [prefix for prefix in _TABLE if name.startswith(prefix)]
    return _TABLE[max(prefixes, key=len)] if prefixes else _DEFAULTS[provider]
