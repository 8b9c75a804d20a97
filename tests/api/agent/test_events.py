"""The events of a job as a stream that can be taken up again."""

from __future__ import annotations

import json
import re
import threading
import time
from typing import Any

import pytest

from docstead.agent.turn_ends import EndReason, turn_end

DONE = turn_end(EndReason.FINISHED, reply="Done.")


def parsed(text: str) -> list[tuple[int, str, dict[str, Any]]]:
    found = re.findall(r"id: (\d+)\nevent: ([\w.]+)\ndata: (.*)\n\n", text)
    return [(int(number), kind, json.loads(data)) for number, kind, data in found]


def stream(service: Any, tenant: Any, job_id: str, **headers: str) -> Any:
    path = f"{tenant.jobs}/{job_id}/events"
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return service.call("GET", path, tenant.key, headers=sent)


def test_an_ended_job_is_replayed_from_its_beginning(agent_service, acme) -> None:
    job = agent_service.create(acme).json()
    agent_service.end(job["id"], DONE)
    response = stream(agent_service, acme, job["id"])
    assert response.headers["content-type"].startswith("text/event-stream")
    events = parsed(response.text)
    assert [number for number, _, _ in events] == [1, 2, 3, 4]
    assert [kind for _, kind, _ in events] == ["message", "turn.started", "turn.ended", "status"]
    assert events[0][2]["prompt"] == "Add a page"
    assert events[2][2]["reply"] == "Done."
    assert events[3][2]["status"] == "completed"


@pytest.mark.parametrize("known", [1, 2, 3])
def test_it_goes_on_after_the_last_event_that_is_known(agent_service, acme, known) -> None:
    job = agent_service.create(acme).json()
    agent_service.end(job["id"], DONE)
    response = stream(agent_service, acme, job["id"], Last_Event_ID=str(known))
    assert [number for number, _, _ in parsed(response.text)] == list(range(known + 1, 5))


def test_when_all_is_sent_there_is_no_content(agent_service, acme) -> None:
    job = agent_service.create(acme).json()
    agent_service.end(job["id"], DONE)
    assert stream(agent_service, acme, job["id"], Last_Event_ID="4").status_code == 204


@pytest.mark.parametrize("number", ["-1", "x", "1.5", "9" * 30])
def test_numbers_that_are_none(agent_service, acme, number) -> None:
    job = agent_service.create(acme).json()
    response = stream(agent_service, acme, job["id"], Last_Event_ID=number)
    assert response.status_code == 400
    assert "Last-Event-ID" in response.json()["error"]


def test_an_active_job_is_followed_to_its_end(agent_service, acme) -> None:
    job = agent_service.create(acme).json()

    def end_soon() -> None:
        time.sleep(0.5)
        agent_service.end(job["id"], DONE)

    thread = threading.Thread(target=end_soon)
    thread.start()
    response = stream(agent_service, acme, job["id"])
    thread.join()
    assert [kind for _, kind, _ in parsed(response.text)][-1] == "status"
