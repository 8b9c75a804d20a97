"""Chat client version 4: its messages, and its data stream with one part per line.

    f:{"messageId":…}                     start of the answer
    h:{"sourceType":"url",…}              a source
    g:"…"                                 reasoning of a model
    9:{…}  a:{…}                          a tool call and its result
    0:"…"                                 text
    2:[{"type":"…","value":…}]            additional data
    e:{…}                                 end of the step
    2:[{"type":"finish","threadId":…}]    available to the client as `data`
    8:[…the same…]                        available as annotations of the message
    d:{…,"threadId":…}                    end of the message
    3:"…"                                 the answer failed; nothing follows

The end of the step and the finish event also precede an error, because the client stops reading
at an error.

NOTE: the client buffers writes that do not end with a newline, and an invalid line makes it drop
valid lines of the same write. Every write therefore consists of whole lines of strict JSON. The
client drops `threadId` from `d`; it is for consumers that parse the lines themselves. Tool calls
form their own step, because clients that allow several steps send another request when every tool
of the last step has a result.

Only tool calls of a model are sent, not the search that precedes every answer. Clients of version 4
show each `9` as a tool call of the message, begin another step after it, and send both back with
every later question. The interface names no such part; its sources are the `h` lines.

`file` parts, which clients echo, are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
from pydantic import AwareDatetime, Field

from docstead.api.assistant.asking import AskRequest, AttachedFile
from docstead.api.assistant.protocols.parts import StepStartPart, TextPart
from docstead.api.assistant.protocols.protocol import ChatProtocol
from docstead.api.json_body import BodyList, BodyModel
from docstead.assistant.conversation import ConversationMessage, Speaker
from docstead.assistant.events import (
    AnswerData,
    AnswerFailed,
    AnswerFinished,
    AnswerStarted,
    Event,
    ReasoningDelta,
    SourceFound,
    TextDelta,
    ToolAnswered,
    ToolCalled,
)

# --- messages ----------------------------------------------------------------


class TextDetail(BodyModel):
    type: Literal["text"]
    text: str
    signature: str | None = None


class RedactedDetail(BodyModel):
    type: Literal["redacted"]
    data: str


class DataStreamReasoning(BodyModel, title="ReasoningPart"):
    type: Literal["reasoning"]
    reasoning: str
    details: BodyList[Annotated[TextDetail | RedactedDetail, Field(discriminator="type")]]


class SourceUrl(BodyModel):
    source_type: Literal["url"]
    id: str
    url: str
    title: str | None = None


class SourcePart(BodyModel):
    type: Literal["source"]
    source: SourceUrl


class ToolInvocation(BodyModel):
    tool_call_id: str
    tool_name: str
    step: float | None = None


class PartialToolCall(ToolInvocation):
    state: Literal["partial-call"]
    args: Any = None  # missing in partial calls: clients omit the key


class FullToolCall(ToolInvocation):
    state: Literal["call"]
    args: Any


class FinishedToolCall(ToolInvocation, title="ToolResult"):
    state: Literal["result"]
    args: Any
    result: Any


class ToolInvocationPart(BodyModel):
    type: Literal["tool-invocation"]
    tool_invocation: Annotated[
        PartialToolCall | FullToolCall | FinishedToolCall, Field(discriminator="state")
    ]


class InlineFilePart(BodyModel, title="FilePart"):
    type: Literal["file"]
    mime_type: str
    data: str


Part = (
    TextPart
    | DataStreamReasoning
    | StepStartPart
    | SourcePart
    | ToolInvocationPart
    | InlineFilePart
)


class Attachment(BodyModel):
    url: str
    name: str | None = None
    content_type: str | None = None


class DataStreamMessage(BodyModel, title="MessageShape"):
    id: str
    role: Literal["system", "assistant", "data", "user"]  # data is accepted and ignored
    content: str
    parts: BodyList[Annotated[Part, Field(discriminator="type")]]
    created_at: AwareDatetime | None = None
    annotations: BodyList[Any] | None = None
    experimental_attachments: BodyList[Attachment] | None = Field(
        default=None, alias="experimental_attachments"
    )

    @property
    def text(self) -> str:
        """Return the message's text; some clients send only parts and an empty `content`."""
        texts = (part.text for part in self.parts if isinstance(part, TextPart))
        return self.content or "\n".join(texts)


