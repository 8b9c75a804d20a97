"""A task for an agent, and tool calls that tasks have in common."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field

from agent_repository import ExpectedRepository
from chat_server import Call

# Yields the calls of one answer, and receives the tools' results.
Script = Generator[list[Call], list[str], None]


@dataclass
class EvalTask:
    """A task; `turns` are the messages to the job, each with its policy."""

    kind: str
    expected: ExpectedRepository
    turns: list[tuple[str, Callable[[], Script]]] = field(default_factory=list)

    def turn(self, prompt: str, script: Callable[[], Script]) -> EvalTask:
        self.turns.append((f"[{self.kind}] {prompt}", script))
        return self


def finish(title: str) -> list[Call]:
    return [Call("finish", {"title": title, "summary": f"{title}, as was asked for."})]


def page(title: str, body: str) -> str:
    return f'---\ntitle: "{title}"\ndescription: "{title}, in short."\n---\n\n{body}\n'


def added_entry(page_slug: str, beside: str) -> Call:
    return Call("navigation", {"action": "add_page", "page": page_slug, "after": beside})


def replace(path: str, old: str, new: str, **more: bool) -> Call:
    return Call("replace_text", {"path": path, "old": old, "new": new, **more})
