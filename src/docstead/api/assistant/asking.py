"""Assistant requests of all client versions (docs/reference/assistant-message.mdx).

Optional fields that are null count as missing. A chat `id` that is not a string is ignored.
"""

from __future__ import annotations

import base64
import binascii
import re
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any
from urllib.parse import unquote_to_bytes

from pydantic import Field

from docstead.api.assistant.shapes import GROUPS, Filter
from docstead.api.json_body import BodyList, BodyModel
from docstead.assistant.conversation import ContextItem, ConversationMessage, Question, Speaker
from docstead.base.texts import clean
from docstead.models.chat import InputFile
from docstead.models.inputs import kind_of

_MOST_MESSAGES = 200  # of a conversation; earlier ones are dropped without an error
_PASSAGES = 5
_MOST_PASSAGES = 50  # the maximum that a search returns; larger numbers are reduced to it
_LONGEST_PATH = 200
_LONGEST_CHAT_ID = 200
_ATTACHED_CHARACTERS = 4_000  # of each attachment
_MOST_FILES = 8
_LONGEST_FILE_NAME = 200
_TEXTUAL = re.compile(r"text/|application/(json|xml|yaml|x-yaml|toml|javascript)\b")


class ContextKind(StrEnum):
    CODE = "code"
    TEXT_SELECTION = "textSelection"


class ContextShape(BodyModel):
    type: ContextKind
    value: str
    path: str | None = None
    element_id: str | None = None


class AskFilter(Filter):
    groups: BodyList[str] | None = GROUPS


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file attached to the question, by URL."""

    url: str
    media_type: str | None
    name: str | None


class AskRequest(BodyModel):
    """Fields shared by all versions of the message endpoint."""

    fp: str = Field(description="`anonymous`, or an identifier of the user.")
    id: Any = Field(default=None, description="The client's chat id, for resuming.")
    thread_id: str | None = Field(default=None, description="Thread to continue.")
    thread_key: str | None = Field(default=None, description="The thread's key, where required.")
    retrieval_page_size: float | None = Field(
        default=_PASSAGES,
        allow_inf_nan=False,
        description="Number of passages to answer from; clamped to 1 to 50.",
    )
    filter: AskFilter | None = None
    context: BodyList[ContextShape] | None = None
    current_path: str | None = Field(default=None, max_length=_LONGEST_PATH)

    @abstractmethod
    def said(self) -> list[ConversationMessage]:
        """Return the conversation."""

    @abstractmethod
    def attached(self) -> list[AttachedFile]:
        """Return the attachments of the last question."""

    @abstractmethod
    def files(self) -> Iterator[str]:
        """Yield the contents of all files in the conversation, as sent."""

    @property
    def chat_id(self) -> str | None:
        usable = isinstance(self.id, str) and 0 < len(self.id) <= _LONGEST_CHAT_ID
        return clean(self.id) if usable else None

    @property
    def groups(self) -> Sequence[str] | None:
        """Return the requested reader groups, whether or not the key may use them."""
        return self.filter.groups if self.filter else None

    def question(self) -> Question:
        """Return the question without reader groups, from the latest 200 messages."""
        said = self.said()
        older, latest = said[:-_MOST_MESSAGES], said[-_MOST_MESSAGES:]
        chosen = self.filter or AskFilter()
        return Question(
            messages=tuple(replace(each, text=clean(each.text)) for each in latest),
            asked_before=sum(each.speaker is Speaker.USER for each in older),
            fp=clean(self.fp),
            # Clients that store the thread as a string initially send an empty one.
            thread_id=clean(self.thread_id) if self.thread_id and self.thread_id.strip() else None,
            thread_key=self.thread_key,
            page_size=_passages(self.retrieval_page_size),
            language=chosen.language,
            version=chosen.version,
            context=(*map(_context, self.context or ()), *_readable(self.attached())),
            current_path=self.current_path and clean(self.current_path),
            files=tuple(_files(self.attached()))[:_MOST_FILES],
        )


def _passages(requested: float | None) -> int:
    return int(min(max(_PASSAGES if requested is None else requested, 1), _MOST_PASSAGES))


def _context(shape: ContextShape) -> ContextItem:
    is_code = shape.type is ContextKind.CODE
    return ContextItem(
        clean(shape.value),
        is_code=is_code,
        path=shape.path,
        element_id=shape.element_id and clean(shape.element_id),
    )


def _readable(attached: Sequence[AttachedFile]) -> Iterator[ContextItem]:
    """Yield text attachments with inline content; nothing is fetched."""
    for each in attached:
        head, comma, data = each.url.partition(",")
        kind = each.media_type or head.removeprefix("data:")
        if head.startswith("data:") and comma and _TEXTUAL.match(kind):
            text = _decoded(data, is_base64=head.endswith(";base64"))
            if text:
                yield ContextItem(clean(text[:_ATTACHED_CHARACTERS]), is_code=True)


def _files(attached: Sequence[AttachedFile]) -> Iterator[InputFile]:
    """Yield images and PDFs with inline content."""
    for each in attached:
        head, comma, data = each.url.partition(",")
        named = each.media_type or head.removeprefix("data:")
        media_type = named.partition(";")[0].strip().lower()
        if not (head.startswith("data:") and comma and kind_of(media_type)):
            continue
        if content := _content(data, is_base64=head.endswith(";base64")):
            name = clean(each.name or "")[:_LONGEST_FILE_NAME]
            yield InputFile(name or media_type, media_type, content)


def _decoded(data: str, *, is_base64: bool) -> str:
    return _content(data, is_base64=is_base64).decode(errors="replace")


def _content(data: str, *, is_base64: bool) -> bytes:
    try:
        return base64.b64decode(data, validate=True) if is_base64 else unquote_to_bytes(data)
    except (binascii.Error, ValueError):
        return b""
