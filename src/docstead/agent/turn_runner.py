"""Runs turns as durable jobs, with their dependencies."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial

from docstead.accounts.tenancy import Project, Tenancy
from docstead.agent.agent_loop import AgentLoop
from docstead.agent.conversation import window_characters
from docstead.agent.delivery import TurnDelivery
from docstead.agent.delivery_failures import DeliveryFailures
from docstead.agent.delivery_steps import DeliverySteps
from docstead.agent.dialog import AgentQuestions
from docstead.agent.event_log import EventLog
from docstead.agent.forges.factory import ForgeFactory
from docstead.agent.limits import TurnLimits
from docstead.agent.model_calls import ModelBudget, ModelCaller
from docstead.agent.pull_request import answer_to
from docstead.agent.pull_request_delivery import PullRequestDelivery
from docstead.agent.pull_request_writer import PullRequestWriter
from docstead.agent.question_records import QuestionRecords
from docstead.agent.records import AgentRecords
from docstead.agent.review_memory import ReviewMemory
from docstead.agent.summaries import TurnSummarizer
from docstead.agent.tool_calls import ToolRunner
from docstead.agent.tool_sources import ToolSources
from docstead.agent.tools import Toolbox, WorkspaceChecks
from docstead.agent.tools.dialog_tools import UserDialog
from docstead.agent.tools.limits import ToolLimits
from docstead.agent.tools.screenshots import PageCamera
from docstead.agent.turn_ends import EndReason, TurnEnd, TurnFailed
from docstead.agent.turn_execution import TurnExecution
from docstead.agent.turn_steps import TurnSteps
from docstead.agent.turn_workspace import TurnWorkspace
from docstead.agent.values import COMMENT_TURN, AgentJob, Turn
from docstead.agent.webhook_events import job_event
from docstead.agent.workspace import CommitAuthor, Workspace, WorkspaceManager
from docstead.base.errors import OUTAGES, DocsteadError
from docstead.base.unexpected import known_cause, log_failure
from docstead.base.units import DAY_SECONDS
from docstead.jobs import JobContext
from docstead.limits.model_budgets import ModelBudgets
from docstead.models.chat import ModelUsage
from docstead.models.completion import CompletionClient
from docstead.publishing.sources import DocumentationSource
from docstead.webhooks import WebhookService

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class DurableTurnRunner:
    """Runs the turns of all jobs. Without a model they fail with a message about the settings."""

    records: AgentRecords
    questions: QuestionRecords
    event_log: EventLog
    tenancy: Tenancy
    model: CompletionClient | None
    cost_of: Callable[[ModelUsage], float]
    model_of: Callable[[ModelUsage], str]
    workspaces: WorkspaceManager
    checker: WorkspaceChecks
    forges: ForgeFactory
    limits: TurnLimits
    webhooks: WebhookService
    tool_sources: ToolSources
    review_memory: ReviewMemory
    budgets: ModelBudgets
    author: CommitAuthor
    camera: PageCamera | None  # for models that accept images

    def run(self, context: JobContext, turn_id: str) -> None:
        """Run the next turn of this turn's job, and record its end in every case."""
        try:
            self._run(context, turn_id)
        except Exception as error:
            context.raise_if_stopping()  # continued after the service's next start
            log_failure(_log, f"turn {turn_id} could not be carried out", error)
            end = _unexpected(error)
            context.keep_trying(lambda: self.lose(turn_id, end))

    def lose(self, turn_id: str, end: TurnEnd) -> None:
        """End a turn that will not be run."""
        ended = self.records.lose(turn_id, end)
        if ended is not None:
            self._notify(ended)

    def remove_clones(self, keep: Collection[str]) -> int:
        """Delete clones that were not used for a day, except those of these jobs."""
        return self.workspaces.sweep(keep, DAY_SECONDS)

    def close(self) -> None:
        """Close connections to the model."""
        if self.model is not None:
            self.model.close()

    def _run(self, context: JobContext, turn_id: str) -> None:
        begun = context.step("begin", partial(self.records.begin_next, turn_id))
        if begun is not None:
            turn = context.keep_trying(lambda: self.records.turn(begun))
            end = self._end_of(context, turn)
            context.step("end", partial(self.records.end_turn, begun, end))
            context.step("tell", partial(self._notify, begun))
            if begun.startswith(COMMENT_TURN):
                context.step("reply", partial(self._reply, begun))

    def _notify(self, turn_id: str) -> None:
        """Notify webhooks if the job has ended with this turn."""
        turn = self.records.turn(turn_id)
        status = self.event_log.resulting_status(turn)
        if status is not None:
            self.webhooks.notify(job_event(self.records.get(turn.job_id), turn, status))

    def _reply(self, turn_id: str) -> None:
        """Answer the pull request comment that started the turn."""
        turn = self.records.turn(turn_id)
        job = self.records.get(turn.job_id)
        try:
            forge = self.forges.of(self.tenancy.project(job.project_id))
            change = forge.find(job.branch)
            if change is not None and turn.end is not None:
                forge.comment(change, answer_to(turn, turn.end))
        except OUTAGES:
            raise
        except DocsteadError as error:
            _log.warning("job %s: a comment could not be answered: %s", job.id, error.message)

    def _end_of(self, context: JobContext, turn: Turn) -> TurnEnd:
        try:
            return context.keep_trying(lambda: self._execution(context, turn)).carry_out()
        except DocsteadError as error:
            return TurnFailed(EndReason.ERROR, error.message)
        except Exception as error:
            log_failure(_log, f"turn {turn.id} failed", error)
            return _unexpected(error)

    def _execution(self, context: JobContext, turn: Turn) -> TurnExecution:
        job = self.records.get(turn.job_id)
        project = self.tenancy.project(job.project_id)
        turn_workspace = self._turn_workspace(job, turn, project)
        budget = ModelBudget(self.budgets, job.organization_id)
        steps = TurnSteps(
            context,
            turn,
            records=self.records,
            now=turn_workspace.now,
            waiting_seconds=self.limits.waiting_seconds,
        )
        return TurnExecution(
            turn,
            steps,
            turn_workspace=turn_workspace,
            summarizer=self._summarizer(budget, turn_workspace),
            loop=self._loop(turn, steps, budget, turn_workspace),
            delivery=self._delivery(job, project, turn, steps, turn_workspace),
            window_tokens=self.limits.context_tokens,
        )

    def _loop(
        self, turn: Turn, steps: TurnSteps, budget: ModelBudget, turn_workspace: TurnWorkspace
    ) -> AgentLoop:
        return AgentLoop(
            turn,
            steps,
            model_caller=self._model_caller(budget),
            tool_runner=ToolRunner(
                turn_workspace=turn_workspace,
                event_log=self.event_log,
                answer_seconds=self.limits.answer_seconds,
            ),
            tools=turn_workspace.specs,
            dialog=AgentQuestions(self.questions, self.records, self.event_log),
            limits=self.limits,
        )

    def _delivery(
        self,
        job: AgentJob,
        project: Project,
        turn: Turn,
        steps: TurnSteps,
        turn_workspace: TurnWorkspace,
    ) -> DeliverySteps:
        failures = DeliveryFailures(self.event_log, self.records)
        delivery = TurnDelivery(
            job,
            turn_workspace=turn_workspace,
            direct=self.forges.settings.of(project.id).direct_push,
            event_log=self.event_log,
            failures=failures,
            author=self.author,
        )
        pull_requests = self._pull_requests(job, project, turn_workspace, failures)
        return DeliverySteps(turn, steps, delivery, pull_requests)

    def _model_caller(self, budget: ModelBudget) -> ModelCaller:
        return ModelCaller(
            model=self.model,
            event_log=self.event_log,
            limits=self.limits,
            cost_of=self.cost_of,
            model_of=self.model_of,
            budget=budget,
            files_of=self.records.files,
        )

    def _summarizer(self, budget: ModelBudget, turn_workspace: TurnWorkspace) -> TurnSummarizer:
        return TurnSummarizer(
            model=self.model,
            event_log=self.event_log,
            records=self.records,
            window_tokens=self.limits.context_tokens,
            cost_of=self.cost_of,
            budget=budget,
            mark=turn_workspace.mark,
        )

    def _pull_requests(
        self,
        job: AgentJob,
        project: Project,
        turn_workspace: TurnWorkspace,
        failures: DeliveryFailures,
    ) -> PullRequestDelivery:
        forge = partial(self.forges.of, project)
        writer = PullRequestWriter(
            job,
            turn_workspace=turn_workspace,
            forge=forge,
            event_log=self.event_log,
            records=self.records,
            job_url=f"{self.forges.base_url}/dashboard/jobs/{job.id}",
            reviewers=self.forges.settings.of(project.id).reviewers,
        )
        return PullRequestDelivery(
            job,
            turn_workspace=turn_workspace,
            forge=forge,
            event_log=self.event_log,
            records=self.records,
            failures=failures,
            writer=writer,
        )

    def _turn_workspace(self, job: AgentJob, turn: Turn, project: Project) -> TurnWorkspace:
        return TurnWorkspace(
            job,
            turn,
            open_workspace=partial(self._workspace, job, project),
            new_toolbox=partial(self._toolbox, job, turn, project),
            repositories=self.tool_sources.repository_names(project),
            reviews=self.review_memory.before(job),
            checker=self.checker,
            event_log=self.event_log,
            files=self.records.files(turn.id),
        )

    def _toolbox(
        self, job: AgentJob, turn: Turn, project: Project, workspace: Workspace
    ) -> Toolbox:
        return Toolbox(
            workspace,
            self.checker,
            search_published=self.tool_sources.published(project),
            repositories=self.tool_sources.repositories(turn, project),
            limits=ToolLimits.of_window(window_characters(self.limits.context_tokens)),
            dialog=UserDialog(may_ask=job.may_ask, needs_plan=job.needs_plan),
            camera=self.camera,
        )

    def _workspace(self, job: AgentJob, project: Project) -> Workspace:
        forge = self.forges.of(project)
        source = DocumentationSource(project.source, project.source_ref, project.source_root)
        return self.workspaces.open(
            job.id, source, job.branch, project=project.id, credentials=forge.credentials()
        )


def _unexpected(error: Exception) -> TurnEnd:
    cause = known_cause(error) or f"it failed unexpectedly: {type(error).__name__}"
    return TurnFailed(EndReason.ERROR, cause)
