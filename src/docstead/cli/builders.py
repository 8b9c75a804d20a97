"""Builder processes for commands, and the checkouts that they build."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from docstead.base.units import MIB
from docstead.cli.early_parent import TASKS
from docstead.publishing.builders import (
    BuilderLimits,
    BuilderPool,
    WarmParent,
)
from docstead.publishing.folders import FileMemory
from docstead.publishing.source_limits import SourceLimits
from docstead.publishing.sources import DocumentationSource, checkout
from docstead.publishing.values import FileDigest, Revision
from docstead.rendering import EngineLimits
from docstead.repository.tree_limits import TreeLimits
from docstead.settings import Settings


class FoundFiles(FileMemory):
    """Files of a checkout, as the builder reports them while it renders."""

    def __init__(self, memory: FileMemory) -> None:
        super().__init__(memory.digests, memory.blob_ids)
        self.found: Mapping[str, FileDigest] | None = None

    def files_of(self, root: Path, limits: TreeLimits) -> Mapping[str, FileDigest]:
        return super().files_of(root, limits) if self.found is None else self.found


@contextmanager
def command_builders(
    settings: Settings, folder: Path, parent: WarmParent | None = None, *, ahead: bool = False
) -> Iterator[BuilderPool]:
    """Yield builders for a command, with a V8 worker that is started `ahead` of the first build.

    They are forked from a warm parent, or from `parent` for a command that builds once.
    """
    limits = BuilderLimits(
        seconds=settings.build_seconds,
        memory_bytes=settings.build_memory_mb * MIB,
        sandbox=settings.sandbox,
    )
    engine_limits = EngineLimits(sandbox=settings.sandbox)
    builders = BuilderPool(
        folder / "builders",
        modules=TASKS,
        parent=parent,
        limits=limits,
        engine_limits=engine_limits,
        workers=settings.render_workers,
    )
    if ahead:
        builders.standby_worker.prepare()
    try:
        yield builders
    finally:
        builders.close()


def source_limits(settings: Settings) -> SourceLimits:
    """Return the configured limits of sources."""
    tree = TreeLimits(settings.source_files, settings.source_depth)
    return SourceLimits(settings.source_bytes, tree, settings.source_pack_bytes)


class SourceTree:
    """A checkout for a command; its commit is determined while its pages are rendered.

    `memory` has digests of files from an earlier checkout.
    """

    def __init__(
        self,
        source: DocumentationSource,
        workspace: Path,
        settings: Settings,
        memory: FileMemory | None = None,
    ) -> None:
        self.files = FoundFiles(memory or FileMemory())
        self.tree = checkout(source, workspace, self.files, limits=source_limits(settings))

    @property
    def revision(self) -> Revision | None:
        """The revision, if it is already known."""
        return self.tree.__dict__.get("revision")

    def commit_of(self, files: Mapping[str, FileDigest]) -> str:
        """Return the commit, computed from the digests of all files if needed."""
        self.files.found = files
        return self.tree.revision.commit
