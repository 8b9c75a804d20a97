"""What happens while an answer is made. Each stream codec turns these into its own parts.

Order: Started; SourceFound, any number; TextDelta, any number; then Finished or Failed.
"""

from __future__ import annotations

from dataclasses import dataclass

from docstead.assistant.conversation import Source


@dataclass(frozen=True, slots=True)
class Started:
    """The thread is known; nothing has been searched yet."""

    message_id: str
    thread_id: str
    thread_key: str | None  # on new threads only: it is shown once


@dataclass(frozen=True, slots=True)
class SourceFound:
    source: Source


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class Finished:
    """The answer is complete and stored. `answered` is False where the documentation is silent."""

    thread_id: str
    answered: bool
    usage: Usage | None = None  # None where the model did not say


@dataclass(frozen=True, slots=True)
class Failed:
    """The answer broke off; `message` is fit for readers. What was said is stored."""

    thread_id: str
    message: str


Event = Started | SourceFound | TextDelta | Finished | Failed
