"""The document at `/openapi.json` against the interface, and real answers against both.

The tables are written from the interface and from what was decided where it is silent;
they are not derived from the code.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import pytest

Document = dict[str, Any]


class Expected(NamedTuple):
    security: str
    success: int
    failures: frozenset[int]
    more: frozenset[int] = frozenset()  # other successes


ASSISTANT = frozenset({400, 401, 403, 404, 413, 429, 503})
AGENT_START = frozenset({400, 401, 403, 404, 413, 429, 503})
_ARCHIVE = "post /v1/publishing/{domain}"
OPERATIONS = {
    "post /discovery/v1/assistant/{domain}/message": Expected("AssistantKey", 200, ASSISTANT),
    "post /discovery/v2/assistant/{domain}/message": Expected("AssistantKey", 200, ASSISTANT),
    "get /discovery/v1/assistant/{domain}/message": Expected(
        "AssistantKey", 200, ASSISTANT - {413}, more=frozenset({204})
    ),
    "get /discovery/v2/assistant/{domain}/message/{chatId}/stream": Expected(
        "AssistantKey", 200, ASSISTANT - {400, 413}, more=frozenset({204})
    ),
    "post /discovery/v2/assistant/{domain}/feedback": Expected("AssistantKey", 204, ASSISTANT),
    "get /discovery/v2/assistant/{domain}/starters": Expected(
        "AssistantKey", 200, ASSISTANT - {413}
    ),
    "post /discovery/v1/events/{domain}": Expected("AssistantKey", 204, ASSISTANT),
    "post /discovery/v1/feedback/{domain}": Expected("AssistantKey", 204, ASSISTANT),
    "post /discovery/v1/search/{domain}": Expected("AssistantKey", 200, ASSISTANT),
    "post /discovery/v1/page/{domain}": Expected("AssistantKey", 200, ASSISTANT),
    **{
        f"get /v1/analytics/{{projectId}}/{name}": Expected(
            "AdminKey",
            200,
            frozenset({401, 403, 404, 429, 503} | ({400} if "threads" not in name else set())),
        )
        for name in (
            "feedback",
            "feedback/by-page",
            "assistant",
            "assistant/threads/{threadId}",
            "assistant/caller-stats",
            "searches",
            "views",
            "visitors",
        )
    },
    _ARCHIVE: Expected("AdminKey", 202, frozenset({400, 401, 403, 409, 413, 429})),
    "get /v1/publishing/updates/{statusId}": Expected(
        "AdminKey", 200, frozenset({401, 403, 404, 429})
    ),
    "post /v1/static-export/jobs": Expected(
        "AdminKey", 202, frozenset({400, 401, 403, 404, 409, 413, 429})
    ),
    "get /v1/static-export/jobs/{jobId}": Expected(
        "AdminKey", 200, frozenset({401, 403, 404, 429})
    ),
    "post /v1/static-export/jobs/{jobId}/bundle": Expected(
        "AdminKey", 200, frozenset({401, 403, 404, 409, 429})
    ),
    "post /v2/agent/{projectId}/job": Expected("AdminKey", 201, AGENT_START),
    "post /v2/agent/{projectId}/job/{id}/message": Expected("AdminKey", 200, AGENT_START),
    "get /v2/agent/{projectId}/job/{id}": Expected("AdminKey", 200, frozenset({401, 403, 404})),
    "get /v2/agent/{projectId}/job/{id}/events": Expected(
        "AdminKey", 200, frozenset({400, 401, 403, 404}), more=frozenset({204})
    ),
    "post /v2/agent/{projectId}/job/{id}/cancel": Expected(
        "AdminKey", 200, frozenset({401, 403, 404, 409})
    ),
    "post /v1/agent/{projectId}/job": Expected("AdminKey", 200, AGENT_START),
    "get /v1/agent/{projectId}/job/{id}": Expected("AdminKey", 200, frozenset({401, 403, 404})),
    "get /v2/agent/{projectId}/job": Expected("AdminKey", 200, frozenset({400, 401, 403, 404})),
    "get /v1/agent/{projectId}/jobs": Expected("AdminKey", 200, frozenset({400, 401, 403, 404})),
    "post /v1/project/update/{projectId}": Expected(
        "AdminKey", 202, frozenset({401, 403, 404, 429})
    ),
    "get /v1/project/update-status/{statusId}": Expected(
        "AdminKey", 200, frozenset({401, 403, 404})
    ),
}

DEPRECATED = ("/v1/assistant/", "/v1/agent/")

# Body fields: name -> (required, schema with what matters of it).
STRING = {"type": "string"}
BODIES: dict[str, dict[str, tuple[bool, dict[str, Any]]]] = {
    "post /discovery/v1/assistant/{domain}/message": {
        "fp": (True, STRING),
        "messages": (True, {"type": "array"}),
        "threadId": (False, {**STRING, "default": None}),
        "threadKey": (False, STRING),
        "retrievalPageSize": (False, {"type": "number", "default": 5}),
        "filter": (False, {"type": "object", "default": None}),
        "context": (False, {"type": "array"}),
        "currentPath": (False, {**STRING, "maxLength": 200}),
    },
    "post /discovery/v2/assistant/{domain}/message": {
        "fp": (True, STRING),
        "messages": (True, {"type": "array"}),
        "threadId": (False, {**STRING, "default": None}),
        "filter": (False, {"type": "object", "default": None}),
        "currentPath": (False, {**STRING, "maxLength": 200}),
    },
    "post /discovery/v2/assistant/{domain}/feedback": {
        "messageId": (True, STRING),
        "helpful": (True, {"type": "boolean"}),
        "comment": (False, {**STRING, "maxLength": 4000}),
        "fp": (False, {**STRING, "default": "anonymous"}),
    },
    "post /discovery/v1/events/{domain}": {
        "event": (True, {"enum": ["view", "search"]}),
        "path": (False, {**STRING, "maxLength": 1000}),
        "query": (False, {**STRING, "maxLength": 500}),
        "results": (False, {"type": "integer", "default": 0}),
        "clicked": (False, {**STRING, "maxLength": 1000}),
    },
    "post /discovery/v1/feedback/{domain}": {
        "id": (True, {**STRING, "minLength": 16, "maxLength": 64}),
        "path": (True, {**STRING, "maxLength": 1000}),
        "helpful": (True, {"type": "boolean"}),
        "comment": (False, {**STRING, "maxLength": 4000}),
        "contact": (False, {**STRING, "maxLength": 320}),
    },
    "post /discovery/v1/search/{domain}": {
        "query": (True, STRING),
        "pageSize": (False, {"type": "integer", "default": 10, "minimum": 1, "maximum": 50}),
        "scoreThreshold": (False, {"type": "number", "minimum": 0, "maximum": 1}),
        "filter": (False, {"type": "object"}),
    },
    "post /discovery/v1/page/{domain}": {
        "path": (True, STRING),
        "groups": (False, {"type": "array"}),
    },
    "post /v2/agent/{projectId}/job": {"prompt": (True, {**STRING, "minLength": 1})},
    "post /v2/agent/{projectId}/job/{id}/message": {"prompt": (True, {**STRING, "minLength": 1})},
    "post /v1/agent/{projectId}/job": {
        "messages": (True, {"type": "array"}),
        "branch": (False, STRING),
        "asDraft": (False, {"type": "boolean", "default": False}),
        "model": (False, {"enum": ["sonnet", "opus"], "default": "sonnet"}),
    },
    "post /v1/static-export/jobs": {
        "domain": (True, STRING),
        "version": (False, STRING),
        "paths": (False, {"type": "array"}),
    },
}
MESSAGE = {
    "id": (True, STRING),
    "role": (True, {"enum": ["system", "assistant", "data", "user"]}),
    "content": (True, STRING),
    "parts": (True, {"type": "array"}),
    "createdAt": (False, {**STRING, "format": "date-time"}),
    "annotations": (False, {"type": "array"}),
    "experimental_attachments": (False, {"type": "array"}),
}
UI_MESSAGE = {
    "id": (True, STRING),
    "role": (True, {"enum": ["system", "assistant", "user"]}),
    "parts": (True, {"type": "array"}),
    "createdAt": (False, {**STRING, "format": "date-time"}),
    "metadata": (False, {}),
}
CONTEXT = {
    "type": (True, {"enum": ["code", "textSelection"]}),
    "value": (True, STRING),
    "path": (False, STRING),
    "elementId": (False, STRING),
}
PARTS = {"text", "reasoning", "step-start", "source", "tool-invocation"}
MOMENT = {**STRING, "format": "date-time"}
JOB = {
    "jobId": (True, STRING),
    "status": (True, {"enum": ["queued", "running", "completed", "failed"]}),
    "progress": (True, {"type": "number"}),
    "pageCount": (True, {"type": "integer"}),
    "createdAt": (True, MOMENT),
    "updatedAt": (True, MOMENT),
    "error": (False, STRING),
}
AGENT_JOB = {
    "id": (True, STRING),
    "status": (True, {"enum": ["active", "completed", "archived", "failed"]}),
    "source": (True, {"type": "object"}),
    "model": (True, STRING),
    "prLink": (True, {**STRING, "format": "uri"}),
    "createdAt": (True, MOMENT),
    "archivedAt": (True, MOMENT),
}
SESSION = {
    "sessionId": (True, STRING),
    "subdomain": (True, STRING),
    "branch": (True, STRING),
    "haulted": (True, {"type": "boolean"}),
    "haultReason": (
        True,
        {"enum": ["completed", "github_missconfigured", "error", "processing", "interrupted"]},
    ),
    "pullRequestLink": (True, STRING),
    "messageToUser": (True, STRING),
    "todos": (True, {"type": "array"}),
    "userId": (True, STRING),
    "title": (True, STRING),
    "createdAt": (True, MOMENT),
}
ANSWERS: dict[str, dict[str, tuple[bool, dict[str, Any]]]] = {
    "post /v2/agent/{projectId}/job": AGENT_JOB,
    "get /v2/agent/{projectId}/job/{id}": AGENT_JOB,
    "post /v2/agent/{projectId}/job/{id}/message": AGENT_JOB,
    "post /v2/agent/{projectId}/job/{id}/cancel": AGENT_JOB,
    "get /v1/agent/{projectId}/job/{id}": SESSION,
    "get /v2/agent/{projectId}/job": {
        "jobs": (True, {"type": "array"}),
        "hasMore": (True, {"type": "boolean"}),
    },
    "get /v1/agent/{projectId}/jobs": {"allSessions": (True, {"type": "array"})},
    "post /v1/static-export/jobs": JOB,
    "get /v1/static-export/jobs/{jobId}": JOB,
    "post /v1/static-export/jobs/{jobId}/bundle": {
        "jobId": (True, STRING),
        "bundleUrl": (True, {**STRING, "format": "uri"}),
        "sizeBytes": (True, {"type": "integer"}),
        "expiresAt": (True, MOMENT),
    },
    "post /v1/project/update/{projectId}": {"statusId": (True, STRING)},
    "get /v1/project/update-status/{statusId}": {
        "_id": (True, STRING),
        "projectId": (True, STRING),
        "createdAt": (True, MOMENT),
        "endedAt": (False, MOMENT),
        "status": (True, {"enum": ["queued", "in_progress", "success", "failure"]}),
        "summary": (False, STRING),
        "logs": (True, {"type": "array"}),
        "subdomain": (True, STRING),
        "commit": (False, {"type": "object"}),
        "source": (True, {"type": "string"}),
    },
    "post /discovery/v1/page/{domain}": {"path": (True, STRING), "content": (True, STRING)},
}
LIMITED = {429: {"Retry-After", "RateLimit", "RateLimit-Policy"}, 401: {"WWW-Authenticate"}}


@pytest.fixture(scope="module")
def document(untouched_service: Any) -> Document:
    answer = untouched_service("GET", "/openapi.json")
    assert answer.status_code == 200
    found: Document = answer.json()
    return found


def operation(document: Document, name: str) -> dict[str, Any]:
    method, path = name.split(" ")
    found: dict[str, Any] = document["paths"][path][method]
    return found


def resolved(document: Document, schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without references and without `null` among its alternatives."""
    while True:
        others = [one for one in schema.get("anyOf", []) if one.get("type") != "null"]
        if "$ref" in schema:
            target = document
            for step in schema["$ref"].removeprefix("#/").split("/"):
                target = target[step]
            schema = {**target, **{k: v for k, v in schema.items() if k != "$ref"}}
        elif len(others) == 1:
            schema = {**others[0], **{k: v for k, v in schema.items() if k != "anyOf"}}
        else:
            return schema


