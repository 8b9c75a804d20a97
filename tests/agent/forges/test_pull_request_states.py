"""States of pull requests: from the forge when somebody looks, and from its webhooks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from docstead.agent.event_log import EventLog
from docstead.agent.forges import ChangeState
from docstead.agent.forges.access import ForgeAccess
from docstead.agent.forges.errors import ForgeUnreachable
from docstead.agent.forges.hook_changes import github_change, gitlab_change
from docstead.agent.pull_request_states import PullRequestStates
from docstead.agent.records import AgentRecords
from docstead.agent.values import AgentJob, StepRecord
from stored_jobs import new_job

BRANCH = "docstead/x"
TEXT = {"base": "main", "title": "Describe webhooks", "body": "What changed."}
MERGE: dict[str, Any] = {
    "object_kind": "merge_request",
    "user": {"id": 7, "username": "ada"},
    "reviewers": [{"id": 8, "username": "bob"}],
    "object_attributes": {
        "iid": 1, "state": "opened", "draft": False, "source_branch": BRANCH, "action": "open",
        "url": "https://gitlab.com/acme/handbook/-/merge_requests/1",
    },
}  # fmt: skip


@dataclass
class Shown:
    """A job whose pull request is on a forge, as the dashboard shows it."""

    harness: Any
    server: Any
    states: PullRequestStates
    records: AgentRecords
    job_id: str

    @property
    def job(self) -> AgentJob:
        return self.records.get(self.job_id)

    def look(self) -> AgentJob:
        """Look at the job, and again when the forge has answered."""
        self.states.refresh(self.job.project_id, [self.job])
        self.states.wait(30)
        return self.job

    def after(self, minutes: int) -> None:
        self.harness.clock.move_to(self.now + timedelta(minutes=minutes))

    @property
    def now(self) -> datetime:
        return self.harness.clock.now()


@pytest.fixture(params=["github", "gitlab"])
def shown(request: pytest.FixtureRequest, harness: Any) -> Shown:
    kind = request.param
    front = request.getfixturevalue(f"{kind}_front")
    server = request.getfixturevalue(f"{kind}_server")
    api_url = front.url if kind == "github" else f"{front.url}/api/v4"
    forges = harness.forges(ForgeAccess("bot", "the-token", api_url=api_url))
    project = harness.project(f"https://{kind}.com/acme/handbook.git", credential="bot")
    opened = forges.of(project).open(BRANCH, **TEXT)
    records = AgentRecords(harness.database, harness.clock)
    job = new_job(records, project)
    step = StepRecord("pull request", job={"pr_link": opened.url})
    EventLog(harness.database, harness.clock).write(records.turns(job.id)[0], step)
    states = PullRequestStates(records.pull_requests, harness.tenancy, forges, harness.clock)
    server.calls.clear()
    return Shown(harness, server, states, records, job.id)


def test_a_state_is_asked_for_once_in_some_minutes(shown: Shown) -> None:
    assert (shown.job.pr_state, shown.look().pr_state.state) == (None, ChangeState.OPEN)
    assert shown.look().pr_seen_at == shown.now
    assert len(shown.server.calls) == 1
    shown.server.end(1, merged=False)
    shown.after(minutes=6)
    assert shown.look().pr_state.state is ChangeState.CLOSED
    assert len(shown.server.calls) == 2


def test_an_unchanged_state_is_confirmed_by_its_etag(shown: Shown) -> None:
    before = shown.look().pr_state
    shown.after(minutes=6)
    assert (shown.look().pr_state, shown.job.pr_seen_at) == (before, shown.now)
    assert shown.server.calls[1].headers["if-none-match"] == before.etag != ""


def test_a_merged_one_is_not_asked_for_again(shown: Shown) -> None:
    shown.server.end(1, merged=True)
    merged = shown.look().pr_state
    assert (merged.state, len(merged.reviewers)) == (ChangeState.MERGED, 1)
    shown.after(minutes=600)
    assert shown.look().pr_state == merged
    assert len(shown.server.calls) == 1


@pytest.mark.parametrize("failure", [(404, {"message": "Not Found"}, {}), (401, {}, {})])
def test_the_last_known_state_stays_with_its_time(shown: Shown, failure: Any) -> None:
    seen_at = shown.look().pr_seen_at
    shown.after(minutes=6)
    shown.server.failures = [failure]
    job = shown.look()
    assert (job.pr_state.state, job.pr_seen_at) == (ChangeState.OPEN, seen_at)
    assert job.is_pr_unconfirmed
    assert shown.look() == job
    assert len(shown.server.calls) == 2
    shown.after(minutes=6)
    assert not shown.look().is_pr_unconfirmed


def test_a_forge_that_is_away_is_asked_about_one_of_many(shown: Shown) -> None:
    other = new_job(shown.records, shown.harness.tenancy.project(shown.job.project_id), "aj_2")
    link = shown.job.pr_link.replace("/1", "/2")
    step = StepRecord("pull request", job={"pr_link": link})
    EventLog(shown.harness.database, shown.harness.clock).write(
        shown.records.turns(other.id)[0], step
    )
    shown.server.failures = [(401, {}, {})] * 2
    both = [shown.job, shown.records.get(other.id)]
    assert shown.states.refresh(shown.job.project_id, both)
    shown.states.wait(30)
    assert len(shown.server.calls) == 1
    asked_at = [shown.records.get(job.id).pr_asked_at for job in both]
    assert asked_at == [shown.now] * 2


def test_a_look_at_another_node_asks_nothing(shown: Shown) -> None:
    urls, before = [shown.job.pr_link], shown.now - timedelta(minutes=5)
    claims = shown.records.pull_requests
    assert claims.claim(shown.job.project_id, urls, before) == set(urls)
    assert claims.claim(shown.job.project_id, urls, before) == set()
    assert claims.claim("prj_another", urls, before) == set()


def test_one_of_another_repository_is_not_that_of_the_job(shown: Shown) -> None:
    for name in ("head", "source_branch"):
        if name in shown.server.changes[0]:
            shown.server.changes[0][name] = {"ref": "b"} if name == "head" else "b"
    assert shown.look().pr_state is None


def test_nothing_is_asked_once_the_service_stops(shown: Shown) -> None:
    shown.states.close()
    assert not shown.states.refresh(shown.job.project_id, [shown.job])
    assert shown.server.calls == []


def test_a_webhook_brings_the_state_and_the_reviewers(shown: Shown) -> None:
    changed = replace(_sent(shown), reviewers=("bob",))
    assert shown.states.receive(shown.job.project_id, changed)
    state = shown.job.pr_state
    assert (state.state, state.reviewers) == (ChangeState.OPEN, ("bob",))
    assert shown.look().pr_state == state
    assert shown.server.calls == []
    assert not shown.states.receive(shown.job.project_id, replace(changed, url="https://x/1"))
    assert not shown.states.receive("prj_another", changed)


def test_a_late_webhook_does_not_reopen_a_merged_one(shown: Shown) -> None:
    opened = _sent(shown)
    merged = replace(opened, state=ChangeState.MERGED)
    for change in (merged, opened):
        assert shown.states.receive(shown.job.project_id, change)
    assert shown.job.pr_state.state is ChangeState.MERGED


def test_only_events_about_merge_requests_have_a_change() -> None:
    assert gitlab_change({"object_kind": "note"}) is None
    assert github_change("issue_comment", {"pull_request": {}}) is None
    opened = gitlab_change(MERGE)
    assert opened is not None
    assert (opened.state, opened.reviewers) == (ChangeState.OPEN, ("bob",))
    attributes = {**MERGE["object_attributes"], "state": "merged", "action": "merge"}
    merged = gitlab_change({**MERGE, "object_attributes": attributes})
    assert merged is not None
    assert (merged.state, merged.reviewers) == (ChangeState.MERGED, ("ada",))
    for payload in ({}, {"object_kind": "merge_request"}, []):
        with pytest.raises(ForgeUnreachable):
            gitlab_change(payload)
    with pytest.raises(ForgeUnreachable):
        github_change("pull_request", {"pull_request": {"state": "open"}})


def _sent(shown: Shown) -> Any:
    """The change that the forge sends about the pull request of the job."""
    change = shown.server.changes[0]
    if "head" in change:
        return github_change("pull_request", {"action": "opened", "pull_request": change})
    return gitlab_change(MERGE)
