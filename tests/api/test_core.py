"""Common behavior of all endpoints: errors, body limit, CORS, keys, the OpenAPI document."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from typing import Annotated, Any

import httpx
import pytest
from fastapi import APIRouter, Body, Depends, FastAPI, Query

from docstead.api.application import create_api
from docstead.api.authentication import Authentication
from docstead.api.client_address import ClientAddress
from docstead.api.errors import responses
from docstead.api.json_body import BodyModel, body_of, request_body
from docstead.base.api_keys import KeyKind
from docstead.base.errors import (
    Conflict,
    Forbidden,
    NotFound,
    RateLimited,
    Unauthorized,
    Unavailable,
)
from in_process import ask

KEY = "svc_good"


class OneKey:
    """Knows one key; says with which client address and method it was used."""

    def authenticate(
        self, key: str, kind: KeyKind, *, method: str, client_ip: str, origin: str | None
    ) -> str:
        if key != KEY:
            raise Unauthorized
        return f"{kind} {method} {client_ip}"


class Order(BodyModel):
    name: str
    count: int = 1


ERRORS = {
    "conflict": Conflict("it has not finished"),
    "forbidden": Forbidden(),
    "missing": NotFound("no such thing"),
    "unavailable": Unavailable(),
    "limited": RateLimited(retry_after_seconds=7, limit=10, window_seconds=60, policy="starts"),
    "crash": ZeroDivisionError("secret detail"),
}


def routes() -> APIRouter:
    router = APIRouter()
    of_body = Depends(body_of(Order))
    auth = Authentication(OneKey(), ClientAddress(["10.0.0.0/8"]))

    @router.post(
        "/orders",
        status_code=202,
        responses=responses(400, 401, 429),
        openapi_extra=request_body(Order),
    )
    def order(who: str = Depends(auth.admin), body: Order = of_body) -> dict[str, str]:
        return {"who": who, "name": body.name}

    @router.get("/orders")
    def orders() -> list[str]:
        return []

    @router.get("/fail/{how}")
    def fail(how: str) -> None:
        raise ERRORS[how]

    @router.get("/pages")
    def pages(size: Annotated[int, Query(ge=1)]) -> int:
        return size

    @router.post("/discovery/v1/echo")
    def echo(body: Annotated[dict[str, Any], Body()]) -> dict[str, Any]:
        return body

    return router


@pytest.fixture
def app() -> FastAPI:
    return create_api([routes()], base_url="https://docs.example.com", max_body_bytes=1000)


@pytest.fixture
def client(app: FastAPI) -> CoreClient:
    return CoreClient(app)


class CoreClient:
    """Sends requests to an application in this process."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app

    def __call__(self, method: str, url: str, peer: str = "192.0.2.1", **kw: Any) -> httpx.Response:
        return ask(self._app, method, url, base_url="http://test", client_ip=peer, **kw)


AUTH = {"Authorization": f"Bearer {KEY}"}


@pytest.mark.parametrize(
    ("how", "status"),
    [("conflict", 409), ("forbidden", 403), ("missing", 404), ("unavailable", 503)],
)
def test_an_error_of_the_tree_keeps_its_status(client: CoreClient, how: str, status: int) -> None:
    answer = client("GET", f"/fail/{how}")
    assert (answer.status_code, answer.json()) == (status, {"error": str(ERRORS[how])})


def test_a_rate_limit_says_when_to_come_back(client: CoreClient) -> None:
    answer = client("GET", "/fail/limited")
    assert answer.status_code == 429
    assert answer.headers["retry-after"] == "7"
    assert answer.headers["ratelimit"] == '"starts";r=0;t=7'
    assert answer.headers["ratelimit-policy"] == '"starts";q=10;w=60'


def test_the_unforeseen_is_logged_and_reveals_nothing(
    client: CoreClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        answer = client("GET", "/fail/crash")
    assert (answer.status_code, list(answer.json())) == (500, ["error"])
    assert "secret detail" not in answer.text
    (record,) = caplog.records
    error_id = record.getMessage().removesuffix(": GET /fail/crash failed")
    assert f"({error_id})" in answer.json()["error"]
    assert record.exc_info


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nowhere", 404), ("DELETE", "/orders", 405), ("GET", "/orders/", 404)],
)
def test_what_the_framework_refuses_has_our_shape(
    client: CoreClient, method: str, path: str, status: int
) -> None:
    answer = client(method, path)
    assert (answer.status_code, list(answer.json())) == (status, ["error"])


