"""All tools of a job, behind two things: what they are, and running one of them.

Failure rule: `run` answers every request of a model with text. Only what is wrong with
this machine or the clone is raised.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from docstead.agent.tools.checking import Checking
from docstead.agent.tools.checks import Checks
from docstead.agent.tools.dialog import UserDialog
from docstead.agent.tools.history import History
from docstead.agent.tools.limits import ToolLimits, cut
from docstead.agent.tools.moving import Moving
from docstead.agent.tools.navigating import Navigating
from docstead.agent.tools.operations import Operations
from docstead.agent.tools.places import REPOSITORY, Places
from docstead.agent.tools.published import PUBLISHED, SearchPublished
from docstead.agent.tools.reading import Reading
from docstead.agent.tools.reference import Reference
from docstead.agent.tools.replacing import Replacing
from docstead.agent.tools.result import ToolResult, refusal
from docstead.agent.tools.searching import Searching
from docstead.agent.tools.todos import Planning
from docstead.agent.tools.tool import Tool
from docstead.agent.tools.writing import Writing
from docstead.agent.workspace.files import Files
from docstead.agent.workspace.workspace import Workspace
from docstead.base.errors import InvalidRequest
from docstead.models.chat import ToolSpec

# Tools of earlier versions, which may stand in a job's conversation: what they are today.
_FORMER_TOOLS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "replace_text": ("edit_file", {}),
    "find_files": ("list_files", {}),
    "read_navigation": ("navigation", {"action": "read"}),
    "edit_navigation": ("navigation", {}),
    "git_log": ("git", {"command": "log"}),
    "git_diff": ("git", {"command": "diff"}),
    "preview_page": ("read_file", {"rendered": True}),
    "read_operations": ("reference", {"topic": "operations"}),
    "search_docs": ("search_text", {"published": True}),
}


class Toolbox:
    """The tools of one workspace. `repositories` are others that may be read, by name."""

    def __init__(
        self,
        workspace: Workspace,
        checker: Checks,
        *,
        search_published: SearchPublished | None = None,
        repositories: Mapping[str, Files] | None = None,
        limits: ToolLimits | None = None,
        dialog: UserDialog | None = None,
    ) -> None:
        self._limits = limits or ToolLimits()
        places = Places(workspace.files, repositories or {})
        checking = Checking(workspace, checker)
        groups = (
            Reading(places, self._limits, checking.preview),
            Searching(places, self._limits, search_published),
            Writing(workspace.files),
            Replacing(workspace.files, self._limits),
            Moving(workspace, checker, self._limits),
            Navigating(workspace.files),
            checking,
            History(workspace),
            Reference(Operations(workspace.files)),
            *((dialog,) if dialog else ()),
            Planning(),
        )
        self._hidden = {
            *(() if repositories else (REPOSITORY,)),
            *(() if search_published else (PUBLISHED,)),
        }
        self._tools: dict[str, Tool] = {tool.name: tool for g in groups for tool in g.tools()}

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(tool.spec(self._hidden) for tool in self._tools.values())

    def run(self, name: str, arguments: str | Mapping[str, Any]) -> ToolResult:
        """Return the tool's result; wrong names and arguments return what is expected.

        `arguments` are a JSON object, as text or read.
        """
        present, defaults = _FORMER_TOOLS.get(name, (name, {}))
        tool = self._tools.get(present)
        if tool is None:
            known = ", ".join(self._tools)
            return refusal(f"there is no tool {name[:100]!r}; there are {known}", malformed=True)
        try:
            asked = tool.read({**defaults, **_object(name, arguments)})
        except InvalidRequest as error:
            return refusal(_sayable(error.message), malformed=True)
        try:
            result = tool.run(asked)
        except InvalidRequest as error:
            return refusal(_sayable(error.message))
        text = cut(_sayable(result.text), self._limits.of_result(name))
        return replace(result, text=text, diff=_sayable(result.diff))


def _object(name: str, arguments: str | Mapping[str, Any]) -> Mapping[str, Any]:
    if not isinstance(arguments, str):
        return arguments
    try:
        values = json.loads(arguments or "{}")
    except (ValueError, RecursionError) as error:
        raise InvalidRequest(f"{name}: the arguments are not JSON: {error}") from None
    if not isinstance(values, dict):
        raise InvalidRequest(f"{name}: the arguments must be a JSON object")
    return values


def _sayable(text: str) -> str:
    """Names of files may be bytes that are no text; what is said must be."""
    return text.encode("utf-8", "replace").decode()
