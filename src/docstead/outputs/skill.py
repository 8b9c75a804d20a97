"""Skills of a site: a generated one or those of its authors, with their indexes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from docstead.content.assistant_notes import Skill
from docstead.content.config import Redirect
from docstead.content.generated_files import (
    LLMS,
    LLMS_FULL,
    SKILL,
    SKILLS_FILE,
    SKILLS_INDEX,
)

_SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
_DESCRIPTION_LENGTH = 1024
_MOST_PAGES = 60


@dataclass(frozen=True, slots=True)
class SkillPage:
    section: str
    title: str
    url: str  # of its Markdown
    description: str


def made_skill(name: str, description: str, base_url: str, pages: Sequence[SkillPage]) -> Skill:
    """Return the skill of a site at `base_url`, listing the first of very many pages."""
    use = f"Use when a task needs {name}: how it works, its settings, its interfaces."
    usage = f"{use} {description}".strip()[:_DESCRIPTION_LENGTH]
    lines = [
        f"---\nname: {slug_of(name)}\ndescription: {json.dumps(usage, ensure_ascii=False)}\n---\n",
        f"# {name}\n",
        f"{description}\n" if description else "",
        "## How to read the documentation\n",
        f"- Every page, with one line about each: {base_url}/{LLMS}",
        f"- Everything in one file: {base_url}/{LLMS_FULL}",
        "- One page as Markdown: its URL with `.md` at the end\n",
        "Look a page up before you answer or write code, and cite its URL.\n",
    ]
    section = None
    for page in pages[:_MOST_PAGES]:
        if page.section != section:
            section = page.section
            lines.append(f"\n## {section}\n")
        about = f": {page.description}" if page.description else ""
        lines.append(f"- [{page.title}]({page.url}){about}")
    text = "\n".join(line for line in lines if line) + "\n"
    return Skill(slug_of(name), name, usage, text)


def skill_files(skills: Sequence[Skill]) -> dict[str, str]:
    """Return each skill of a site by its path."""
    return {skill_file(each): each.text for each in skills}


def single_skill(skills: Sequence[Skill]) -> str:
    """Return the text of the only skill; "" if there are several."""
    return skills[0].text if len(skills) == 1 else ""


def skill_redirects(skills: Sequence[Skill]) -> tuple[Redirect, ...]:
    """Return the redirect of several skills' common path to their index."""
    is_single = len(skills) < 2  # noqa: PLR2004 - none, or one
    return () if is_single else (Redirect(f"/{SKILL}", f"/{SKILLS_INDEX}", permanent=False),)


def skills_index(skills: Sequence[Skill]) -> str:
    listed = [
        {"name": each.slug, "description": each.description, "files": ["SKILL.md"]}
        for each in skills
    ]
    return as_json({"skills": listed})


def agent_skills(skills: Sequence[Skill], base_url: str) -> str:
    """Return the index of skills of a site at `base_url`, with their digests."""
    return as_json({"$schema": _SCHEMA, "skills": [_found(each, base_url) for each in skills]})


def skill_file(skill: Skill) -> str:
    return SKILLS_FILE.replace("*", skill.slug)


def _found(skill: Skill, base_url: str) -> dict[str, str]:
    digest = hashlib.sha256(skill.text.encode()).hexdigest()
    return {
        "name": skill.slug,
        "type": "skill-md",
        "description": skill.description,
        "url": f"{base_url}/{skill_file(skill)}",
        "digest": f"sha256:{digest}",
    }


def slug_of(name: str) -> str:
    """Return lower-case letters, digits and hyphens, as names of skills require."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:64] or "docs"


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
