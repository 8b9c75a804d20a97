"""Every route of the dashboard, with the ids of another organization.

The routes are those of the application: one without an entry here fails a test.
"""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.routing import Route

from dashboard_tenant import DashboardTenant, dashboard_of
from docstead.app.service import create_service
from docstead.app.services import open_services
from docstead.dashboard.forms import csrf_token
from docstead.settings import Settings
from in_process import send
from neighbours import snapshot

BASE_URL = "http://service.test"


@dataclass(frozen=True)
class SampleVisit:
    """A request about what exists. `{names}` in path and fields stand for ids of a tenant.

    Sources cannot be read and no job has a branch, which some responses report.
    """

    method: str
    path: str
    status: int = 200
    fields: Mapping[str, str] = field(default_factory=dict)
    refused: tuple[int, ...] = (404,)  # with ids of others

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def ids(self) -> list[str]:
        """The names of the ids that it is called with."""
        return sorted(set(re.findall(r"{(\w+)}", self.path + str(self.fields))))


def _get(path: str, status: int = 200, **more: Any) -> SampleVisit:
    return SampleVisit("GET", f"/dashboard/{path}", status, **more)


def _post(path: str, status: int = 303, **more: Any) -> SampleVisit:
    return SampleVisit("POST", f"/dashboard/{path}", status, **more)


_OVERVIEW = "{organizationId}/{domain}"
_JOB, _HOOKS = "agent/{domain}/jobs/{id}", "agent/{domain}/webhooks"
_TURN = "conversations/{domain}/{threadId}/{turnId}/expected-answer"
_YES = {"confirmed": "yes"}
ROUTES = (
    _get("keys/{domain}"),
    _post("keys/{domain}", 200, fields={"kind": "assistant", "name": "x", "expires": "7"}),
    _post("keys/{domain}/rotate-site"),
    _get("keys/{domain}/{keyId}/revoke"),
    _post("keys/{domain}/{keyId}/revoke"),
    _get("exports/{domain}"),
    _post("exports/{domain}"),
    _post("exports/{domain}/automatic", fields={"auto_export": "on"}),
    _get("exports/{domain}/state.json"),
    _get("exports/{domain}/{exportId}/download", 409),
    _get("conversations/{domain}"),
    _post("conversations/{domain}/forget", fields={"fp": "reader", **_YES}),
    _get("conversations/{domain}/{threadId}"),
    _get("gaps/{domain}"),
    _get(_TURN),
    _post(_TURN, 200),
    _get("readers/{domain}"),
    _get("feedback/{domain}"),
    _post("feedback/{domain}", fields={"id": "{feedbackId}", "status": "resolved"}),
    _get("changes/{changeId}"),
    _get("changes/{changeId}/state.json"),
    _get("changes/{changeId}/news.json"),
    _get("changes/{changeId}/commits"),
    _get("changes/{changeId}/files"),
    _get("changes/{changeId}/pages"),
    _get("changes/{changeId}/pages/state.json"),
    _get("changes/{changeId}/pages/{side}", 422),
    _post(
        "changes/{changeId}/comment",
        fields={"text": "x", "thread": "{commentId}", "to": "people"},
        refused=(400, 404),
    ),
    _post("changes/{changeId}/viewed", fields={"file": "index.mdx"}),
    _post("changes/{changeId}/approve", 400),
    _post("changes/{changeId}/merge", 422, fields={"head": "0" * 40, **_YES}),
    _post("changes/{changeId}/close", fields=_YES),
    _post("changes/{changeId}/reopen", 409),
    _get("jobs/{id}", 303),
    _get("jobs/{id}/pages", 409),
    _get("jobs/{id}/pages/state.json", 409),
    _get("jobs/{id}/pages/{side}", 409),
    _get("jobs/{id}/news.json", 409),
    _get("agent-settings/{domain}"),
    _post("agent-settings/{domain}", fields={"delivery": "push"}),
    _post("agent-settings/{domain}/rotate-webhook"),
    _get("agent/{domain}"),
    _post("agent/{domain}", 503, fields={"prompt": "Add a page"}),
    _get("agent/{domain}/state.json"),
    _get(_JOB),
    _get(f"{_JOB}/state.json"),
    _post(f"{_JOB}/message", 503, fields={"prompt": "More"}),
    _post(f"{_JOB}/cancel"),
    _post(f"{_JOB}/archive", fields=_YES),
    _get(_HOOKS),
    _post(_HOOKS, 400, fields={"url": "https://127.0.0.1/"}),
    _post(f"{_HOOKS}/{{webhookId}}/remove", fields=_YES),
    _post(f"{_HOOKS}/deliveries/{{deliveryId}}/again"),
    _get(f"{_OVERVIEW}/remove"),
    _post(f"{_OVERVIEW}/remove", 409, fields={"name": "{domain}"}),
    _get(f"{_OVERVIEW}/rename"),
    _post(f"{_OVERVIEW}/rename", fields={"domain": "renamed"}),
    _get(_OVERVIEW),
    _get(f"{_OVERVIEW}/state.json"),
    _post(f"{_OVERVIEW}/update"),
    _post(f"{_OVERVIEW}/rollback", fields={"edition": "{editionId}", **_YES}, refused=(404, 409)),
)
#: Routes whose paths have no ids of an organization.
WITHOUT_IDS = {
    "GET /changes/{}",
    "GET /dashboard",
    "GET /dashboard/",
    "GET /dashboard/_assets/{}",
    "GET /dashboard/deployments.json",
    "GET /dashboard/password",
    "GET /dashboard/sign-in",
    "GET /dashboard/sign-in/{}",
    "POST /dashboard/password",
    "POST /dashboard/sign-in",
    "POST /dashboard/sign-in/{}",
    "POST /dashboard/sign-out",
}
BY_NAME = pytest.mark.parametrize("route", ROUTES, ids=lambda each: each.name)