def check_fields(
    document: Document, schema: dict[str, Any], fields: dict[str, tuple[bool, dict[str, Any]]]
) -> None:
    schema = resolved(document, schema)
    assert schema["type"] == "object"
    for name, (required, wanted) in fields.items():
        found = resolved(document, schema["properties"][name])
        assert (name in schema.get("required", [])) is required, name
        assert {key: found.get(key) for key in wanted} == wanted, name


def body_schema(document: Document, name: str) -> dict[str, Any]:
    content = operation(document, name)["requestBody"]["content"]
    assert list(content) == ["application/json"]
    return resolved(document, content["application/json"]["schema"])


def test_the_assistant_interface_has_a_description_of_its_own(
    document: Document, untouched_service: Any
) -> None:
    response = untouched_service("GET", "/discovery/openapi.json")
    assert response.status_code == 200
    own = response.json()
    assert own["info"]["version"] == "1.0.0"
    assert own["openapi"] == document["openapi"]
    assert own["servers"] == document["servers"]
    assert own["paths"] == {
        path: each for path, each in document["paths"].items() if path.startswith("/discovery/")
    }
    assert list(own["components"]["securitySchemes"]) == ["AssistantKey"]
    references = re.findall(r'"#/components/(\w+)/(\w+)"', response.text)
    assert all(name in own["components"][kind] for kind, name in references)
    used = {name for kind, name in references if kind == "schemas"}
    assert set(own["components"].get("schemas", {})) == used


