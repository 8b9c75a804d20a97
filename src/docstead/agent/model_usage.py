"""Amounts of a model call for budgets, totals and events."""

from __future__ import annotations

from docstead.models.chat import ModelUsage

_CACHE_DISCOUNT = 10


def counted(usage: ModelUsage, repeated_tokens: int = 0) -> int:
    """Return the tokens to count for a turn: repeated input counts as a tenth.

    `repeated_tokens` are those of the previous call, for providers without cache reports.
    """
    known = min(usage.input_tokens, max(usage.cached_tokens, repeated_tokens))
    fresh = usage.input_tokens - known
    return fresh + known // _CACHE_DISCOUNT + usage.output_tokens


def shown_amounts(usage: ModelUsage, cost: float) -> dict[str, int | float]:
    """Return tokens and cost in US dollars for events, marked if they are estimated."""
    mark = {"estimated": True} if usage.is_estimated else {}
    return {
        "inputTokens": usage.input_tokens,
        "cachedTokens": usage.cached_tokens,
        "outputTokens": usage.output_tokens,
        "cost": cost,
        **mark,
    }


def totals(usage: ModelUsage, cost: float) -> dict[str, int | float]:
    """Return the amounts to add to the turn's totals."""
    return {
        "input_tokens": usage.input_tokens,
        "cached_tokens": usage.cached_tokens,
        "output_tokens": usage.output_tokens,
        "cost": cost,
    }
