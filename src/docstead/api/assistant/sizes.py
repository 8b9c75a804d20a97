"""Size limits of assistant requests: messages, and attachments in addition. 413 above them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from starlette.types import Scope

from docstead.api.body import BodyLimit
from docstead.base.errors import PayloadTooLarge
from docstead.base.units import MIB

MOST_ATTACHED = 8 * MIB
_MOST_SAID = 4 * MIB
_MOST_WRITTEN = MOST_ATTACHED * 4 // 3  # in base64, four characters stand for three bytes
_MESSAGE = re.compile(r"/discovery/v\d+/assistant/[^/]+/message")


def limit_of_messages(scope: Scope) -> BodyLimit | None:
    """The limit of the body of a message, attachments included; None for other requests."""
    if not _MESSAGE.fullmatch(scope["path"]):
        return None
    return BodyLimit(_MOST_SAID + _MOST_WRITTEN, "leave out earlier messages or attachments")


def check_size(body: bytes, files: Iterable[str] = ()) -> None:
    """`files` are the contents of attachments as they stand in the body.

    Raises:
        PayloadTooLarge: the attachments, or the body without them, are over their limit.
    """
    attached = sum(map(len, files))
    if attached > _MOST_WRITTEN:
        raise PayloadTooLarge(
            f"messages: the attachments are larger than {MOST_ATTACHED} bytes together; "
            "leave out those of earlier messages"
        )
    if len(body) - attached > _MOST_SAID:
        raise PayloadTooLarge(
            f"messages: larger than {_MOST_SAID} bytes without attachments; "
            "leave out earlier messages"
        )
