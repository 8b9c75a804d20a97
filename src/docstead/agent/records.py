"""Agent jobs and turns in the database.

Each change of a job's status happens in one transaction with the job's row locked, so that accepted
messages are never lost between states.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, Select, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from docstead.agent import stored_diffs
from docstead.agent.event_log import STATUS_KEY, NewEvent, note
from docstead.agent.job_lists import JobFilter, JobSummary, conditions, summaries_of
from docstead.agent.pull_request_records import PullRequestRecords, stored_state
from docstead.agent.states import JOB_STATES, TURN_STATES, JobStatus, TurnStatus
from docstead.agent.stored_files import delete_files, file_names, files_of, insert_files
from docstead.agent.texts import storable, title_of, with_each_text
from docstead.agent.turn_ends import EndReason, TurnEnd, TurnFinished, turn_end
from docstead.agent.values import AgentJob, Instruction, NewJob, Turn
from docstead.agent.workspace.diffs import FileDiff
from docstead.agent.workspace.secret_scan import masked
from docstead.base.clock import Clock
from docstead.base.errors import Conflict, InvalidRequest, NotFound
from docstead.models.chat import InputFile
from docstead.storage.database import Database
from docstead.storage.schema import agent_jobs, agent_turns

_ENDED = (TurnStatus.COMPLETED, TurnStatus.FAILED)
_JOB_COLUMNS = [column for column in agent_jobs.columns if column.name not in ("diff", "answer")]


class AgentRecords:
    """Jobs and turns in the database. `link_of` updates stored URLs of pull requests."""

    def __init__(
        self, database: Database, clock: Clock, link_of: Callable[[str], str] = str
    ) -> None:
        self._database = database
        self._clock = clock
        self._link_of = link_of
        self.pull_requests = PullRequestRecords(database, clock)

    # --- jobs ---------------------------------------------------------------

    def create(self, new: NewJob, instruction: Instruction) -> AgentJob:
        """Create a job with its first turn, or return the existing job with this id."""
        now = self._clock.now()
        created = AgentJob(
            new.id, new.project_id, new.organization_id, JobStatus.ACTIVE,
            title_of(instruction.prompt), new.repository, new.branch, new.model, new.draft,
            new.started_by, pr_link=None, todos=(), event_count=0,
            created_at=now, updated_at=now, archived_at=None,
            may_ask=new.may_ask, needs_plan=new.needs_plan,
        )  # fmt: skip
        row = {name: getattr(created, name) for name in AgentJob.__slots__}
        try:
            with self._database.transaction() as connection:
                connection.execute(insert(agent_jobs).values({**row, "todos": [], "diff": ""}))
                self._insert_turn(connection, new.id, new.turn_id, instruction, now)
        except IntegrityError:
            pass
        return self.get(new.id)

    def get(
        self, job_id: str, *, project_id: str | None = None, organization_id: str | None = None
    ) -> AgentJob:
        """Return a job; raise NotFound if it is unknown, or of another project or organization."""
        query = select(*_JOB_COLUMNS).where(agent_jobs.c.id == job_id)
        if project_id is not None:
            query = query.where(agent_jobs.c.project_id == project_id)
        if organization_id is not None:
            query = query.where(agent_jobs.c.organization_id == organization_id)
        row = None
        if "\0" not in job_id:  # PostgreSQL would reject the value
            with self._database.reading() as connection:
                row = connection.execute(query).mappings().first()
        if row is None:
            raise NotFound("there is no such agent job")
        return self._job(row)

    def of_project(
        self, project_id: str, skip: int = 0, take: int = 100, filters: JobFilter | None = None
    ) -> list[AgentJob]:
        """Return jobs of a project, newest first."""
        query = (
            select(*_JOB_COLUMNS)
            .where(agent_jobs.c.project_id == project_id, *conditions(filters or JobFilter()))
            .order_by(agent_jobs.c.created_at.desc(), agent_jobs.c.id.desc())
        )
        with self._database.reading() as connection:
            rows = connection.execute(query.offset(skip).limit(take)).mappings()
            return [self._job(row) for row in rows]

    def of_pull_request(self, project_id: str, url: str) -> AgentJob | None:
        """Return the project's newest job with this pull request."""
        return self._newest(project_id, agent_jobs.c.pr_link == url)

    def summaries(self, job_ids: Collection[str]) -> dict[str, JobSummary]:
        """Return cost, tokens and last end reason of these jobs, by id."""
        with self._database.reading() as connection:
            return summaries_of(connection, job_ids)

    def on_branch(self, project_id: str, branch: str) -> AgentJob | None:
        """Return the newest job on this branch."""
        return self._newest(project_id, agent_jobs.c.branch == branch)

    def _newest(self, project_id: str, condition: ColumnElement[bool]) -> AgentJob | None:
        query = (
            select(*_JOB_COLUMNS)
            .where(agent_jobs.c.project_id == project_id, condition)
            .order_by(agent_jobs.c.created_at.desc(), agent_jobs.c.id.desc())
        )
        with self._database.reading() as connection:
            row = connection.execute(query.limit(1)).mappings().first()
        return None if row is None else self._job(row)

    def diff(self, job_id: str) -> tuple[FileDiff, ...]:
        """Return the diff of the branch against its base, as last stored."""
        query = select(agent_jobs.c.diff).where(agent_jobs.c.id == job_id)
        with self._database.reading() as connection:
            kept = str(connection.execute(query).scalar_one())
        return stored_diffs.decoded_diffs(kept)

    def archive(self, job_id: str) -> None:
        """Archive a job permanently.

        Raises:
            Conflict: it is active or already archived.
        """
        now = self._clock.now()
        with self._database.transaction() as connection:
            JOB_STATES.advance(
                connection, job_id, JobStatus.ARCHIVED, updated_at=now, archived_at=now
            )
            delete_files(connection, [job_id])

    def archive_untouched_since(self, moment: datetime) -> int:
        """Archive jobs without activity since a time; return their number."""
        now = self._clock.now()
        untouched = select(agent_jobs.c.id).where(
            agent_jobs.c.status.in_((JobStatus.COMPLETED, JobStatus.FAILED)),
            agent_jobs.c.updated_at < moment,
        )
        with self._database.transaction() as connection:
            found = list(connection.execute(untouched.with_for_update(skip_locked=True)).scalars())
            for job_id in found:
                JOB_STATES.advance(
                    connection, job_id, JobStatus.ARCHIVED, updated_at=now, archived_at=now
                )
            delete_files(connection, found)
        return len(found)

    def unfinished_jobs(self) -> frozenset[str]:
        """Return ids of jobs that are active, or may have work that was not pushed."""
        query = select(agent_jobs.c.id).where(
            agent_jobs.c.status.in_((JobStatus.ACTIVE, JobStatus.FAILED))
        )
        with self._database.reading() as connection:
            return frozenset(connection.execute(query).scalars())

    # --- turns --------------------------------------------------------------

    def add_turn(self, job_id: str, instruction: Instruction, turn_id: str) -> Turn:
        """Queue an instruction, or return the existing turn with this `turn_id`.

        Raises:
            InvalidRequest: the job is archived.
        """
        now = self._clock.now()
        try:
            with self._database.transaction() as connection:
                status = locked_status(connection, job_id)
                if status is JobStatus.ARCHIVED:
                    raise InvalidRequest("the job is archived; start a new one")
                self._insert_turn(connection, job_id, turn_id, instruction, now)
                if status is not JobStatus.ACTIVE:
                    JOB_STATES.advance(connection, job_id, JobStatus.ACTIVE, updated_at=now)
        except IntegrityError:
            pass
        return self.turn(turn_id)

    def turn(self, turn_id: str) -> Turn:
        with self._database.reading() as connection:
            query = select(agent_turns).where(agent_turns.c.id == turn_id)
            row = connection.execute(query).mappings().first()
        if row is None:
            raise NotFound("there is no such turn")
        return _turn(row)

    def turns(self, job_id: str) -> list[Turn]:
        """Return a job's turns in order."""
        query = select(agent_turns).where(agent_turns.c.job_id == job_id)
        return self._turns(query.order_by(agent_turns.c.position))

    def files(self, turn_id: str) -> tuple[InputFile, ...]:
        """Return the files attached to a turn's instruction."""
        with self._database.reading() as connection:
            return files_of(connection, turn_id)

    def file_names(self, job_id: str) -> dict[str, list[str]]:
        """Return the names of a job's files, by turn."""
        with self._database.reading() as connection:
            return file_names(connection, job_id)

    def unfinished_turns(self) -> list[Turn]:
        """Return unfinished turns of all jobs, in order."""
        query = select(agent_turns).where(agent_turns.c.status.notin_(_ENDED))
        return self._turns(query.order_by(agent_turns.c.created_at, agent_turns.c.position))

    def begin_next(self, turn_id: str) -> str | None:
        """Start the first unfinished turn of this turn's job and return its id.

        Messages of a job run in order, although jobs of the queue may not.
        """
        with self._database.transaction() as connection:
            job_id = _job_of(connection, turn_id)
            locked_status(connection, job_id)
            row = first_open_turn(connection, job_id)
            if row is None:
                return None
            if row["status"] == TurnStatus.QUEUED:
                now = self._clock.now()
                TURN_STATES.advance(connection, row["id"], TurnStatus.RUNNING, started_at=now)
                event = {"turn": row["id"], "position": row["position"]}
                note(connection, NewEvent(job_id, row["id"], "begun", "turn.started", event), now)
            return str(row["id"])

    def lose(self, turn_id: str, end: TurnEnd) -> str | None:
        """End the turn that ran in place of this one; return its id, if there was one."""
        with self._database.reading() as connection:
            row = first_open_turn(connection, _job_of(connection, turn_id))
        if row is None:
            return None
        self.end_turn(row["id"], end)
        return str(row["id"])

    def end_turn(self, turn_id: str, end: TurnEnd) -> bool:
        """End a turn, and the job if no other turn waits; report whether it was still open."""
        with self._database.transaction() as connection:
            row = _locked_turn(connection, turn_id)
            if TurnStatus(row["status"]).is_final:
                return False
            locked_status(connection, row["job_id"])
            self._end(connection, row, end)
        return True

    def cancel(self, job_id: str) -> None:
        """Request cancellation of every unfinished turn of the job.

        Raises:
            Conflict: there is none.
        """
        with self._database.transaction() as connection:
            asked = connection.execute(
                update(agent_turns)
                .where(
                    agent_turns.c.job_id == job_id,
                    agent_turns.c.status.notin_(_ENDED),
                )
                .values(cancelled_at=func.coalesce(agent_turns.c.cancelled_at, self._clock.now()))
            )
        if not asked.rowcount:
            raise Conflict("the job is not active: there is nothing to cancel")

    def is_cancelled(self, turn_id: str) -> bool:
        query = select(agent_turns.c.cancelled_at).where(agent_turns.c.id == turn_id)
        with self._database.reading() as connection:
            return connection.execute(query).scalar_one() is not None

    # --- within a transaction -----------------------------------------------

    def _insert_turn(
        self,
        connection: Connection,
        job_id: str,
        turn_id: str,
        instruction: Instruction,
        now: datetime,
    ) -> None:
        last = select(func.max(agent_turns.c.position)).where(agent_turns.c.job_id == job_id)
        position = (connection.execute(last).scalar() or 0) + 1
        row = {
            "id": turn_id, "job_id": job_id, "position": position,
            "messages": with_each_text(instruction.messages, storable),
            "status": TurnStatus.QUEUED, "steps": 0, "input_tokens": 0, "cached_tokens": 0,
            "output_tokens": 0, "cost": 0.0, "created_at": now,
        }  # fmt: skip
        connection.execute(insert(agent_turns).values(row))
        insert_files(connection, turn_id, instruction)
        event: dict[str, Any] = {
            "turn": turn_id, "position": position, "prompt": instruction.prompt,
        }  # fmt: skip
        if instruction.files:
            event["attachments"] = [file.name for file in instruction.files]
        note(connection, NewEvent(job_id, turn_id, "message", "message", event), now)

    def _end(self, connection: Connection, row: RowMapping, end: TurnEnd) -> None:
        now, turn_id, job_id = self._clock.now(), row["id"], row["job_id"]
        reply, error = with_each_text((end.reply, end.error), masked)
        succeeded = isinstance(end, TurnFinished)
        status = TurnStatus.COMPLETED if succeeded else TurnStatus.FAILED
        values = {"reason": end.reason, "reply": reply, "error": error, "ended_at": now}
        TURN_STATES.advance(connection, turn_id, status, **values)
        data = {
            "turn": turn_id, "status": status.value, "reason": end.reason.value,
            "reply": reply, "error": error, "steps": row["steps"],
            "inputTokens": row["input_tokens"], "cachedTokens": row["cached_tokens"],
            "outputTokens": row["output_tokens"], "cost": row["cost"], "commit": row["commit"],
        }  # fmt: skip
        note(connection, NewEvent(job_id, turn_id, "ended", "turn.ended", data), now)
        connection.execute(
            update(agent_jobs).where(agent_jobs.c.id == job_id).values(question=None)
        )
        if first_open_turn(connection, job_id) is None:
            job_status = JobStatus.COMPLETED if succeeded else JobStatus.FAILED
            JOB_STATES.advance(connection, job_id, job_status, updated_at=now)
            data = {"status": job_status.value}
            note(connection, NewEvent(job_id, turn_id, STATUS_KEY, "status", data), now)

    def _job(self, row: RowMapping) -> AgentJob:
        link = row["pr_link"]
        values = {
            "status": JobStatus(row["status"]),
            "todos": tuple(row["todos"] or ()),
            "pr_link": link and self._link_of(link),
            "pr_state": stored_state(row["pr_state"]),
        }
        return AgentJob(**{**row, **values})

    def _turns(self, query: Select[Any]) -> list[Turn]:
        with self._database.reading() as connection:
            return [_turn(row) for row in connection.execute(query).mappings()]


