"""Agent settings of a project: delivery, credentials and readable repositories."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from docstead.accounts.tenancy import Deployment
from docstead.agent.forges.forge import ForgeKind
from docstead.agent.forges.project_settings import MAX_READING, Delivery, ProjectSettings
from docstead.base.errors import DocsteadError, InvalidRequest
from docstead.dashboard.forms import SubmittedForm
from docstead.dashboard.pages import PageRenderer, see
from docstead.dashboard.services import DashboardServices
from docstead.dashboard.visits import HOME, OwnerVisit
from docstead.publishing.sources import DocumentationSource

_FORGES = (
    (ForgeKind.GITHUB, "GitHub", "github.com or GitHub Enterprise Server."),
    (ForgeKind.GITLAB, "GitLab", "gitlab.com or self-managed GitLab (merge requests)."),
    (ForgeKind.GIT, "Any git server", "Reviewed in the Docstead dashboard."),
    (ForgeKind.LOCAL, "Local repository", "On this server; reviewed in the Docstead dashboard."),
)
_FIELDS = ("forge", "credential", "delivery", "reading", "reviewers")


class AgentSettingsPages:
    """Pages under `/dashboard/agent-settings/{domain}`."""

    def __init__(self, services: DashboardServices, pages: PageRenderer) -> None:
        self._services = services
        self._pages = pages

    def show(self, visit: OwnerVisit) -> Response:
        return self._render(visit, visit.deployment(self._services.tenancy))

    def save(self, visit: OwnerVisit) -> Response:
        deployment = visit.deployment(self._services.tenancy)
        try:
            chosen = self._chosen(visit)
            self._services.forges.settings.save(deployment.project_id, chosen)
        except DocsteadError as error:
            return self._render(visit, deployment, error)
        return see(f"{HOME}/agent-settings/{deployment.domain}?saved")

    def rotate_hook_secret(self, visit: OwnerVisit) -> Response:
        """Replace the secret of the repository's webhook. The previous one ends at once."""
        deployment = visit.deployment(self._services.tenancy)
        self._services.hook_secrets.rotate(deployment.project_id)
        return see(f"{HOME}/agent-settings/{deployment.domain}#comments")

    def _chosen(self, visit: OwnerVisit) -> ProjectSettings:
        credential = visit.form.text("credential")
        names = self._services.forges.credential_names(visit.organization.id)
        if credential and credential not in names:
            raise InvalidRequest("credential: choose one of the listed credentials")
        reading = tuple(filter(None, visit.form.all("reading")))
        if not set(reading) <= set(self._services.forges.readable_by(visit.organization.id)):
            raise InvalidRequest("reading: choose from the listed repositories")
        return ProjectSettings(
            delivery=_delivery(visit.form),
            reading=reading,
            forge=_forge(visit.form),
            credential=credential,
            reviewers=tuple(visit.form.text("reviewers").replace(",", " ").split()),
        )

    def _render(
        self, visit: OwnerVisit, deployment: Deployment, error: DocsteadError | None = None
    ) -> Response:
        project = self._services.tenancy.project(deployment.project_id)
        kept = self._services.forges.settings.of(project.id)
        is_saved = "saved" in visit.request.query_params and error is None
        return self._pages.render(
            visit,
            "agent_settings.html",
            status_code=200 if error is None else error.status,
            deployment=deployment,
            source=DocumentationSource(project.source).shown,
            forges=_FORGES,
            state=self._services.forges.state_of(project) if error is None else None,
            names=self._services.forges.credential_names(visit.organization.id),
            repositories=tuple(self._services.forges.readable_by(visit.organization.id)),
            given=_given(visit.form) if error else _shown(kept),
            error=None if error is None else _form_error(error),
            is_saved=is_saved,
            hook_url=f"{self._services.base_url}/v1/agent-comments/{project.id}",
            hook_secret=self._services.hook_secrets.of(project.id),
            most=MAX_READING,
            tab="agent-settings",
        )


def _delivery(form: SubmittedForm) -> Delivery:
    try:
        return Delivery(form.text("delivery"))
    except ValueError as error:
        raise InvalidRequest("delivery: choose a pull request or a push") from error


def _forge(form: SubmittedForm) -> ForgeKind | None:
    text = form.text("forge")
    try:
        return ForgeKind(text) if text else None
    except ValueError as error:
        raise InvalidRequest("forge: choose one of the listed options") from error


def _shown(kept: ProjectSettings) -> dict[str, Any]:
    return {
        "forge": kept.forge.value if kept.forge else "",
        "credential": kept.credential,
        "delivery": kept.delivery.value,
        "reading": kept.reading,
        "reviewers": ", ".join(kept.reviewers),
    }


def _given(form: SubmittedForm) -> dict[str, Any]:
    return {**{name: form.text(name) for name in _FIELDS}, "reading": form.all("reading")}


def _form_error(error: DocsteadError) -> dict[str, Any]:
    """Split an error message into the form field that it names and its text."""
    field, colon, rest = error.message.partition(": ")
    if colon and field in _FIELDS:
        return {"field": field, "text": rest}
    return {"field": "", "text": error.message}
