"""Checks of workspaces in builders, of which one is kept for each workspace at work."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

from docstead.agent.tools.check_tasks import (
    BASE_PATH,
    COMPARE,
    PAGE_DOCUMENT,
    PAGE_TEXT,
    ComparisonRequest,
    PageText,
)
from docstead.agent.tools.checks import CheckReport
from docstead.agent.workspace.workspace import Workspace
from docstead.content.diagnostics import Diagnostic
from docstead.publishing.builders import Builder, BuilderPool, HostCall, IdleBuilders

T = TypeVar("T")

_KEPT_SECONDS = 300.0  # between two checks of a job


class ConfinedChecker:
    """Checks workspaces, one builder for each. It must be closed."""

    def __init__(self, builders: BuilderPool) -> None:
        self._builders = builders
        self._kept = IdleBuilders()

    def compare(self, workspace: Workspace, *, everything: bool = False) -> CheckReport:
        """The workspace against its base. With `everything`, also pages that nobody changed."""
        root, workers = str(workspace.root.resolve()), self._builders.workers
        wanted = ComparisonRequest(root, workspace.base_tree, workers, everything)
        with self._builder(workspace) as builder:
            return builder.run(COMPARE, wanted, _calls(workspace, builder), files=_files(workspace))

    def preview(self, workspace: Workspace, slug: str) -> tuple[str, tuple[Diagnostic, ...]]:
        """A page as readable text, and what is wrong with it. Raises `NotFound`."""
        wanted = PageText(str(workspace.root.resolve()), slug, self._builders.workers)
        with self._builder(workspace) as builder:
            return builder.run(PAGE_TEXT, wanted, files=_files(workspace))

    def document(self, workspace: Workspace, slug: str) -> str:
        """A page as readers see it, as a document that needs nothing else. Raises `NotFound`."""
        wanted = PageText(str(workspace.root.resolve()), slug, self._builders.workers)
        with self._builder(workspace) as builder:
            return builder.run(PAGE_DOCUMENT, wanted, files=_files(workspace))

    def base_path(self, workspace: Workspace) -> str:
        """The path below which the repository expects its site. Raises `SourceUnreadable`."""
        with self._builder(workspace) as builder:
            return builder.run(BASE_PATH, str(workspace.root.resolve()))

    def close(self) -> None:
        self._kept.close()

    @contextmanager
    def _builder(self, workspace: Workspace) -> Iterator[Builder]:
        root = workspace.root.resolve()
        key = f"{root} {root.stat().st_ino}"  # another folder has no way through its walls
        builder = self._kept.take(key) or self._builders.start(root)
        try:
            yield builder
        finally:
            if builder.is_alive:
                self._kept.keep(key, builder, _KEPT_SECONDS, builder.close)
            else:
                builder.close()


def _calls(workspace: Workspace, builder: Builder) -> dict[str, HostCall]:
    folder = builder.inbox / "base"
    return {
        "renames": HostCall(None, _ignoring(workspace.renames)),
        "base": HostCall(None, _ignoring(partial(_base, workspace, folder))),
        "base read": HostCall(None, lambda _: shutil.rmtree(folder, ignore_errors=True)),
    }


def _ignoring(function: Callable[[], T]) -> Callable[[object], T]:
    """The function, called without the argument that there is none of."""
    return lambda _: function()


def _base(workspace: Workspace, folder: Path) -> str:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    workspace.write_base(folder)
    return str(folder)


def _files(workspace: Workspace) -> int:
    """Files of the workspace, each of which adds to the deadline."""
    return sum(1 for path in workspace.root.rglob("*") if path.is_file())
