"""Jobs, turns and events in the database, changed in any order."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from docstead.agent.event_log import EventLog
from docstead.agent.records import AgentRecords
from docstead.agent.states import JobStatus
from docstead.agent.texts import title_of
from docstead.agent.turn_ends import EndReason, turn_end
from docstead.agent.values import AgentJob, Instruction, StepRecord
from docstead.base.errors import Conflict, InvalidRequest, NotFound
from docstead.models.chat import InputFile
from stored_jobs import new_job, new_project

ALLOWED = {
    ("active", "completed"), ("active", "failed"), ("completed", "active"), ("failed", "active"),
    ("completed", "archived"), ("failed", "archived"),
}  # fmt: skip
DONE, BROKEN = turn_end(EndReason.FINISHED), turn_end(EndReason.ERROR, error="it broke")


@pytest.fixture
def records(backend, clock) -> AgentRecords:
    return AgentRecords(backend.database, clock)


@pytest.fixture
def event_log(backend, clock) -> EventLog:
    return EventLog(backend.database, clock)


@pytest.fixture
def project(backend, clock) -> Any:
    return new_project(backend.database, clock)


@pytest.fixture
def job(records, project) -> AgentJob:
    return new_job(records, project, "aj_1")


def test_whatever_happens_only_the_table_moves_a_job(records, event_log, job) -> None:
    dice = random.Random(5)
    seen: list[str] = [job.status.value]
    for number in range(75):
        act(records, job, dice.randrange(6), f"turn-{number}")
        status = records.get(job.id).status
        if status.value != seen[-1]:
            assert (seen[-1], status.value) in ALLOWED
            seen.append(status.value)
        turns = records.turns(job.id)
        is_open = any(not turn.status.is_final for turn in turns)
        assert is_open is (status is JobStatus.ACTIVE)
        assert [turn.position for turn in turns] == list(range(1, len(turns) + 1))
    assert len(seen) > 5
    found = records.get(job.id)
    numbers = [event.number for event in all_events(event_log, job.id)]
    assert numbers == list(range(1, found.event_count + 1))


def act(records: AgentRecords, job: AgentJob, what: int, turn_id: str) -> None:
    """One of the things that may happen to a job, archiving apart."""
    open_turns = [turn for turn in records.turns(job.id) if not turn.status.is_final]
    if what <= 1:
        records.add_turn(job.id, Instruction.of("More"), turn_id)
    elif what == 2:
        records.begin_next(f"{job.id}_1")
    elif open_turns:
        ends = {3: DONE, 4: BROKEN, 5: turn_end(EndReason.NO_CHANGES)}
        records.begin_next(open_turns[0].id)
        records.end_turn(open_turns[0].id, ends[what])


def all_events(event_log: EventLog, job_id: str) -> list[Any]:
    found: list[Any] = []
    while more := event_log.events(job_id, found[-1].number if found else 0):
        found += more
    return found


def test_archived_is_final(records, job) -> None:
    with pytest.raises(Conflict):
        records.archive(job.id)
    records.begin_next("aj_1_1")
    records.end_turn("aj_1_1", DONE)
    records.archive(job.id)
    assert records.get(job.id).archived_at is not None
    with pytest.raises(InvalidRequest, match="archived"):
        records.add_turn(job.id, Instruction.of("More"), "at_2")
    with pytest.raises(Conflict):
        records.archive(job.id)
    assert [turn.id for turn in records.turns(job.id)] == ["aj_1_1"]


def test_jobs_are_archived_by_age(records, project, clock) -> None:
    old, active = new_job(records, project, "aj_old"), new_job(records, project, "aj_active")
    records.begin_next("aj_old_1")
    records.end_turn("aj_old_1", BROKEN)
    clock.move_to(clock.now() + timedelta(days=30))
    young = new_job(records, project, "aj_young")
    records.begin_next("aj_young_1")
    records.end_turn("aj_young_1", DONE)
    assert records.archive_untouched_since(clock.now() - timedelta(days=1)) == 1
    assert records.get(old.id).status is JobStatus.ARCHIVED
    assert records.get(active.id).status is JobStatus.ACTIVE
    assert records.get(young.id).status is JobStatus.COMPLETED


def test_an_end_is_written_once(records, event_log, job) -> None:
    records.begin_next("aj_1_1")
    assert records.end_turn("aj_1_1", DONE)
    before = records.get(job.id)
    assert not records.end_turn("aj_1_1", BROKEN)
    assert records.get(job.id) == before
    assert records.begin_next("aj_1_1") is None


def test_a_turn_has_its_events(records, event_log, job) -> None:
    files = (InputFile("a.png", "image/png", b"png"),)
    records.add_turn(job.id, Instruction.of("More", files), "at_2")
    for turn_id, end in (("aj_1_1", DONE), ("at_2", BROKEN)):
        records.begin_next(turn_id)
        records.end_turn(turn_id, end)
    found = [(each.kind, each.data) for each in event_log.events(job.id)]
    counts = dict.fromkeys(("steps", "inputTokens", "cachedTokens", "outputTokens"), 0)
    ended = {"reply": None, "error": None, "cost": 0.0, "commit": None, **counts}
    assert found == [
        ("message", {"turn": "aj_1_1", "position": 1, "prompt": "Add a page"}),
        (
            "message",
            {"turn": "at_2", "position": 2, "prompt": "More", "attachments": ["a.png"]},
        ),
        ("turn.started", {"turn": "aj_1_1", "position": 1}),
        ("turn.ended", {"turn": "aj_1_1", "status": "completed", "reason": "finished", **ended}),
        ("turn.started", {"turn": "at_2", "position": 2}),
        (
            "turn.ended",
            {"turn": "at_2", "status": "failed", "reason": "error", **ended, "error": "it broke"},
        ),
        ("status", {"status": "failed"}),
    ]
    assert records.turn("at_2").ended_at is not None


def test_a_step_is_written_once(records, event_log, job) -> None:
    turn = records.turns(job.id)[0]
    entry = StepRecord(
        "model 1",
        messages=[{"role": "assistant"}, {"role": "user"}],
        events=[("model", {"text": "Hello"}), ("note", {})],
        totals={"steps": 1, "cost": 0.5},
    )
    assert event_log.write(turn, entry)
    assert not event_log.write(turn, entry)
    found = records.turn(turn.id)
    assert (found.steps, found.cost) == (1, 0.5)
    assert event_log.messages(job.id) == [{"role": "assistant"}, {"role": "user"}]
    assert [event.kind for event in event_log.events(job.id)] == ["message", "model", "note"]


def test_messages_of_many_senders_all_count(records, job) -> None:
    def send(number: int) -> None:
        records.add_turn(job.id, Instruction.of(f"Message {number}"), f"at_{number}")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(send, range(24)))
    turns = records.turns(job.id)
    assert [turn.position for turn in turns] == list(range(1, 26))
    prompts = {turn.instruction.prompt for turn in turns}
    assert prompts == {"Add a page", *(f"Message {number}" for number in range(24))}


def test_a_message_and_an_end_at_the_same_moment_lose_nothing(records, project) -> None:
    for number in range(12):
        job = new_job(records, project, f"aj_{number}")
        records.begin_next(f"{job.id}_1")
        with ThreadPoolExecutor(2) as pool:
            end = pool.submit(records.end_turn, f"{job.id}_1", DONE)
            message = pool.submit(records.add_turn, job.id, Instruction.of("More"), f"at_{number}")
            end.result()
            message.result()
        assert records.get(job.id).status is JobStatus.ACTIVE
        assert records.begin_next(f"at_{number}") == f"at_{number}"


def test_jobs_of_others_are_not_there(records, job) -> None:
    for wrong in ({"project_id": "prj_other"}, {"organization_id": "org_other"}):
        with pytest.raises(NotFound):
            records.get(job.id, **wrong)
    with pytest.raises(NotFound):
        records.get("aj_\0")


@pytest.mark.parametrize(
    ("prompt", "title"),
    [
        ("Add a page", "Add a page"),
        ("\n\n  Add a page. \nwith details", "Add a page"),
        ("Add a page about etc..", "Add a page about etc.."),
        ("x" * 200, "x" * 119 + "…"),
    ],
)
def test_titles(prompt, title) -> None:
    assert title_of(prompt) == title