def test_it_has_the_operations_of_the_interface_and_no_others(document: Document) -> None:
    found = {f"{method} {path}" for path, of in document["paths"].items() for method in of}
    assert found == set(OPERATIONS)


@pytest.mark.parametrize(("name", "expected"), OPERATIONS.items())
def test_each_operation_has_its_key_and_its_statuses(
    document: Document, name: str, expected: Expected
) -> None:
    described = operation(document, name)
    assert described["security"] == [{expected.security: []}]
    expected_statuses = {expected.success, *expected.failures, *expected.more}
    statuses = {str(status) for status in expected_statuses}
    assert set(described["responses"]) == statuses
    is_deprecated = any(each in name for each in DEPRECATED)
    assert described.get("deprecated", False) is is_deprecated
    for response in described["responses"].values():
        assert ("Deprecation" in response.get("headers", {})) is is_deprecated


@pytest.mark.parametrize(("name", "expected"), OPERATIONS.items())
def test_every_failure_has_the_one_body(document: Document, name: str, expected: Expected) -> None:
    for status in expected.failures:
        described = operation(document, name)["responses"][str(status)]
        schema = resolved(document, described["content"]["application/json"]["schema"])
        assert schema["required"] == ["error"]
        assert schema["properties"]["error"]["type"] == "string"
        assert set(described.get("headers", {})) >= LIMITED.get(status, set())


