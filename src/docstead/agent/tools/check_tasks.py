"""Builder tasks that check a workspace: comparison with its base, and single pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import msgspec

from docstead.agent.tools.checks import CheckReport, WorkspaceChecker, base_path_of
from docstead.content.diagnostics import Diagnostic
from docstead.publishing.builders import BuilderTask, TaskContext

_CHECKER = "checker"


class ComparisonRequest(msgspec.Struct, frozen=True):
    """Request to compare the folder `root` with the tree of the base."""

    root: str
    base_tree: str
    workers: int
    everything: bool = False


class PageText(msgspec.Struct, frozen=True):
    """Request for a page of the folder `root`, as readable text or as a document."""

    root: str
    slug: str
    workers: int


class _RemoteWorkspace:
    """Workspace of a builder, whose git directory only the host can access."""

    def __init__(self, root: str, base_tree: str, context: TaskContext) -> None:
        self.root = Path(root)
        self.base_tree = base_tree
        self._context = context

    def renames(self) -> dict[str, str]:
        return dict(self._context.ask("renames", None, dict[str, str]))

    @contextmanager
    def base(self) -> Iterator[Path]:
        """Yield the base, which the host writes to a folder that is read-only here."""
        yield Path(self._context.ask("base", None, str))
        self._context.note("base read", None)


def compare(request: ComparisonRequest, context: TaskContext) -> CheckReport:
    workspace = _RemoteWorkspace(request.root, request.base_tree, context)
    return _checker(context, request.workers).compare(workspace, everything=request.everything)


def page_text(requested: PageText, context: TaskContext) -> tuple[str, tuple[Diagnostic, ...]]:
    workspace = _RemoteWorkspace(requested.root, "", context)
    return _checker(context, requested.workers).preview(workspace, requested.slug)


def page_document(requested: PageText, context: TaskContext) -> str:
    workspace = _RemoteWorkspace(requested.root, "", context)
    return _checker(context, requested.workers).document(workspace, requested.slug)


def base_path(root: str, _context: TaskContext) -> str:
    return base_path_of(Path(root))


BASE_PATH = BuilderTask("docstead.agent.tools.check_tasks:BASE_PATH", base_path, str, str)
COMPARE = BuilderTask(
    "docstead.agent.tools.check_tasks:COMPARE", compare, ComparisonRequest, CheckReport
)
PAGE_TEXT = BuilderTask(
    "docstead.agent.tools.check_tasks:PAGE_TEXT",
    page_text,
    PageText,
    tuple[str, tuple[Diagnostic, ...]],
)

PAGE_DOCUMENT = BuilderTask(
    "docstead.agent.tools.check_tasks:PAGE_DOCUMENT", page_document, PageText, str
)


def _checker(context: TaskContext, workers: int) -> WorkspaceChecker:
    if _CHECKER not in context.kept:
        context.kept[_CHECKER] = WorkspaceChecker(partial(context.engine, workers))
    found: WorkspaceChecker = context.kept[_CHECKER]
    return found
