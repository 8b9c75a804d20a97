"""Every route of the dashboard that changes something, called by pages of others.

The routes are those of the application.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
OWN = {"origin": BASE_URL}
FOREIGN_ORIGINS = (
    {},
    {"origin": "null"},
    {"origin": "http://service.test.evil.example"},
    {"origin": "https://evil.example", "sec-fetch-site": "cross-site"},
    {"origin": BASE_URL, "sec-fetch-site": "same-site"},
    {"sec-fetch-site": "none"},
    {"referer": f"{BASE_URL}/dashboard"},
)
#: Parameters of routes whose names differ from those of the tenant's ids.
NAMES = {"job_id": "id"}


@dataclass
class ForgedVisits:
    app: Any
    acme: DashboardTenant
    other: DashboardTenant

    def routes(self) -> list[Route]:
        """Return the routes that take forms."""
        routes = dashboard_of(self.app).routes
        return [each for each in routes if isinstance(each, Route) and "POST" in each.methods]

    def path(self, route: Route) -> str:
        ids = {**self.acme.ids, "token": "none"}
        return re.sub(r"{(\w+)}", lambda found: ids[_id_name(found[1])], route.path)

    def send(self, method: str, path: str, **more: Any) -> httpx.Response:
        return asyncio.run(self._send(method, path, **more))

    async def _send(
        self, method: str, path: str, headers: Mapping[str, str] = OWN, **more: Any
    ) -> httpx.Response:
        session = {"cookie": f"docstead_session={self.acme.session}", **headers}
        return await send(self.app, method, path, headers=session, **more, base_url=BASE_URL)


def _id_name(parameter: str) -> str:
    first, *rest = parameter.split("_")
    return NAMES.get(parameter, first + "".join(map(str.capitalize, rest)))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForgedVisits]:
    folder = tmp_path_factory.mktemp("forged")
    with open_services(Settings(data=folder / "data", base_url=BASE_URL)) as services:
        tenants = [DashboardTenant(services, name, folder) for name in ("acme", "umbra")]
        yield ForgedVisits(create_service(services), *tenants)


def test_no_form_without_its_token(world: ForgedVisits) -> None:
    token = csrf_token(world.acme.session)
    forged = (
        {},
        {"csrf": ""},
        {"csrf": csrf_token(world.other.session)},
        {"csrf": csrf_token("")},
        {"csrf": token[:64]},
        {"csrf": token[:-2]},
        {"csrf": "0" * 128},
        {"csrf": ["", token]},
    )
    before = snapshot(world.acme.services.database)
    assert len(world.routes()) >= 30
    for route in world.routes():
        path = world.path(route)
        for fields in forged:
            answer = world.send("POST", path, data=fields)
            assert answer.status_code == 403, (path, fields)
        for more in (
            {"params": {"csrf": token}},
            {"json": {"csrf": token}},
            {"content": f"csrf={token}x\r\n", "headers": {**OWN, "content-type": "text/plain"}},
        ):
            assert world.send("POST", path, **more).status_code == 403, (path, more)
    assert snapshot(world.acme.services.database) == before


def test_no_form_of_another_origin(world: ForgedVisits) -> None:
    fields = {"csrf": csrf_token(world.acme.session)}
    before = snapshot(world.acme.services.database)
    for route in world.routes():
        for headers in FOREIGN_ORIGINS:
            answer = world.send("POST", world.path(route), headers=headers, data=fields)
            assert answer.status_code == 403, (route.path, headers)
            assert "different origin" in answer.text
    assert snapshot(world.acme.services.database) == before


def test_other_methods_change_nothing(world: ForgedVisits) -> None:
    fields = {"csrf": csrf_token(world.acme.session), "confirmed": "yes"}
    before = snapshot(world.acme.services.database)
    for route in world.routes():
        path = world.path(route)
        for method in ("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"):
            overridden = {**OWN, "x-http-method-override": "POST"}
            answer = world.send(method, path, params=fields, headers=overridden)
            assert answer.status_code < 500, (method, path)
            if method not in ("GET", "HEAD"):
                assert answer.status_code == 405, (method, path)
    assert snapshot(world.acme.services.database) == before
