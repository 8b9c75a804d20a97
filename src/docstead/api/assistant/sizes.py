"""Size limits of assistant requests, for messages and for attachments. Larger ones get 413."""

from __future__ import annotations

import re
from collections.abc import Iterable

from starlette.types import Scope

from docstead.api.body import BodyLimit
from docstead.base.errors import PayloadTooLarge
from docstead.base.units import MIB

MOST_ATTACHED = 8 * MIB
_MOST_SAID = 4 * MIB
_MOST_WRITTEN = MOST_ATTACHED * 4 // 3  # base64 needs four characters for three bytes
_MESSAGE = re.compile(r"/discovery/v\d+/assistant/[^/]+/message")


def limit_of_messages(scope: Scope) -> BodyLimit | None:
    """Return the body limit of a message with attachments, or None for other requests."""
    if not _MESSAGE.fullmatch(scope["path"]):
        return None
    return BodyLimit(_MOST_SAID + _MOST_WRITTEN, "leave out earlier messages or attachments")


def check_size(body: bytes, files: Iterable[str] = ()) -> None:
    """Check the size of a body; `files` are the encoded contents of its attachments.

    Raises:
        PayloadTooLarge: the attachments, or the body without them, exceed their limit.
    """
    attached = sum(map(len, files))
    if attached > _MOST_WRITTEN:
        raise PayloadTooLarge(
            f"messages: the attachments are larger than {MOST_ATTACHED // MIB} MiB together; "
            "leave out those of earlier messages"
        )
    if len(body) - attached > _MOST_SAID:
        raise PayloadTooLarge(
            f"messages: larger than {_MOST_SAID // MIB} MiB without attachments; "
            "leave out earlier messages"
        )
