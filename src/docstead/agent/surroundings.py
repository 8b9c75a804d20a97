"""What the tools of a job may read beside its own clone: the published site, and the further
repositories that the project's settings name."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from docstead.accounts.tenancy import Deployment, Project, Tenancy
from docstead.agent.forges.addresses import host_of
from docstead.agent.forges.choice import Forges
from docstead.agent.tools import Passage
from docstead.agent.workspace import Credentials, Files, Workspaces
from docstead.agent.workspace.remote import Remote
from docstead.base.errors import DocsteadError
from docstead.content.slugs import path_of
from docstead.publishing.editions import Editions
from docstead.publishing.sources import Source

_log = logging.getLogger(__name__)

SearchPublished = Callable[[str, int], Sequence[Passage]]


@dataclass(frozen=True)
class Surroundings:
    """Finds what surrounds a project."""

    tenancy: Tenancy
    editions: Editions
    forges: Forges
    workspaces: Workspaces

    def published(self, project: Project) -> SearchPublished | None:
        """Searches the project's site as readers see it; None where nothing is published."""
        deployments = self.tenancy.deployments_of_project(project.id)
        if not deployments or deployments[0].current_edition_id is None:
            return None
        return partial(self._search, deployments[0])

    def repositories(self, job_id: str, project: Project) -> Mapping[str, Files]:
        """The further repositories by short names; those that cannot be read are left out."""
        found: dict[str, Files] = {}
        for address in self.forges.settings.of(project.id).reading:
            name = _name(address, found)
            try:
                found[name] = self._repository(job_id, name, Source(address), project)
            except DocsteadError as error:
                _log.warning("job %s cannot read %s: %s", job_id, name, error.message)
        return found

    def _repository(self, job_id: str, name: str, source: Source, project: Project) -> Files:
        credentials = self._credentials(source, project)
        return self.workspaces.reference(
            job_id, name, source, project=project.id, credentials=credentials
        )

    def _credentials(self, source: Source, project: Project) -> Credentials | None:
        """The project's own, for its own host alone."""
        forge = self.forges.of(project)
        is_same_host = host_of(Remote.of(source)) == host_of(forge.remote)
        return forge.credentials() if is_same_host else None

    def _search(self, deployment: Deployment, query: str, limit: int) -> list[Passage]:
        edition = self.editions.current(deployment)
        if edition is None:
            return []
        passages = edition.index.search(query, limit=limit)
        return [
            Passage(f"{path_of(each.slug)}#{each.anchor}".rstrip("#"), each.name, each.markdown)
            for each in passages
        ]


def _name(address: str, taken: Mapping[str, Files]) -> str:
    last = re.split(r"[/:]", address.rstrip("/").removesuffix(".git"))[-1]
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", last).strip("-_") or "repository"
    return name if name not in taken else f"{name}-{len(taken) + 1}"
