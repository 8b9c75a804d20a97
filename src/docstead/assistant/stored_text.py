"""Bounded forms for storing texts of readers, so that none is rejected for its length."""

from __future__ import annotations

import hashlib

_LONGEST_NAME = 200
_LONGEST_QUESTION = 10_000
_CUT = " […]"


def stored_name(name: str) -> str:
    """Return a fingerprint or chat id, or its digest if it is long."""
    if len(name) <= _LONGEST_NAME:
        return name
    return f"sha256:{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()}"


def stored_question(text: str) -> str:
    """Return a question, truncated with a mark if it is long."""
    return text if len(text) <= _LONGEST_QUESTION else f"{text[:_LONGEST_QUESTION]}{_CUT}"
