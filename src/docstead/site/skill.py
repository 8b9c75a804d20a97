"""The site as a skill: how an agent finds its way, in `skill.md` and the indexes of skills."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

_DESCRIPTION_LENGTH = 1024
_MOST_PAGES = 60


@dataclass(frozen=True, slots=True)
class SkillPage:
    section: str
    title: str
    address: str  # of its Markdown
    description: str


def skill_md(name: str, description: str, address: str, pages: Sequence[SkillPage]) -> str:
    """The skill of a site at `address`; of very many pages it names the first."""
    use = f"Use when a task needs {name}: how it works, its settings, its interfaces."
    told = f"{use} {description}".strip()[:_DESCRIPTION_LENGTH]
    lines = [
        f"---\nname: {slug_of(name)}\ndescription: {json.dumps(told, ensure_ascii=False)}\n---\n",
        f"# {name}\n",
        f"{description}\n" if description else "",
        "## How to read the documentation\n",
        f"- Every page, with one line about each: {address}/llms.txt",
        f"- Everything in one file: {address}/llms-full.txt",
        "- One page as Markdown: its address with `.md` at the end\n",
        "Look a page up before you answer or write code, and cite its address.\n",
    ]
    section = None
    for page in pages[:_MOST_PAGES]:
        if page.section != section:
            section = page.section
            lines.append(f"\n## {section}\n")
        about = f": {page.description}" if page.description else ""
        lines.append(f"- [{page.title}]({page.address}){about}")
    return "\n".join(line for line in lines if line) + "\n"


def skill_indexes(name: str, description: str, address: str, skill: str) -> dict[str, str]:
    """The files under `.well-known` that say where the skill is."""
    slug, told = slug_of(name), description[:_DESCRIPTION_LENGTH]
    digest = f"sha256:{hashlib.sha256(skill.encode()).hexdigest()}"
    skills = {"skills": [{"name": slug, "description": told, "files": ["SKILL.md"]}]}
    entry = {"name": slug, "type": "skill-md", "description": told}
    found = {
        "$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
        "skills": [{**entry, "url": f"{address}/skill.md", "digest": digest}],
    }
    return {
        ".well-known/skills/index.json": _json(skills),
        f".well-known/skills/{slug}/SKILL.md": skill,
        ".well-known/agent-skills/index.json": _json(found),
    }


def slug_of(name: str) -> str:
    """Lower case letters, digits and hyphens, as names of skills must be."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:64] or "docs"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
