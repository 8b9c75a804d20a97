"""Chat client versions 5, 6 and 7: UI messages, and their stream of server-sent events.

    start {messageId, messageMetadata}        start of the answer, with the thread
    source-url {sourceId, url, title}         a source
    text-start, text-delta…, text-end {id}    text; reasoning-… works the same way
    start-step, tool-input-available,         a tool call and its result
      tool-output-available, finish-step
    data-NAME {data}                          additional data
    finish {messageMetadata}                  end of the answer, complete or failed
    error {errorText}                         after the finish of a failed answer
    [DONE]

NOTE: many releases of the client reject chunks with unknown keys, even `finishReason` on `finish`
(5.0.0 to 5.0.91), so our own values are sent in `messageMetadata` only. An unknown title is
omitted, because null is rejected. Tool calls form their own steps and are marked as executed by the
provider, so that clients do not execute them again. The rest of the answer is another step. Every
step ends before the next one and before `finish`.

Unknown part types are ignored: clients send back all parts that they received, and newer clients
have more types.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
from pydantic import AwareDatetime, Discriminator, Field, Tag

from docstead.api.assistant.asking import AskRequest, AttachedFile
from docstead.api.assistant.protocols.parts import StepStartPart, TextPart
from docstead.api.assistant.protocols.protocol import ChatProtocol
from docstead.api.event_stream import event_stream
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


class ReasoningPart(BodyModel):
    type: Literal["reasoning"]
    text: str
    provider_metadata: Any = None


class SourceUrlPart(BodyModel):
    type: Literal["source-url"]
    source_id: str
    url: str
    title: str | None = None
    provider_metadata: Any = None


class FilePart(BodyModel):
    type: Literal["file"]
    media_type: str
    url: str
    filename: str | None = None


_KNOWN = ("text", "reasoning", "source-url", "file", "step-start")


class OtherPart(BodyModel):
    """A tool part, data, or a type of a later client."""

    type: str = Field(json_schema_extra={"not": {"enum": list(_KNOWN)}})


def _tag(part: Any) -> str | None:
    kind = part.get("type") if isinstance(part, dict) else getattr(part, "type", None)
    if kind in _KNOWN:
        return str(kind)
    return "other" if isinstance(kind, str) else None


Part = Annotated[
    Annotated[TextPart, Tag("text")]
    | Annotated[ReasoningPart, Tag("reasoning")]
    | Annotated[SourceUrlPart, Tag("source-url")]
    | Annotated[FilePart, Tag("file")]
    | Annotated[StepStartPart, Tag("step-start")]
    | Annotated[OtherPart, Tag("other")],
    Discriminator(
        _tag,
        custom_error_type="union_tag_not_found",
        custom_error_context={"discriminator": "'type'"},
    ),
]


class UiMessage(BodyModel, title="MessageShape"):
    id: str
    role: Literal["system", "assistant", "user"]
    parts: BodyList[Part]
    created_at: AwareDatetime | None = None
    metadata: Any = None

    @property
    def text(self) -> str:
        return "\n".join(part.text for part in self.parts if isinstance(part, TextPart))


class UiMessageRequest(AskRequest, title="MessageRequest"):
    """The body of `POST /discovery/v2/assistant/{domain}/message`."""

    messages: BodyList[UiMessage] = Field(min_length=1)

    def said(self) -> list[ConversationMessage]:
        return [ConversationMessage(Speaker(each.role), each.text) for each in self.messages]

    def files(self) -> Iterator[str]:
        for each in self.messages:
            yield from (part.url for part in each.parts if isinstance(part, FilePart))

    def attached(self) -> list[AttachedFile]:
        asked = [each for each in self.messages if each.role == "user"]
        files = (part for part in (asked[-1].parts if asked else ()) if isinstance(part, FilePart))
        return [AttachedFile(each.url, each.media_type, each.filename) for each in files]


# --- stream ------------------------------------------------------------------

_DONE = b"data: [DONE]\n\n"


class UiMessageStream:
    """Encoder of the chunks of one answer."""

    def __init__(self) -> None:
        self._open: tuple[str, str] | None = None  # kind and id of the open block
        self._blocks = 0
        self._in_step = False
        self._in_tools = False  # the open step is one of tool calls

    def encode(self, event: Event) -> bytes:  # noqa: PLR0911 - one for each kind of event
        match event:
            case AnswerStarted():
                metadata = {"threadId": event.thread_id}
                return _chunk("start", messageId=event.message_id, messageMetadata=metadata)
            case TextDelta(text):
                return self._delta("text", text)
            case ReasoningDelta(text):
                return self._delta("reasoning", text)
            case SourceFound(source):
                title = {"title": source.title} if source.title else {}
                about = {"sourceId": source.id, "url": source.url, **title}
                return self._after_tools() + _chunk("source-url", **about)
            case AnswerData(name, value):
                return self._after_tools() + _chunk(f"data-{name}", data=value)
            case ToolCalled() | ToolAnswered():
                return self._tool(event)
            case AnswerFinished():
                metadata = _finish_metadata(event)
                return self._step_ended() + _chunk("finish", messageMetadata=metadata) + _DONE
            case AnswerFailed(thread_id, message):
                metadata = {"threadId": thread_id, "finishReason": "error"}
                finish = self._step_ended() + _chunk("finish", messageMetadata=metadata)
                return finish + _chunk("error", errorText=message) + _DONE

    def _delta(self, kind: str, text: str) -> bytes:
        opening = b""
        if self._open is None or self._open[0] != kind:
            opening = self._closed() + self._after_tools()
            self._open = (kind, str(self._blocks))
            self._blocks += 1
            opening += _chunk(f"{kind}-start", id=self._open[1])
        return opening + _chunk(f"{kind}-delta", id=self._open[1], delta=text)

    def _tool(self, event: ToolCalled | ToolAnswered) -> bytes:
        opening = b""
        if not self._in_tools:
            opening = self._step_begun()
            self._in_tools = True
        if isinstance(event, ToolCalled):
            about = {"toolName": event.name, "input": event.arguments}
            return opening + _tool_chunk("tool-input-available", event.call_id, **about)
        return opening + _tool_chunk("tool-output-available", event.call_id, output=event.result)

    def _after_tools(self) -> bytes:
        """Begin the next step if the open one is of tool calls."""
        if not self._in_tools:
            return b""
        self._in_tools = False
        return self._step_begun()

    def _step_begun(self) -> bytes:
        """End the open step and begin another."""
        ended, self._in_step = self._step_ended(), True
        return ended + _chunk("start-step")

    def _step_ended(self) -> bytes:
        """End the open block and the open step."""
        closed, was_in_step, self._in_step = self._closed(), self._in_step, False
        return closed + _chunk("finish-step") if was_in_step else closed

    def _closed(self) -> bytes:
        """End the open block."""
        if self._open is None:
            return b""
        (kind, block), self._open = self._open, None
        return _chunk(f"{kind}-end", id=block)


def _finish_metadata(event: AnswerFinished) -> dict[str, Any]:
    metadata = {
        "threadId": event.thread_id,
        "finishReason": "stop",
        "answered": event.answered,
    }
    if event.usage is None:
        return metadata
    usage = {
        "inputTokens": event.usage.prompt_tokens,
        "outputTokens": event.usage.completion_tokens,
    }
    return {**metadata, "usage": usage}


def _tool_chunk(kind: str, call_id: str, **fields: Any) -> bytes:
    return _chunk(kind, toolCallId=call_id, **fields, providerExecuted=True)


def _chunk(kind: str, **fields: Any) -> bytes:
    return b"data: " + msgspec.json.encode({"type": kind, **fields}) + b"\n\n"


V2 = ChatProtocol(
    version="v2",
    summary="Create assistant message (clients of version 5 and later)",
    request=UiMessageRequest,
    encoder=UiMessageStream,
    headers={
        "content-type": "text/event-stream",
        "x-vercel-ai-ui-message-stream": "v1",
        "cache-control": "no-cache, no-transform",
        "x-accel-buffering": "no",
    },
    heartbeat=b": ping\n\n",
    resume_path="/message/{chatId}/stream",
    body=event_stream("JSON of a part of the message, or `[DONE]`."),
)
