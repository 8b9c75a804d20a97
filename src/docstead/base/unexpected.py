"""Message of an unexpected failure; the log has its traceback."""

from __future__ import annotations

import secrets

from docstead.base.errors import DocsteadError


class UnexpectedError(DocsteadError):
    """Something went wrong. The service's log has the details."""

    def __init__(self) -> None:
        self.id = secrets.token_hex(4)  # under which the traceback is logged
        super().__init__(
            f"Something went wrong. The service's log has the details (error {self.id})."
        )
