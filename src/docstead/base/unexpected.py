"""Errors with a known cause, and the message of unexpected ones, whose traceback is in the log."""

from __future__ import annotations

import logging
import secrets

from docstead.base.errors import DocsteadError
from docstead.base.machine import is_full_disk
from docstead.base.texts import logged_path


def known_cause(error: BaseException) -> str | None:
    """Return what is wrong and what to do; None if the error may be a defect of the program."""
    if isinstance(error, DocsteadError):
        return error.detail
    if is_full_disk(error):
        path = getattr(error, "filename", None)
        return f"{path or 'the disk'}: no space is left; free some space"
    return None


def log_failure(log: logging.Logger, failed: str, error: BaseException) -> None:
    """Log a failed task: one line if the cause is known, otherwise with the traceback."""
    cause = known_cause(error)
    if cause is None:
        log.error("%s", failed, exc_info=error)
    else:
        log.warning("%s: %s", failed, cause)


def failure_reason(log: logging.Logger, kind: str, number: str, error: Exception) -> str:
    """Return why a task failed, for its record; log the traceback of an unexpected error."""
    cause = known_cause(error)
    if cause is not None:
        return cause
    log.error("%s %s failed", kind, number, exc_info=error)
    return f"the {kind} failed unexpectedly: {type(error).__name__}"


class UnexpectedError(DocsteadError):
    """Something went wrong. The service's log has the details."""

    def __init__(self) -> None:
        self.id = secrets.token_hex(4)  # logged with the traceback
        super().__init__(
            f"Something went wrong. The service's log has the details (error {self.id})."
        )


def request_failure(log: logging.Logger, method: str, path: str) -> UnexpectedError:
    """Log the traceback of a failed request, and return the error that its user sees."""
    failure = UnexpectedError()
    log.exception("error %s: %s %s failed", failure.id, method, logged_path(path))
    return failure