@dataclass
class DashboardWorld:
    app: Any
    folder: Path
    acme: DashboardTenant
    other: DashboardTenant
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def newcomer(self) -> DashboardTenant:
        return DashboardTenant(self.acme.services, f"new{next(self._numbers)}", self.folder)

    def visit(
        self, owner: DashboardTenant, route: SampleVisit, ids: Mapping[str, str]
    ) -> httpx.Response:
        return asyncio.run(self._visit(owner, route, ids))

    async def _visit(
        self, owner: DashboardTenant, route: SampleVisit, ids: Mapping[str, str]
    ) -> httpx.Response:
        fields = {name: _filled(value, ids) for name, value in route.fields.items()}
        headers = {"origin": BASE_URL, "cookie": f"docstead_session={owner.session}"}
        form = None if route.method == "GET" else {"csrf": csrf_token(owner.session), **fields}
        url = BASE_URL + _filled(route.path, ids)
        return await send(self.app, route.method, url, headers=headers, data=form)


def _filled(text: str, ids: Mapping[str, str]) -> str:
    for name, value in {**ids, "side": "after"}.items():
        text = text.replace(f"{{{name}}}", value)
    return text


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DashboardWorld]:
    folder = tmp_path_factory.mktemp("foreign")
    with open_services(Settings(data=folder / "data", base_url=BASE_URL)) as services:
        app = create_service(services)
        tenants = [DashboardTenant(services, name, folder) for name in ("acme", "umbra")]
        yield DashboardWorld(app, folder, *tenants)


def test_every_route_has_an_entry(world: DashboardWorld) -> None:
    known = {
        f"{method} {_unnamed(route.path)}"
        for route in dashboard_of(world.app).routes
        if isinstance(route, Route)
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert known == {*WITHOUT_IDS, *(_unnamed(route.name) for route in ROUTES)}


def _unnamed(path: str) -> str:
    return re.sub(r"{[^}]*}", "{}", path)


@BY_NAME
def test_it_shows_an_owner_their_own(world: DashboardWorld, route: SampleVisit) -> None:
    newcomer = world.newcomer()
    response = world.visit(newcomer, route, newcomer.ids)
    assert response.status_code == route.status


@BY_NAME
def test_what_others_own_looks_unknown(world: DashboardWorld, route: SampleVisit) -> None:
    """Foreign ids, one by one and all at once, get the responses of unknown ones."""
    before = snapshot(world.acme.services.database)
    unknown = {name: _unknown(value) for name, value in world.other.ids.items()}
    names = [name for name in route.ids if name != "side"]
    for chosen in [*([name] for name in names), names]:
        foreign, missing = (
            world.visit(
                world.acme, route, {**world.acme.ids, **{name: ids[name] for name in chosen}}
            )
            for ids in (world.other.ids, unknown)
        )
        assert foreign.status_code in route.refused, chosen
        assert foreign.status_code == missing.status_code, chosen
        assert _masked(foreign, world.other.ids) == _masked(missing, unknown), chosen
        _assert_silent(foreign, world.other)
    assert snapshot(world.acme.services.database) == before


def _unknown(value: str) -> str:
    """An id of the same form that nobody has."""
    turned = value.translate(str.maketrans("abcdefhmru0123", "bcdefahrum1230"))
    assert turned != value
    return turned


def _masked(response: httpx.Response, ids: Mapping[str, str]) -> str:
    text = re.sub(r'name="csrf" value="\w+"', "", response.text)
    for name, value in sorted(ids.items(), key=lambda each: -len(each[1])):
        text = text.replace(value, f"<{name}>")
    return text


def _assert_silent(response: httpx.Response, tenant: DashboardTenant) -> None:
    asked = str(response.request.url) + response.request.content.decode()
    for secret in tenant.secrets:
        assert secret in asked or secret not in response.text