@pytest.mark.parametrize(("name", "fields"), BODIES.items())
def test_request_bodies(document: Document, name: str, fields: dict[str, Any]) -> None:
    schema = body_schema(document, name)
    check_fields(document, schema, fields)
    assert schema.get("additionalProperties", True) is not False
    assert operation(document, name)["requestBody"]["required"] is True


def test_an_operation_without_a_body_describes_none(document: Document) -> None:
    for name in set(OPERATIONS) - {*BODIES, _ARCHIVE}:
        assert "requestBody" not in operation(document, name)


def test_an_archive_is_binary(document: Document) -> None:
    body = operation(document, _ARCHIVE)["requestBody"]
    binary = {"schema": {"type": "string", "format": "binary"}}
    assert body == {"required": True, "content": {"application/gzip": binary}}


def test_messages_and_context_of_the_assistant(document: Document) -> None:
    schema = body_schema(document, "post /discovery/v1/assistant/{domain}/message")
    message = resolved(document, schema["properties"]["messages"])["items"]
    check_fields(document, message, MESSAGE)
    check_fields(document, resolved(document, schema["properties"]["context"])["items"], CONTEXT)
    parts = resolved(document, resolved(document, message)["properties"]["parts"])["items"]
    variants = resolved(document, parts)
    names = {
        resolved(document, one)["properties"]["type"]["const"]
        for one in variants.get("oneOf") or variants["anyOf"]
    }
    assert names >= PARTS


