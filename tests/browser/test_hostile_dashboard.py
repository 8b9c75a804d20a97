"""Texts of readers, models, pages and webhooks that try to run a script in the dashboard."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from attacked_service import attacked_service
from conversations import Talks
from docstead.agent.event_log import NewEvent, note
from docstead.agent.records import AgentRecords
from docstead.agent.turn_ends import EndReason, turn_end
from docstead.agent.values import Instruction
from docstead.analytics.conversations import ConversationReports
from docstead.analytics.page_feedback import ReaderFeedback
from docstead.app.services import AppServices, open_services
from docstead.assistant.answer_trace import AnswerTrace, CheckOutcome, TraceCheck, TracePassage
from docstead.assistant.feedback import AnswerFeedback
from docstead.base.api_keys import KeyKind
from docstead.export.records import ExportRecords
from docstead.settings import Settings
from docstead.webhooks.records import DeliveryAttempt, WebhookRecords
from running_service import Service
from script_injections import PAYLOADS, SCRIPT_URLS
from signed_in import sign_in
from stored_jobs import event_of, new_job

pytestmark = pytest.mark.browser

TEXT = " ".join(PAYLOADS)[:9_000]
LINKS = "\n\n".join(f"[x]({url}) <{url}> ![y]({url})" for url in SCRIPT_URLS)
HOSTILE = f"{TEXT}\n\n{LINKS}"
EVENTS: dict[str, dict[str, Any]] = {
    "workspace": {"branch": TEXT, "base": TEXT, "commit": TEXT, "conflicts": [TEXT]},
    "model": {"text": HOSTILE, "toolCalls": 1},
    "tool": {
        "name": TEXT,
        "isError": True,
        "arguments": json.dumps({"path": TEXT}),
        "result": HOSTILE,
    },
    "check": {"ok": False, "count": 1, "errors": [HOSTILE]},
    "commit": {"commit": TEXT, "subject": TEXT},
    "push": {"branch": TEXT, "how": TEXT, "note": HOSTILE},
    "conflict": {"branch": TEXT, "files": [HOSTILE]},
    "reviewers": {"problems": [HOSTILE], "names": []},
    "wait": {"seconds": 1, "reason": HOSTILE},
    "nudge": {"reason": TEXT},
    "question": {"kind": "plan", "text": HOSTILE},
    "answer": {"text": TEXT},
    "unanswered": {"assumption": TEXT},
    "summary": {"text": HOSTILE},
    "failure": {"error": HOSTILE},
}
TRAP = """
window.caught = [];
window.trap = (number) => caught.push(number);
addEventListener("securitypolicyviolation", (event) =>
  caught.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`));
"""
POKE = """
const kinds = ["mouseover", "mouseenter", "pointerenter", "focusin", "animationstart", "toggle"];
for (const each of document.querySelectorAll("details")) each.open = true;
for (const each of document.querySelectorAll("*"))
  for (const kind of kinds) each.dispatchEvent(new Event(kind));
const urls = ["href", "src", "action", "formaction", "xlink:href", "data", "srcdoc"];
const found = [...document.querySelectorAll("*")]
  .flatMap((each) => urls.map((name) => each.getAttribute(name)))
  .filter((each) => /^[\\s\\0-\\x20]*(javascript|vbscript|data):/i.test(each ?? ""));
return [...found, ...caught]"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = attacked_service(tmp_path_factory.mktemp("hostile"))
    service.start()
    yield service
    service.stop()


@pytest.fixture(scope="module")
def paths(service: Service) -> list[str]:
    """Store the texts wherever others' texts are stored; return the pages that show them."""
    settings = Settings(data=service.data, base_url=service.facts["baseUrl"])
    with open_services(settings) as services:
        site = services.tenancy.deployments()[0]
        lists = ("keys", "exports", "feedback", "conversations", "gaps", "readers", "agent")
        return [
            *(f"{name}/{site.domain}" for name in lists),
            *(f"conversations/{site.domain}/{path}" for path in _conversation(services, site)),
            *(f"agent/{site.domain}/{path}" for path in _agent(services, site)),
            f"feedback/{site.domain}?page={PAYLOADS[0]}",
            f"conversations/{site.domain}?q={PAYLOADS[0]}",
            f"nothing/{PAYLOADS[0]}",
        ]


def _conversation(services: AppServices, site: Any) -> list[str]:
    trace = AnswerTrace(
        given=(TracePassage("https://docs.test/", TEXT, HOSTILE),),
        checks=(TraceCheck(HOSTILE, CheckOutcome.FLAGGED, "https://docs.test/", TEXT, TEXT),),
    )
    talks = Talks(services.database, services.clock)
    given = AnswerFeedback(helpful=False, comment=TEXT[:4_000])
    for answer in (HOSTILE, ""):
        thread = talks.ask(
            site.id, HOSTILE, answer, fp=TEXT[:100], path=TEXT[:200], trace=trace, feedback=given
        )
    services.api_keys.create(site.organization_id, KeyKind.ADMIN, PAYLOADS[0])
    ExportRecords(services.database, services.clock).create(
        deployment_id=site.id,
        organization_id=site.organization_id,
        edition_id=site.current_edition_id,
        version=TEXT[:200],
        paths=None,
    )
    services.insights.page_feedback.give(
        site.id, ReaderFeedback("1" * 16, TEXT[:1_000], False, TEXT[:4_000], TEXT[:320])
    )
    reports = ConversationReports(services.database)
    turn = reports.opened([site.id], thread.id).exchanges[-1]
    return [thread.id, f"{thread.id}/{turn.id}/expected-answer"]


def _agent(services: AppServices, site: Any) -> list[str]:
    records = AgentRecords(services.database, services.clock)
    project = services.tenancy.project(site.project_id)
    job = new_job(records, project, instruction=Instruction.of(HOSTILE), branch=TEXT[:200])
    (asked,) = records.turns(job.id)
    records.begin_next(asked.id)
    with services.database.transaction() as connection:
        for kind, data in EVENTS.items():
            event = NewEvent(job.id, asked.id, kind, kind, data)
            note(connection, event, services.clock.now())
    records.end_turn(asked.id, turn_end(EndReason.MODEL_FAILED, HOSTILE, HOSTILE))
    hooks = WebhookRecords(services.database, services.clock)
    services.agent.webhooks.create(project.id, "https://hooks.example.com/<script>trap(1)</script>")
    for delivery in hooks.record_event(event_of(project.id, services.clock, TEXT[:60])):
        hooks.attempted(delivery, 1, DeliveryAttempt("2026-01-01T00:00:00Z", None, TEXT))
    return [f"jobs/{job.id}", "webhooks"]


def test_no_text_of_somebody_else_runs(browser: Any, service: Service, paths: list[str]) -> None:
    link = re.search(r"http://\S+/dashboard/sign-in/\S+", service.log())
    assert link is not None
    sign_in(browser, link[0])
    send_command = browser.driver.execute_cdp_cmd
    added = send_command("Page.addScriptToEvaluateOnNewDocument", {"source": TRAP})
    found, texts = {}, 0
    try:
        for path in paths:
            browser.open(f"{service.facts['baseUrl']}/dashboard/{path}")
            texts += browser.run("return document.body.textContent.includes('trap(')")
            if caught := browser.run(POKE):
                found[path] = caught
    finally:
        send_command("Page.removeScriptToEvaluateOnNewDocument", added)
    assert found == {}
    assert texts >= len(paths) - 3
