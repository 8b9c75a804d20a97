"""Every kind of key on every route, with the ids of every tenant.

The routes are those of the application: one without an entry here fails a test.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import delete

from docstead.app.service import create_service
from docstead.app.services import open_services
from docstead.base.api_keys import KeyKind
from docstead.settings import Settings
from docstead.storage.schema import api_keys, rate_limits
from in_process import send
from matrix_tenant import MatrixTenant
from neighbours import snapshot

ADMIN, ASSISTANT = KeyKind.ADMIN, KeyKind.ASSISTANT
BASE_URL = "http://service.test"
HERE, ELSEWHERE = "192.0.2.1", "203.0.113.7"
PAGE, OTHER_PAGE = "https://app.example.com", "https://evil.example"
MESSAGE = {"id": "m1", "role": "user", "parts": [{"type": "text", "text": "Hello"}]}
V1_MESSAGE = {**MESSAGE, "content": "Hello"}
MALFORMED = ("x", "X" * 3000, "' OR 1=1 --", "a%00b", "%2e%2e", "%F0%9F%92%A9", "{nothing}", "null")


@dataclass(frozen=True)
class SampleCall:
    """A call that works. `{names}` in `path` and `body` stand for ids of a tenant."""

    method: str
    path: str
    kind: KeyKind
    status: int = 200
    body: Any = None
    query: str = ""
    refused: tuple[int, ...] = (404,)  # with the ids of others

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def ids(self) -> list[str]:
        """The names of the ids that it is called with."""
        return sorted(set(re.findall(r"{(\w+)}", self.path + self.query + json.dumps(self.body))))


def _post(path: str, kind: KeyKind, body: Any = None, status: int = 200, **more: Any) -> SampleCall:
    return SampleCall("POST", path, kind, status, body, **more)


def _get(path: str, kind: KeyKind, status: int = 200, **more: Any) -> SampleCall:
    return SampleCall("GET", path, kind, status, **more)


_ANALYTICS = ("feedback", "feedback/by-page", "assistant", "assistant/caller-stats", "searches",
              "views", "visitors", "assistant/threads/{threadId}")  # fmt: skip
_ASKED = {"fp": "anonymous", "threadId": "{threadId}"}
ROUTES = (
    _post(
        "/discovery/v1/assistant/{domain}/message", ASSISTANT, {**_ASKED, "messages": [V1_MESSAGE]}
    ),
    _get("/discovery/v1/assistant/{domain}/message", ASSISTANT, query="?chatId={chatId}"),
    _post("/discovery/v2/assistant/{domain}/message", ASSISTANT, {**_ASKED, "messages": [MESSAGE]}),
    _get("/discovery/v2/assistant/{domain}/message/{chatId}/stream", ASSISTANT),
    _post(
        "/discovery/v2/assistant/{domain}/feedback",
        ASSISTANT,
        {"messageId": "{messageId}", "helpful": True},
        204,
    ),
    _post("/discovery/v1/search/{domain}", ASSISTANT, {"query": "start"}),
    _post("/discovery/v1/page/{domain}", ASSISTANT, {"path": "index"}),
    _get("/discovery/v2/assistant/{domain}/starters", ASSISTANT),
    _post(
        "/discovery/v1/events/{domain}",
        ASSISTANT,
        {"event": "view", "path": "/index"},
        204,
    ),
    _post(
        "/discovery/v1/feedback/{domain}",
        ASSISTANT,
        {"id": "0123456789abcdef0123", "path": "/index", "helpful": True},
        204,
    ),
    *(_get(f"/v1/analytics/{{projectId}}/{each}", ADMIN) for each in _ANALYTICS),
    _post("/v1/project/update/{projectId}", ADMIN, status=202),
    _get("/v1/project/update-status/{statusId}", ADMIN),
    _post("/v1/publishing/{domain}", ADMIN, status=400, refused=(400,)),  # without an archive
    _get("/v1/publishing/updates/{statusId}", ADMIN),
    _post("/v1/static-export/jobs", ADMIN, {"domain": "{hostname}"}, 202, refused=(400, 404)),
    _get("/v1/static-export/jobs/{jobId}", ADMIN),
    _post("/v1/static-export/jobs/{jobId}/bundle", ADMIN, status=409),
    _post("/v2/agent/{projectId}/job", ADMIN, {"prompt": "Add a page"}, 503),
    _get("/v2/agent/{projectId}/job", ADMIN),
    _post("/v2/agent/{projectId}/job/{id}/message", ADMIN, {"prompt": "More"}, 503),
    _get("/v2/agent/{projectId}/job/{id}", ADMIN),
    _get("/v2/agent/{projectId}/job/{id}/events", ADMIN),
    _post("/v2/agent/{projectId}/job/{id}/cancel", ADMIN, status=409),
    _post("/v1/agent/{projectId}/job", ADMIN, {"messages": [V1_MESSAGE], "branch": "main"}, 503),
    _get("/v1/agent/{projectId}/job/{id}", ADMIN),
    _get("/v1/agent/{projectId}/jobs", ADMIN),
)
#: Routes that need no key.
PUBLIC = {
    "GET /_docs/widget.js",
    "GET /_files/{key:path}",
    "GET /discovery/openapi.json",
    "GET /healthz",
    "GET /livez",
    "GET /openapi.json",
    "GET /readyz",
    "POST /v1/agent-comments/{projectId}",
    "POST /v1/local-session",
    "POST /v1/local-session/challenge",
}
_COUNTED = (api_keys, rate_limits)  # by every call
BY_NAME = pytest.mark.parametrize("route", ROUTES, ids=lambda each: each.name)
WITH_IDS = [each for each in ROUTES if set(each.ids) - {"chatId"}]


# With ids, headers and client address.
Call = tuple[SampleCall, Mapping[str, str], Mapping[str, str], str]


@dataclass
class MatrixWorld:
    """The service, two tenants, and keys of the first."""

    app: Any
    acme: MatrixTenant
    other: MatrixTenant

    def __post_init__(self) -> None:
        acme, kinds = self.acme, (ADMIN, ASSISTANT)
        self.good = {kind: acme.key(kind) for kind in kinds}
        self.limited = {kind: acme.key(kind, allowlist=[f"{HERE}/32"]) for kind in kinds}
        self.foreign = {kind: self.other.key(kind) for kind in kinds}
        self.bad = {kind: [acme.revoked(kind), acme.expired(kind)] for kind in kinds}
        self.reading = acme.key(ADMIN, scopes=["read"])
        self.of_page = acme.key(ASSISTANT, origins=[PAGE])
        self.site_key = acme.services.api_keys.site_key(acme.site)

    def call(self, *calls: Call) -> list[httpx.Response]:
        return asyncio.run(self._all(calls))

    async def _all(self, calls: Sequence[Call]) -> list[httpx.Response]:
        return [await self._one(*each) for each in calls]

    async def _one(
        self, route: SampleCall, ids: Mapping[str, str], headers: Mapping[str, str], client_ip: str
    ) -> httpx.Response:
        url = f"{BASE_URL}{_filled(route.path + route.query, ids)}"
        body = None if route.body is None else json.loads(_filled(json.dumps(route.body), ids))
        sent = {name: value.encode() for name, value in headers.items()}
        return await send(self.app, route.method, url, json=body, headers=sent, client_ip=client_ip)


def _filled(text: str, ids: Mapping[str, str]) -> str:
    for name, value in ids.items():
        text = text.replace(f"{{{name}}}", value)
    return text


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MatrixWorld]:
    folder = tmp_path_factory.mktemp("matrix")
    # Otherwise messages with an unknown thread begin a new one, whose ids differ.
    settings = Settings(data=folder / "data", base_url=BASE_URL, thread_must_exist=True)
    with open_services(settings) as services:
        app = create_service(services)
        tenants = [MatrixTenant(services, name, folder) for name in ("acme", "other")]
        world = MatrixWorld(app, *tenants)
        _wait_for_index(world)
        yield world


@pytest.fixture(autouse=True)
def full_buckets(world: MatrixWorld) -> None:
    """No test is limited by what others have spent."""
    with world.acme.services.database.transaction() as connection:
        connection.execute(delete(rate_limits))


def _wait_for_index(world: MatrixWorld) -> None:
    """Handmade editions have no index: it is made while readers are asked to wait."""
    search = next(each for each in ROUTES if each.path == "/discovery/v1/search/{domain}")
    call = (search, world.acme.ids, _bearer(world.good[ASSISTANT]), HERE)
    deadline = time.monotonic() + 120
    while world.call(call)[0].status_code == 503:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _api_of(part: Any, depth: int = 4) -> FastAPI:
    """The API within the service."""
    if isinstance(part, FastAPI):
        return part
    for each in vars(part).values() if depth and hasattr(part, "__dict__") else ():
        with suppress(LookupError):
            return _api_of(each, depth - 1)
    raise LookupError("the service holds no API")


# --- the table ------------------------------------------------------------------


def _routes(router: Any) -> Iterator[str]:
    for route in router.routes:
        if hasattr(route, "original_router"):
            yield from _routes(route.original_router)
        else:
            yield from (f"{method} {route.path}" for method in route.methods - {"HEAD"})


def test_every_route_has_an_entry(world: MatrixWorld) -> None:
    known = sorted(_routes(_api_of(world.app)))
    assert known == sorted({*PUBLIC, *(route.name for route in ROUTES)})


def test_the_description_names_the_kind_of_key(world: MatrixWorld) -> None:
    paths = _api_of(world.app).openapi()["paths"]
    schemes = {ADMIN: "AdminKey", ASSISTANT: "AssistantKey"}
    described = {
        f"{method.upper()} {path}": operation.get("security")
        for path, operations in paths.items()
        for method, operation in operations.items()
    }
    assert described == {route.name: [{schemes[route.kind]: []}] for route in ROUTES}


@BY_NAME
def test_its_own_key_opens_it(world: MatrixWorld, route: SampleCall) -> None:
    key = world.good[route.kind]
    (response,) = world.call((route, world.acme.ids, _bearer(key), HERE))
    assert response.status_code == route.status, response.text


# --- keys -----------------------------------------------------------------------


def _bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def _bad_headers(key: str) -> Iterator[dict[str, str]]:
    """Everything that looks like this good key, and is none."""
    wrong = (
        key[:-1], key[1:], key + "x", key.upper(), key.swapcase(), key[:12], key * 2,
        key[:-1] + ("a" if key[-1] != "a" else "b"), f"{key[:20]} {key[20:]}", f"{key},{key}",
        "svc_", "svc_dsc_", "svc_us_" + key[-40:], "null", "undefined", "x" * 5000, "\u00e9",
    )  # fmt: skip
    yield from (_bearer(each) for each in wrong)
    yield {}
    encoded = base64.b64encode(f"{key}:".encode()).decode()
    schemes = ("Basic", "Token", "Digest", "ApiKey", "Bearer:", "Bearerx", "Bearer Bearer", "")
    for scheme in schemes:
        yield {"Authorization": f"{scheme} {key}"}
    yield {"Authorization": key}
    yield {"Authorization": f"Basic {encoded}"}
    yield {"Authorization": "Bearer"}
    yield {"Authorization": "Bearer "}
    for name in ("X-Api-Key", "Api-Key", "Cookie", "Proxy-Authorization", "X-Authorization"):
        yield {name: f"Bearer {key}"}


@BY_NAME
def test_no_other_key_opens_it(world: MatrixWorld, route: SampleCall) -> None:
    other_kind = ASSISTANT if route.kind is ADMIN else ADMIN
    bad = [*world.bad[route.kind], world.good[other_kind]]
    if route.kind is ADMIN:
        bad.append(world.site_key)
    headers = [*map(_bearer, bad), *_bad_headers(world.good[route.kind])]
    for response in world.call(*((route, world.acme.ids, each, HERE) for each in headers)):
        assert response.status_code == 401, response.request.headers
        assert set(response.json()) == {"error"}
        _assert_silent(response, world.acme, world.other)


@BY_NAME
def test_a_key_opens_it_only_from_where_it_may_and_for_what_it_may(
    world: MatrixWorld, route: SampleCall
) -> None:
    limited = _bearer(world.limited[route.kind])
    calls = [(route, world.acme.ids, limited, ELSEWHERE)]
    if route.kind is ASSISTANT:
        of_page = _bearer(world.of_page)
        calls += [(route, world.acme.ids, of_page, HERE)]
        calls += [(route, world.acme.ids, {**of_page, "Origin": OTHER_PAGE}, HERE)]
        calls += [(route, world.acme.ids, {**of_page, "Origin": "null"}, HERE)]
    elif route.method != "GET":
        calls += [(route, world.acme.ids, _bearer(world.reading), HERE)]
    for response in world.call(*calls):
        assert response.status_code == 403, response.request.headers
        assert set(response.json()) == {"error"}
        _assert_silent(response, world.acme, world.other)


# --- ids ------------------------------------------------------------------------


@BY_NAME
def test_what_others_own_looks_unknown(world: MatrixWorld, route: SampleCall) -> None:
    """Foreign ids, one by one and all at once, get the responses of unknown ones."""
    before = snapshot(world.acme.services.database)
    key = _bearer(world.good[route.kind])
    unknown = {name: _unknown(value) for name, value in world.other.ids.items()}
    for names in [*([each] for each in route.ids), route.ids]:
        asked = [
            (route, {**world.acme.ids, **{name: ids[name] for name in names}}, key, HERE)
            for ids in (world.other.ids, unknown)
        ]
        foreign, missing = world.call(*asked)
        if names == ["chatId"]:
            assert (foreign.status_code, foreign.text) == (204, "")
        else:
            assert foreign.status_code in route.refused, (names, foreign.text)
        assert foreign.status_code == missing.status_code, names
        assert _masked(foreign, world.other.ids) == _masked(missing, unknown), names
        _assert_silent(foreign, world.other)
    after = snapshot(world.acme.services.database)
    for table in before:
        if table not in _COUNTED:
            assert after[table] == before[table], table.name


@BY_NAME
def test_keys_of_others_find_nothing(world: MatrixWorld, route: SampleCall) -> None:
    key = _bearer(world.foreign[route.kind])
    unknown = {name: _unknown(value) for name, value in world.acme.ids.items()}
    foreign, missing = world.call(*((route, ids, key, HERE) for ids in (world.acme.ids, unknown)))
    assert foreign.status_code in route.refused
    assert foreign.status_code == missing.status_code
    assert _masked(foreign, world.acme.ids) == _masked(missing, unknown)
    _assert_silent(foreign, world.acme)


@pytest.mark.parametrize("route", WITH_IDS, ids=lambda each: each.name)
def test_malformed_ids_are_refused(world: MatrixWorld, route: SampleCall) -> None:
    key = _bearer(world.good[route.kind])
    calls = [
        (route, {**world.acme.ids, name: malformed}, key, HERE)
        for name in route.ids
        if name != "chatId"
        for malformed in MALFORMED
    ]
    for response in world.call(*calls):
        assert response.status_code in {400, 404, 405}, (response.request.url, response.text)


def _unknown(value: str) -> str:
    """An id of the same form that nobody has."""
    turned = value.translate(str.maketrans("abcdefABCDEFGH0123", "bcdefaBCDEFGHA1230"))
    assert turned != value
    return turned


def _masked(response: httpx.Response, ids: Mapping[str, str]) -> str:
    text = response.text
    for name, value in sorted(ids.items(), key=lambda each: -len(each[1])):
        text = text.replace(value, f"<{name}>")
    return text


def _assert_silent(response: httpx.Response, *tenants: MatrixTenant) -> None:
    asked = str(response.request.url) + response.request.content.decode()
    for tenant in tenants:
        for secret in tenant.secrets:
            assert secret in asked or secret not in response.text