@pytest.mark.parametrize(
    ("path", "methods"), [("/orders", "GET, HEAD, POST"), ("/fail/crash", "GET, HEAD")]
)
def test_a_wrong_method_gets_all_that_the_url_allows(
    client: CoreClient, path: str, methods: str
) -> None:
    for method in ("DELETE", "PUT"):
        assert client(method, path).headers.get_list("allow") == [methods]


def test_head_is_answered_as_get_is(client: CoreClient) -> None:
    assert client("HEAD", "/fail/limited").headers["retry-after"] == "7"
    assert client("HEAD", "/openapi.json").status_code == 200


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"content": b'{"name": ', "headers": {"content-type": "application/json"}}, "valid JSON"),
        ({"content": b"[" * 900, "headers": {"content-type": "application/json"}}, "JSON"),
        ({"content": b'{"name": "\xff"}'}, "valid JSON"),
        ({"content": b"name=a"}, "valid JSON"),
        (
            {"content": b'{"name": ' + b"9" * 900 + b"}"},
            "name: must be a string, not a number",
        ),
        ({"json": {}}, "name is required"),
        ({"json": {"name": 1}}, "name: must be a string, not a number"),
        ({"json": {"name": "a", "count": "b"}}, "count: must be a whole number, not 'b'"),
        ({"json": {"name": None, "count": 1.5}}, "name: must be a string, not null; count: "),
        ({"json": ["a"]}, "the body: must be an object, not an array"),
        ({}, "the body is missing"),
    ],
)
def test_a_wrong_body_is_400_and_names_the_field(
    client: CoreClient, request_: dict[str, Any], words: str
) -> None:
    headers = {**request_.pop("headers", {}), **AUTH}
    answer = client("POST", "/orders", headers=headers, **request_)
    assert answer.status_code == 400
    assert words in answer.json()["error"]


@pytest.mark.parametrize("declared", [None, "text/plain", "application/x-www-form-urlencoded"])
def test_the_declared_type_of_a_body_does_not_matter(
    client: CoreClient, declared: str | None
) -> None:
    headers = {**AUTH, **({"content-type": declared} if declared else {})}
    answer = client("POST", "/orders", headers=headers, content=b'{"name": "a"}')
    assert (answer.status_code, answer.json()["name"]) == (202, "a")


@pytest.mark.parametrize(
    ("encoding", "status"),
    [("gzip", 415), ("br", 415), ("identity, GZIP", 415), ("identity", 202), ("utf-8", 202)],
)
def test_a_compressed_body_is_refused(client: CoreClient, encoding: str, status: int) -> None:
    headers = {**AUTH, "content-encoding": encoding}
    answer = client("POST", "/orders", headers=headers, content=b'{"name": "a"}')
    assert answer.status_code == status
    if status == 415:
        assert answer.headers["accept-encoding"] == "identity"
        assert "Content-Encoding" in answer.json()["error"]


def test_a_wrong_query_names_its_parameter(client: CoreClient) -> None:
    refusals = {size: client("GET", f"/pages?size={size}").json() for size in ("0", "many")}
    assert refusals == {
        "0": {"error": "query size: must be at least 1, not '0'"},
        "many": {"error": "query size: must be a whole number, not 'many'"},
    }


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer ", "Basic Zm9v", KEY, "Bearer svc_bad", "Bearer \xe9"]
)
@pytest.mark.parametrize("content", [b'{"name": "a"}', b"{", b"{}", b"[" * 900, b"\xff"])
def test_without_a_valid_key_a_request_learns_only_that(
    client: CoreClient, header: str | None, content: bytes
) -> None:
    headers = [(b"content-type", b"application/json")]
    if header is not None:
        headers.append((b"authorization", header.encode("latin-1")))
    answer = client("POST", "/orders", headers=headers, content=content)
    assert (answer.status_code, list(answer.json())) == (401, ["error"])
    assert answer.headers["www-authenticate"] == "Bearer"


def test_a_key_is_checked_with_method_and_ip_address(client: CoreClient) -> None:
    headers = {"Authorization": f"bearer  {KEY} ", "X-Forwarded-For": "203.0.113.9"}
    through_proxy = client("POST", "/orders", "10.1.2.3", json={"name": "a"}, headers=headers)
    assert through_proxy.json()["who"] == "admin POST 203.0.113.9"
    direct = client("POST", "/orders", "192.0.2.1", json={"name": "a"}, headers=headers)
    assert direct.json()["who"] == "admin POST 192.0.2.1"


