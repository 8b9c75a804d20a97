"""Answer options for tests that do not depend on them."""

from __future__ import annotations

from docstead.assistant.answer_task import AnswerOptions
from docstead.assistant.writing.answer_writer import SentencePolicy

# : The model's text arrives unchanged, with nothing added.
UNCHECKED = AnswerOptions(policy=SentencePolicy.OFF, falls_back=False, suggests=False)
