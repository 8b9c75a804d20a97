"""All tools of a job: their specifications, and their execution.

Failure rule: `run` answers every call of a model with text. Only errors of this machine or the
clone are raised.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from docstead.agent.tools.check_tools import CheckTools
from docstead.agent.tools.checks import WorkspaceChecks
from docstead.agent.tools.dialog_tools import UserDialog
from docstead.agent.tools.git_tools import GitTools
from docstead.agent.tools.limits import ToolLimits, cut
from docstead.agent.tools.locations import REPOSITORY, ToolLocations
from docstead.agent.tools.move_tools import MoveTools
from docstead.agent.tools.navigation_tools import NavigationTools
from docstead.agent.tools.operations import OperationReader
from docstead.agent.tools.planning_tools import PlanningTools
from docstead.agent.tools.published import PUBLISHED, SearchPublished
from docstead.agent.tools.read_tools import ReadTools
from docstead.agent.tools.reference import Reference
from docstead.agent.tools.replace_tools import ReplaceTools
from docstead.agent.tools.result import ToolResult, refusal
from docstead.agent.tools.screenshots import SCREEN, PageCamera, PageScreenshots
from docstead.agent.tools.search_tools import SearchTools
from docstead.agent.tools.tool import AgentTool
from docstead.agent.tools.write_tools import WriteTools
from docstead.agent.workspace.files import WorkspaceFiles
from docstead.agent.workspace.workspace import Workspace
from docstead.base.errors import InvalidRequest
from docstead.models.chat import ToolSpec

# Tools of earlier versions, which may occur in a job's conversation, by current name.
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
    """Tools of one workspace. `repositories` are additional readable ones, by name.

    `camera` is for models that accept images.
    """

    def __init__(
        self,
        workspace: Workspace,
        checker: WorkspaceChecks,
        *,
        search_published: SearchPublished | None = None,
        repositories: Mapping[str, WorkspaceFiles] | None = None,
        limits: ToolLimits | None = None,
        dialog: UserDialog | None = None,
        camera: PageCamera | None = None,
    ) -> None:
        self._limits = limits or ToolLimits()
        locations = ToolLocations(workspace.files, repositories or {})
        checking = CheckTools(workspace, checker)
        photograph = PageScreenshots(workspace, checker, camera).take if camera else None
        groups = (
            ReadTools(locations, self._limits, checking.preview, photograph),
            SearchTools(locations, self._limits, search_published),
            WriteTools(workspace.files),
            ReplaceTools(workspace.files, self._limits),
            MoveTools(workspace, checker, self._limits),
            NavigationTools(workspace.files),
            checking,
            GitTools(workspace),
            Reference(OperationReader(workspace.files)),
            *((dialog,) if dialog else ()),
            PlanningTools(),
        )
        self._hidden = {
            *(() if repositories else (REPOSITORY,)),
            *(() if search_published else (PUBLISHED,)),
            *(() if camera else (SCREEN,)),
        }
        self._tools: dict[str, AgentTool] = {tool.name: tool for g in groups for tool in g.tools()}

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(tool.spec(self._hidden) for tool in self._tools.values())

    def run(self, name: str, arguments: str | Mapping[str, Any]) -> ToolResult:
        """Run a tool; invalid names and arguments return what is expected.

        `arguments` are a JSON object, as text or parsed.
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
    """Replace undecodable bytes, which file names may contain."""
    return text.encode("utf-8", "replace").decode()
