"""Checks of workspaces in builders, one of which is kept per active workspace."""

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
from docstead.base.files import files_below
from docstead.content.diagnostics import Diagnostic
from docstead.publishing.builders import Builder, BuilderPool, BuilderTask, HostCall, IdleBuilders

T = TypeVar("T")

_KEPT_SECONDS = 300.0  # between two checks of a job


class ConfinedChecker:
    """Checks workspaces, each in its own builder. It must be closed."""

    def __init__(self, builders: BuilderPool) -> None:
        self._builders = builders
        self._kept = IdleBuilders()

    def compare(self, workspace: Workspace, *, everything: bool = False) -> CheckReport:
        """Compare the workspace with its base; with `everything` also unchanged pages."""
        root, workers = str(workspace.root.resolve()), self._builders.workers
        requested = ComparisonRequest(root, workspace.base_tree, workers, everything)
        with self._builder(workspace) as builder:
            return builder.run(
                COMPARE, requested, _calls(workspace, builder), files=_files(workspace)
            )

    def preview(self, workspace: Workspace, slug: str) -> tuple[str, tuple[Diagnostic, ...]]:
        """Return a page as readable text with its diagnostics.

        Raises:
            NotFound: the page does not exist.
        """
        return self._of_page(PAGE_TEXT, workspace, slug)

    def document(self, workspace: Workspace, slug: str) -> str:
        """Return a page as a self-contained document.

        Raises:
            NotFound: the page does not exist.
        """
        return self._of_page(PAGE_DOCUMENT, workspace, slug)

    def base_path(self, workspace: Workspace) -> str:
        """Return the base path at which the repository expects its site.

        Raises:
            SourceUnreadable: the settings cannot be read.
        """
        with self._builder(workspace) as builder:
            return builder.run(BASE_PATH, str(workspace.root.resolve()))

    def close(self) -> None:
        self._kept.close()

    def _of_page(self, task: BuilderTask[PageText, T], workspace: Workspace, slug: str) -> T:
        requested = PageText(str(workspace.root.resolve()), slug, self._builders.workers)
        with self._builder(workspace) as builder:
            return builder.run(task, requested, files=_files(workspace))

    @contextmanager
    def _builder(self, workspace: Workspace) -> Iterator[Builder]:
        root = workspace.root.resolve()
        key = f"{root} {root.stat().st_ino}"  # the sandbox does not allow another folder
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
    """Wrap a function without arguments as a host call, whose argument is ignored."""
    return lambda _: function()


def _base(workspace: Workspace, folder: Path) -> str:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    workspace.write_base(folder)
    return str(folder)


def _files(workspace: Workspace) -> int:
    """Return the number of files in the workspace, by which the deadline grows."""
    return sum(1 for _ in files_below(workspace.root))
