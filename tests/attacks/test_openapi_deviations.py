"""Deviations of the service from its own description, by their numbers."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest

from attacked_service import call
from running_service import Service


@pytest.fixture(scope="module")
def description(small_service: Service) -> dict[str, Any]:
    found: dict[str, Any] = small_service.get("/openapi.json").json()["paths"]
    return found


def test_schema_2_whole_numbers_may_have_a_fraction_of_zero(small_service: Service) -> None:
    search = {"query": "elephants", "pageSize": 43.0}
    answer = call(small_service, "assistant", "POST", "/discovery/v1/search/{}", json=search)
    assert (answer.status_code, answer.json() != []) == (200, True), answer.text
    event = {"event": "search", "query": "a", "results": 999999.0}
    answer = call(small_service, "assistant", "POST", "/discovery/v1/events/{}", json=event)
    assert answer.status_code == 204, answer.text
    refused = {"query": "elephants", "pageSize": 43.5}
    answer = call(small_service, "assistant", "POST", "/discovery/v1/search/{}", json=refused)
    assert (answer.status_code, "pageSize" in answer.text) == (400, True)


def parameter(description: dict[str, Any], method: str, path: str, name: str) -> dict[str, Any]:
    parameters = description[path][method]["parameters"]
    (found,) = [each for each in parameters if each["name"].lower() == name.lower()]
    schema: dict[str, Any] = found["schema"]
    return schema


@pytest.mark.parametrize("path", ["views", "visitors"])
def test_schema_1_offsets_have_a_maximum(
    small_service: Service, description: dict[str, Any], path: str
) -> None:
    full = f"/v1/analytics/{{projectId}}/{path}"
    most = parameter(description, "get", full, "offset")["maximum"]
    assert most < 2**63
    for offset, status in ((most, 200), (most + 1, 400), (2**63, 400), (10**30, 400)):
        found = f"/v1/analytics/{small_service.facts['projectId']}/{path}?offset={offset}"
        answer = call(small_service, "admin", "GET", found)
        assert answer.status_code == status, answer.text


@pytest.mark.parametrize("path", ["assistant", "assistant/caller-stats", "feedback",
                                  "feedback/by-page", "searches", "views", "visitors"])  # fmt: skip
def test_schema_3_moments_have_a_format(description: dict[str, Any], path: str) -> None:
    full = f"/v1/analytics/{{projectId}}/{path}"
    for name in ("dateFrom", "dateTo"):
        assert parameter(description, "get", full, name)["format"] == "date-time"


def test_schema_4_the_last_event_is_a_number(description: dict[str, Any]) -> None:
    path = "/v2/agent/{projectId}/job/{id}/events"
    assert parameter(description, "get", path, "Last-Event-ID")["pattern"] == "^[0-9]{1,9}$"


@pytest.mark.parametrize("path", ["/v1/static-export/jobs", "/v2/agent/{projectId}/job"])
def test_schema_5_idempotency_keys_have_a_length(description: dict[str, Any], path: str) -> None:
    schema = parameter(description, "post", path, "Idempotency-Key")
    assert (schema["minLength"], schema["maxLength"]) == (1, 255)


def test_schema_6_instructions_are_not_empty(description: dict[str, Any]) -> None:
    body = description["/v1/agent/{projectId}/job"]["post"]["requestBody"]
    schema = body["content"]["application/json"]["schema"]
    assert schema["properties"]["messages"]["items"]["properties"]["content"]["minLength"] == 1


def test_schema_7_the_example_is_valid(small_service: Service) -> None:
    body = {"domain": "docs.example.com"}
    answer = call(small_service, "admin", "POST", "/v1/static-export/jobs", json=body)
    assert (answer.status_code, "deployment" in answer.json()["error"]) == (404, True)


def test_schema_8_events_are_objects(description: dict[str, Any]) -> None:
    streams = [
        response["content"]["text/event-stream"]["schema"]
        for operations in description.values()
        for operation in operations.values()
        for response in operation["responses"].values()
        if "text/event-stream" in response.get("content", {})
    ]
    assert len(streams) >= 3
    assert all(schema["type"] == "object" for schema in streams)


def test_schema_9_nul_is_taken_on_every_database(small_service: Service) -> None:
    sent = b'{"id":"xxxxxxxxxxxxxxxx","path":"/","helpful":true,"comment":"a\\u0000b\\ud800c"}'
    path = "/discovery/v1/feedback/{}"
    answer = call(small_service, "assistant", "POST", path, content=sent)
    assert answer.status_code == 204, answer.text
    with sqlite3.connect(small_service.data / "docstead.sqlite") as connection:
        ((comment,),) = connection.execute("SELECT comment FROM page_feedback").fetchall()
    assert comment == "a\ufffdb\ufffdc"
