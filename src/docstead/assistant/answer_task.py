"""Input of an answerer, its options and budget, and the events that it yields."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Protocol

from docstead.assistant.answer_trace import TraceCheck, TracePassage
from docstead.assistant.conversation import ConversationMessage, Question, ReadableEdition
from docstead.assistant.events import (
    AnswerData,
    ReasoningDelta,
    SourceFound,
    TextDelta,
    TokenUsage,
    ToolAnswered,
    ToolCalled,
)
from docstead.assistant.links import AbsoluteLinks
from docstead.assistant.refusals import SupportContact
from docstead.assistant.writing.answer_writer import SentencePolicy
from docstead.models import chat

Said = (
    SourceFound
    | TextDelta
    | ReasoningDelta
    | ToolCalled
    | ToolAnswered
    | AnswerData
    | TokenUsage
    | TracePassage
    | TraceCheck
)


@dataclass(frozen=True, slots=True)
class AnswerTask:
    """A question with the thread, edition and links for its answer."""

    question: Question
    earlier: tuple[ConversationMessage, ...]
    edition: ReadableEdition
    links: AbsoluteLinks
    site_url: str
    thread_id: str


class Answerer(Protocol):
    """Answers the readers of one deployment."""

    def admit(self) -> None:
        """Accept a question, or raise an error before the response starts. Blocking."""
        ...

    def answer(self, task: AnswerTask) -> AsyncGenerator[Said, None]: ...


class AnswerBudget(Protocol):
    """Budget of a deployment's answers. Blocking."""

    def admit(self) -> None:
        """Check the budget.

        Raises:
            RateLimited, ModelError: it is used up.
        """
        ...

    def record(self, usage: chat.ModelUsage) -> None: ...


class UnlimitedBudget:
    """Budget without a limit."""

    def admit(self) -> None: ...

    def record(self, usage: chat.ModelUsage) -> None: ...


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """Options of a deployment's answers."""

    policy: SentencePolicy = SentencePolicy.DROP
    tool_calls: int = 6
    link_hosts: tuple[str, ...] = ()
    support: SupportContact | None = None
    falls_back: bool = True  # falls back to quotes if no model is available
    suggests: bool = True
    longest: int = 100_000  # characters of a model's answer, including reasoning
