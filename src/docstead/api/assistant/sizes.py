"""How large a question may be: its own words, and beside them the files that it carries.

Decisions 25: a body of 1 MB, attachments of 8 MB, 413 above.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from starlette.types import Scope

from docstead.base.errors import PayloadTooLarge
from docstead.base.units import MIB

MOST_ATTACHED = 8 * MIB
_MOST_WRITTEN = MOST_ATTACHED * 4 // 3  # in base64, four characters stand for three bytes
_MESSAGE = re.compile(r"/discovery/v\d+/assistant/[^/]+/message")


def room_for_files(scope: Scope) -> int:
    """How many bytes the body of a request may have for the files in it."""
    return _MOST_WRITTEN if _MESSAGE.fullmatch(scope["path"]) else 0


def check_size(body: bytes, most: int, files: Iterable[str] = ()) -> None:
    """`files` are the contents of attachments as they stand in the body.

    Raises:
        PayloadTooLarge: the attachments, or the body without them, are over their limit.
    """
    attached = sum(map(len, files))
    if attached > _MOST_WRITTEN:
        raise PayloadTooLarge(f"messages: attachments of more than {MOST_ATTACHED} bytes")
    if len(body) - attached > most:
        raise PayloadTooLarge(
            f"the request body is larger than {most} bytes without its attachments; "
            "DOCSTEAD_MAX_BODY_BYTES allows more"
        )
