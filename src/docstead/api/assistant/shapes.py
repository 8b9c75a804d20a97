"""Request bodies of the assistant's endpoints (interface, "Assistant request").

A `file` part, which chat clients echo, is ignored. Optional fields that are null count as
left out.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, Field

from docstead.api.json_body import Shape
from docstead.assistant.conversation import ContextItem, Message, Question, Speaker
from docstead.base.errors import PayloadTooLarge

_MOST_MESSAGES = 200  # decisions 25
_PASSAGES = 5
_RESULTS = 10
_MOST_PASSAGES = 50  # decisions 26
_LONGEST_PATH = 200


class TextPart(Shape):
    type: Literal["text"]
    text: str


class TextDetail(Shape):
    type: Literal["text"]
    text: str
    signature: str | None = None


class RedactedDetail(Shape):
    type: Literal["redacted"]
    data: str


class ReasoningPart(Shape):
    type: Literal["reasoning"]
    reasoning: str
    details: list[Annotated[TextDetail | RedactedDetail, Field(discriminator="type")]]


class StepStartPart(Shape):
    type: Literal["step-start"]


class SourceUrl(Shape):
    source_type: Literal["url"]
    id: str
    url: str
    title: str | None = None


class SourcePart(Shape):
    type: Literal["source"]
    source: SourceUrl


class ToolCall(Shape):
    tool_call_id: str
    tool_name: str
    step: float | None = None


class PartialToolCall(ToolCall):
    state: Literal["partial-call"]
    args: Any = None  # not there yet: clients leave the key out


class FullToolCall(ToolCall):
    state: Literal["call"]
    args: Any


class ToolResult(ToolCall):
    state: Literal["result"]
    args: Any
    result: Any


class ToolInvocationPart(Shape):
    type: Literal["tool-invocation"]
    tool_invocation: Annotated[
        PartialToolCall | FullToolCall | ToolResult, Field(discriminator="state")
    ]


class FilePart(Shape):
    type: Literal["file"]
    mime_type: str
    data: str


Part = TextPart | ReasoningPart | StepStartPart | SourcePart | ToolInvocationPart | FilePart


class Role(StrEnum):
    SYSTEM = "system"
    ASSISTANT = "assistant"
    DATA = "data"  #: Accepted and ignored (decisions 29).
    USER = "user"


class Attachment(Shape):
    url: str
    name: str | None = None
    content_type: str | None = None


class MessageShape(Shape):
    id: str
    role: Role
    content: str
    parts: list[Annotated[Part, Field(discriminator="type")]]
    created_at: AwareDatetime | None = None
    annotations: list[Any] | None = None
    experimental_attachments: list[Attachment] | None = Field(
        default=None, alias="experimental_attachments"
    )

    @property
    def text(self) -> str:
        """What it says; some clients leave `content` empty and send parts alone."""
        texts = (part.text for part in self.parts if isinstance(part, TextPart))
        return self.content or "\n".join(texts)


class ContextKind(StrEnum):
    CODE = "code"
    TEXT_SELECTION = "textSelection"


class ContextShape(Shape):
    type: ContextKind
    value: str
    path: str | None = None
    element_id: str | None = None


class Filter(Shape):
    version: str | None = None
    language: str | None = None


class MessageRequest(Shape):
    """The body of `POST /discovery/v1/assistant/{domain}/message`."""

    fp: str = Field(description="`anonymous`, or an identifier of the user.")
    messages: list[MessageShape] = Field(min_length=1)
    thread_id: str | None = Field(default=None, description="Continues that thread.")
    thread_key: str | None = Field(default=None, description="The thread's key, where required.")
    retrieval_page_size: float | None = Field(
        default=_PASSAGES,
        allow_inf_nan=False,
        description="Passages to answer from; brought into 1 to 50.",
    )
    filter: Filter | None = None
    context: list[ContextShape] | None = None
    current_path: str | None = Field(default=None, max_length=_LONGEST_PATH)

    def question(self) -> Question:
        """What is asked.

        Raises:
            PayloadTooLarge: more than 200 messages.
        """
        if len(self.messages) > _MOST_MESSAGES:
            raise PayloadTooLarge(f"messages: at most {_MOST_MESSAGES} can be sent")
        chosen = self.filter or Filter()
        return Question(
            messages=tuple(_message(m) for m in self.messages if m.role is not Role.DATA),
            fp=_storable(self.fp),
            thread_id=self.thread_id and _storable(self.thread_id),
            thread_key=self.thread_key,
            page_size=_passages(self.retrieval_page_size),
            language=chosen.language,
            version=chosen.version,
            context=tuple(_context(item) for item in self.context or ()),
            current_path=self.current_path and _storable(self.current_path),
        )


class SearchFilter(Filter):
    tag: str | None = None
    groups: list[str] | None = Field(default=None, description="Reserved for protected sites.")


class SearchRequest(Shape):
    """The body of `POST /discovery/v1/search/{domain}`."""

    query: str
    page_size: int | None = Field(default=_RESULTS, ge=1, le=_MOST_PASSAGES)
    score_threshold: float | None = Field(
        default=None, ge=0, le=1, description="Least score of a result, inclusive."
    )
    filter: SearchFilter | None = None

    @property
    def limit(self) -> int:
        return self.page_size or _RESULTS


class PageRequest(Shape):
    """The body of `POST /discovery/v1/page/{domain}`."""

    path: str = Field(description="The path of a page, as search returns it.")
    groups: list[str] | None = Field(default=None, description="Reserved for protected sites.")


def _passages(wanted: float | None) -> int:
    return int(min(max(_PASSAGES if wanted is None else wanted, 1), _MOST_PASSAGES))


def _message(shape: MessageShape) -> Message:
    return Message(Speaker(shape.role.value), _storable(shape.text))


def _context(shape: ContextShape) -> ContextItem:
    return ContextItem(shape.value, is_code=shape.type is ContextKind.CODE, path=shape.path)


def _storable(text: str) -> str:
    """PostgreSQL keeps every character but this one."""
    return text.replace("\x00", "")
