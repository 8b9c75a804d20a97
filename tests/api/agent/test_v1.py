"""The deprecated first version, with its misspellings."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from docstead.agent.turn_ends import EndReason, turn_end

DONE = turn_end(EndReason.FINISHED, reply="Done.")
USER = {"role": "user", "content": "Add a page"}


def create(service: Any, tenant: Any, **body: Any) -> Any:
    """Starts a job and ends it, so that the stream ends."""

    def end_soon() -> None:
        while not (jobs := service.services.agent.of_project(tenant.project.id)):
            time.sleep(0.02)
        service.end(jobs[0].id, DONE)

    thread = threading.Thread(target=end_soon)
    thread.start()
    path = f"/v1/agent/{tenant.project.id}/job"
    response = service.call("POST", path, tenant.key, json={"messages": [USER], **body})
    thread.join()
    return response


def test_creating_answers_with_the_events(agent_service, acme) -> None:
    response = create(agent_service, acme)
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["deprecation"] == "true"
    job = agent_service.get(acme, response.headers["x-session-id"])
    assert response.headers["x-branch-name"] == job["source"]["ref"]
    assert "event: turn.ended" in response.text


def test_the_session(agent_service, acme) -> None:
    job_id = create(agent_service, acme).headers["x-session-id"]
    path = f"/v1/agent/{acme.project.id}/job/{job_id}"
    response = agent_service.call("GET", path, acme.key)
    assert response.headers["deprecation"] == "true"
    job = agent_service.get(acme, job_id)
    found = response.json()
    assert found == {
        "sessionId": job_id,
        "subdomain": "",
        "branch": job["source"]["ref"],
        "haulted": True,
        "haultReason": "completed",
        "pullRequestLink": None,
        "messageToUser": "Done.",
        "todos": [],
        "userId": found["userId"],
        "title": "Add a page",
        "createdAt": job["createdAt"],
    }


def test_null_is_the_default(agent_service, acme) -> None:
    response = create(agent_service, acme, branch=None, asDraft=None, model=None)
    assert response.status_code == 200, response.text


@pytest.mark.parametrize(
    ("branch", "header"),
    [("docs/a+b%20", "docs/a+b%20"), ("docs/日本", "docs/%E6%97%A5%E6%9C%AC")],
)
def test_the_header_names_any_branch(agent_service, acme, branch, header) -> None:
    response = create(agent_service, acme, branch=branch)
    assert (response.status_code, response.headers["x-branch-name"]) == (200, header)
    job = agent_service.get(acme, response.headers["x-session-id"])
    assert job["source"]["ref"] == branch


@pytest.mark.parametrize(
    ("reason", "word"),
    [
        (EndReason.NO_CHANGES, "completed"),
        (EndReason.STEP_LIMIT, "error"),
        (EndReason.PUSH_FAILED, "github_missconfigured"),
        (EndReason.SOURCE_FAILED, "github_missconfigured"),
        (EndReason.CANCELLED, "interrupted"),
        (EndReason.REFUSED, "error"),
    ],
)
def test_why_it_stopped(agent_service, acme, reason, word) -> None:
    job_id = agent_service.create(acme).json()["id"]
    path = f"/v1/agent/{acme.project.id}/job/{job_id}"
    before = agent_service.call("GET", path, acme.key).json()
    assert (before["haulted"], before["haultReason"]) == (False, "processing")
    agent_service.end(job_id, turn_end(reason))
    after = agent_service.call("GET", path, acme.key).json()
    assert (after["haulted"], after["haultReason"]) == (True, word)


def test_a_branch_and_a_draft_can_be_asked_for(agent_service, acme) -> None:
    response = create(agent_service, acme, branch="docs/mine", asDraft=True, model="opus")
    assert response.headers["x-branch-name"] == "docs/mine"
    job = agent_service.services.agent.of_project(acme.project.id)[0]
    assert (job.branch, job.draft) == ("docs/mine", True)


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ({}, "messages"),
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "assistant", "content": "x"}]}, "messages"),
        ({"messages": [{"role": "robot", "content": "x"}]}, "messages.0.role"),
        ({"messages": [{"role": "user", "content": ""}]}, "messages: must not be empty"),
        ({"messages": [USER] * 101}, "messages: must have at most 100 items"),
        ({"messages": [USER], "branch": "a..b"}, "branch"),
        ({"messages": [USER], "branch": "-x"}, "branch"),
        ({"messages": [USER], "model": "tiny"}, "model"),
    ],
)
def test_bodies_that_are_not_valid(agent_service, acme, body, names) -> None:
    path = f"/v1/agent/{acme.project.id}/job"
    response = agent_service.call("POST", path, acme.key, json=body)
    assert response.status_code == 400, response.text
    assert names in response.json()["error"]


def test_the_list_is_newest_first_and_in_parts(agent_service, acme) -> None:
    ids = [agent_service.create(acme).json()["id"] for _ in range(14)][::-1]

    def listed(query: str) -> list[str]:
        path = f"/v1/agent/{acme.project.id}/jobs{query}"
        body = agent_service.call("GET", path, acme.key).json()
        assert list(body) == ["allSessions"]
        return [each["sessionId"] for each in body["allSessions"]]

    assert listed("") == ids[:12]
    assert listed("?skip=12") == ids[12:]
    assert listed("?skip=1&take=2") == ids[1:3]
    assert listed("?skip=100") == []


@pytest.mark.parametrize("query", ["skip=-1", "take=0", "take=101", "take=x"])
def test_parts_that_are_none(agent_service, acme, query) -> None:
    path = f"/v1/agent/{acme.project.id}/jobs?{query}"
    response = agent_service.call("GET", path, acme.key)
    assert response.status_code == 400
    assert query.split("=")[0] in response.json()["error"]


def test_jobs_of_others_are_not_there(agent_service, acme) -> None:
    other = agent_service.tenant("other")
    job_id = agent_service.create(acme).json()["id"]
    for path in (f"job/{job_id}", "jobs"):
        url = f"/v1/agent/{acme.project.id}/{path}"
        assert agent_service.call("GET", url, other.key).status_code == 404
