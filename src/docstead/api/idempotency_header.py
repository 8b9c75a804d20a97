"""The optional `Idempotency-Key` header of requests that start jobs."""

from __future__ import annotations

from typing import Annotated

from fastapi import Header

_DESCRIPTION = "Repeating a request with the same key within 24 hours returns the original result."

#: Validated by `limits.idempotency`, after authentication.
IdempotencyKey = Annotated[
    str | None,
    Header(
        description=_DESCRIPTION,
        json_schema_extra={"minLength": 1, "maxLength": 255, "pattern": r"^[\x20-\x7e]+$"},
    ),
]
