"""Page that turns a question of a reader into an entry of `answers.yaml`.

The entry is text to copy: nothing is stored, and no change to the repository is made.
"""

from __future__ import annotations

from starlette.responses import Response

from docstead.accounts.tenancy import Deployment
from docstead.analytics.conversations import Exchange
from docstead.assistant.conversation import ThreadTurn
from docstead.assistant.expected_answers.proposals import ProposedAnswer, file_for, proposed
from docstead.assistant.grounds import Grounds
from docstead.base.errors import NotFound
from docstead.dashboard.pages import Pages
from docstead.dashboard.services import DashboardServices
from docstead.dashboard.visits import OwnerVisit


class ExpectedAnswerPages:
    """`/dashboard/conversations/{domain}/{thread_id}/{turn_id}/expected-answer`."""

    def __init__(self, services: DashboardServices, pages: Pages) -> None:
        self._services = services
        self._pages = pages

    def show(self, visit: OwnerVisit) -> Response:
        """Propose an entry."""
        deployment = visit.deployment(self._services.tenancy)
        exchange = self._exchange(visit, deployment)
        edition = self._services.editions.current(deployment)
        if edition is None:
            raise NotFound("nothing has been published here yet")
        return self._draw(visit, deployment, exchange, proposed(_turn(exchange), edition.site))

    def update(self, visit: OwnerVisit) -> Response:
        """Show the entry with the owner's own words."""
        deployment = visit.deployment(self._services.tenancy)
        exchange, form = self._exchange(visit, deployment), visit.form
        entry = ProposedAnswer(
            " ".join(form.text("question").split()),
            _lines(form.text("facts")),
            _lines(form.text("pages")),
        )
        return self._draw(visit, deployment, exchange, entry)

    def _exchange(self, visit: OwnerVisit, deployment: Deployment) -> Exchange:
        opened = self._services.insights.conversations.opened(
            [deployment.id], visit.parameter("thread_id")
        )
        turn_id = visit.parameter("turn_id")
        for exchange in opened.exchanges:
            if exchange.id == turn_id:
                return exchange
        raise NotFound("there is no such question")

    def _draw(
        self, visit: OwnerVisit, deployment: Deployment, exchange: Exchange, entry: ProposedAnswer
    ) -> Response:
        edition = self._services.editions.current(deployment)
        path, exists = file_for(edition.files() if edition else ())
        root = self._services.tenancy.project(deployment.project_id).source_root.strip("/")
        return self._pages.draw(
            visit,
            "expected_answer.html",
            deployment=deployment,
            exchange=exchange,
            entry=entry,
            path=f"{root}/{path}" if root else path,
            exists=exists,
            is_complete=bool(entry.question and entry.pages),
            tab="conversations",
        )


def _turn(exchange: Exchange) -> ThreadTurn:
    return ThreadTurn(
        exchange.question,
        exchange.answer,
        exchange.sources,
        exchange.answered,
        exchange.grounds or Grounds(),
    )


def _lines(text: str) -> list[str]:
    """Return the lines that say something."""
    return [line for each in text.splitlines() if (line := each.strip())]
