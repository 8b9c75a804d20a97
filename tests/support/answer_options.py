"""Ways to answer, for tests that are about something else."""

from __future__ import annotations

from docstead.assistant.answer_task import AnswerOptions
from docstead.assistant.writing.answer_writer import SentencePolicy

#: What a model says arrives as it was said, and nothing is added to it.
UNCHECKED = AnswerOptions(policy=SentencePolicy.OFF, falls_back=False, suggests=False)
