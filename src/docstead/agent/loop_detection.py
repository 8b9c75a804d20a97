"""Detection of repetitive model behavior."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from docstead.models.chat import ToolCall

_IN_A_ROW = 5
_LONGEST_CIRCLE = 3

UsedCall = tuple[str, str, str]  # name, arguments, digest of the result


class LoopDetector:
    """Recent calls of the model with their results.

    A response counts once, however many calls it contains.
    """

    def __init__(self) -> None:
        self._latest: deque[tuple[UsedCall, ...]] = deque(maxlen=_IN_A_ROW * _LONGEST_CIRCLE)

    def is_stuck(self, calls: Iterable[tuple[ToolCall, str]]) -> bool:
        """Report whether one to three responses were repeated five times with equal results.

        `calls` are those of one response, each with the digest of its result.
        """
        self._latest.append(tuple((call.name, call.arguments, digest) for call, digest in calls))
        return any(self._circles(length) for length in range(1, _LONGEST_CIRCLE + 1))

    def _circles(self, length: int) -> bool:
        latest = list(self._latest)[-_IN_A_ROW * length :]
        if len(latest) < _IN_A_ROW * length:
            return False
        return all(each == latest[at % length] for at, each in enumerate(latest))
