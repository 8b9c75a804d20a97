"""Tools that check the documentation and show pages."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from docstead.agent.tools.checks import CheckReport, WorkspaceChecks
from docstead.agent.tools.diagnostic_order import by_cause
from docstead.agent.tools.result import ToolResult
from docstead.agent.tools.tool import AgentTool, ToolArguments
from docstead.agent.workspace.files import PathRefused
from docstead.agent.workspace.workspace import Workspace
from docstead.base.errors import NotFound, SourceUnreadable
from docstead.content.diagnostics import Diagnostic
from docstead.content.slugs import slug_of
from docstead.rendering import EngineFailed

_SHOWN = 100


class CheckArguments(ToolArguments):
    everything: bool = Field(False, description="Also older errors.")


class CheckTools:
    def __init__(self, workspace: Workspace, checker: WorkspaceChecks) -> None:
        self._workspace = workspace
        self._checker = checker

    def tools(self) -> tuple[AgentTool, ...]:
        return (
            AgentTool(
                "check",
                "Find errors that you caused, such as broken links.",
                CheckArguments,
                self.check,
            ),
        )

    def check(self, asked: CheckArguments) -> ToolResult:
        try:
            report = self._checker.compare(self._workspace, everything=asked.everything)
        except EngineFailed as error:
            raise PathRefused(f"the check could not be made now: {error.message}") from None
        shown = [*_listed("new", report.new)]
        if asked.everything:
            shown += _listed("there before this job", report.standing)
        text = "\n".join([_summary(report), *shown])
        return ToolResult(text, check=report, is_notice=not shown)

    def preview(self, path: str) -> ToolResult:
        """Return a page as readable text, with its errors."""
        if self._workspace.files.kind(path) != "file":
            raise PathRefused(f"there is no file {path!r}")
        slug = slug_of(path.removeprefix("./"))
        try:
            text, diagnostics = self._checker.preview(self._workspace, slug)
        except (EngineFailed, NotFound, SourceUnreadable) as error:
            raise PathRefused(error.message) from None
        return ToolResult(
            "\n".join([text or "[the page is empty]", *_listed("faults", diagnostics)])
        )


def _summary(report: CheckReport) -> str:
    fixed = f"; {report.fixed} fixed" if report.fixed else ""
    if report.passed:
        return f"passed{fixed}"
    count = len(report.new)
    return f"{count} new {'fault' if count == 1 else 'faults'}{fixed}"


def _listed(title: str, diagnostics: Sequence[Diagnostic]) -> list[str]:
    lines = by_cause(diagnostics)
    more = [f"[and {len(lines) - _SHOWN} more lines]"] if len(lines) > _SHOWN else []
    head = [f"\n{title}:"] if diagnostics else []
    return [*head, *lines[:_SHOWN], *more]
