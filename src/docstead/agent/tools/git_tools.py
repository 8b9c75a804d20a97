"""Tools for the documentation's history and the job's own changes."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from docstead.agent.tools.result import ToolResult
from docstead.agent.tools.tool import AgentTool, ToolArguments
from docstead.agent.workspace.files import PathRefused
from docstead.agent.workspace.paths import check_path
from docstead.agent.workspace.workspace import Workspace
from docstead.base.units import MIB
from docstead.publishing.git import GitFailed

_LOG = (
    "log", "--max-count=30", "--date=short", "--no-show-signature", "--format=%h %ad %an: %s",
)  # fmt: skip
_OUTPUT_BYTES = 16 * MIB
_SHOW = ("show", "--format=%h %ad %an%n%n%B", "--date=short", "--no-ext-diff", "--no-textconv")


class GitArguments(ToolArguments):
    command: Literal["log", "diff"]
    path: str = ""
    commit: str = Field("", pattern="^([0-9a-f]{7,40})?$")


class GitTools:
    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def tools(self) -> tuple[AgentTool, ...]:
        return (
            AgentTool(
                "git",
                "History; diff shows a commit or your changes.",
                GitArguments,
                self.run,
            ),
        )

    def run(self, asked: GitArguments) -> ToolResult:
        return self._log(asked) if asked.command == "log" else self._diff(asked)

    def _log(self, asked: GitArguments) -> ToolResult:
        begin = asked.commit or self._workspace.head
        text = self._git(*_LOG, begin, *self._only(asked.path))
        return ToolResult(text.rstrip() or "[no commit has changed it]")

    def _diff(self, asked: GitArguments) -> ToolResult:
        if asked.commit:
            return ToolResult(self._git(*_SHOW, asked.commit, *self._only(asked.path)).rstrip())
        tree = self._workspace.snapshot()
        shown = [
            f"{each.status} {each.path}\n{each.text}"
            for each in self._workspace.diff(tree)
            if each.path == asked.path or not asked.path or each.path.startswith(f"{asked.path}/")
        ]
        return ToolResult("\n".join(shown) or "[nothing has changed]")

    def _only(self, path: str) -> tuple[str, ...]:
        """Return a path as an argument of git, relative to the repository."""
        inner = check_path(path, folders=True) if path else ""
        whole = "/".join(part for part in (self._workspace.remote.root, inner) if part)
        return ("--", f":(top,literal){whole}") if whole else ("--",)

    def _git(self, *arguments: str) -> str:
        try:
            git = self._workspace.store.git
            return git.run(*arguments, output_limit_bytes=_OUTPUT_BYTES).decode(errors="replace")
        except GitFailed:
            raise PathRefused(
                "git could not answer: the clone may not have the texts of old commits, or the "
                "answer is too long; name a path"
            ) from None
