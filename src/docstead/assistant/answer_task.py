"""Task of an answerer, with its options and budget, and the events that it yields."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Protocol

from docstead.assistant.conversation import ConversationMessage, Question, Readable
from docstead.assistant.events import (
    Noted,
    ReasoningDelta,
    SourceFound,
    TextDelta,
    TokenUsage,
    ToolAnswered,
    ToolCalled,
)
from docstead.assistant.grounds import Check, Given
from docstead.assistant.links import Links
from docstead.assistant.refusals import Support
from docstead.assistant.writing.scribe import Policy
from docstead.models import chat

Said = (
    SourceFound
    | TextDelta
    | ReasoningDelta
    | ToolCalled
    | ToolAnswered
    | Noted
    | TokenUsage
    | Given
    | Check
)


@dataclass(frozen=True, slots=True)
class AnswerTask:
    """A question with the thread, edition and links that its answer may use."""

    question: Question
    earlier: tuple[ConversationMessage, ...]
    edition: Readable
    links: Links
    site_url: str
    thread_id: str


class Answerer(Protocol):
    """Answers the readers of one deployment."""

    def admit(self) -> None:
        """Let a question in, or raise while it can still be refused. Blocking."""
        ...

    def answer(self, task: AnswerTask) -> AsyncGenerator[Said, None]: ...


class Purse(Protocol):
    """Budget of a deployment's answers. Blocking."""

    def admit(self) -> None:
        """Raises `RateLimited` or `ModelError` where nothing is left."""
        ...

    def record(self, usage: chat.Usage) -> None: ...


class FreePurse:
    """Without a limit, and without a count."""

    def admit(self) -> None: ...

    def record(self, usage: chat.Usage) -> None: ...


@dataclass(frozen=True, slots=True)
class Manner:
    """Options of a deployment's answers."""

    policy: Policy = Policy.DROP
    tool_calls: int = 6
    link_hosts: tuple[str, ...] = ()
    support: Support | None = None
    falls_back: bool = True  # to quotes, where no model can answer
    suggests: bool = True
    longest: int = 100_000  # characters that a model may write and think for one answer
