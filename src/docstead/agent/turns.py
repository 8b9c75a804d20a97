"""Runs turns as durable jobs, with everything that each needs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial

from docstead.accounts.tenancy import Project, Tenancy
from docstead.agent.conversation import window_characters
from docstead.agent.desk import Desk
from docstead.agent.dialog import AgentQuestions
from docstead.agent.execution import Execution
from docstead.agent.forges.choice import Forges
from docstead.agent.handing_in import HandingIn
from docstead.agent.journal import Journal
from docstead.agent.limits import TurnLimits
from docstead.agent.question_records import QuestionRecords
from docstead.agent.records import AgentRecords
from docstead.agent.summaries import TurnSummarizer
from docstead.agent.surroundings import Surroundings
from docstead.agent.thinking import Budget, Thinking
from docstead.agent.tools import Checks, Toolbox
from docstead.agent.tools.dialog import UserDialog
from docstead.agent.tools.limits import ToolLimits
from docstead.agent.using import Using
from docstead.agent.values import COMMENT_TURN, AgentJob, EndReason, Turn, TurnEnd
from docstead.agent.webhooks.webhooks import WebhookPayload, Webhooks
from docstead.agent.workspace import CommitAuthor, Workspace, Workspaces
from docstead.base.errors import OUTAGES, DocsteadError
from docstead.base.units import DAY_SECONDS
from docstead.jobs import JobContext
from docstead.limits.model_budgets import ModelBudgets
from docstead.models.chat import Usage
from docstead.models.completion import Completions
from docstead.publishing.sources import Source

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Turns:
    """Runs the turns of all jobs. Without a model each ends with a word about the settings."""

    records: AgentRecords
    questions: QuestionRecords
    journal: Journal
    tenancy: Tenancy
    model: Completions | None
    cost_of: Callable[[Usage], float]
    model_of: Callable[[Usage], str]
    workspaces: Workspaces
    checker: Checks
    forges: Forges
    limits: TurnLimits
    webhooks: Webhooks
    surroundings: Surroundings
    budgets: ModelBudgets
    author: CommitAuthor

    def run(self, context: JobContext, turn_id: str) -> None:
        """Carry out the next turn of this one's job to its end, which is always written down."""
        try:
            self._run(context, turn_id)
        except Exception as error:
            context.raise_if_stopping()  # a service that stops goes on with the turn later
            _log.exception("turn %s could not be carried out", turn_id)
            end = _unexpected(error)
            context.keep_trying(lambda: self.lose(turn_id, end))

    def lose(self, turn_id: str, end: TurnEnd) -> None:
        """End a turn that will never be carried out."""
        ended = self.records.lose(turn_id, end)
        if ended is not None:
            self._tell(ended)

    def remove_clones(self, keep: Collection[str]) -> int:
        """Remove the clones that nothing has used for a day, but for those of these jobs."""
        return self.workspaces.sweep(keep, DAY_SECONDS)

    def close(self) -> None:
        """End the connections to the model."""
        if self.model is not None:
            self.model.close()

    def _run(self, context: JobContext, turn_id: str) -> None:
        begun = context.step("begin", partial(self.records.begin_next, turn_id))
        if begun is not None:
            turn = context.keep_trying(lambda: self.records.turn(begun))
            end = self._end_of(context, turn)
            context.step("end", partial(self.records.end_turn, begun, end))
            context.step("tell", partial(self._tell, begun))
            if begun.startswith(COMMENT_TURN):
                context.step("reply", partial(self._reply, begun))

    def _tell(self, turn_id: str) -> None:
        """Notify webhooks if the job has ended with this turn."""
        turn = self.records.turn(turn_id)
        status = self.journal.status_after(turn)
        if status is not None:
            self.webhooks.tell(WebhookPayload(self.records.get(turn.job_id), turn, status))

    def _reply(self, turn_id: str) -> None:
        """Answer the comment that the turn began with, at its pull request."""
        turn = self.records.turn(turn_id)
        job = self.records.get(turn.job_id)
        text = turn.reply or turn.error or (turn.reason.value if turn.reason else "")
        try:
            forge = self.forges.of(self.tenancy.project(job.project_id))
            change = forge.find(job.branch)
            if change is not None and text:
                forge.comment(change, text)
        except OUTAGES:
            raise
        except DocsteadError as error:
            _log.warning("job %s: a comment is not answered: %s", job.id, error.message)

    def _end_of(self, context: JobContext, turn: Turn) -> TurnEnd:
        try:
            return context.keep_trying(lambda: self._execution(context, turn)).carry_out()
        except DocsteadError as error:
            return TurnEnd(EndReason.ERROR, error=error.message)
        except Exception as error:
            _log.exception("turn %s failed", turn.id)
            return _unexpected(error)

    def _execution(self, context: JobContext, turn: Turn) -> Execution:
        job = self.records.get(turn.job_id)
        project = self.tenancy.project(job.project_id)
        desk = self._desk(job, turn, project)
        budget = Budget(self.budgets, job.organization_id)
        return Execution(
            context,
            turn,
            desk=desk,
            thinking=Thinking(
                model=self.model,
                journal=self.journal,
                limits=self.limits,
                cost_of=self.cost_of,
                model_of=self.model_of,
                budget=budget,
                files_of=self.records.files,
            ),
            summarizer=TurnSummarizer(
                model=self.model,
                journal=self.journal,
                records=self.records,
                window_tokens=self.limits.context_tokens,
                cost_of=self.cost_of,
                budget=budget,
                mark=desk.mark,
            ),
            using=Using(desk=desk, journal=self.journal, answer_seconds=self.limits.answer_seconds),
            dialog=AgentQuestions(self.questions, self.records, self.journal),
            handing_in=HandingIn(
                job,
                desk=desk,
                forge=partial(self.forges.of, project),
                direct=self.forges.settings.of(project.id).direct_push,
                journal=self.journal,
                records=self.records,
                author=self.author,
                job_url=f"{self.forges.base_url}/dashboard/jobs/{job.id}",
            ),
            records=self.records,
            limits=self.limits,
        )

    def _desk(self, job: AgentJob, turn: Turn, project: Project) -> Desk:
        return Desk(
            job,
            turn,
            open_workspace=partial(self._workspace, job, project),
            new_toolbox=partial(self._toolbox, job, project),
            repositories=self.surroundings.repository_names(project),
            checker=self.checker,
            journal=self.journal,
            files=self.records.files(turn.id),
        )

    def _toolbox(self, job: AgentJob, project: Project, workspace: Workspace) -> Toolbox:
        return Toolbox(
            workspace,
            self.checker,
            search_published=self.surroundings.published(project),
            repositories=self.surroundings.repositories(job.id, project),
            limits=ToolLimits.of_window(window_characters(self.limits.context_tokens)),
            dialog=UserDialog(may_ask=job.may_ask, needs_plan=job.needs_plan),
        )

    def _workspace(self, job: AgentJob, project: Project) -> Workspace:
        forge = self.forges.of(project)
        source = Source(project.source, project.source_ref, project.source_root)
        return self.workspaces.open(
            job.id, source, job.branch, project=project.id, credentials=forge.credentials()
        )


def _unexpected(error: Exception) -> TurnEnd:
    return TurnEnd(EndReason.ERROR, error=f"it failed unexpectedly: {type(error).__name__}")
