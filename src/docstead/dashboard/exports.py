"""Static export pages: start, follow progress and download."""

from __future__ import annotations

from typing import Any

from starlette.responses import JSONResponse, RedirectResponse, Response

from docstead.accounts.plans import Feature, features
from docstead.accounts.tenancy import Deployment
from docstead.base.errors import DocsteadError, NotFound
from docstead.dashboard.pages import PageRenderer, see
from docstead.dashboard.services import DashboardServices
from docstead.dashboard.visits import HOME, OwnerVisit
from docstead.export.records import Export

_FOUND = 302


class ExportPages:
    """Pages under `/dashboard/exports/{domain}`."""

    def __init__(self, services: DashboardServices, pages: PageRenderer) -> None:
        self._services = services
        self._pages = pages

    def show(self, visit: OwnerVisit) -> Response:
        deployment = visit.deployment(self._services.tenancy)
        return self._pages.render(visit, "exports.html", **self._listed(visit, deployment))

    def state(self, visit: OwnerVisit) -> Response:
        """Return the rendered list for polling, and whether an export is in progress."""
        deployment = visit.deployment(self._services.tenancy)
        listed = self._listed(visit, deployment)
        html = self._pages.text(visit, "export_rows.html", **listed)
        return JSONResponse({"running": listed["running"], "html": html})

    def start(self, visit: OwnerVisit) -> Response:
        deployment = visit.deployment(self._services.tenancy)
        label = visit.form.text("version") or None
        try:
            self._services.exports.start(visit.organization.id, deployment.hostname, version=label)
        except DocsteadError as error:
            listed = self._listed(visit, deployment)
            return self._pages.render(
                visit,
                "exports.html",
                status_code=error.status,
                **{**listed, "error": error.message},
            )
        return see(f"{HOME}/exports/{deployment.domain}")

    def set_automatic(self, visit: OwnerVisit) -> Response:
        """Turn the automatic export after each publish on or off."""
        deployment = visit.deployment(self._services.tenancy)
        is_on = visit.form.text("auto_export") == "on"
        self._services.tenancy.set_auto_export(deployment.id, is_on=is_on)
        return see(f"{HOME}/exports/{deployment.domain}")

    def download(self, visit: OwnerVisit) -> Response:
        """Redirect to a new download link; links expire, exports do not."""
        deployment = visit.deployment(self._services.tenancy)
        requested = visit.parameter("export_id")
        export = self._services.exports.get(visit.organization.id, requested)
        if export.deployment_id != deployment.id:
            raise NotFound("there is no such export")
        bundle = self._services.exports.bundle(visit.organization.id, export.id)
        return RedirectResponse(bundle.url, _FOUND)

    def _listed(self, visit: OwnerVisit, deployment: Deployment) -> dict[str, Any]:
        found = self._exports(deployment)
        return {
            "deployment": deployment,
            "exports": found,
            "running": any(not export.status.is_final for export in found),
            "in_plan": Feature.STATIC_EXPORT in features(visit.organization.plan),
            "is_published": deployment.current_edition_id is not None,
            "error": None,
            "tab": "exports",
        }

    def _exports(self, deployment: Deployment) -> list[Export]:
        return self._services.exports.of_deployment(deployment.id)
