"""Page to remove a deployment, confirmed by its name and the owner's password."""

from __future__ import annotations

from starlette.responses import Response

from docstead.accounts.tenancy import Deployment
from docstead.base.errors import DocsteadError, InvalidRequest
from docstead.dashboard.pages import PageRenderer, see
from docstead.dashboard.services import DashboardServices
from docstead.dashboard.sign_in import confirm
from docstead.dashboard.visits import HOME, OwnerVisit


class RemovalPages:
    """Pages under `/dashboard/{organizationId}/{domain}/remove`."""

    def __init__(self, services: DashboardServices, pages: PageRenderer) -> None:
        self._services = services
        self._pages = pages

    def ask(self, visit: OwnerVisit) -> Response:
        return self._render(visit, visit.deployment(self._services.tenancy))

    def remove(self, visit: OwnerVisit) -> Response:
        """Remove the deployment if its name and the password are correct."""
        deployment = visit.deployment(self._services.tenancy)
        try:
            if visit.form.text("name") != deployment.domain:
                raise InvalidRequest(f"Type {deployment.domain} to confirm.")
            confirm(self._services, visit)
            self._services.remove_deployment(deployment)
        except DocsteadError as error:
            response = self._render(visit, deployment, error)
            response.headers.update(error.headers)
            return response
        return see(HOME)

    def _render(
        self, visit: OwnerVisit, deployment: Deployment, error: DocsteadError | None = None
    ) -> Response:
        siblings = self._services.tenancy.deployments_of_project(deployment.project_id)
        return self._pages.render(
            visit,
            "remove.html",
            status_code=200 if error is None else error.status,
            deployment=deployment,
            is_last=len(siblings) == 1,
            proof=self._services.owners.proof_needed(visit.secret),
            error=None if error is None else error.message.removeprefix("current: "),
            tab="overview",
        )
