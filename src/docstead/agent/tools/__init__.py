"""Tools of the agent's model, limited to reading, writing and checking documentation."""

from __future__ import annotations

from docstead.agent.tools.checks import CheckReport, WorkspaceChecker, WorkspaceChecks
from docstead.agent.tools.published import PublishedPassage, SearchPublished
from docstead.agent.tools.result import TodoRecord, ToolResult, WorkSummary
from docstead.agent.tools.toolbox import Toolbox

__all__ = [
    "CheckReport",
    "PublishedPassage",
    "SearchPublished",
    "TodoRecord",
    "ToolResult",
    "Toolbox",
    "WorkSummary",
    "WorkspaceChecker",
    "WorkspaceChecks",
]
