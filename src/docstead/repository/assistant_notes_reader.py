"""Reader of a repository's instructions, starter questions and skills for the assistant.

They are in `.docs/`, which is never served: `Assistant.md` (or `ASSISTANT.md`) and
`assistant/skills/SLUG/skill.md`. Skills that the site publishes are `skill.md` at the root and
`skills/SLUG/SKILL.md` in `.docs/`. Links out of the repository are not followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from docstead.content.assistant_notes import AssistantNotes, Skill
from docstead.repository.frontmatter import SourceDocument, split
from docstead.repository.positions import Diagnostics, FilePosition
from docstead.repository.sources import SITE_SKILL, plain_lines

FOLDER = ".docs"
_INSTRUCTIONS = ("Assistant.md", "ASSISTANT.md")
_SKILLS = f"{FOLDER}/assistant/skills"
_SITE_SKILLS = f"{FOLDER}/skills"
_SKILL_NAMES = ("skill.md", "SKILL.md")
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LARGEST_BYTES = 100_000
_SKILL_CHARACTERS = 24_000  # about 6,000 tokens
_MOST_QUESTIONS = 3


def read_assistant_notes(root: Path, diagnostics: Diagnostics) -> AssistantNotes:
    """Return the valid notes of a repository; invalid ones become diagnostics."""
    return _NotesReader(root, diagnostics).read()


def read_site_skills(root: Path, diagnostics: Diagnostics) -> tuple[Skill, ...]:
    """Return the skills that the site publishes for agents; the text of each is its whole file."""
    return tuple(_NotesReader(root, diagnostics).site_skills())


class _NotesReader:
    def __init__(self, root: Path, diagnostics: Diagnostics) -> None:
        self._root = root
        self._diagnostics = diagnostics

    def read(self) -> AssistantNotes:
        found = ((name, self._text(f"{FOLDER}/{name}")) for name in _INSTRUCTIONS)
        name, text = next(((name, text) for name, text in found if text), ("", ""))
        document = split(text, f"{FOLDER}/{name}", self._diagnostics)
        asked = document.fields.get("questions")
        questions = [str(each) for each in asked if each] if isinstance(asked, list) else []
        return AssistantNotes(
            instructions=document.body.strip(),
            questions=tuple(questions[:_MOST_QUESTIONS]),
            skills=tuple(
                replace(skill, text=body.strip()[:_SKILL_CHARACTERS])
                for skill, body in self._skills(_SKILLS)
            ),
        )

    def site_skills(self) -> Iterator[Skill]:
        if text := self._text(SITE_SKILL):
            document = split(text, SITE_SKILL, self._diagnostics)
            skill = self._skill(str(document.fields.get("name") or ""), SITE_SKILL, text, document)
            yield from [skill] if skill else ()
        yield from (skill for skill, _ in self._skills(_SITE_SKILLS))

    def _skills(self, within: str) -> Iterator[tuple[Skill, str]]:
        """Yield each skill with its text below the frontmatter."""
        folder = self._root / within
        if not folder.is_dir() or not self._is_inside(folder):
            return
        for path in sorted(folder.iterdir()):
            files = (f"{within}/{path.name}/{name}" for name in _SKILL_NAMES)
            found = ((file, self._text(file)) for file in files)
            file, text = next(((file, text) for file, text in found if text), ("", ""))
            if not text:
                continue
            document = split(text, file, self._diagnostics)
            if skill := self._skill(path.name, file, text, document):
                yield skill, document.body

    def _skill(self, slug: str, path: str, text: str, document: SourceDocument) -> Skill | None:
        name, description = (
            str(document.fields.get(key) or "").strip() for key in ("name", "description")
        )
        if not (name and description and _SLUG.fullmatch(slug)):
            self._diagnostics.warning(
                FilePosition(path, 1, 1),
                "skill-incomplete",
                "a skill needs `name` and `description` in its frontmatter, and a folder named in "
                "lower-case letters, digits and hyphens; it was left out",
            )
            return None
        return Skill(slug, name, description, text)

    def _text(self, file: str) -> str:
        path = self._root / file
        if not path.is_file() or not self._is_inside(path):
            return ""
        data = path.read_bytes()[:_LARGEST_BYTES]
        return plain_lines(data.decode("utf-8-sig", errors="replace"))

    def _is_inside(self, path: Path) -> bool:
        return path.resolve().is_relative_to(self._root)
