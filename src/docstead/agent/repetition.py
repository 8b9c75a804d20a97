"""Notices that a model goes in circles."""

from __future__ import annotations

from collections import deque

from docstead.models.chat import ToolCall

_IN_A_ROW = 5
_LONGEST_CIRCLE = 3


class Repetition:
    """Remembers the latest calls and what came of them."""

    def __init__(self) -> None:
        self._latest: deque[tuple[str, str, str]] = deque(maxlen=_IN_A_ROW * _LONGEST_CIRCLE)

    def is_stuck(self, call: ToolCall, digest: str) -> bool:
        """Whether the same one, two or three calls came five times over, to the same result."""
        self._latest.append((call.name, call.arguments, digest))
        return any(self._circles(length) for length in range(1, _LONGEST_CIRCLE + 1))

    def _circles(self, length: int) -> bool:
        latest = list(self._latest)[-_IN_A_ROW * length :]
        if len(latest) < _IN_A_ROW * length:
            return False
        return all(each == latest[at % length] for at, each in enumerate(latest))
