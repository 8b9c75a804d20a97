"""Checking the documentation, and looking at a page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import Field

from docstead.agent.tools.causes import by_cause
from docstead.agent.tools.checks import CheckReport, Checks
from docstead.agent.tools.result import ToolResult
from docstead.agent.tools.tool import Arguments, Tool
from docstead.agent.workspace.files import Refused
from docstead.agent.workspace.workspace import Workspace
from docstead.base.errors import NotFound, SourceUnreadable
from docstead.content.diagnostics import Diagnostic
from docstead.content.slugs import slug_of
from docstead.rendering import EngineFailed

_SHOWN = 100


class CheckArguments(Arguments):
    scope: Literal["changes", "all"] = Field(
        "changes", description="changes: only errors new in this job."
    )
    path: str = Field("", description="Only files whose path begins so.")


class PreviewArguments(Arguments):
    path: str = Field(description="Such as 'guides/start.mdx'.")


class Checking:
    def __init__(self, workspace: Workspace, checker: Checks) -> None:
        self._workspace = workspace
        self._checker = checker

    def tools(self) -> tuple[Tool, ...]:
        return (
            Tool(
                "check",
                "Check links, images, navigation, settings, syntax and components. Call it before "
                "finish.",
                CheckArguments,
                self.check,
            ),
            Tool(
                "preview_page",
                "Render a page as text, with its errors.",
                PreviewArguments,
                self.preview,
            ),
        )

    def check(self, asked: CheckArguments) -> ToolResult:
        everything = asked.scope == "all"
        try:
            report = self._checker.compare(self._workspace, everything=everything)
        except EngineFailed as error:
            raise Refused(f"the check could not be made now: {error.message}") from None
        shown = [*_listed("new", report.new, asked.path)]
        if everything:
            shown += _listed("there before this job", report.standing, asked.path)
        return ToolResult("\n".join([_summary(report), *shown]), check=report)

    def preview(self, asked: PreviewArguments) -> ToolResult:
        if self._workspace.files.kind(asked.path) != "file":
            raise Refused(f"there is no file {asked.path!r}")
        slug = slug_of(asked.path.removeprefix("./"))
        try:
            text, faults = self._checker.preview(self._workspace, slug)
        except (EngineFailed, NotFound, SourceUnreadable) as error:
            raise Refused(error.message) from None
        return ToolResult("\n".join([text or "[the page is empty]", *_listed("faults", faults)]))


def _summary(report: CheckReport) -> str:
    fixed = f"; {report.fixed} are fixed" if report.fixed else ""
    if report.passed:
        return f"passed: no new errors or warnings{fixed}"
    count = len(report.new)
    return f"{count} new {'fault' if count == 1 else 'faults'}{fixed}"


def _listed(title: str, faults: Iterable[Diagnostic], prefix: str = "") -> list[str]:
    wanted = [fault for fault in faults if fault.file.startswith(prefix)]
    lines = by_cause(wanted)
    more = [f"[and {len(lines) - _SHOWN} more lines]"] if len(lines) > _SHOWN else []
    head = [f"\n{title}:"] if wanted else []
    return [*head, *lines[:_SHOWN], *more]
