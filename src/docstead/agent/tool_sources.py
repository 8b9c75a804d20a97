"""Further sources of a job's tools: the published site, and the repositories of its settings."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from docstead.accounts.tenancy import Deployment, Project, Tenancy
from docstead.agent.forges.approved_repositories import ApprovedRepository
from docstead.agent.forges.factory import ForgeFactory
from docstead.agent.tools import PublishedPassage
from docstead.agent.workspace import WorkspaceFiles, WorkspaceManager
from docstead.base.errors import OUTAGES, DocsteadError
from docstead.content.slugs import path_of
from docstead.publishing.editions import EditionStore
from docstead.publishing.sources import Source

_log = logging.getLogger(__name__)

SearchPublished = Callable[[str, int], Sequence[PublishedPassage]]


@dataclass(frozen=True)
class ToolSources:
    """Finds what surrounds a project."""

    tenancy: Tenancy
    editions: EditionStore
    forges: ForgeFactory
    workspaces: WorkspaceManager

    def published(self, project: Project) -> SearchPublished | None:
        """Searches the project's site as readers see it; None where nothing is published."""
        deployments = self.tenancy.deployments_of_project(project.id)
        if not deployments or deployments[0].current_edition_id is None:
            return None
        return partial(self._search, deployments[0])

    def repository_names(self, project: Project) -> Sequence[str]:
        """The names of the further repositories that a job of the project may read."""
        return tuple(self._approved(project))

    def _approved(self, project: Project) -> Mapping[str, ApprovedRepository]:
        """The further repositories that the operator approves, by name."""
        approved = self.forges.readable_by(project.organization_id)
        found: dict[str, ApprovedRepository] = {}
        for address in self.forges.settings.of(project.id).reading:
            name = _name(address, found)
            if address in approved:
                found[name] = approved[address]
            else:
                _log.warning("project %s may not read %s: it is not approved", project.id, name)
        return found

    def repositories(self, job_id: str, project: Project) -> Mapping[str, WorkspaceFiles]:
        """The further repositories by short names. Those that cannot be read are left out."""
        found: dict[str, WorkspaceFiles] = {}
        for name, repository in self._approved(project).items():
            try:
                found[name] = self._repository(job_id, name, repository, project)
            except OUTAGES:
                raise
            except DocsteadError as error:
                _log.warning("job %s cannot read %s: %s", job_id, name, error.message)
        return found

    def _repository(
        self, job_id: str, name: str, wanted: ApprovedRepository, project: Project
    ) -> WorkspaceFiles:
        return self.workspaces.reference(
            job_id,
            name,
            Source(wanted.address),
            project=project.id,
            credentials=self.forges.credentials_to_read(project, wanted),
        )

    def _search(self, deployment: Deployment, query: str, limit: int) -> list[PublishedPassage]:
        edition = self.editions.current(deployment)
        if edition is None:
            return []
        passages = edition.index.search(query, limit=limit)
        return [
            PublishedPassage(
                f"{path_of(each.slug)}#{each.anchor}".rstrip("#"), each.name, each.markdown
            )
            for each in passages
        ]


def _name(address: str, taken: Mapping[str, object]) -> str:
    last = re.split(r"[/:]", address.rstrip("/").removesuffix(".git"))[-1]
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", last).strip("-_") or "repository"
    return name if name not in taken else f"{name}-{len(taken) + 1}"
