"""Sources of projects, as updates read them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from docstead.accounts.tenancy import Project, Tenancy
from docstead.base.errors import SourceUnreadable
from docstead.publishing.archive_sources import ArchiveSources, is_archive
from docstead.publishing.edition_builds import BuildFiles
from docstead.publishing.git_network import NAMED_BY_OPERATOR, GitNetwork
from docstead.publishing.source_limits import SourceLimits
from docstead.publishing.sources import DocumentationSource, SourceCredentials, checkout
from docstead.publishing.targets import PublishTarget
from docstead.publishing.values import GitCheckout
from docstead.storage.objects import ObjectStore

CredentialsFor = Callable[[Project], SourceCredentials | None]


class ProjectSources:
    """Checks out the sources of projects.

    `workspace` keeps git mirrors and unpacked archives between updates, and `network` is what git
    may contact. `credentials_for` returns those of a project's private source, which are used only
    if needed.
    """

    def __init__(
        self,
        tenancy: Tenancy,
        objects: ObjectStore,
        workspace: Path,
        *,
        network: GitNetwork = NAMED_BY_OPERATOR,
        limits: SourceLimits | None = None,
        credentials_for: CredentialsFor = lambda _: None,
    ) -> None:
        self._tenancy = tenancy
        self._workspace = workspace
        self._network = network
        self._limits = limits or SourceLimits()
        self._credentials_for = credentials_for
        self.archives = ArchiveSources(objects, workspace / "archives", self._limits)

    def source(self, project: Project, target: PublishTarget | None) -> DocumentationSource:
        """Return the source that an update reads: that of its target, or of the project."""
        if target is None:
            return DocumentationSource(project.source, project.source_ref, project.source_root)
        location = self._tenancy.opened_source(project.id, target.source)
        return DocumentationSource(location, target.ref, target.root)

    def checkout(
        self, project: Project, source: DocumentationSource, files: BuildFiles
    ) -> GitCheckout:
        """Check out a source. Raises SourceUnreadable."""
        if is_archive(source.location):
            return self.archives.checkout(project.id, source.location, files)
        try:
            return self._checkout(source, files, None)
        except SourceUnreadable:
            is_own = source.location == project.source
            credentials = self._credentials_for(project) if is_own else None
            if credentials is None:
                raise
        return self._checkout(source, files, credentials)

    def _checkout(
        self,
        source: DocumentationSource,
        files: BuildFiles,
        credentials: SourceCredentials | None,
    ) -> GitCheckout:
        return checkout(
            source, self._workspace, files, self._network, self._limits, credentials=credentials
        )
