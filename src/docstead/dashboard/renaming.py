"""Page to rename a deployment."""

from __future__ import annotations

from starlette.responses import Response

from docstead.accounts.tenancy import Deployment
from docstead.base.errors import DocsteadError
from docstead.dashboard.pages import PageRenderer, see
from docstead.dashboard.services import DashboardServices
from docstead.dashboard.visits import HOME, OwnerVisit


class RenamingPages:
    """Pages under `/dashboard/{organizationId}/{domain}/rename`."""

    def __init__(self, services: DashboardServices, pages: PageRenderer) -> None:
        self._services = services
        self._pages = pages

    def ask(self, visit: OwnerVisit) -> Response:
        deployment = visit.deployment(self._services.tenancy)
        return self._render(visit, deployment, deployment.domain)

    def rename(self, visit: OwnerVisit) -> Response:
        """Rename the deployment and redirect to it."""
        deployment = visit.deployment(self._services.tenancy)
        domain = visit.form.text("domain").strip()
        try:
            renamed = self._services.rename_deployment(deployment.id, domain)
        except DocsteadError as error:
            return self._render(visit, deployment, domain, error)
        return see(f"{HOME}/{visit.organization.id}/{renamed.domain}")

    def _render(
        self,
        visit: OwnerVisit,
        deployment: Deployment,
        domain: str,
        error: DocsteadError | None = None,
    ) -> Response:
        return self._pages.render(
            visit,
            "rename.html",
            status_code=200 if error is None else error.status,
            deployment=deployment,
            domain=domain,
            error=None if error is None else error.message.removeprefix("domain: "),
            tab="overview",
        )
