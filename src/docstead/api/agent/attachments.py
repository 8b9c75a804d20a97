"""Attachments of agent instructions, sent as `data:` URLs; nothing is fetched."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Sequence
from urllib.parse import unquote_to_bytes

from pydantic import Field
from starlette.types import Scope

from docstead.agent.attachments import MOST_BYTES_TOGETHER, new_file
from docstead.api.body import BodyLimit
from docstead.api.json_body import BodyModel
from docstead.base.errors import InvalidRequest
from docstead.models.chat import InputFile

_INSTRUCTION = re.compile(r"/v2/agent/[^/]+/job(?:/[^/]+/message)?")
_MOST_WRITTEN = MOST_BYTES_TOGETHER * 4 // 3 + 4096  # base64 needs four characters for three bytes


class AttachmentShape(BodyModel):
    """A file for the agent, with the fields of attachments of assistant messages."""

    url: str = Field(
        description="A `data:` URL with the contents: an image (PNG, JPEG, GIF, WebP), a PDF "
        "or UTF-8 text, at most 5 MiB.",
        examples=["data:image/png;base64,iVBORw0KGgo="],
    )
    name: str | None = Field(default=None, description="Name of the file.")
    content_type: str | None = Field(
        default=None, description="Ignored. The type is detected from the content."
    )


def files_of(attachments: Sequence[AttachmentShape] | None) -> tuple[InputFile, ...]:
    """Return the files of these attachments.

    Raises:
        InvalidRequest: an attachment is not a supported file.
        PayloadTooLarge: an attachment is too large.
    """
    return tuple(
        _file(f"attachments.{position}", each) for position, each in enumerate(attachments or ())
    )


def limit_of_instructions(max_bytes: int) -> Callable[[Scope], BodyLimit | None]:
    """Return a function with the body limit of agent requests: `max_bytes` plus attachments."""
    limit = BodyLimit(max_bytes + _MOST_WRITTEN, "leave out attachments")

    def limit_of(scope: Scope) -> BodyLimit | None:
        is_instruction = scope["method"] == "POST" and _INSTRUCTION.fullmatch(scope["path"])
        return limit if is_instruction else None

    return limit_of


def _file(field: str, shape: AttachmentShape) -> InputFile:
    head, comma, data = shape.url.partition(",")
    if not (head.startswith("data:") and comma):
        raise InvalidRequest(f"{field}.url: must be a data: URL with the whole file")
    try:
        content = _content(data, is_base64=head.endswith(";base64"))
    except (binascii.Error, ValueError) as error:
        raise InvalidRequest(f"{field}.url: the content is not base64") from error
    return new_file(shape.name or "", content, field)


def _content(data: str, *, is_base64: bool) -> bytes:
    return base64.b64decode(data, validate=True) if is_base64 else unquote_to_bytes(data)
