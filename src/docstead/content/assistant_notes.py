"""Instructions, starter questions and skills of a repository's assistant."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Skill:
    """Knowledge for a kind of question, loaded on demand."""

    slug: str
    name: str
    description: str
    text: str


@dataclass(frozen=True, slots=True)
class AssistantNotes:
    instructions: str = ""  # Markdown, appended to the assistant's own rules
    questions: tuple[str, ...] = ()  # suggested before the first question; at most three
    skills: tuple[Skill, ...] = ()
