"""Ways to answer, for tests that are about something else."""

from __future__ import annotations

from docstead.assistant.answer_task import Manner
from docstead.assistant.writing.scribe import Policy

#: What a model says arrives as it was said, and nothing is added to it.
UNCHECKED = Manner(policy=Policy.OFF, falls_back=False, suggests=False)