def locked_status(connection: Connection, job_id: str) -> JobStatus:
    """Lock a job's row and return its status.

    Raises:
        NotFound: the job does not exist.
    """
    query = select(agent_jobs.c.status).where(agent_jobs.c.id == job_id).with_for_update()
    status = connection.execute(query).scalar()
    if status is None:
        raise NotFound("there is no such agent job")
    return JobStatus(status)


def _locked_turn(connection: Connection, turn_id: str) -> RowMapping:
    query = select(agent_turns).where(agent_turns.c.id == turn_id).with_for_update()
    return connection.execute(query).mappings().one()


def _job_of(connection: Connection, turn_id: str) -> str:
    query = select(agent_turns.c.job_id).where(agent_turns.c.id == turn_id)
    return str(connection.execute(query).scalar_one())


def first_open_turn(connection: Connection, job_id: str) -> RowMapping | None:
    """Return the row of a job's first unfinished turn, or None."""
    query = (
        select(agent_turns)
        .where(agent_turns.c.job_id == job_id, agent_turns.c.status.notin_(_ENDED))
        .order_by(agent_turns.c.position)
        .limit(1)
    )
    return connection.execute(query).mappings().first()


def _turn(row: RowMapping) -> Turn:
    values: dict[str, Any] = {**row}
    messages: Sequence[Sequence[str]] = values.pop("messages")
    reason, reply, error = (values.pop(name) for name in ("reason", "reply", "error"))
    values |= {
        "instruction": Instruction(tuple((role, text) for role, text in messages)),
        "status": TurnStatus(row["status"]),
        "end": None if reason is None else turn_end(EndReason(reason), reply, error),
    }
    return Turn(**values)
