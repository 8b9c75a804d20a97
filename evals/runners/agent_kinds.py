"""Kinds of work that users request from an agent, applied to a repository.

A kind inspects a repository and makes a task of it: the instruction, the tool calls of a
competent model, and the expected repository at the end.
"""

from __future__ import annotations

from collections.abc import Callable

from agent_moves import deletion, group_renamed, rename, reordered, section
from agent_pages import api_example, changelog, extended, half_reverted, new_page, translation
from agent_repository import PlainTexts
from agent_sweeps import broken_links, descriptions, parameter, snippet
from agent_task import EvalTask

Kind = Callable[[PlainTexts], EvalTask | None]

KINDS: tuple[Kind, ...] = (
    new_page, rename, broken_links, parameter, translation, descriptions, section, changelog,
    api_example, half_reverted, deletion, group_renamed, reordered, snippet, extended,
)  # fmt: skip
