"""The optional header of requests that start work."""

from __future__ import annotations

from typing import Annotated

from fastapi import Header

_DESCRIPTION = "Repeats of a request under the same key start nothing new, for 24 hours."

#: Checked by `limits.idempotency`, after the key of the API.
IdempotencyKey = Annotated[
    str | None,
    Header(
        description=_DESCRIPTION,
        json_schema_extra={"minLength": 1, "maxLength": 255, "pattern": r"^[\x20-\x7e]+$"},
    ),
]
