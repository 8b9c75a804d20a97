"""Deployment list and deployment overview."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from starlette.responses import JSONResponse, Response

from docstead.accounts.site_hosts import SiteLink
from docstead.accounts.tenancy import Deployment
from docstead.base.errors import DocsteadError
from docstead.base.texts import counted
from docstead.content.diagnostics import Diagnostic, Severity
from docstead.dashboard.pages import Confirmation, PageRenderer, see
from docstead.dashboard.services import DashboardServices
from docstead.dashboard.visits import HOME, OwnerVisit
from docstead.export.records import Export
from docstead.publishing.edition import Edition
from docstead.publishing.rollbacks import StoredEdition, moment
from docstead.publishing.sources import DocumentationSource
from docstead.publishing.update_records import Update, UpdateStatus
from docstead.publishing.vectors import VectorProgress

_UPDATES_SHOWN = 10
_DIAGNOSTICS_SHOWN = 100
_SHA_SHOWN = 10
_ORDER = {severity: rank for rank, severity in enumerate(Severity)}


@dataclass(frozen=True)
class DeploymentStatus:
    """Status of a deployment."""

    deployment: Deployment
    site: SiteLink
    edition: Edition | None
    updates: tuple[Update, ...]  # newest first
    error: str | None = None  # why the edition cannot be opened
    bundle: Export | None = None  # latest export that followed a publish

    @property
    def last(self) -> Update | None:
        return self.updates[0] if self.updates else None

    @property
    def is_running(self) -> bool:
        return self.last is not None and not self.last.status.is_final

    @property
    def is_changing(self) -> bool:
        """Whether an update or the export that follows it is in progress."""
        return self.is_running or (self.bundle is not None and not self.bundle.status.is_final)

    @property
    def has_failed(self) -> bool:
        return self.last is not None and self.last.status is UpdateStatus.FAILURE

    @property
    def published(self) -> Update | None:
        """The update that published the current edition, if it is among the recent ones."""
        current = self.deployment.current_edition_id
        return next((one for one in self.updates if current and one.edition_id == current), None)

    @property
    def commit(self) -> str:
        return "" if self.edition is None else short_commit(self.edition.commit)

    @property
    def page_count(self) -> int:
        return 0 if self.edition is None else len(self.edition.slugs())

    @cached_property
    def diagnostics(self) -> list[Diagnostic]:
        """Diagnostics of the current edition, sorted by severity, file and line."""
        found = () if self.edition is None else self.edition.diagnostics
        return sorted(found, key=lambda d: (_ORDER[d.severity], d.file, d.line, d.column))

    @cached_property
    def severities(self) -> Counter[str]:
        return Counter(diagnostic.severity.value for diagnostic in self.diagnostics)


def short_commit(commit: str) -> str:
    """Return an abbreviated commit hash, keeping the prefix of a content hash."""
    prefix, dash, digest = commit.rpartition("-")
    return f"{prefix}{dash}{digest[:_SHA_SHOWN]}"


class DeploymentPages:
    """Pages under `/dashboard` and `/dashboard/{organizationId}/{domain}`, and their actions."""

    def __init__(self, services: DashboardServices, pages: PageRenderer) -> None:
        self._services = services
        self._pages = pages

    def show(self, visit: OwnerVisit) -> Response:
        return self._pages.render(visit, "deployments.html", **self._listed(visit))

    def show_state(self, visit: OwnerVisit) -> Response:
        """Return the rendered list for polling, and whether an update is in progress."""
        listed = self._listed(visit)
        html = self._pages.text(visit, "deployment_rows.html", **listed)
        return JSONResponse({"running": listed["running"], "html": html})

    def overview(self, visit: OwnerVisit) -> Response:
        return self._pages.render(visit, "overview.html", **self._overview(visit))

    def overview_state(self, visit: OwnerVisit) -> Response:
        """Return the rendered overview for polling, and whether an update is in progress."""
        overview = self._overview(visit)
        html = self._pages.text(visit, "overview_body.html", **overview)
        return JSONResponse({"running": overview["running"], "html": html})

    def update(self, visit: OwnerVisit) -> Response:
        """Start an update unless one is queued, then redirect back."""
        deployment = visit.deployment(self._services.tenancy)
        last = next(iter(self._services.updates.of_project(deployment.project_id, 1)), None)
        if last is None or last.status is not UpdateStatus.QUEUED:
            self._services.updates.start(deployment.project_id, "dashboard")
        overview = f"{HOME}/{visit.organization.id}/{deployment.domain}"
        return see(HOME if visit.form.text("from") == "list" else overview)

    def rollback(self, visit: OwnerVisit) -> Response:
        """Publish the previous edition again after confirmation."""
        deployment = visit.deployment(self._services.tenancy)
        overview = f"{HOME}/{visit.organization.id}/{deployment.domain}"
        previous = self._services.rollbacks.previous(deployment)
        if previous is not None and not visit.form.is_confirmed:
            return self._confirm_rollback(visit, deployment, previous, overview)
        self._services.rollbacks.rollback(
            deployment,
            origin="dashboard",
            actor=visit.owner.name,
            edition_id=visit.form.text("edition"),
        )
        return see(overview)

    def _confirm_rollback(
        self, visit: OwnerVisit, deployment: Deployment, previous: StoredEdition, back: str
    ) -> Response:
        question = Confirmation(
            f"Roll back {deployment.domain}?",
            f"Readers will see the edition of {moment(previous)} again: "
            f"{counted(previous.page_count, 'page')}, commit {short_commit(previous.commit)}. "
            "The next update will publish the current source again.",
            yes="Roll back",
            no="Keep the current edition",
            back=back,
        )
        return self._pages.confirm(visit, question, deployment=deployment, tab="overview")

    def _listed(self, visit: OwnerVisit) -> dict[str, Any]:
        found = self._services.tenancy.deployments(visit.organization.id)
        statuses = [self._status(visit, deployment) for deployment in found]
        running = any(status.is_changing for status in statuses)
        return {"statuses": statuses, "running": running}

    def _overview(self, visit: OwnerVisit) -> dict[str, Any]:
        deployment = visit.deployment(self._services.tenancy)
        status = self._status(visit, deployment)
        project = self._services.tenancy.project(deployment.project_id)
        source = DocumentationSource(project.source, project.source_ref, project.source_root)
        vectors = self._vectors(status.edition)
        return {
            "deployment": deployment,
            "source": source,
            "status": status,
            "previous": self._services.rollbacks.previous(deployment),
            "vectors": vectors,
            "running": status.is_changing or bool(vectors and vectors.is_growing),
            "diagnostics": status.diagnostics[:_DIAGNOSTICS_SHOWN],
            "short_commit": short_commit,
            "tab": "overview",
        }

    def _vectors(self, edition: Edition | None) -> VectorProgress | None:
        progress_of = self._services.vector_progress
        return progress_of(edition.id) if edition and progress_of else None

    def _status(self, visit: OwnerVisit, deployment: Deployment) -> DeploymentStatus:
        updates = tuple(self._services.updates.of_project(deployment.project_id, _UPDATES_SHOWN))
        site = self._services.site_link(deployment, visit.host)
        bundle = None
        if deployment.auto_export:
            bundle = self._services.exports.last_automatic(deployment.id)
        try:
            edition = self._services.editions.current(deployment)
        except DocsteadError as error:
            return DeploymentStatus(deployment, site, None, updates, error.message, bundle)
        return DeploymentStatus(deployment, site, edition, updates, bundle=bundle)
