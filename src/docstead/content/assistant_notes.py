"""Instructions, starter questions and skills of a repository's assistant, as values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Skill:
    """Knowledge for a kind of question, read when it is needed."""

    slug: str
    name: str
    description: str
    text: str


@dataclass(frozen=True, slots=True)
class AssistantNotes:
    instructions: str = ""  # Markdown, added to the assistant's own rules
    questions: tuple[str, ...] = ()  # shown before the first one is asked; at most three
    skills: tuple[Skill, ...] = ()