def test_messages_of_later_clients(document: Document) -> None:
    schema = body_schema(document, "post /discovery/v2/assistant/{domain}/message")
    message = resolved(document, schema["properties"]["messages"])["items"]
    check_fields(document, message, UI_MESSAGE)
    assert "content" not in resolved(document, message)["properties"]
    streamed = operation(document, "post /discovery/v2/assistant/{domain}/message")
    assert list(streamed["responses"]["200"]["content"]) == ["text/event-stream"]


@pytest.mark.parametrize(("name", "fields"), ANSWERS.items())
def test_answers(document: Document, name: str, fields: dict[str, Any]) -> None:
    status = str(OPERATIONS[name].success)
    content = operation(document, name)["responses"][status]["content"]
    check_fields(document, content["application/json"]["schema"], fields)


def test_search_answers_a_bare_list(document: Document) -> None:
    responses = operation(document, "post /discovery/v1/search/{domain}")["responses"]
    schema = resolved(document, responses["200"]["content"]["application/json"]["schema"])
    assert schema["type"] == "array"
    item = {"content": (True, STRING), "path": (True, STRING), "metadata": (True, {})}
    check_fields(document, schema["items"], item)


def test_the_stream_is_declared_as_the_interface_says(document: Document) -> None:
    described = operation(document, "post /discovery/v1/assistant/{domain}/message")
    assert "application/json" in described["responses"]["200"]["content"]


def test_path_parameters_are_required_strings(document: Document) -> None:
    for name in OPERATIONS:
        described = operation(document, name).get("parameters", [])
        in_path = {p["name"]: p for p in described if p["in"] == "path"}
        assert set(in_path) == {part[1:-1] for part in name.split("/") if part.startswith("{")}
        for parameter in in_path.values():
            assert parameter["required"] is True
            assert parameter["schema"]["type"] == "string"


def test_keys_are_bearer_tokens(document: Document) -> None:
    schemes = document["components"]["securitySchemes"]
    assert set(schemes) == {"AdminKey", "AssistantKey"}
    for scheme in schemes.values():
        assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")


def test_nothing_of_the_framework_shows(document: Document) -> None:
    text = str(document)
    for word in ("HTTPValidationError", "'422'", "fastapi", "FastAPI"):
        assert word not in text
    ids = [operation(document, name)["operationId"] for name in OPERATIONS]
    assert len(ids) == len(set(ids))
