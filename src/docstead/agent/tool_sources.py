"""Additional sources of a job's tools: the published site, and configured repositories."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from docstead.accounts.tenancy import Deployment, Project, Tenancy
from docstead.agent.forges.approved_repositories import ApprovedRepository
from docstead.agent.forges.factory import ForgeFactory
from docstead.agent.tools import PublishedPassage, SearchPublished
from docstead.agent.values import Turn
from docstead.agent.workspace import WorkspaceFiles, WorkspaceManager
from docstead.agent.workspace.files import PathRefused
from docstead.base.errors import OUTAGES, DocsteadError
from docstead.content.slugs import path_of
from docstead.publishing.editions import EditionStore
from docstead.publishing.sources import DocumentationSource

_log = logging.getLogger(__name__)


class FurtherRepositories(Mapping[str, WorkspaceFiles]):
    """Repositories by name, each cloned on first use.

    Reading an unavailable one raises `PathRefused`, which is sent to the model.
    """

    def __init__(self, openers: Mapping[str, Callable[[], WorkspaceFiles]]) -> None:
        self._openers = openers
        self._opened: dict[str, WorkspaceFiles] = {}

    def __getitem__(self, name: str) -> WorkspaceFiles:
        if name not in self._opened:
            self._opened[name] = self._open(name)
        return self._opened[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._openers)

    def __len__(self) -> int:
        return len(self._openers)

    def __contains__(self, name: object) -> bool:
        return name in self._openers

    def _open(self, name: str) -> WorkspaceFiles:
        opener = self._openers[name]
        try:
            return opener()
        except OUTAGES:
            raise
        except DocsteadError as error:
            _log.warning("the repository %s cannot be read: %s", name, error.message)
            raise PathRefused(f"the repository {name!r} cannot be read: {error.message}") from None


@dataclass(frozen=True)
class ToolSources:
    """Provides the sources for a project."""

    tenancy: Tenancy
    editions: EditionStore
    forges: ForgeFactory
    workspaces: WorkspaceManager

    def published(self, project: Project) -> SearchPublished | None:
        """Return the search of the project's published site, or None before the first publish."""
        deployments = self.tenancy.deployments_of_project(project.id)
        if not deployments or deployments[0].current_edition_id is None:
            return None
        return partial(self._search, deployments[0])

    def repository_names(self, project: Project) -> Sequence[str]:
        """Return the names of the additional repositories that the project's jobs may read."""
        return tuple(self._approved(project))

    def _approved(self, project: Project) -> Mapping[str, ApprovedRepository]:
        """Return the additional repositories that the operator approves, by name."""
        approved = self.forges.readable_by(project.organization_id)
        found: dict[str, ApprovedRepository] = {}
        for url in self.forges.settings.of(project.id).reading:
            name = _name(url, found)
            if url in approved:
                found[name] = approved[url]
            else:
                _log.warning("project %s may not read %s: it is not approved", project.id, name)
        return found

    def repositories(self, turn: Turn, project: Project) -> Mapping[str, WorkspaceFiles]:
        """Return the additional repositories by short name, each cloned on first use."""
        approved = self._approved(project)
        return FurtherRepositories(
            {name: partial(self._repository, turn, name, each, project)
             for name, each in approved.items()}
        )  # fmt: skip

    def _repository(
        self, turn: Turn, name: str, requested: ApprovedRepository, project: Project
    ) -> WorkspaceFiles:
        return self.workspaces.reference(
            turn.job_id,
            name,
            DocumentationSource(requested.url),
            version=turn.id,
            project=project.id,
            credentials=self.forges.credentials_to_read(project, requested),
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


def _name(url: str, taken: Mapping[str, object]) -> str:
    last = re.split(r"[/:]", url.rstrip("/").removesuffix(".git"))[-1]
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", last).strip("-_") or "repository"
    return name if name not in taken else f"{name}-{len(taken) + 1}"
