"""Message of an unexpected error, whose traceback is in the log."""

from __future__ import annotations

import secrets

from docstead.base.errors import DocsteadError


class UnexpectedError(DocsteadError):
    """Something went wrong. The service's log has the details."""

    def __init__(self) -> None:
        self.id = secrets.token_hex(4)  # logged with the traceback
        super().__init__(
            f"Something went wrong. The service's log has the details (error {self.id})."
        )
