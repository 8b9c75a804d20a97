"""Ctrl-C in a command that takes long: one sentence about what it leaves behind."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from docstead.cli import INTERRUPTED

UNCHANGED = "Interrupted; {} is unchanged."


@dataclass
class InterruptionNotice:
    """The sentence for an interruption now, which changes as the command proceeds."""

    sentence: str


@contextmanager
def said_when_interrupted(sentence: str) -> Iterator[InterruptionNotice]:
    """Print the latest sentence and exit when the command is interrupted."""
    interruption = InterruptionNotice(sentence)
    try:
        yield interruption
    except KeyboardInterrupt:
        sys.stderr.write(f"{interruption.sentence}\n")
        raise SystemExit(INTERRUPTED) from None
