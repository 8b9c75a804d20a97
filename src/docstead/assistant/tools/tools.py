"""Tools of an answer and their policy: these four, a limited number of times.

Invalid calls are answered with the reason, so that the model can correct them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from docstead.assistant.extractive.evidence import Excerpt
from docstead.assistant.passage_store import PassageStore, framed
from docstead.assistant.tools.library import DocumentationLookup
from docstead.base.errors import DocsteadError, InvalidRequest
from docstead.content.assistant_notes import Skill
from docstead.models.chat import ToolCall, ToolSpec

_log = logging.getLogger(__name__)

SEARCH, READ, OPERATION, SKILL = (
    "search_documentation",
    "read_page",
    "look_up_operation",
    "load_skill",
)
MOST_SKILLS = 3
_LONGEST_ARGUMENT = 400
_NO_MORE = "No more tools may be used for this answer. Answer from what you have."


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """Result of a call: text for the model, and a summary for clients."""

    text: str
    summary: Mapping[str, Any] = field(default_factory=dict)


class AnswerTools:
    """Tools of one answer. `limit` is the total number of calls."""

    def __init__(
        self,
        library: DocumentationLookup,
        passage_store: PassageStore,
        skills: tuple[Skill, ...],
        limit: int,
    ) -> None:
        self._library = library
        self._passage_store = passage_store
        self._skills = {skill.slug: skill for skill in skills}
        self._left = limit
        self._loaded: set[str] = set()
        self.queries: list[str] = []  # search queries, in order

    @property
    def is_spent(self) -> bool:
        return self._left <= 0

    def specs(self) -> tuple[ToolSpec, ...]:
        specs = [
            _spec(SEARCH, "Finds passages of the documentation.", "query", "What to look for."),
            _spec(READ, "Reads a whole page of the documentation.", "path", "Its path or URL."),
            _spec(
                OPERATION,
                "Reads the page of an API operation: parameters, bodies, responses.",
                "operation",
                "Method and path, such as `GET /users/{id}`, or what it does.",
            ),
        ]
        if self._skills:
            what = f"Reads a skill, at most {MOST_SKILLS} for an answer."
            specs.append(_spec(SKILL, what, "slug", "The slug of the skill."))
        return tuple(specs)

    def use(self, call: ToolCall) -> ToolOutput:
        """Run a call. Blocking: run it in a thread. Never raises: the model reads errors."""
        if self.is_spent:
            return ToolOutput(_NO_MORE, {"error": "limit"})
        self._left -= 1
        try:
            return self._used(call)
        except DocsteadError as error:
            return ToolOutput(f"Error: {error.message}", {"error": error.message})
        except Exception:
            _log.exception("the tool %s failed", call.name)
            return ToolOutput("Error: the tool failed.", {"error": "failed"})

    def _used(self, call: ToolCall) -> ToolOutput:
        tools: Mapping[str, tuple[str, Callable[[str], ToolOutput]]] = {
            SEARCH: ("query", self._search),
            READ: ("path", self._read),
            OPERATION: ("operation", self._operation),
            SKILL: ("slug", self._skill),
        }
        if call.name not in tools:
            raise InvalidRequest(f"there is no tool {call.name!r}; there are {', '.join(tools)}")
        name, use = tools[call.name]
        value = call.values().get(name)
        if not isinstance(value, str) or not value.strip():
            raise InvalidRequest(f"{call.name}: `{name}` must be a string")
        return use(value.strip()[:_LONGEST_ARGUMENT])

    def _search(self, query: str) -> ToolOutput:
        self.queries.append(query)
        return self._given(self._library.search(query), {"query": query})

    def _read(self, path: str) -> ToolOutput:
        return self._given(self._library.page(path), {"path": path})

    def _operation(self, name: str) -> ToolOutput:
        self.queries.append(name)
        return self._given(self._library.operation(name), {"operation": name})

    def _skill(self, slug: str) -> ToolOutput:
        skill = self._skills.get(slug)
        if skill is None:
            raise InvalidRequest(f"there is no skill {slug!r}; there are {', '.join(self._skills)}")
        if slug not in self._loaded and len(self._loaded) >= MOST_SKILLS:
            raise InvalidRequest(f"{MOST_SKILLS} skills are loaded already; no more may be")
        if slug not in self._loaded:
            self._loaded.add(slug)
            self._passage_store.add_background(skill.text)
        return ToolOutput(f'<skill name="{slug}">\n{framed(skill.text)}\n</skill>', {"skill": slug})

    def _given(self, excerpts: list[Excerpt], summary: dict[str, Any]) -> ToolOutput:
        shown = self._passage_store.shown(excerpts)
        pages = list(dict.fromkeys(each.link.partition("#")[0] for each in excerpts))
        return ToolOutput(
            f"<documentation>\n{shown}\n</documentation>", {**summary, "pages": pages}
        )


def _spec(name: str, description: str, argument: str, meaning: str) -> ToolSpec:
    parameters = {
        "type": "object",
        "properties": {argument: {"type": "string", "description": meaning}},
        "required": [argument],
        "additionalProperties": False,
    }
    return ToolSpec(name, description, parameters)
