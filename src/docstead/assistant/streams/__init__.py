"""Answers that outlive their readers: recorded, and followed by any number of clients.

Failure rule: a disconnect changes nothing. Sent events may not be stored yet when a node dies; the
last event of an answer is sent only after all others are stored.
"""

from __future__ import annotations

from docstead.assistant.streams.recording import RecordedEvents, RecordedStream
from docstead.assistant.streams.streams import AnswerStreams

__all__ = ["AnswerStreams", "RecordedEvents", "RecordedStream"]
