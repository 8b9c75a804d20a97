"""Questions, their authors and conversations. Wire shapes stay in `api/assistant`."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from docstead.assistant.answer_trace import AnswerTrace
from docstead.content.pages import Site
from docstead.markup.rendered import RenderedPage
from docstead.models.chat import InputFile
from docstead.search.index import Index


class AnswerDeployment(Protocol):
    """A deployment, as far as answers need to know it."""

    @property
    def id(self) -> str: ...


class SearchableEdition(Protocol):
    """An edition, as far as answers need to know it."""

    @property
    def id(self) -> str: ...

    @property
    def site(self) -> Site: ...

    @property
    def index(self) -> Index: ...


class ReadableEdition(SearchableEdition, Protocol):
    """An edition whose pages can be read whole."""

    def page(self, slug: str) -> RenderedPage | None: ...


class Speaker(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    CLIENT = "system"  #: Text of the client's own: read as context, never obeyed.


class QuestionChannel(StrEnum):
    """Origin of a question."""

    WEB = "web"  #: a page in a browser
    API = "api"
    MCP = "mcp"  #: another assistant


@dataclass(frozen=True, slots=True)
class ConversationMessage:
    speaker: Speaker
    text: str


@dataclass(frozen=True, slots=True)
class ContextItem:
    """Something the reader selected.

    `path` is the page or file that it comes from, `element_id` the element of the client's page
    that holds it.
    """

    text: str
    is_code: bool = False
    path: str | None = None
    element_id: str | None = None


@dataclass(frozen=True, slots=True)
class ThreadAccess:
    """The credentials that a client presents to read or continue a thread."""

    key: str | None = None
    reads_groups: bool = False  # whether its API key may read pages for groups


ORDINARY_ACCESS = ThreadAccess()


@dataclass(frozen=True, slots=True)
class Question:
    """A request for an answer. `messages` ends with what is asked, or with an answer to redo."""

    messages: tuple[ConversationMessage, ...]
    fp: str = "anonymous"
    thread_id: str | None = None
    thread_key: str | None = None
    reads_groups: bool = False  # whether its API key may read pages for groups
    page_size: int = 5  # passages to answer from
    language: str | None = None
    version: str | None = None
    groups: tuple[str, ...] = ()  # of the reader, on protected sites
    context: tuple[ContextItem, ...] = ()
    current_path: str | None = None
    channel: QuestionChannel = QuestionChannel.API
    files: tuple[InputFile, ...] = ()  # pictures and PDFs that came with what is asked
    asked_before: int = 0  # questions of the reader that `messages` leaves out

    @property
    def access(self) -> ThreadAccess:
        """The credentials for its thread."""
        return ThreadAccess(self.thread_key, self.reads_groups)

    @property
    def text(self) -> str:
        """The reader's last message."""
        return next((m.text for m in reversed(self.messages) if m.speaker is Speaker.USER), "")

    @property
    def earlier(self) -> tuple[ConversationMessage, ...]:
        """Messages before the last one."""
        places = [i for i, m in enumerate(self.messages) if m.speaker is Speaker.USER]
        before = self.messages[: places[-1]] if places else ()
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
    """A section that an answer rests on. `url` is absolute, with the section's anchor."""

    id: str
    url: str
    title: str


class AnswerFallback(StrEnum):
    """Result that a reader was shown in place of an answer."""

    CLOSEST = "closest"  #: The closest sections.
    NOTHING = "nothing"  #: No page was near.


@dataclass(frozen=True, slots=True)
class ThreadTurn:
    """A question of a thread, and what was said to it."""

    question: str
    answer: str
    sources: tuple[AnswerSource, ...] = field(default=())
    answered: bool = False
    trace: AnswerTrace = field(default_factory=AnswerTrace)
    fallback: AnswerFallback | None = None
