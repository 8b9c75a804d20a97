"""Repositories that try to hang, explode or escape the build of a site, by families."""

from __future__ import annotations

from hostile_cases import (
    attacker,
    components,
    files,
    frontmatter,
    git_sources,
    ignores,
    libraries,
    markdown,
    names,
    navigation,
    pictures,
    scripts,
    specifications,
)
from hostile_cases.case import Case

_FAMILIES = (
    ignores, navigation, frontmatter, scripts, components, markdown, specifications, libraries,
    pictures, files, names, git_sources, attacker,
)  # fmt: skip


def all_cases() -> list[Case]:
    return [case for family in _FAMILIES for case in family.CASES]
