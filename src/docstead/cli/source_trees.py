"""Checkouts that commands build."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from docstead.publishing.folders import FileMemory
from docstead.publishing.source_limits import SourceLimits
from docstead.publishing.sources import DocumentationSource, checkout
from docstead.publishing.values import FileDigest, Revision
from docstead.repository.tree_limits import TreeLimits

if TYPE_CHECKING:
    from docstead.cli.export_command import ExportSettings
    from docstead.settings import Settings


class FoundFiles(FileMemory):
    """Files of a checkout, as the builder reports them while it renders."""

    def __init__(self, memory: FileMemory) -> None:
        super().__init__(memory.digests, memory.blob_ids)
        self.found: Mapping[str, FileDigest] | None = None

    def files_of(self, root: Path, limits: TreeLimits) -> Mapping[str, FileDigest]:
        return super().files_of(root, limits) if self.found is None else self.found


def source_limits(settings: Settings | ExportSettings) -> SourceLimits:
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
        settings: Settings | ExportSettings,
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
