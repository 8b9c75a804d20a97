"""Deprecation headers: on deprecated endpoints, with any status, and on no others."""

from __future__ import annotations

import pytest

REFUSALS = [
    ("POST", "/v1/agent/p/job", 401),
    ("GET", "/v1/agent/p/jobs", 401),
    ("DELETE", "/v1/agent/p/job/j", 405),
    ("GET", "/v1/agent/p/nothing", 404),
    ("POST", "/discovery/v1/assistant/acme/message", 401),
]


@pytest.mark.parametrize(("method", "path", "status"), REFUSALS)
def test_refusals_say_it(untouched_service, method: str, path: str, status: int) -> None:
    answer = untouched_service(method, path)
    assert answer.status_code == status
    assert answer.headers["deprecation"] == "true"
    assert list(answer.json()) == ["error"]


def test_a_refusal_of_a_large_body_says_it_too(untouched_service) -> None:
    answer = untouched_service("POST", "/v1/agent/p/job", content=b"x" * 1_100_000)
    assert answer.status_code == 413
    assert answer.headers["deprecation"] == "true"


@pytest.mark.parametrize(
    "path", ["/v2/agent/p/job", "/v1/project/update/p", "/discovery/v1/search/acme"]
)
def test_what_is_not_deprecated_does_not(untouched_service, path: str) -> None:
    assert "deprecation" not in untouched_service("POST", path).headers
