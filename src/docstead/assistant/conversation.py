"""Questions, their authors and conversations. Wire formats are in `api/assistant`."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from docstead.assistant.answer_trace import AnswerTrace
from docstead.base.texts import without_middle
from docstead.content.pages import Site
from docstead.markup.rendered import RenderedPage
from docstead.models.chat import InputFile
from docstead.search.index import Index

# A question is sent to the model, and compared with each sentence of the answer.
_LONGEST_QUESTION = 64_000  # characters


class AnswerDeployment(Protocol):
    """Properties of a deployment that answers need."""

    @property
    def id(self) -> str: ...


class SearchableEdition(Protocol):
    """Properties of an edition that search needs."""

    @property
    def id(self) -> str: ...

    @property
    def site(self) -> Site: ...

    @property
    def index(self) -> Index: ...


class ReadableEdition(SearchableEdition, Protocol):
    """An edition whose whole pages can be read."""

    def page(self, slug: str) -> RenderedPage | None: ...


class Speaker(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    CLIENT = "system"  #: Text of the client: context, never instructions.


class QuestionChannel(StrEnum):
    """Channel of a question."""

    WEB = "web"  #: a web page
    API = "api"
    MCP = "mcp"  #: another assistant


@dataclass(frozen=True, slots=True)
class ConversationMessage:
    speaker: Speaker
    text: str


@dataclass(frozen=True, slots=True)
class ContextItem:
    """Content that the reader selected.

    `path` is its page or file, `element_id` the element of the client's page that contains it.
    """

    text: str
    is_code: bool = False
    path: str | None = None
    element_id: str | None = None


@dataclass(frozen=True, slots=True)
class ThreadAccess:
    """Credentials of a client for reading or continuing a thread."""

    key: str | None = None
    reads_groups: bool = False  # whether its API key may read restricted pages


ORDINARY_ACCESS = ThreadAccess()


@dataclass(frozen=True, slots=True)
class Question:
    """A request for an answer. `messages` ends with the question, or with an answer to redo."""

    messages: tuple[ConversationMessage, ...]
    fp: str = "anonymous"
    thread_id: str | None = None
    thread_key: str | None = None
    reads_groups: bool = False  # whether its API key may read restricted pages
    page_size: int = 5  # number of passages to answer from
    language: str | None = None
    version: str | None = None
    groups: tuple[str, ...] = ()  # of the reader, on protected sites
    context: tuple[ContextItem, ...] = ()
    current_path: str | None = None
    topic: str | None = None  # slug of the page that a short question continues
    channel: QuestionChannel = QuestionChannel.API
    files: tuple[InputFile, ...] = ()  # images and PDFs attached to the question
    asked_before: int = 0  # questions of the reader that are not in `messages`

    @property
    def access(self) -> ThreadAccess:
        """Credentials for its thread."""
        return ThreadAccess(self.thread_key, self.reads_groups)

    @property
    def text(self) -> str:
        """Last message of the reader, without the middle if it is very long."""
        said = (m.text for m in reversed(self.messages) if m.speaker is Speaker.USER)
        return without_middle(next(said, ""), _LONGEST_QUESTION)

    @property
    def earlier(self) -> tuple[ConversationMessage, ...]:
        """Messages before the last one."""
        asked = [i for i, m in enumerate(self.messages) if m.speaker is Speaker.USER]
        before = self.messages[: asked[-1]] if asked else ()
        return tuple(m for m in before if m.speaker is not Speaker.CLIENT)

    @property
    def asked(self) -> int:
        """Number of messages of the reader."""
        return self.asked_before + sum(m.speaker is Speaker.USER for m in self.messages)

    @property
    def client_notes(self) -> tuple[str, ...]:
        return tuple(m.text for m in self.messages if m.speaker is Speaker.CLIENT)


@dataclass(frozen=True, slots=True)
class AnswerSource:
    """A cited section. `url` is absolute, with the section's anchor."""

    id: str
    url: str
    title: str


class AnswerFallback(StrEnum):
    """Result shown to a reader instead of an answer."""

    CLOSEST = "closest"  #: The closest sections.
    NOTHING = "nothing"  #: No related page.


@dataclass(frozen=True, slots=True)
class ThreadTurn:
    """A question of a thread, with its answer."""

    question: str
    answer: str
    sources: tuple[AnswerSource, ...] = field(default=())
    answered: bool = False
    trace: AnswerTrace = field(default_factory=AnswerTrace)
    fallback: AnswerFallback | None = None
