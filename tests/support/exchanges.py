"""Exchanges that consist of a question, for reports that group them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from docstead.analytics.conversations import ConversationExchange


def exchanges(questions: Sequence[str]) -> list[ConversationExchange]:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return [
        ConversationExchange(
            f"msg_{n}", "th", "", text, "", (), False, None, "api", None, None, now
        )
        for n, text in enumerate(questions)
    ]