def test_a_body_over_the_limit_is_413_by_its_announced_size(client: CoreClient) -> None:
    answer = client("POST", "/orders", json={"name": "a" * 1000}, headers=AUTH)
    assert (answer.status_code, list(answer.json())) == (413, ["error"])


def test_a_body_over_the_limit_is_413_while_it_streams(client: CoreClient) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(30):
            yield b"x" * 100

    headers = {**AUTH, "content-type": "application/json"}
    answer = client("POST", "/orders", content=chunks(), headers=headers)
    assert (answer.status_code, list(answer.json())) == (413, ["error"])


def test_a_body_at_the_limit_is_read(client: CoreClient) -> None:
    space = 1000 - len(b'{"name":""}')
    answer = client("POST", "/orders", json={"name": "a" * space}, headers=AUTH)
    assert (answer.status_code, len(answer.json()["name"])) == (202, space)


PREFLIGHT = {
    "Origin": "https://app.example.org",
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization, content-type, traceparent",
}


def test_browsers_of_any_origin_may_ask_the_assistant(client: CoreClient) -> None:
    preflight = client("OPTIONS", "/discovery/v1/echo", headers=PREFLIGHT)
    assert preflight.status_code == 200
    assert preflight.headers["access-control-allow-origin"] == "*"
    allowed = preflight.headers["access-control-allow-headers"].lower()
    for name in ("authorization", "content-type", "traceparent"):
        assert name in allowed
    assert "access-control-allow-credentials" not in preflight.headers
    answer = client("POST", "/discovery/v1/echo", json={}, headers={"Origin": "https://a.test"})
    assert answer.headers["access-control-allow-origin"] == "*"
    exposed = answer.headers["access-control-expose-headers"].lower()
    for name in ("x-thread-id", "x-thread-key", "retry-after", "ratelimit", "ratelimit-policy"):
        assert name in exposed


def test_browsers_may_read_the_failures_of_the_assistant(client: CoreClient) -> None:
    headers = {"Origin": "https://a.test", "content-type": "application/json"}
    for body in (b"{", b"x" * 2000):
        answer = client("POST", "/discovery/v1/echo", content=body, headers=headers)
        assert answer.headers["access-control-allow-origin"] == "*"


def test_a_refused_preflight_has_the_format_of_errors(client: CoreClient) -> None:
    headers = {**PREFLIGHT, "Access-Control-Request-Method": "DELETE"}
    refused = client("OPTIONS", "/discovery/v1/echo", headers=headers)
    assert refused.status_code == 400
    assert refused.headers["content-type"] == "application/json"
    assert refused.json() == {"error": "disallowed CORS method"}
    assert refused.headers["access-control-allow-methods"] == "GET, POST"


@pytest.mark.parametrize("method", ["OPTIONS", "POST"])
def test_admin_endpoints_send_no_cors_headers(client: CoreClient, method: str) -> None:
    answer = client(method, "/orders", headers={**PREFLIGHT, **AUTH}, json={"name": "a"})
    assert not [name for name in answer.headers if name.startswith("access-control")]
    assert answer.status_code == (202 if method == "POST" else 405)


def test_the_document_describes_only_what_is_answered(client: CoreClient) -> None:
    document = client("GET", "/openapi.json").json()
    operation = document["paths"]["/orders"]["post"]
    assert set(operation["responses"]) == {"202", "400", "401", "429"}
    assert operation["responses"]["400"]["content"]["application/json"]["schema"] == {
        "$ref": "#/components/schemas/ErrorBody"
    }
    assert set(operation["responses"]["429"]["headers"]) == {
        "Retry-After",
        "RateLimit",
        "RateLimit-Policy",
    }
    assert operation["security"] == [{"AdminKey": []}]
    assert document["components"]["securitySchemes"]["AdminKey"]["scheme"] == "bearer"
    assert "HTTPValidationError" not in str(document)
    assert document["servers"] == [{"url": "https://docs.example.com"}]


@pytest.mark.parametrize("path", ["/docs", "/redoc"])
def test_there_are_no_pages_that_load_from_elsewhere(client: CoreClient, path: str) -> None:
    assert client("GET", path).status_code == 404
