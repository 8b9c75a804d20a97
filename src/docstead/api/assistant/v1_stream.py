"""Events as the data stream of the chat client's version 4: one part per line.

    f:{"messageId":…}                     the answer begins
    h:{"sourceType":"url",…}              a source
    0:"…"                                 text
    2:[{"type":"finish","threadId":…}]    seen by the client as `data`
    8:[…the same…]                        seen as the message's annotations
    e:{…}  d:{…,"threadId":…}             step and message are finished
    3:"…"                                 the answer broke off; nothing follows

NOTE: the client holds back a write that does not end with a newline, and one bad line
loses the good ones beside it: what is written is always whole lines of strict JSON. The
client drops `threadId` from `d`; it is there for those who read the lines themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from docstead.assistant.events import Event, Failed, Finished, SourceFound, Started, TextDelta

HEADERS: Mapping[str, str] = {
    "content-type": "text/plain; charset=utf-8",
    "x-vercel-ai-data-stream": "v1",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
    "deprecation": "true",
}


def encode(event: Event) -> bytes:
    """The lines of an event."""
    match event:
        case Started():
            return _line("f", {"messageId": event.message_id})
        case SourceFound(source):
            found = {"id": source.id, "url": source.url, "title": source.title}
            return _line("h", {"sourceType": "url", **found})
        case TextDelta(text):
            return _line("0", text)
        case Failed():
            return _line("3", event.message)
        case Finished():
            return _finish(event)


def _finish(event: Finished) -> bytes:
    finish = {"type": "finish", "threadId": event.thread_id}
    end: dict[str, Any] = {"finishReason": "stop"}
    if event.usage is not None:
        end["usage"] = {
            "promptTokens": event.usage.prompt_tokens,
            "completionTokens": event.usage.completion_tokens,
        }
    return b"".join(
        (
            _line("2", [finish]),
            _line("8", [finish]),
            _line("e", {**end, "isContinued": False}),
            _line("d", {**end, **finish}),
        )
    )


def _line(code: str, value: object) -> bytes:
    return code.encode() + b":" + msgspec.json.encode(value) + b"\n"
