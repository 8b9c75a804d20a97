"""Page that turns a reader's question into an entry of `answers.yaml`.

The entry can be copied, or attached to an agent job that adds it by pull request. It contains
text written by readers, so it is never part of the job's instruction.
"""

from __future__ import annotations

from starlette.responses import Response

from docstead.accounts.plans import Feature, features
from docstead.accounts.tenancy import Deployment, Project
from docstead.agent.attachments import new_file
from docstead.agent.values import Instruction
from docstead.analytics.conversations import ConversationExchange
from docstead.assistant.answer_trace import AnswerTrace
from docstead.assistant.conversation import ThreadTurn
from docstead.assistant.expected_answers.proposals import ProposedAnswer, file_for, proposed
from docstead.assistant.extractive.evidence import remembering
from docstead.base.errors import DocsteadError, NotFound
from docstead.dashboard.agent_jobs import job_url
from docstead.dashboard.pages import PageRenderer, see
from docstead.dashboard.services import DashboardServices
from docstead.dashboard.visits import OwnerVisit
from docstead.publishing.sources import DocumentationSource
from docstead.search.analyser import Analyser

_INSTRUCTION = """\
Add an expected answer to `{path}`

The attachment is one entry of that list, approved by a maintainer. Append it to \
`{path}` exactly as it is. Create the file if it does not exist. Change nothing else.\
"""


class ExpectedAnswerPages:
    """Pages under `/dashboard/conversations/{domain}/{thread_id}/{turn_id}/expected-answer`."""

    def __init__(self, services: DashboardServices, pages: PageRenderer) -> None:
        self._services = services
        self._pages = pages

    def show(self, visit: OwnerVisit) -> Response:
        """Show a proposed entry."""
        deployment = visit.deployment(self._services.tenancy)
        exchange = self._exchange(visit, deployment)
        edition = self._services.editions.current(deployment)
        if edition is None:
            raise NotFound("this deployment has not been published yet")
        stems = remembering(Analyser().terms)
        entry = proposed(_turn(exchange), edition.site, stems)
        return self._render(visit, deployment, exchange, entry)

    def update(self, visit: OwnerVisit) -> Response:
        """Show the entry as edited by the owner, or start an agent job that adds it."""
        deployment = visit.deployment(self._services.tenancy)
        exchange, form = self._exchange(visit, deployment), visit.form
        entry = ProposedAnswer(
            " ".join(form.text("question").split()),
            _lines(form.text("facts")),
            _lines(form.text("pages")),
        )
        if not form.text("pull_request") or not _is_complete(entry):
            return self._render(visit, deployment, exchange, entry)
        try:
            return self._delegate(visit, deployment, entry)
        except DocsteadError as error:
            return self._render(visit, deployment, exchange, entry, error)

    def _delegate(
        self, visit: OwnerVisit, deployment: Deployment, entry: ProposedAnswer
    ) -> Response:
        """Start an agent job that opens a pull request with the entry.

        Raises:
            Forbidden, Unavailable: the plan does not include the agent, or no model is configured.
        """
        agent, path = self._services.agent, self._file(deployment)[0]
        job = agent.create(
            agent.project(visit.organization.id, deployment.project_id),
            Instruction.of(
                _INSTRUCTION.format(path=path),
                [new_file("entry.yaml", entry.as_yaml().encode())],
            ),
            started_by=visit.owner.name,
        )
        return see(job_url(deployment, job))

    def _can_delegate(self, visit: OwnerVisit, project: Project) -> bool:
        """Report whether the agent can change the project's repository."""
        is_git = DocumentationSource(project.source).protocol is not None
        in_plan = Feature.AGENT in features(visit.organization.plan)
        return is_git and in_plan and self._services.agent.missing is None

    def _file(self, deployment: Deployment) -> tuple[str, bool]:
        """Return the path of the expected answers file, and whether it exists."""
        edition = self._services.editions.current(deployment)
        return file_for(edition.files() if edition else ())

    def _exchange(self, visit: OwnerVisit, deployment: Deployment) -> ConversationExchange:
        opened = self._services.insights.conversations.opened(
            [deployment.id], visit.parameter("thread_id")
        )
        turn_id = visit.parameter("turn_id")
        for exchange in opened.exchanges:
            if exchange.id == turn_id:
                return exchange
        raise NotFound("there is no such question")

    def _render(
        self,
        visit: OwnerVisit,
        deployment: Deployment,
        exchange: ConversationExchange,
        entry: ProposedAnswer,
        error: DocsteadError | None = None,
    ) -> Response:
        path, exists = self._file(deployment)
        project = self._services.tenancy.project(deployment.project_id)
        root = project.source_root.strip("/")
        return self._pages.render(
            visit,
            "expected_answer.html",
            status_code=200 if error is None else error.status,
            error=None if error is None else error.message,
            deployment=deployment,
            exchange=exchange,
            entry=entry,
            path=f"{root}/{path}" if root else path,
            exists=exists,
            is_complete=_is_complete(entry),
            can_delegate=self._can_delegate(visit, project),
            tab="conversations",
        )


def _is_complete(entry: ProposedAnswer) -> bool:
    return bool(entry.question and entry.pages)


def _turn(exchange: ConversationExchange) -> ThreadTurn:
    return ThreadTurn(
        exchange.question,
        exchange.answer,
        exchange.sources,
        exchange.answered,
        exchange.trace or AnswerTrace(),
    )


def _lines(text: str) -> list[str]:
    """Return the non-empty lines."""
    return [line for each in text.splitlines() if (line := each.strip())]
