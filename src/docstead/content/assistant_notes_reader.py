"""What a repository tells its assistant: instructions, starter questions and skills.

They lie in `.docs/`, which is never served: `Assistant.md` (or `ASSISTANT.md`) and
`assistant/skills/SLUG/skill.md`. A link that leads out of the repository is not followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from docstead.content.assistant_notes import AssistantNotes, Skill
from docstead.content.frontmatter import split
from docstead.content.places import Faults, Place
from docstead.content.sources import plain_lines

FOLDER = ".docs"
_INSTRUCTIONS = ("Assistant.md", "ASSISTANT.md")
_SKILLS = "assistant/skills"
_SKILL_NAMES = ("skill.md", "SKILL.md")
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LARGEST_BYTES = 100_000
_SKILL_CHARACTERS = 24_000  # about 6,000 tokens
_MOST_QUESTIONS = 3


def read_assistant_notes(root: Path, faults: Faults) -> AssistantNotes:
    """The notes of a repository; what cannot be used is a diagnostic and is left out."""
    return _Reader(root, faults).read()


class _Reader:
    def __init__(self, root: Path, faults: Faults) -> None:
        self._root = root
        self._faults = faults

    def read(self) -> AssistantNotes:
        found = ((name, self._text(f"{FOLDER}/{name}")) for name in _INSTRUCTIONS)
        name, text = next(((name, text) for name, text in found if text), ("", ""))
        document = split(text, f"{FOLDER}/{name}", self._faults)
        asked = document.fields.get("questions")
        questions = [str(each) for each in asked if each] if isinstance(asked, list) else []
        return AssistantNotes(
            instructions=document.body.strip(),
            questions=tuple(questions[:_MOST_QUESTIONS]),
            skills=tuple(self._skills()),
        )

    def _skills(self) -> Iterator[Skill]:
        folder = self._root / FOLDER / _SKILLS
        if not folder.is_dir() or not self._is_inside(folder):
            return
        for path in sorted(folder.iterdir()):
            if path.is_dir() and (skill := self._skill(path.name)):
                yield skill

    def _skill(self, slug: str) -> Skill | None:
        paths = (f"{FOLDER}/{_SKILLS}/{slug}/{name}" for name in _SKILL_NAMES)
        path, text = next(((p, t) for p in paths if (t := self._text(p))), ("", ""))
        if not text:
            return None
        document = split(text, path, self._faults)
        name, description = (
            str(document.fields.get(key) or "").strip() for key in ("name", "description")
        )
        if not (name and description and _SLUG.fullmatch(slug)):
            self._faults.warning(
                Place(path, 1, 1),
                "skill-incomplete",
                "a skill needs `name` and `description` in its frontmatter, and a folder named in "
                "lower-case letters, digits and hyphens; it was left out",
            )
            return None
        return Skill(slug, name, description, document.body.strip()[:_SKILL_CHARACTERS])

    def _text(self, file: str) -> str:
        path = self._root / file
        if not path.is_file() or not self._is_inside(path):
            return ""
        data = path.read_bytes()[:_LARGEST_BYTES]
        return plain_lines(data.decode("utf-8-sig", errors="replace"))

    def _is_inside(self, path: Path) -> bool:
        return path.resolve().is_relative_to(self._root)
