"""Agent jobs, second version (docs/reference/agent-jobs.mdx)."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import delete

from docstead.accounts.key_records import KeyScope
from docstead.accounts.plans import OrganizationPlan
from docstead.agent.turn_ends import EndReason, turn_end
from docstead.app.service import create_service
from docstead.app.services import open_services
from docstead.settings import Settings
from docstead.storage.schema import rate_limits
from refusals import refusal
from tenancy_changes import set_source

DONE = turn_end(EndReason.FINISHED, reply="Done.")
BROKEN = turn_end(EndReason.MODEL_FAILED, error="no answer")
MOMENT = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
# Endpoints of a job, with a body for those that take one.
CALLS = [
    ("POST", "", {"prompt": "Add"}),
    ("GET", "/{id}", None),
    ("POST", "/{id}/message", {"prompt": "More"}),
    ("GET", "/{id}/events", None),
    ("POST", "/{id}/cancel", None),
]


def test_a_new_job_is_answered_with_the_whole_object(agent_service, acme) -> None:
    response = agent_service.create(acme, "Add a page about Webhooks!")
    assert response.status_code == 201
    job = response.json()
    assert re.fullmatch("aj_[0-9a-f]{16}", job["id"])
    assert re.fullmatch(MOMENT, job["createdAt"])
    assert job == {
        "id": job["id"],
        "status": "active",
        "source": {
            "repository": acme.project.source,
            "ref": f"docstead/add-a-page-about-webhooks-{job['id'][3:]}",
        },
        "model": "scripted",
        "prLink": None,
        "createdAt": job["createdAt"],
        "archivedAt": None,
    }
    assert agent_service.get(acme, job["id"]) == job


def test_every_job_has_an_id_of_its_own(agent_service, acme) -> None:
    assert len({agent_service.create(acme).json()["id"] for _ in range(3)}) == 3


def test_credentials_of_the_source_are_not_shown(agent_service, acme) -> None:
    source = "https://bot:secret-token@git.example.com/docs.git"
    set_source(agent_service.services.tenancy, acme.project.id, source)
    job = agent_service.create(acme).json()
    assert job["source"]["repository"] == "https://git.example.com/docs.git"


@pytest.mark.parametrize(("end", "status"), [(DONE, "completed"), (BROKEN, "failed")])
def test_a_message_makes_an_ended_job_active_again(agent_service, acme, end, status) -> None:
    job = agent_service.create(acme).json()
    agent_service.end(job["id"], end)
    assert agent_service.get(acme, job["id"])["status"] == status
    response = agent_service.message(acme, job["id"])
    assert response.status_code == 200
    assert response.json() == {**job, "status": "active"}


def test_a_message_to_an_active_job_waits(agent_service, acme) -> None:
    job = agent_service.create(acme).json()
    assert agent_service.message(acme, job["id"]).json()["status"] == "active"
    turns = agent_service.services.agent.turns(job["id"])
    assert [(t.position, t.instruction.prompt) for t in turns] == [
        (1, "Add a page"),
        (2, "Shorter"),
    ]


def test_an_archived_job_takes_no_message(agent_service, acme) -> None:
    job = agent_service.create(acme).json()
    agent_service.end(job["id"], DONE)
    agent_service.services.agent.archive(job["id"])
    assert "archived" in refusal(agent_service.message(acme, job["id"]), 400)
    found = agent_service.get(acme, job["id"])
    assert found["status"] == "archived"
    assert re.fullmatch(MOMENT, found["archivedAt"])


def test_a_repeated_message_is_accepted_after_its_job_was_archived(agent_service, acme) -> None:
    job = agent_service.create(acme, headers={"Idempotency-Key": "job"}).json()
    headers = {"Idempotency-Key": "message"}
    agent_service.message(acme, job["id"], headers=headers)
    for _ in range(2):
        agent_service.end(job["id"], DONE)
    agent_service.services.agent.archive(job["id"])
    again = agent_service.message(acme, job["id"], headers=headers)
    assert (again.status_code, again.json()["status"]) == (200, "archived"), again.text
    refusal(agent_service.message(acme, job["id"]), 400)


def test_the_link_is_null_while_the_job_is_active(agent_service, acme) -> None:
    job = agent_service.create(acme).json()
    agent_service.set_link(job["id"], "https://git.example.com/docs/pull/1")
    assert agent_service.get(acme, job["id"])["prLink"] is None
    agent_service.end(job["id"], DONE)
    assert agent_service.get(acme, job["id"])["prLink"] == "https://git.example.com/docs/pull/1"


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ({}, "prompt"),
        ({"prompt": None}, "prompt"),
        ({"prompt": ""}, "prompt"),
        ({"prompt": 5}, "prompt"),
        ({"prompt": ["Add"]}, "prompt"),
        ({"prompt": "x" * 1_001}, "DOCSTEAD_AGENT_PROMPT_CHARACTERS"),
        ([], "body"),
        (None, "body"),
    ],
)
def test_prompts_that_are_none(agent_service, acme, body, names) -> None:
    job = agent_service.create(acme).json()
    for path in (acme.jobs, f"{acme.jobs}/{job['id']}/message"):
        response = agent_service.call("POST", path, acme.key, json=body)
        assert names in refusal(response, 400)


@pytest.mark.parametrize("prompt", ["x", " ", "\n"])
def test_one_character_is_a_prompt(agent_service, acme, prompt) -> None:
    created = agent_service.call("POST", acme.jobs, acme.key, json={"prompt": prompt})
    assert created.status_code == 201, created.text
    path = f"{acme.jobs}/{created.json()['id']}/message"
    assert agent_service.call("POST", path, acme.key, json={"prompt": prompt}).status_code == 200
    turns = agent_service.services.agent.turns(created.json()["id"])
    assert [turn.instruction.prompt for turn in turns] == [prompt] * 2


def test_a_body_that_is_no_json(agent_service, acme) -> None:
    response = agent_service.call("POST", acme.jobs, acme.key, content=b"{nope")
    assert "JSON" in refusal(response, 400)


def test_fields_that_are_not_known_are_ignored(agent_service, acme) -> None:
    body = {"prompt": "Add", "branch": "mine", "asDraft": True}
    assert agent_service.call("POST", acme.jobs, acme.key, json=body).status_code == 201


@pytest.mark.parametrize(("method", "path", "body"), CALLS)
def test_calls_without_a_key(agent_service, acme, method, path, body) -> None:
    for key in ("", "svc_wrong", "Basic"):
        response = agent_service.call(method, acme.jobs + path.format(id="aj_1"), key, json=body)
        refusal(response, 401)
        assert response.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(("method", "path", "body"), CALLS)
def test_jobs_and_projects_of_others_are_not_there(agent_service, acme, method, path, body) -> None:
    job = agent_service.create(acme).json()
    other = agent_service.tenant("other")
    own_job = agent_service.create(other).json()
    full = path.format(id=job["id"])
    strangers = [acme.jobs + full, "/v2/agent/prj_unknown/job" + full]
    if "{id}" in path:
        strangers += [other.jobs + full, other.jobs + path.format(id="aj_unknown")]
        # A job of one's own does not open somebody else's project.
        strangers.append(acme.jobs + path.format(id=own_job["id"]))
    for url in strangers:
        refusal(agent_service.call(method, url, other.key, json=body), 404)


@pytest.mark.parametrize(("method", "path", "body"), CALLS)
def test_what_a_key_for_reading_may_do(agent_service, method, path, body) -> None:
    tenant = agent_service.tenant("reader", scopes=[KeyScope.READ])
    response = agent_service.call(
        method, tenant.jobs + path.format(id="aj_1"), tenant.key, json=body
    )
    refusal(response, 404 if method == "GET" else 403)


def test_a_key_that_is_bound_to_other_ip_addresses(agent_service) -> None:
    tenant = agent_service.tenant("bound", allowlist=["198.51.100.0/24"])
    refusal(agent_service.create(tenant), 403)


def test_a_plan_without_the_agent(agent_service) -> None:
    tenant = agent_service.tenant("small", OrganizationPlan.COMMUNITY)
    assert "plan" in refusal(agent_service.create(tenant), 403)


def test_a_repeated_request_returns_its_job_without_the_plan(agent_service, acme) -> None:
    headers = {"Idempotency-Key": "job"}
    job = agent_service.create(acme, headers=headers).json()
    organization_id = acme.project.organization_id
    agent_service.services.tenancy.set_plan(organization_id, OrganizationPlan.COMMUNITY)
    again = agent_service.create(acme, headers=headers)
    assert (again.status_code, again.json()) == (201, job), again.text
    refusal(agent_service.create(acme), 403)


def test_without_a_model_the_setting_is_named(agent_service, acme) -> None:
    job = agent_service.create(acme).json()
    folder = agent_service.folder
    settings = Settings(data=folder / "data", base_url="http://service.test")
    with open_services(settings) as services:
        bare = type(agent_service)(services, create_service(services), folder)
        for response in (bare.create(acme), bare.message(acme, job["id"])):
            assert "DOCSTEAD_MODEL_BASE_URL" in refusal(response, 503)
        assert bare.get(acme, job["id"]) == job


def test_each_hour_has_a_hundred_new_jobs_and_a_hundred_messages(agent_service, acme) -> None:
    job = agent_service.create(acme).json()
    spend(agent_service, "agent-job", acme, 98)
    spend(agent_service, "agent-message", acme, 99)
    assert agent_service.create(acme).status_code == 201
    assert agent_service.message(acme, job["id"]).status_code == 200
    for response, name in (
        (agent_service.create(acme), "agent-job"),
        (agent_service.message(acme, job["id"]), "agent-message"),
    ):
        refusal(response, 429)
        assert 0 < int(response.headers["retry-after"]) <= 3_660
        assert response.headers["ratelimit-policy"] == f'"{name}";q=100;w=3600'
        assert response.headers["ratelimit"].startswith(f'"{name}";r=0;t=')
    other = agent_service.tenant("other")
    assert agent_service.create(other).status_code == 201


def spend(agent_service: Any, name: str, tenant: Any, count: int) -> None:
    from docstead.limits import policies

    charge = {"agent-job": policies.agent_job, "agent-message": policies.agent_message}[name]
    for _ in range(count):
        agent_service.services.rate_limits.spend(charge(tenant.project.id))


def test_what_is_refused_does_not_count(agent_service, acme) -> None:
    job = agent_service.create(acme).json()
    spend(agent_service, "agent-job", acme, 98)
    refusal(agent_service.create(acme, ""), 400)
    assert agent_service.create(acme, headers={"Idempotency-Key": "k"}).status_code == 201
    assert agent_service.create(acme, headers={"Idempotency-Key": "k"}).status_code == 201
    refusal(agent_service.create(acme), 429)
    assert agent_service.get(acme, job["id"])["status"] == "active"


def test_a_repeated_request_starts_nothing(agent_service, acme) -> None:
    key = {"Idempotency-Key": "one"}
    first = agent_service.create(acme, headers=key)
    again = agent_service.create(acme, headers=key)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    job_id = first.json()["id"]
    for _ in range(3):
        answer = agent_service.message(acme, job_id, headers={"Idempotency-Key": "two"})
        assert answer.status_code == 200
    assert len(agent_service.services.agent.turns(job_id)) == 2
    different = agent_service.create(acme, "Something else", headers=key)
    assert "Idempotency-Key" in refusal(different, 400)


def test_a_request_over_the_limit_does_not_use_up_its_key(agent_service, acme) -> None:
    job_id = agent_service.create(acme).json()["id"]
    spend(agent_service, "agent-job", acme, 99)
    spend(agent_service, "agent-message", acme, 100)
    headers = {"Idempotency-Key": "one"}
    refusal(agent_service.create(acme, headers=headers), 429)
    refusal(agent_service.message(acme, job_id, headers={"Idempotency-Key": "two"}), 429)
    with agent_service.services.database.transaction() as connection:
        connection.execute(delete(rate_limits))  # as after an hour
    assert agent_service.create(acme, "Something else", headers=headers).status_code == 201
    answer = agent_service.message(
        acme, job_id, "Something else", headers={"Idempotency-Key": "two"}
    )
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("option", ["questions", "planApproval"])
def test_a_request_with_another_option_is_not_the_same(agent_service, acme, option) -> None:
    def create(is_on: bool | None) -> Any:
        body = {"prompt": "Add a page", option: is_on}
        key = {"Idempotency-Key": "one"}
        return agent_service.call("POST", acme.jobs, acme.key, json=body, headers=key)

    job = create(None).json()
    assert create(False).json() == job
    assert "Idempotency-Key" in refusal(create(True), 400)


def test_a_key_counts_within_its_project(agent_service, acme) -> None:
    project = agent_service.services.tenancy.create_project(
        acme.project.organization_id, "Handbook", acme.project.source
    )
    key = {"Idempotency-Key": "one"}
    first = agent_service.create(acme, headers=key).json()
    other = agent_service.create(replace(acme, project=project), "Something else", headers=key)
    assert other.status_code == 201
    assert other.json()["id"] != first["id"]


def test_requests_at_the_same_moment_under_one_key_are_one_job(agent_service, acme) -> None:
    def create(_: int) -> str:
        return str(agent_service.create(acme, headers={"Idempotency-Key": "one"}).json()["id"])

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(create, range(8)))) == 1


def test_messages_at_the_same_moment_under_one_key_are_one_use(agent_service, acme) -> None:
    job_id = agent_service.create(acme).json()["id"]
    spend(agent_service, "agent-message", acme, 98)

    def send(_: int) -> int:
        return agent_service.message(acme, job_id, headers={"Idempotency-Key": "two"}).status_code

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(send, range(8))) == {200}
    assert len(agent_service.services.agent.turns(job_id)) == 2
    assert agent_service.message(acme, job_id).status_code == 200
    refusal(agent_service.message(acme, job_id), 429)


def test_cancelling(agent_service, acme) -> None:
    job = agent_service.create(acme).json()
    path = f"{acme.jobs}/{job['id']}/cancel"
    assert agent_service.call("POST", path, acme.key).json() == job
    assert agent_service.services.agent.turns(job["id"])[0].cancelled_at is not None
    agent_service.end(job["id"], turn_end(EndReason.CANCELLED))
    assert agent_service.get(acme, job["id"])["status"] == "failed"
    assert "not active" in refusal(agent_service.call("POST", path, acme.key), 409)


@pytest.mark.parametrize("job_id", ["aj_%00", "%F0%9F%98%80", "..", "aj_' OR 1=1"])
def test_odd_ids(agent_service, acme, job_id) -> None:
    refusal(agent_service.call("GET", f"{acme.jobs}/{job_id}", acme.key), 404)


def test_jobs_of_a_project_are_listed_newest_first(agent_service, acme) -> None:
    jobs = [agent_service.create(acme, f"Add page {n}").json() for n in range(3)]
    path = f"/v2/agent/{acme.project.id}/job"
    listed = agent_service.call("GET", path, acme.key).json()
    assert listed["jobs"][:3] == jobs[::-1]
    first = agent_service.call("GET", f"{path}?take=2", acme.key).json()
    assert (first["jobs"], first["hasMore"]) == (jobs[:0:-1], True)
    rest = agent_service.call("GET", f"{path}?skip=2&status=active", acme.key).json()
    assert rest["jobs"][0] == jobs[0]
    none = agent_service.call("GET", f"{path}?status=archived", acme.key).json()
    assert none == {"jobs": [], "hasMore": False}
    for query in ("status=broken", "take=0", "take=101", "skip=-1"):
        refusal(agent_service.call("GET", f"{path}?{query}", acme.key), 400)


def test_questions_and_plans_are_only_for_jobs_that_ask_for_them(agent_service, acme) -> None:
    agent = agent_service.services.agent
    silent = agent_service.create(acme).json()
    body = {"prompt": "Add a page", "questions": True, "planApproval": True}
    asking = agent_service.call("POST", acme.jobs, acme.key, json=body).json()
    found = [
        agent.find(each["id"], organization_id=acme.project.organization_id)
        for each in (silent, asking)
    ]
    assert [(job.may_ask, job.needs_plan) for job in found] == [(False, False), (True, True)]
    assert asking.keys() == silent.keys()
    wrong = agent_service.call("POST", acme.jobs, acme.key, json={**body, "questions": "yes"})
    assert "questions" in refusal(wrong, 400)


def test_an_answer_that_is_sent_again_is_one_answer(agent_service, acme) -> None:
    body = {"prompt": "Add a page", "questions": True}
    job = agent_service.call("POST", acme.jobs, acme.key, json=body).json()
    agent_service.ask(job["id"], "For all plans?")
    headers = {"Idempotency-Key": "an-answer"}
    for _ in range(2):
        answer = agent_service.message(acme, job["id"], "Yes", headers=headers)
        assert answer.status_code == 200, answer.text
    assert len(agent_service.services.agent.turns(job["id"])) == 1
    kinds = [event.kind for event in agent_service.services.agent.events(job["id"])]
    assert kinds.count("answer") == 1
