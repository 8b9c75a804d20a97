"""One job, turn or webhook changes; those of others, and its neighbours, stay as they are."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from docstead.agent.event_log import EventLog
from docstead.agent.forges import ChangeState
from docstead.agent.forges.forge import ChangeReport, ForgeChange
from docstead.agent.forges.project_settings import ProjectSettings, ProjectSettingsStore
from docstead.agent.records import AgentRecords
from docstead.agent.states import JobStatus
from docstead.agent.stored_files import FIRST_PICTURE
from docstead.agent.turn_ends import EndReason, turn_end
from docstead.agent.values import AgentJob, Instruction, StepRecord
from docstead.base.errors import Conflict, NotFound
from docstead.models.chat import InputFile
from docstead.storage.database import Database
from docstead.storage.schema import (
    agent_events,
    agent_jobs,
    agent_messages,
    agent_turns,
    projects,
    webhook_deliveries,
    webhooks,
)
from docstead.storage.vault import CredentialVault
from docstead.webhooks.records import DeliveryAttempt, DeliveryStatus, WebhookRecords
from neighbours import neighbours
from stored_jobs import event_of, new_job, new_project

DONE = turn_end(EndReason.FINISHED)


@pytest.fixture
def database(sqlite_backend) -> Database:
    return sqlite_backend.database


@pytest.fixture
def records(database: Database, clock) -> AgentRecords:
    return AgentRecords(database, clock)


@pytest.fixture
def event_log(database: Database, clock) -> EventLog:
    return EventLog(database, clock)


@pytest.fixture
def project(database: Database, clock) -> Any:
    return new_project(database, clock)


@pytest.fixture
def job(records: AgentRecords, project: Any) -> AgentJob:
    return new_job(records, project)


@pytest.fixture
def second(records: AgentRecords, project: Any) -> AgentJob:
    return new_job(records, project, "aj_2")


# --- jobs and turns -------------------------------------------------------------


def test_each_job_is_itself(records, job, database) -> None:
    with neighbours(database, [agent_jobs]) as copies:
        for each in (copies.siblings[job.id], job.id):
            assert records.get(each).id == each
            assert records.get(each, project_id=job.project_id).id == each
            assert records.get(each, organization_id=job.organization_id).id == each


def test_jobs_of_one_project_are_listed(records, job, database) -> None:
    with neighbours(database, [projects]):
        assert records.of_project(job.project_id) == [job]
        assert records.on_branch(job.project_id, job.branch) == job
        assert records.on_branch(job.project_id, "docstead/y") is None


def test_the_difference_of_one_job_is_read(records, event_log, job, database, clock) -> None:
    with neighbours(database, [agent_jobs]):
        assert records.diff(job.id) == ()


def test_the_state_of_one_pull_request_is_stored(records, job, second, database, clock) -> None:
    merged, other = (f"https://forge.example/pull/{number}" for number in (1, 2))
    for turn_id, link in (("aj_1_1", merged), ("aj_2_1", other)):
        step = StepRecord("open", job={"pr_link": link})
        EventLog(database, clock).write(records.turn(turn_id), step)
    change = ForgeChange(merged, 1, ChangeState.MERGED, draft=False, branch="docstead/x")
    states = records.pull_requests
    with neighbours(database):
        assert states.record(job.project_id, merged, ChangeReport(change))
        assert states.claim(job.project_id, [merged], clock.now()) == {merged}
        for project_id, url in (("prj_none", merged), (job.project_id, f"{merged}0")):
            assert not states.record(project_id, url, ChangeReport(change))
        clock.move_to(clock.now() + timedelta(minutes=1))
        states.confirm(job.project_id, merged)
    assert records.get(job.id).pr_state.state is ChangeState.MERGED
    assert records.get(job.id).pr_seen_at == clock.now()
    kept = records.get(second.id)
    assert (kept.pr_state, kept.pr_seen_at) == (None, None)
    assert states.claim(job.project_id, [other], clock.now()) == {other}


def test_one_of_two_turns_begins_and_ends(records, job, database) -> None:
    with neighbours(database, [agent_jobs, agent_turns]):
        assert records.begin_next("aj_1_1") == "aj_1_1"
        assert records.end_turn("aj_1_1", DONE)
    assert records.get(job.id).status is JobStatus.ACTIVE


def test_one_job_ends(records, job, database) -> None:
    records.begin_next("aj_1_1")
    with neighbours(database, [agent_jobs]):
        assert records.end_turn("aj_1_1", DONE)
    assert records.get(job.id).status is JobStatus.COMPLETED
    with neighbours(database, [agent_jobs]):
        records.archive(job.id)
    assert records.get(job.id).status is JobStatus.ARCHIVED


def test_one_turn_is_lost(records, job, database) -> None:
    records.begin_next("aj_1_1")
    with neighbours(database):
        assert records.lose("aj_1_1", turn_end(EndReason.ERROR, error="gone")) == "aj_1_1"


def test_another_message_belongs_to_its_job(records, job, database) -> None:
    records.begin_next("aj_1_1")
    records.end_turn("aj_1_1", DONE)
    with neighbours(database, [agent_jobs]) as copies:
        records.add_turn(job.id, Instruction.of("More"), "at_2")
    assert [each.position for each in records.turns(job.id)] == [1, 2]
    assert records.get(copies.siblings[job.id]).status is JobStatus.COMPLETED
    with neighbours(database, [agent_turns]) as copies:
        assert records.turn("at_2").id == "at_2"
        assert records.turn(copies.siblings["at_2"]).id == copies.siblings["at_2"]


def test_turns_of_one_job_are_cancelled(records, job, database) -> None:
    with neighbours(database, [agent_jobs]) as copies:
        records.cancel(job.id)
    assert records.is_cancelled("aj_1_1")
    assert not records.is_cancelled(copies.foreign["aj_1_1"])
    records.begin_next("aj_1_1")
    records.end_turn("aj_1_1", turn_end(EndReason.CANCELLED))
    with neighbours(database), pytest.raises(Conflict):
        records.cancel(job.id)


def test_the_end_of_a_job_waits_for_its_own_turns(records, job, database) -> None:
    with neighbours(database):
        records.begin_next("aj_1_1")
        records.end_turn("aj_1_1", DONE)
        assert records.begin_next("aj_1_1") is None
    assert records.get(job.id).status is JobStatus.COMPLETED
    assert "aj_1_1" not in {each.id for each in records.unfinished_turns()}


def test_a_job_is_locked_by_its_own_state(records, job, database) -> None:
    with neighbours(database) as copies:
        pass
    other = copies.foreign[job.id]
    records.begin_next("aj_1_1")
    records.end_turn("aj_1_1", DONE)
    assert records.add_turn(other, Instruction.of("More"), "at_other").position == 2
    assert records.add_turn(other, Instruction.of("More"), "at_third").position == 3
    assert records.add_turn(job.id, Instruction.of("More"), "at_2").position == 2
    assert records.get(job.id).status is JobStatus.ACTIVE


def test_states_change_by_their_tables(records, job) -> None:
    with pytest.raises(Conflict):
        records.end_turn("aj_1_1", DONE)  # it has not begun
    with pytest.raises(Conflict):
        records.archive(job.id)
    assert records.get(job.id).status is JobStatus.ACTIVE


# --- what steps leave behind ----------------------------------------------------


def _step(event_log: EventLog, records: AgentRecords, key: str = "model 1") -> bool:
    entry = StepRecord(
        key,
        messages=[{"role": "assistant", "content": key}],
        events=[("model", {"text": key})],
        totals={"steps": 1},
    )
    return event_log.write(records.turn("aj_1_1"), entry)


def test_a_step_is_written_for_one_turn(records, event_log, job, database) -> None:
    with neighbours(database, [agent_jobs, agent_turns]):
        assert _step(event_log, records)
    with neighbours(database, [agent_jobs, agent_turns, agent_messages, agent_events]):
        assert not _step(event_log, records)
        assert _step(event_log, records, "model 2")
    assert records.turn("aj_1_1").steps == 2


@pytest.mark.parametrize(
    "entry",
    [StepRecord("only", messages=[{"role": "user"}]), StepRecord("only", events=[("note", {})])],
)
def test_a_step_that_writes_one_thing_is_written_once(records, event_log, job, entry) -> None:
    assert event_log.write(records.turn("aj_1_1"), entry)
    assert not event_log.write(records.turn("aj_1_1"), entry)


def test_turns_have_keys_and_positions_of_their_own(records, event_log, job, database) -> None:
    with neighbours(database) as copies:
        pass
    other = records.turn(copies.foreign["aj_1_1"])
    for number in range(3):
        key = f"model {number}"
        assert event_log.write(other, StepRecord(key, messages=[{}], events=[("model", {})]))
        assert event_log.earlier("aj_1_1", key).message is None
    assert _step(event_log, records)
    assert event_log.messages(job.id, after=1) == []
    assert len(event_log.messages(job.id)) == 1


@pytest.mark.parametrize("kind", ["messages", "events"])
def test_what_another_turn_wrote_is_not_written_yet(
    records, event_log, job, database, kind
) -> None:
    written = {"messages": [{}], "events": [("note", {})]}
    entry = StepRecord("only", **{kind: written[kind]})
    with neighbours(database) as copies:
        pass
    assert event_log.write(records.turn(copies.foreign["aj_1_1"]), entry)
    assert event_log.write(records.turn("aj_1_1"), entry)
    assert not event_log.write(records.turn("aj_1_1"), entry)


def test_pictures_belong_to_one_turn_and_are_no_files(records, event_log, job, database) -> None:
    with neighbours(database) as copies:
        pass
    other = copies.foreign["aj_1_1"]
    pictures = {
        (turn, position): InputFile(f"{position}.jpeg", "image/jpeg", f"{turn} {position}".encode())
        for turn in ("aj_1_1", other)
        for position in (FIRST_PICTURE, FIRST_PICTURE + 1)
    }
    for (turn, position), picture in pictures.items():
        entry = StepRecord(f"picture {position}", messages=[{}], picture=(position, picture))
        assert event_log.write(records.turn(turn), entry)
    for (turn, position), picture in pictures.items():
        assert event_log.picture(turn, position) == picture
    assert records.files("aj_1_1") == ()
    assert records.file_names(job.id) == {}


def test_reviewers_were_asked_for_one_job(records, event_log, job, database) -> None:
    with neighbours(database) as copies:
        pass
    asked = StepRecord("asked", events=[("reviewers", {"url": "theirs", "names": []})])
    assert event_log.write(records.turn(copies.foreign["aj_1_1"]), asked)
    assert event_log.write(
        records.turn("aj_1_1"), StepRecord("offered", events=[("pull_request", {"url": "ours"})])
    )
    assert event_log.reviewed_urls(job.id) == set()
    assert event_log.write(records.turn("aj_1_1"), replace(asked, key="asked too"))
    assert event_log.reviewed_urls(job.id) == {"theirs"}


def test_what_is_read_belongs_to_one_job(records, event_log, job, database) -> None:
    _step(event_log, records)
    _step(event_log, records, "model 2")
    said = [{"role": "assistant", "content": f"model {number}"} for number in (1, 2)]
    with neighbours(database, [agent_jobs]):
        assert event_log.messages(job.id) == said
        assert event_log.messages(job.id, after=1) == said[1:]
        assert event_log.messages_of_turn("aj_1_1") == said
        assert [each.number for each in event_log.events(job.id)] == [1, 2, 3]
        assert [each.number for each in event_log.events(job.id, after=2)] == [3]
        assert [each.number for each in event_log.latest_events(job.id, 2)] == [2, 3]
        assert event_log.earlier("aj_1_1", "model 2").message == said[1]
        assert event_log.earlier("aj_1_1", "model 3").message is None


def test_a_turn_knows_its_own_end_and_its_own_message(records, event_log, job, database) -> None:
    with neighbours(database) as copies:
        _step(event_log, records)
        records.begin_next("aj_1_1")
        records.end_turn("aj_1_1", DONE)
        turn = records.turn("aj_1_1")
        assert event_log.resulting_status(turn) is JobStatus.COMPLETED
        other = records.turn(copies.foreign["aj_1_1"])
        assert event_log.resulting_status(other) is None
        assert event_log.earlier(other.id, "model 1").message is None
        assert _kinds(event_log, other.job_id) == ["message"]


def _kinds(event_log: EventLog, job_id: str) -> list[str]:
    return [each.kind for each in event_log.events(job_id)]


# --- webhooks -------------------------------------------------------------------


@pytest.fixture
def hooks(database: Database, clock) -> WebhookRecords:
    return WebhookRecords(database, clock)


@pytest.fixture
def hook(hooks: WebhookRecords, project) -> Any:
    return hooks.create(project.id, "https://hooks.example/1")


def test_one_webhook_is_removed(hooks, hook, project, database) -> None:
    with neighbours(database, [webhooks, projects]) as copies:
        with pytest.raises(NotFound):
            hooks.remove(copies.siblings[project.id], hook.id)
        hooks.remove(project.id, hook.id)
        with pytest.raises(NotFound):
            hooks.remove(project.id, hook.id)
    assert [each.id for each in hooks.of_project(project.id)] == [copies.siblings[hook.id]]


def test_each_webhook_is_itself(hooks, hook, database) -> None:
    with neighbours(database, [webhooks]) as copies:
        for each in (copies.siblings[hook.id], hook.id):
            assert hooks.webhook(each).id == each


def test_one_delivery_is_attempted_and_ends(hooks, hook, project, database, clock) -> None:
    (mine,) = hooks.record_event(event_of(project.id, clock))
    with neighbours(database, [webhook_deliveries]) as copies:
        hooks.attempted(mine, 1, DeliveryAttempt("2026-11-21T12:00:00Z", 500, None))
    with neighbours(database, [webhook_deliveries]):
        hooks.advance(mine, DeliveryStatus.DELIVERED)
        for each in (copies.siblings[mine], mine):
            assert hooks.delivery(each).id == each
    assert mine not in {each.id for each in hooks.pending()}
    with pytest.raises(Conflict):
        hooks.advance(mine, DeliveryStatus.FAILED)
    assert hooks.delivery(mine).status is DeliveryStatus.DELIVERED


def test_a_log_is_of_one_project(hooks, hook, project, database, clock) -> None:
    (mine,) = hooks.record_event(event_of(project.id, clock))
    with neighbours(database):
        assert [each.id for each in hooks.log(project.id)] == [mine]
        assert hooks.of_project(project.id) == [hook]


def test_each_secret_is_encrypted_by_itself(hooks, hook, project, database, clock) -> None:
    second = hooks.create(project.id, "https://hooks.example/2")
    sealing = WebhookRecords(database, clock, CredentialVault(b"k" * 32))
    sealing.seal_secrets()
    sealing.seal_secrets()
    for each in (second, hook):
        assert sealing.webhook(each.id).secret == each.secret != hooks.webhook(each.id).secret


def test_webhooks_that_were_removed_keep_their_end(hooks, hook, project, clock) -> None:
    second = hooks.create(project.id, "https://hooks.example/2")
    hooks.remove(project.id, hook.id)
    end = clock.now()
    clock.move_to(end + timedelta(hours=1))
    hooks.remove_all()
    assert hooks.webhook(hook.id).removed_at == end
    assert hooks.webhook(second.id).removed_at == clock.now()


def test_one_project_has_settings(project, database) -> None:
    store = ProjectSettingsStore(database)
    store.save(project.id, ProjectSettings(credential="mine"))
    with neighbours(database) as copies:
        store.save(project.id, ProjectSettings(credential="another"))
    assert store.of(project.id).credential == "another"
    assert store.of(copies.foreign[project.id]).credential == "mine"