class DataStreamRequest(AskRequest, title="MessageRequest"):
    """The body of `POST /discovery/v1/assistant/{domain}/message`."""

    messages: BodyList[DataStreamMessage] = Field(min_length=1)

    def said(self) -> list[ConversationMessage]:
        return [
            ConversationMessage(Speaker(each.role), each.text)
            for each in self.messages
            if each.role != "data"
        ]

    def files(self) -> Iterator[str]:
        for each in self.messages:
            yield from (found.url for found in each.experimental_attachments or ())
            yield from (part.data for part in each.parts if isinstance(part, InlineFilePart))

    def attached(self) -> list[AttachedFile]:
        asked = [each for each in self.messages if each.role == "user"]
        attachments = (asked[-1].experimental_attachments if asked else None) or []
        return [AttachedFile(each.url, each.content_type, each.name) for each in attachments]


# --- stream ------------------------------------------------------------------


class DataStream:
    """Encoder of the lines of one answer."""

    def __init__(self) -> None:
        self._message_id = ""
        self._in_tools = False

    def encode(self, event: Event) -> bytes:
        return self._step(event) + self._lines(event)

    def _step(self, event: Event) -> bytes:
        """End the step of tool calls before any other event."""
        was_in_tools, self._in_tools = self._in_tools, isinstance(event, ToolCalled | ToolAnswered)
        if self._in_tools or not was_in_tools:
            return b""
        begun = _line("f", {"messageId": self._message_id})
        return _step_end({"finishReason": "tool-calls"}) + begun

    def _lines(self, event: Event) -> bytes:  # noqa: PLR0911 - one line for each kind of event
        match event:
            case AnswerStarted():
                self._message_id = event.message_id
                return _line("f", {"messageId": event.message_id})
            case SourceFound(source):
                found = {"id": source.id, "url": source.url, "title": source.title}
                return _line("h", {"sourceType": "url", **found})
            case TextDelta(text):
                return _line("0", text)
            case ReasoningDelta(text):
                return _line("g", text)
            case ToolCalled(call_id, name, arguments):
                call = {"toolCallId": call_id, "toolName": name, "args": arguments}
                return _line("9", call)
            case ToolAnswered(call_id, _, result):
                return _line("a", {"toolCallId": call_id, "result": result})
            case AnswerData(name, value):
                return _line("2", [{"type": name, "value": value}])
            case AnswerFailed():
                end = _step_end({"finishReason": "error"})
                return end + _finish_event(event.thread_id) + _line("3", event.message)
            case AnswerFinished():
                return _finish(event)


def _finish(event: AnswerFinished) -> bytes:
    end: dict[str, Any] = {"finishReason": "stop"}
    if event.usage is not None:
        end["usage"] = {
            "promptTokens": event.usage.prompt_tokens,
            "completionTokens": event.usage.completion_tokens,
        }
    return b"".join(
        (
            _step_end(end),
            _finish_event(event.thread_id),
            _line("d", {**end, **_thread_of(event.thread_id)}),
        )
    )


def _step_end(end: dict[str, Any]) -> bytes:
    return _line("e", {**end, "isContinued": False})


def _finish_event(thread_id: str) -> bytes:
    return _line("2", [_thread_of(thread_id)]) + _line("8", [_thread_of(thread_id)])


def _thread_of(thread_id: str) -> dict[str, str]:
    return {"type": "finish", "threadId": thread_id}


def _line(code: str, value: object) -> bytes:
    return code.encode() + b":" + msgspec.json.encode(value) + b"\n"


V1 = ChatProtocol(
    version="v1",
    summary="Create assistant message",
    request=DataStreamRequest,
    encoder=DataStream,
    headers={
        "content-type": "text/plain; charset=utf-8",
        "x-vercel-ai-data-stream": "v1",
        "cache-control": "no-cache, no-transform",
        "x-accel-buffering": "no",
    },
    heartbeat=b"\n",
    resume_path="/message",
    body={
        "text/plain": {"schema": {"type": "string"}},
        "application/json": {"schema": {"type": "string"}},
    },
    deprecated=True,
)
