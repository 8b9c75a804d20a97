"""Answers that outlive their readers: made once, recorded, followed by any number of clients.

Failure rule: a reader who goes away changes nothing. An event that has been sent may not be
stored yet when its node dies; the last event of an answer is sent only after all is stored.
"""

from __future__ import annotations

from docstead.assistant.streams.recording import RecordedEvents, RecordedStream
from docstead.assistant.streams.streams import AnswerStreams

__all__ = ["AnswerStreams", "RecordedEvents", "RecordedStream"]
