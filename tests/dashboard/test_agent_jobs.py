"""Agent jobs in the dashboard. Turns are queued and never run here."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from docstead.accounts.plans import OrganizationPlan
from docstead.agent.event_log import EventLog
from docstead.agent.records import AgentRecords
from docstead.agent.states import JobStatus
from docstead.agent.turn_ends import EndReason, turn_end
from docstead.agent.values import AgentJob, StepRecord, Turn

HERE = "/dashboard/agent/acme"
PICTURE = bytes.fromhex(  # one white pixel as PNG
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a494441"
    "54789c63f80f0001010100b138f6140000000049454e44ae426082"
)


@pytest.fixture
def records(harness) -> AgentRecords:
    return AgentRecords(harness.database, harness.clock)


@pytest.fixture
def started(harness, owner, acme) -> AgentJob:
    owner.get(HERE)
    owner.post(HERE, prompt="Add a page about <webhooks>")
    return harness.agent.of_project(acme.project_id)[0]


def page_of(job: AgentJob) -> str:
    return f"{HERE}/jobs/{job.id}"


def end(records: AgentRecords, job: AgentJob, reason: EndReason, **values: str) -> Turn:
    turn = records.turns(job.id)[-1]
    records.begin_next(turn.id)
    records.end_turn(turn.id, turn_end(reason, **values))
    return turn


def test_a_job_is_started_by_the_form(harness, owner, acme) -> None:
    empty = owner.get(HERE).text
    assert "No jobs yet" in empty
    assert 'role="search"' not in empty
    answer = owner.post(HERE, prompt="Add a page about <webhooks>", draft="yes")
    job = harness.agent.of_project(acme.project_id)[0]
    assert (answer.status_code, answer.headers["location"]) == (303, page_of(job))
    assert (job.status, job.draft) == (JobStatus.ACTIVE, True)
    listed = owner.get(HERE).text
    assert "Add a page about &lt;webhooks&gt;" in listed
    assert 'data-running="true"' in listed


def test_an_empty_instruction_is_said_to_be_one(harness, owner, acme) -> None:
    owner.get(HERE)
    answer = owner.post(HERE, prompt="  ")
    assert answer.status_code == 400
    assert "Instruction: must not be empty" in answer.text
    assert harness.agent.of_project(acme.project_id) == []


def test_what_is_missing_is_said_before_there_is_a_form(harness, browser) -> None:
    object.__setattr__(harness, "has_model", False)
    deployment = harness.organization("bare")
    page = browser().sign_in(harness, deployment.organization_id).get("/dashboard/agent/bare").text
    assert "DOCSTEAD_MODEL_BASE_URL" in page
    assert "<textarea" not in page


def test_a_plan_without_the_agent(harness, browser) -> None:
    deployment = harness.organization("small", OrganizationPlan.COMMUNITY)
    visitor = browser().sign_in(harness, deployment.organization_id)
    assert "not part of your plan" in visitor.get("/dashboard/agent/small").text
    assert visitor.post("/dashboard/agent/small", prompt="Add").status_code == 403


def test_the_page_of_a_job_shows_what_happened(harness, owner, records, started) -> None:
    event_log, turn = EventLog(harness.database, harness.clock), records.turns(started.id)[0]
    tool = {
        "step": 1, "id": "a", "name": "write_file", "isError": False,
        "arguments": '{"path": "guides/<new>.mdx"}', "result": "created <b>",
    }  # fmt: skip
    todos = [{"id": "1", "content": "Write <it>", "status": "completed", "priority": "high"}]
    diff = (
        '[{"path": "new.mdx", "status": "added", "old_path": null, "additions": 1, '
        '"deletions": 0, "text": "@@ -0,0 +1 @@\\n+# <New>\\n"}]'
    )
    waits = [
        ("wait", {"seconds": 2.0, "reason": "503"}),
        ("wait", {"step": 1, "seconds": 5.0, "reason": "busy"}),
    ]
    entry = StepRecord(
        "tool 1.0", events=[("tool", tool), *waits], job={"todos": todos, "diff": diff}
    )
    event_log.write(turn, entry)
    link = {"pr_link": "https://git.example.com/pull/7"}
    event_log.write(turn, StepRecord("pull request", job=link))
    end(records, started, EndReason.STEP_LIMIT, reply="Half of *it*, <b>.", error="")
    page = owner.get(page_of(started)).text
    for part in (
        "write_file guides/&lt;new&gt;.mdx",
        "created &lt;b&gt;",
        "Write &lt;it&gt;",
        "&lt;New&gt;",
        "https://git.example.com/pull/7",
        "1 file compared with the base branch",
        "Waiting 2 s for the git server",
        "Waiting 5 s for the model",
        "Stopped at the step limit",
        "Half of <em>it</em>, &lt;b&gt;.",
        "scripted",
    ):
        assert part in page
    assert "<New>" not in page


def test_the_page_follows_an_active_job(owner, records, started) -> None:
    state = owner.get(f"{page_of(started)}/state.json").json()
    assert state["running"] is True
    end(records, started, EndReason.FINISHED, reply="It is there.")
    state = owner.get(f"{page_of(started)}/state.json").json()
    assert state["running"] is False
    assert "It is there." in state["html"]
    assert owner.get(f"{HERE}/state.json").json()["running"] is False


def test_a_follow_up(harness, owner, records, started) -> None:
    end(records, started, EndReason.FINISHED)
    owner.get(page_of(started))
    answer = owner.post(f"{page_of(started)}/message", prompt="Shorter, please")
    assert answer.headers["location"] == page_of(started)
    turns = harness.agent.turns(started.id)
    assert [turn.instruction.prompt for turn in turns][1:] == ["Shorter, please"]
    assert "Shorter, please" in owner.get(page_of(started)).text


def test_cancelling(harness, owner, started) -> None:
    owner.get(page_of(started))
    owner.post(f"{page_of(started)}/cancel")
    assert harness.agent.turns(started.id)[0].cancelled_at is not None
    assert "Stopping" in owner.get(page_of(started)).text


def test_archiving_is_for_good(harness, owner, records, started) -> None:
    end(records, started, EndReason.FINISHED)
    owner.get(page_of(started))
    asked = owner.post(f"{page_of(started)}/archive")
    assert "Archive this job?" in asked.text
    assert records.get(started.id).status is JobStatus.COMPLETED
    owner.post(f"{page_of(started)}/archive", confirmed="yes")
    page = owner.get(page_of(started)).text
    assert "Archived" in page
    assert "<textarea" not in page
    refused = owner.post(f"{page_of(started)}/message", prompt="More")
    assert refused.status_code == 400
    assert "archived" in refused.text


def test_an_active_job_is_not_archived(owner, started) -> None:
    owner.get(page_of(started))
    assert owner.post(f"{page_of(started)}/archive", confirmed="yes").status_code == 409
    assert "Archived" not in owner.get(page_of(started)).text


@pytest.mark.parametrize("path", ["", "/state.json", "/message", "/cancel", "/archive"])
def test_jobs_of_others_are_not_there(harness, browser, started, path) -> None:
    other = harness.organization("other")
    stranger = browser().sign_in(harness, other.organization_id)
    method = "GET" if path in ("", "/state.json") else "POST"
    for domain in ("acme", "other"):
        url = f"/dashboard/agent/{domain}/jobs/{started.id}{path}"
        data = {"csrf": stranger.csrf, "prompt": "x"}
        options = {"data": data} if method == "POST" else {}
        assert stranger.send(method, url, **options).status_code == 404


@pytest.mark.parametrize("path", ["", "/jobs/aj_1/message", "/webhooks"])
def test_forms_of_other_sites_do_nothing(harness, owner, acme, path) -> None:
    owner.get(HERE)
    assert owner.post(f"{HERE}{path}", csrf="forged", prompt="x", url="x").status_code == 403
    assert harness.agent.of_project(acme.project_id) == []


def test_cancelled_jobs_are_distinguished_from_failed_ones(
    harness, owner, records, started
) -> None:
    end(records, started, EndReason.CANCELLED)
    listed = owner.get(HERE).text
    assert 'class="badge ">Cancelled' in listed
    assert 'class="badge bad">Failed' not in listed
    assert 'class="badge bad">Failed' not in owner.get(page_of(started)).text
    assert "No job matches" in owner.get(f"{HERE}?status=failed").text
    assert started.branch in owner.get(f"{HERE}?status=cancelled").text


def test_jobs_are_filtered_and_paged(harness, owner, acme, records, started) -> None:
    owner.post(HERE, prompt="Rename the 100% guide")
    jobs = harness.agent.of_project(acme.project_id)
    second = next(job for job in jobs if job.id != started.id)
    end(records, second, EndReason.STEP_LIMIT, error="60 steps")
    for query, shown in (
        ("status=active", [started]),
        ("status=failed", [second]),
        ("q=rename", [second]),
        ("q=%00rename", [second]),
        ("q=100%25", [second]),
        ("q=owner", [second, started]),
        ("q=_", []),
        ("status=no&q=", [second, started]),
    ):
        page = owner.get(f"{HERE}?{query}").text
        assert [job.id for job in (second, started) if f'id="job-{job.id}"' in page] == [
            job.id for job in shown
        ], query
        state = owner.get(f"{HERE}/state.json?{query}").json()
        assert [job.id for job in (second, started) if job.id in state["html"]] == [
            job.id for job in shown
        ]
    assert "Stopped at the step limit" in owner.get(HERE).text
    assert 'id="continue"' in owner.get(page_of(second)).text
    assert "Continue where you stopped" in owner.get(f"{page_of(second)}?continue=yes").text
    assert "No job matches" in owner.get(f"{HERE}?page=2").text


def test_the_list_shows_the_pull_request_and_its_reviewer(harness, owner, acme, started) -> None:
    reviews = harness.forges.reviews
    text = {"base": "main", "title": "W", "body": "", "draft": False}
    change = reviews.open(acme.project_id, started.branch, **text)
    event_log, turn = EventLog(harness.database, harness.clock), harness.agent.turns(started.id)[0]
    link = f"{harness.base_url}/changes/{change.id}"
    event_log.write(turn, StepRecord("pull request", job={"pr_link": link}))
    reviews.approvals.add(change.id, "own_1", "ada", "c0ffee")
    listed = owner.get(HERE).text
    assert 'class="badge good">Open' in listed
    assert 'data-label="Reviewer"><span>ada</span>' in listed


def test_the_list_and_the_job_show_the_state_on_the_forge(harness, owner, records, started) -> None:
    state = {"state": "open", "draft": True, "reviewers": ["bob", "writers"], "etag": ""}
    job = {"pr_link": "https://github.com/acme/docs/pull/7", "pr_state": state}
    turn, now = records.turns(started.id)[0], harness.clock.now()
    job |= {"pr_seen_at": now, "pr_asked_at": now}
    log = EventLog(harness.database, harness.clock)
    log.write(turn, StepRecord("pull request", job=job))
    listed = owner.get(HERE).text
    assert 'data-label="Pull request"><span><span class="badge ">Draft</span> <a href=' in listed
    assert 'data-label="Reviewer"><span>bob, writers</span>' in listed
    assert "as of" not in listed
    job = {"pr_state": {**state, "state": "closed"}, "pr_asked_at": now + timedelta(minutes=6)}
    log.write(turn, StepRecord("another", job=job))
    for page in (owner.get(HERE).text, owner.get(page_of(started)).text):
        assert 'class="badge bad">Closed' in page
        assert "as of <time" in page


def test_a_page_is_renewed_while_a_forge_is_asked(harness, owner, records, started) -> None:
    turn, link = records.turns(started.id)[0], "https://github.com/acme/docs/pull/7"
    step = StepRecord("pull request", job={"pr_link": link})
    EventLog(harness.database, harness.clock).write(turn, step)
    end(records, started, EndReason.FINISHED)
    answers = threading.Event()
    harness.forges.__dict__["of"] = lambda _: answers.wait(30)
    for path in (HERE, page_of(started)):
        assert 'data-running="true"' in owner.get(path).text
        assert owner.get(f"{path}/state.json").json()["running"] is True
    answers.set()
    harness.pull_requests.wait(30)
    for path in (HERE, page_of(started)):
        assert owner.get(f"{path}/state.json").json()["running"] is False


def test_files_of_the_form_come_with_the_instruction(harness, owner, acme, records) -> None:
    page = owner.get(HERE).text
    assert 'type="file"' in page
    assert 'enctype="multipart/form-data"' in page
    sent = {"csrf": owner.csrf, "prompt": "Describe the screen"}
    files = [("files", ("screen.png", PICTURE)), ("files", ("notes.txt", b"Three buttons."))]
    answer = owner.send("POST", HERE, data=sent, files=files)
    job = harness.agent.of_project(acme.project_id)[0]
    assert (answer.status_code, answer.headers["location"]) == (303, page_of(job))
    stored = records.files(records.turns(job.id)[0].id)
    assert [(file.name, file.media_type) for file in stored] == [
        ("screen.png", "image/png"),
        ("notes.txt", "text/plain"),
    ]
    assert stored[0].data == PICTURE
    assert "Attached: screen.png, notes.txt" in owner.get(page_of(job)).text


def test_a_follow_up_takes_files_and_an_empty_choice_is_none(owner, records, started) -> None:
    owner.get(page_of(started))
    chosen = [("files", ("", b""))]
    sent = {"csrf": owner.csrf, "prompt": "Shorter"}
    path = f"{page_of(started)}/message"
    assert owner.send("POST", path, data=sent, files=chosen).status_code == 303
    owner.get(page_of(started))
    sent = {"csrf": owner.csrf, "prompt": "As in the picture"}
    chosen = [("files", ("screen.png", PICTURE))]
    assert owner.send("POST", path, data=sent, files=chosen).status_code == 303
    counts = [len(records.files(turn.id)) for turn in records.turns(started.id)]
    assert counts == [0, 0, 1]


def test_a_file_that_no_model_reads_is_refused_with_its_name(harness, owner, acme) -> None:
    owner.get(HERE)
    sent = {"csrf": owner.csrf, "prompt": "Describe it"}
    files = [("files", ("paper.pdf", b"%PDF-1.7"))]
    answer = owner.send("POST", HERE, data=sent, files=files)
    assert answer.status_code == 400
    assert "Files: &#39;paper.pdf&#39; is of the type application/pdf" in answer.text
    assert "Describe it</textarea>" in answer.text
    assert harness.agent.of_project(acme.project_id) == []


def test_forms_with_files_are_read_from_owners_and_on_their_pages_only(
    owner, browser, acme
) -> None:
    stranger = browser("192.0.2.9")
    files = [("files", ("screen.png", PICTURE * 2_000))]
    refused = stranger.send("POST", HERE, data={"prompt": "Add"}, files=files)
    assert refused.status_code == 413
    owner.get(HERE)
    sent = {"csrf": owner.csrf, "prompt": "Add"}
    large = [("files", ("large.png", bytes(9 * 1024 * 1024)))]
    assert owner.send("POST", HERE, data=sent, files=large).status_code == 413
    many = [("files", (f"{n}.txt", b"x")) for n in range(21)]
    assert owner.send("POST", HERE, data=sent, files=many).status_code == 400


def test_tokens_and_costs_are_on_the_job_and_in_the_list(harness, owner, records, started) -> None:
    turn = records.turns(started.id)[0]
    totals = {"input_tokens": 12_000, "cached_tokens": 9_000, "output_tokens": 345, "cost": 0.0042}
    log = EventLog(harness.database, harness.clock)
    log.write(turn, StepRecord("model 1", totals=totals))
    assert "estimated" not in owner.get(page_of(started)).text
    failed = {"step": 2, "reason": "cut", "inputTokens": 9, "estimated": True}
    log.write(turn, StepRecord("model 2", events=[("modelFailed", failed)], totals={"steps": 1}))
    page = owner.get(page_of(started)).text
    assert "12,345 tokens (partly estimated)" in page
    assert "12,000 input tokens (9,000 cached), 345 output tokens · cost 0.0042" in page
    listed = owner.get(HERE).text
    assert "0.0042 " in listed
    assert "12,345 tokens" in listed


def test_a_question_of_the_agent_is_answered_on_its_page(harness, owner, acme, records) -> None:
    owner.get(HERE)
    owner.post(HERE, prompt="Describe the plans", questions="yes", plan_approval="yes")
    job = harness.agent.of_project(acme.project_id)[0]
    assert (job.may_ask, job.needs_plan) == (True, True)
    turn = records.turns(job.id)[0]
    records.begin_next(turn.id)
    question = {
        "kind": "question", "text": "For <all> plans?", "options": ["Yes", "No"],
        "assumption": "It is for <all>.", "until": "2026-11-23T12:00:00.000Z",
    }  # fmt: skip
    entry = StepRecord("tool 1.0", events=[("question", question)], job={"question": question})
    EventLog(harness.database, harness.clock).write(turn, entry)
    page = owner.get(page_of(job)).text
    assert "The agent asks" in page
    assert "Waiting for an answer" in page
    assert "Waiting for an answer" in owner.get(HERE).text
    assert owner.get(f"{page_of(job)}/state.json").json()["others"]["send"] == "Send answer"
    page = owner.get(page_of(job)).text
    assert 'id="prompt-label">Answer<' in page
    assert 'name="files"' not in page
    assert "Without an answer by 2026-11-23 12:00 UTC" in page
    assert "It is for &lt;all&gt;." in page
    assert 'name="prompt" value="No"' in page
    assert owner.post(f"{page_of(job)}/message", prompt="No").status_code == 303
    assert len(records.turns(job.id)) == 1
    assert "Answered: No" in owner.get(page_of(job)).text


def test_jobs_ask_nothing_unless_their_form_says_so(started) -> None:
    assert (started.may_ask, started.needs_plan) == (False, False)
