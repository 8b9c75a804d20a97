"""Webhook pages: add, remove, list deliveries and redeliver."""

from __future__ import annotations

from starlette.responses import Response

from docstead.accounts.tenancy import Deployment
from docstead.base.errors import DocsteadError
from docstead.dashboard.pages import Confirmation, PageRenderer, see
from docstead.dashboard.services import DashboardServices
from docstead.dashboard.visits import HOME, OwnerVisit
from docstead.webhooks import EventGroup, Webhook

_EVENTS = {
    EventGroup.AGENT: "Agent jobs",
    EventGroup.EDITION: "Publishing",
    EventGroup.EXPORT: "Exports",
}


class AgentWebhookPages:
    """Pages under `/dashboard/agent/{domain}/webhooks`."""

    def __init__(self, services: DashboardServices, pages: PageRenderer) -> None:
        self._services = services
        self._pages = pages

    def show(self, visit: OwnerVisit) -> Response:
        return self._render(visit, visit.deployment(self._services.tenancy))

    def create(self, visit: OwnerVisit) -> Response:
        deployment = visit.deployment(self._services.tenancy)
        webhooks = self._services.agent.webhooks
        events = [each for each in EventGroup if each.value in visit.form.all("events")]
        try:
            created = webhooks.create(deployment.project_id, visit.form.text("url"), events)
        except DocsteadError as error:
            return self._render(visit, deployment, error)
        return self._render(visit, deployment, created=created)

    def remove(self, visit: OwnerVisit) -> Response:
        deployment = visit.deployment(self._services.tenancy)
        webhook_id = visit.parameter("webhook_id")
        known = self._services.agent.webhooks.of_project(deployment.project_id)
        found = next((each for each in known if each.id == webhook_id), None)
        if found is not None and not visit.form.is_confirmed:
            return self._confirm_removal(visit, deployment, found)
        self._services.agent.webhooks.remove(deployment.project_id, webhook_id)
        return see(_webhooks_url(deployment))

    def _confirm_removal(
        self, visit: OwnerVisit, deployment: Deployment, webhook: Webhook
    ) -> Response:
        question = Confirmation(
            f"Remove the webhook {webhook.url}?",
            "It receives no more notifications, and its signing secret is deleted.",
            yes="Remove webhook",
            no="Cancel",
            back=_webhooks_url(deployment),
        )
        return self._pages.confirm(visit, question, deployment=deployment, tab="agent")

    def redeliver(self, visit: OwnerVisit) -> Response:
        deployment = visit.deployment(self._services.tenancy)
        delivery_id = visit.parameter("delivery_id")
        self._services.agent.webhooks.redeliver(deployment.project_id, delivery_id)
        return see(_webhooks_url(deployment))

    def _render(
        self,
        visit: OwnerVisit,
        deployment: Deployment,
        error: DocsteadError | None = None,
        created: Webhook | None = None,
    ) -> Response:
        webhooks = self._services.agent.webhooks
        known = webhooks.of_project(deployment.project_id)
        return self._pages.render(
            visit,
            "agent_webhooks.html",
            status_code=200 if error is None else error.status,
            deployment=deployment,
            webhooks=known,
            urls={webhook.id: webhook.url for webhook in known},
            deliveries=webhooks.log(deployment.project_id),
            next_attempt_at=webhooks.next_attempt_at,
            created=created,
            error=None if error is None else error.message.removeprefix("url: "),
            given=visit.form.text("url") if error else "",
            events=_EVENTS,
            given_events=visit.form.all("events") if error else list(EventGroup),
            url=_webhooks_url(deployment),
            tab="agent",
        )


def _webhooks_url(deployment: Deployment) -> str:
    return f"{HOME}/agent/{deployment.domain}/webhooks"
