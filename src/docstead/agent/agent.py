"""Agent jobs as durable jobs: start, follow up, observe, cancel and archive.

Failure rule: an accepted message is always run or seen to fail. It is stored before it is queued;
if the process dies in between, the next process queues it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from docstead.accounts.plans import Feature, features
from docstead.accounts.tenancy import Project, Tenancy
from docstead.agent.attachments import check_files
from docstead.agent.event_log import EventLog
from docstead.agent.job_lists import JobFilter, JobSummary
from docstead.agent.model_calls import NO_MODEL
from docstead.agent.question_records import QuestionRecords
from docstead.agent.records import AgentRecords
from docstead.agent.states import JobStatus
from docstead.agent.texts import title_of
from docstead.agent.turn_ends import EndReason, TurnEnd, TurnFailed
from docstead.agent.values import AgentJob, Instruction, JobEvent, NewJob, Turn
from docstead.agent.workspace.diffs import FileDiff
from docstead.agent.workspace.names import branch_name, check_branch
from docstead.base.clock import Clock
from docstead.base.errors import Forbidden, InvalidRequest, NotFound, Unavailable
from docstead.base.ids import new_id
from docstead.base.units import HOUR_SECONDS
from docstead.jobs import JobContext, Jobs
from docstead.models.inputs import InputKind
from docstead.publishing.sources import DocumentationSource
from docstead.webhooks import WebhookService

KIND = "agent"


@dataclass(frozen=True, slots=True)
class AgentLimits:
    """Limits of the service for agent jobs."""

    prompt_characters: int = 20_000
    jobs_at_once: int = 4  # concurrent turns per process
    archive_after_days: int = 30  # without activity


class TurnRunner(Protocol):
    """Runs turns in durable steps."""

    def run(self, context: JobContext, turn_id: str) -> None: ...

    def lose(self, turn_id: str, end: TurnEnd) -> None:
        """End a turn that will not be run."""
        ...

    def remove_clones(self, keep: Collection[str]) -> int:
        """Delete clones that have not been used for long, except those of these jobs."""
        ...

    def close(self) -> None:
        """Close connections that turns have opened."""
        ...


def new_job_id() -> str:
    """Return a new id, `aj_` and 16 hexadecimal digits."""
    return new_id("aj")


def new_turn_id() -> str:
    return new_id("at")


class AgentJobs:
    """Agent jobs of all projects. `model` is the configured model, or None.

    `inputs` are the kinds of files that the model accepts.
    """

    def __init__(
        self,
        *,
        records: AgentRecords,
        questions: QuestionRecords,
        event_log: EventLog,
        tenancy: Tenancy,
        clock: Clock,
        model: str | None,
        inputs: Collection[InputKind] = (),
        runner: TurnRunner,
        webhooks: WebhookService,
        limits: AgentLimits = AgentLimits(),
    ) -> None:
        self._records = records
        self._questions = questions
        self._event_log = event_log
        self._tenancy = tenancy
        self._clock = clock
        self._model = model
        self._inputs = frozenset(inputs)
        self._runner = runner
        self.webhooks = webhooks
        self._limits = limits
        self._jobs: Jobs | None = None

    def register(self, jobs: Jobs) -> None:
        """Register the jobs that run turns. Call before `jobs.launch()`."""
        jobs.register(
            KIND, self._runner.run, concurrency=self._limits.jobs_at_once, on_lost=self._lost
        )
        self.webhooks.register(jobs)
        jobs.run_periodically(self._upkeep)
        jobs.run_periodically(self.remove_old_clones, HOUR_SECONDS)
        self._jobs = jobs

    def start_queued(self) -> None:
        """Queue turns that a dead process stored but did not queue. Call after `jobs.launch()`."""
        for turn in self._records.unfinished_turns():
            self._queue(turn)
        self.webhooks.start_queued()

    def close(self) -> None:
        """Close connections. Call after `jobs.close()`."""
        self._runner.close()

    @property
    def missing(self) -> str | None:
        """Reason why no job can be started, or None."""
        return NO_MODEL if self._model is None else None

    # --- API ----------------------------------------------------------------

    def project(self, organization_id: str, project_id: str) -> Project:
        """Return a project in which the organization may use the agent.

        Raises:
            NotFound: it is unknown or another organization's.
            Forbidden: the organization's plan does not include the agent.
        """
        owned = self._tenancy.projects(organization_id)
        project = next((each for each in owned if each.id == project_id), None)
        if project is None:
            raise NotFound("there is no such project")
        self._check_plan(organization_id)
        return project

    def _check_plan(self, organization_id: str) -> None:
        if Feature.AGENT not in features(self._tenancy.organization(organization_id).plan):
            raise Forbidden("agent jobs are not part of this organization's plan")

    def check(self, instruction: Instruction, field: str = "prompt") -> None:
        """Validate an instruction; `field` is the caller's name of its text.

        A single space is valid, because the interface requires one character.

        Raises:
            InvalidRequest: the text is empty or too long, or the model does not accept a file.
            PayloadTooLarge: the files are too large in total.
            Unavailable: no model is configured.
        """
        if not instruction.prompt:
            raise InvalidRequest(f"{field}: must not be empty")
        longest = self._limits.prompt_characters
        if sum(len(text) for _, text in instruction.messages) > longest:
            raise InvalidRequest(
                f"{field}: must have at most {longest} characters; "
                "DOCSTEAD_AGENT_PROMPT_CHARACTERS allows more"
            )
        if self._model is None:
            raise Unavailable(NO_MODEL)
        check_files(instruction.files, self._inputs)

    def checked_branch(self, name: str) -> str:
        """Return the name after verifying that it is a valid branch name.

        Raises:
            InvalidRequest: it is not.
        """
        try:
            return check_branch(name)
        except InvalidRequest as error:
            raise InvalidRequest(f"branch: {error.message}") from error

    def check_follow_up(self, job: AgentJob, instruction: Instruction) -> None:
        """Validate a follow-up of a job.

        Raises:
            Forbidden: the organization's plan no longer includes the agent.
            InvalidRequest: the job is archived, or `check` rejects the instruction.
            Unavailable: no model is configured.
        """
        self._check_plan(job.organization_id)
        if job.status is JobStatus.ARCHIVED:
            raise InvalidRequest("the job is archived; start a new one")
        self.check(instruction)

    def create(
        self,
        project: Project,
        instruction: Instruction,
        *,
        job_id: str | None = None,
        branch: str | None = None,
        draft: bool = False,
        started_by: str = "",
        may_ask: bool = False,
        needs_plan: bool = False,
    ) -> AgentJob:
        """Start a job on its own branch, or return the existing job with this `job_id`.

        The agent may ask questions if `may_ask`, and must have its plan approved if `needs_plan`.

        Raises:
            InvalidRequest, Unavailable: `check` rejects the instruction.
        """
        self.check(instruction)
        assert self._model is not None, "check() says so"  # noqa: S101
        job_id = job_id or new_job_id()
        new = NewJob(
            job_id,
            project.id,
            project.organization_id,
            repository=DocumentationSource(project.source).shown,
            branch=branch or branch_name(title_of(instruction.prompt), job_id),
            model=self._model,
            draft=draft,
            started_by=started_by,
            may_ask=may_ask,
            needs_plan=needs_plan,
        )
        created = self._records.create(new, instruction)
        self._queue(self._records.turns(created.id)[0])
        return created

    def message(
        self, job: AgentJob, instruction: Instruction, *, message_id: str | None = None
    ) -> AgentJob:
        """Answer the job's open question or, if there is none, send a follow-up.

        Raises:
            InvalidRequest: an answer has files, or `check_follow_up` rejects the instruction.
            Unavailable: no model is configured.
        """
        self.check_follow_up(job, instruction)
        message_id = message_id or new_turn_id()
        if job.question is not None and instruction.files:
            raise InvalidRequest("attachments: must be empty in an answer to the agent's question")
        if self._questions.answer(job.id, instruction.prompt, message_id):
            return self._records.get(job.id)
        return self.follow_up(job, instruction, turn_id=message_id)

    def has_message(self, message_id: str) -> bool:
        """Report whether a message with this id was accepted, as an instruction or an answer."""
        return self.has_turn(message_id) or self._questions.has_answered(message_id)

    def follow_up(
        self, job: AgentJob, instruction: Instruction, *, turn_id: str | None = None
    ) -> AgentJob:
        """Queue another instruction for a job.

        Raises:
            Forbidden, InvalidRequest, Unavailable: `check_follow_up` rejects the instruction.
        """
        self.check_follow_up(job, instruction)
        self._queue(self._records.add_turn(job.id, instruction, turn_id or new_turn_id()))
        return self._records.get(job.id)

    def get(self, job_id: str, *, project_id: str, organization_id: str) -> AgentJob:
        """Return a job.

        Raises:
            NotFound: it is unknown, or not of this project and organization.
        """
        return self._records.get(job_id, project_id=project_id, organization_id=organization_id)

    def find(self, job_id: str, *, organization_id: str) -> AgentJob:
        """Return a job of any project of an organization.

        Raises:
            NotFound: it is unknown or another organization's.
        """
        return self._records.get(job_id, organization_id=organization_id)

    def of_project(
        self, project_id: str, skip: int = 0, take: int = 100, filters: JobFilter | None = None
    ) -> list[AgentJob]:
        """Return jobs of a project, newest first."""
        return self._records.of_project(project_id, skip, take, filters)

    def summaries(self, jobs: Collection[AgentJob]) -> dict[str, JobSummary]:
        """Return cost, tokens and last end reason of these jobs, by id."""
        return self._records.summaries([job.id for job in jobs])

    def on_branch(self, project_id: str, branch: str) -> AgentJob | None:
        """Return the project's newest job on this branch."""
        return self._records.on_branch(project_id, branch)

    def of_pull_request(self, project_id: str, url: str) -> AgentJob | None:
        """Return the project's newest job with this pull request."""
        return self._records.of_pull_request(project_id, url)

    def turns(self, job_id: str) -> list[Turn]:
        return self._records.turns(job_id)

    def file_names(self, job_id: str) -> dict[str, list[str]]:
        """Return the names of files attached to instructions, by turn."""
        return self._records.file_names(job_id)

    def latest_events(self, job_id: str, count: int) -> list[JobEvent]:
        """Return the latest events, oldest first."""
        return self._event_log.latest_events(job_id, count)

    def has_turn(self, turn_id: str) -> bool:
        try:
            self._records.turn(turn_id)
        except NotFound:
            return False
        return True

    def events(self, job_id: str, after: int = 0) -> list[JobEvent]:
        """Return events after an event number, possibly only the first of them."""
        return self._event_log.events(job_id, after)

    def diff(self, job_id: str) -> tuple[FileDiff, ...]:
        """Return the diff of the branch against its base, as last stored."""
        return self._records.diff(job_id)

    def cancel(self, job_id: str) -> AgentJob:
        """Stop the current turn before its next step, and cancel waiting ones.

        Raises:
            Conflict: the job is not active.
        """
        self._records.cancel(job_id)
        return self._records.get(job_id)

    def archive(self, job_id: str) -> AgentJob:
        """Archive a job permanently.

        Raises:
            Conflict: the job is active or already archived.
        """
        self._records.archive(job_id)
        return self._records.get(job_id)

    def archive_old(self) -> int:
        """Archive jobs without recent activity; return their number."""
        age = timedelta(days=self._limits.archive_after_days)
        return self._records.archive_untouched_since(self._clock.now() - age)

    def remove_old_clones(self) -> int:
        """Delete unused clones of jobs that have nothing left to push; return their number.

        A follow-up clones the branch again.
        """
        return self._runner.remove_clones(self._records.unfinished_jobs())

    # --- internals ----------------------------------------------------------

    def _upkeep(self) -> None:
        """Archive old jobs, and queue what dead processes left behind."""
        self.archive_old()
        self.start_queued()

    def _queue(self, turn: Turn) -> None:
        assert self._jobs is not None, "register() comes first"  # noqa: S101
        self._jobs.start(KIND, turn.id, partition=turn.job_id)

    def _lost(self, turn_id: str) -> None:
        error = "the process that ran the turn was interrupted too often"
        self._runner.lose(turn_id, TurnFailed(EndReason.LOST, error))
