"""Tools of the agent's model: they read, write and check documentation, and nothing else."""

from __future__ import annotations

from docstead.agent.tools.checks import Checker, CheckReport, Checks
from docstead.agent.tools.published import Passage, SearchPublished
from docstead.agent.tools.result import Ending, Todo, ToolResult
from docstead.agent.tools.toolbox import Toolbox

__all__ = [
    "CheckReport",
    "Checker",
    "Checks",
    "Ending",
    "Passage",
    "SearchPublished",
    "Todo",
    "ToolResult",
    "Toolbox",
]
