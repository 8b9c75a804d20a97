"""Images and PDFs in messages, for models that support them."""

from __future__ import annotations

import base64
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Literal

from docstead.models.chat import ChatMessage, InputFile

InputKind = Literal["image", "pdf"]

PDF = "application/pdf"
IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")


def kind_of(media_type: str) -> InputKind | None:
    """Return the kind of input for a media type, or None if unsupported."""
    if media_type == PDF:
        return "pdf"
    return "image" if media_type in IMAGES else None


def acceptable(messages: Sequence[ChatMessage], kinds: Collection[InputKind]) -> list[ChatMessage]:
    """Replace files that a model does not support with a note."""
    return [_acceptable(message, kinds) if message.files else message for message in messages]


def encoded(file: InputFile) -> str:
    """Return the contents in base64."""
    return base64.b64encode(file.data).decode("ascii")


def data_url(file: InputFile) -> str:
    return f"data:{file.media_type};base64,{encoded(file)}"


def _acceptable(message: ChatMessage, kinds: Collection[InputKind]) -> ChatMessage:
    taken = tuple(file for file in message.files if kind_of(file.media_type) in kinds)
    notes = [
        f"[The file {file.name!r} is not shown: you take no files of the type {file.media_type}.]"
        for file in message.files
        if file not in taken
    ]
    return replace(message, text="\n\n".join(filter(None, [message.text, *notes])), files=taken)
