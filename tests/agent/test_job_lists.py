"""Jobs are listed by state and text; questions, files and pull requests are those of one job."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docstead.agent.event_log import EventLog
from docstead.agent.job_lists import CANCELLED, JobFilter, JobSummary
from docstead.agent.question_records import QuestionRecords
from docstead.agent.records import AgentRecords
from docstead.agent.turn_ends import EndReason, turn_end
from docstead.agent.values import Instruction, StepRecord
from docstead.models.chat import InputFile
from docstead.storage.database import Database
from docstead.storage.schema import agent_jobs, agent_turns
from neighbours import neighbours
from stored_jobs import new_job, new_project

CreateJob = Callable[..., str]


@pytest.fixture
def database(sqlite_backend) -> Database:
    return sqlite_backend.database


@pytest.fixture
def records(database: Database, clock) -> AgentRecords:
    return AgentRecords(database, clock)


@pytest.fixture
def create(records: AgentRecords, database: Database, clock) -> CreateJob:
    """Create a job whose title is its id; with a reason, its only turn ends with it."""
    project = new_project(database, clock)

    def job(job_id: str, ended: EndReason | None = None, **values: str) -> str:
        instruction = Instruction.of(job_id, [InputFile(f"{job_id}.png", "image/png", b"png")])
        branch = values.pop("branch", f"docstead/{job_id}")
        new_job(records, project, job_id, instruction, branch=branch, **values)
        if ended is not None:
            records.begin_next(f"{job_id}_1")
            records.end_turn(f"{job_id}_1", turn_end(ended))
        return project.id

    return job


@pytest.mark.parametrize(
    ("filters", "listed"),
    [
        (JobFilter("failed"), {"broken"}),
        (JobFilter("failed", splits_cancelled=False), {"broken", "stopped"}),
        (JobFilter(CANCELLED), {"stopped"}),
        (JobFilter("completed"), {"done"}),
        (JobFilter("active"), {"open"}),
    ],
)
def test_jobs_are_listed_by_state(
    records: AgentRecords, create: CreateJob, filters: JobFilter, listed: set[str]
) -> None:
    create("broken", EndReason.ERROR)
    create("stopped", EndReason.CANCELLED)
    create("done", EndReason.FINISHED)
    project_id = create("open")
    assert {each.id for each in records.of_project(project_id, filters=filters)} == listed


@pytest.mark.parametrize(
    ("text", "job_id"), [("ONE", "one"), ("left", "two"), ("ada", "three"), ("_", None)]
)
def test_jobs_are_found_by_title_branch_and_name(
    records: AgentRecords, create: CreateJob, text: str, job_id: str | None
) -> None:
    create("one", branch="docstead/a")
    create("two", branch="docstead/left")
    project_id = create("three", branch="docstead/b", started_by="Ada")
    found = records.of_project(project_id, filters=JobFilter(text=text))
    assert [each.id for each in found] == ([job_id] if job_id else [])


def test_pull_requests_are_those_of_one_job(
    records: AgentRecords, create: CreateJob, database: Database, clock
) -> None:
    event_log = EventLog(database, clock)
    for job_id in ("one", "two"):
        create(job_id)
        delivered = StepRecord(
            "offer", events=[("pullRequest", {"url": f"https://x.example/{job_id}"})]
        )
        event_log.write(records.turn(f"{job_id}_1"), delivered)
    assert event_log.pull_requests("one") == [("one_1", "https://x.example/one")]


def test_one_question_is_answered_and_closed(
    records: AgentRecords, create: CreateJob, database: Database, clock
) -> None:
    create("one")
    asked = StepRecord("ask", job={"question": "Which page?"})
    EventLog(database, clock).write(records.turn("one_1"), asked)
    questions = QuestionRecords(database, clock)
    with neighbours(database, [agent_jobs, agent_turns]):
        assert questions.answer("one", "The first.", "m1")
        assert questions.has_answer("one")
        assert questions.close("one") == "The first."
        assert not questions.answer("one", "The second.", "m2")


def test_files_are_those_of_one_job_until_it_is_archived(
    records: AgentRecords, create: CreateJob, database: Database
) -> None:
    create("one", EndReason.FINISHED)
    create("two")
    with neighbours(database):
        assert records.file_names("one") == {"one_1": ["one.png"]}
        records.archive("one")
        assert records.file_names("one") == {}
        assert [each.name for each in records.files("two_1")] == ["two.png"]


def test_a_pull_request_leads_to_its_job(
    records: AgentRecords, create: CreateJob, database: Database, clock
) -> None:
    for job_id in ("one", "two"):
        project_id = create(job_id)
        delivered = StepRecord("offer", job={"pr_link": f"https://x.example/{job_id}"})
        EventLog(database, clock).write(records.turn(f"{job_id}_1"), delivered)
    found = records.of_pull_request(project_id, "https://x.example/one")
    assert found is not None
    assert found.id == "one"
    assert records.of_pull_request("prj_other", "https://x.example/one") is None


def test_a_summary_counts_the_turns_of_its_job(
    records: AgentRecords, create: CreateJob, database: Database, clock
) -> None:
    create("one", EndReason.ERROR)
    create("two")
    records.add_turn("one", Instruction.of("More"), "one_2")
    totals = {"steps": 2, "input_tokens": 30, "output_tokens": 4, "cost": 0.5}
    for turn_id in ("one_2", "two_1"):
        EventLog(database, clock).write(records.turn(turn_id), StepRecord("call", totals=totals))
    records.begin_next("one_2")
    records.end_turn("one_2", turn_end(EndReason.FINISHED))
    assert records.summaries(["one", "two"]) == {
        "one": JobSummary(2, 34, 0.5, EndReason.FINISHED),
        "two": JobSummary(2, 34, 0.5, None),
    }


def test_jobs_without_unsaved_work_are_not_listed(records: AgentRecords, create: CreateJob) -> None:
    create("broken", EndReason.ERROR)
    create("done", EndReason.FINISHED)
    create("open")
    assert records.unfinished_jobs() == {"broken", "open"}


def test_the_end_of_a_turn_closes_the_question_of_its_job(
    records: AgentRecords, create: CreateJob, database: Database, clock
) -> None:
    for job_id in ("one", "two"):
        create(job_id)
        asked = StepRecord("ask", job={"question": "Which page?"})
        EventLog(database, clock).write(records.turn(f"{job_id}_1"), asked)
    records.begin_next("one_1")
    records.end_turn("one_1", turn_end(EndReason.FINISHED))
    questions = QuestionRecords(database, clock)
    assert not questions.answer("one", "The first.", "m1")
    assert questions.answer("two", "The second.", "m2")
