"""Surfaces that answer requests to the service's own URL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.types import ASGIApp

from docstead.app.service import create_service
from docstead.app.services import open_services
from docstead.settings import Settings
from in_process import ask

BASE_URL = "http://service.test"
KEY = {"Authorization": "Bearer svc_unknown"}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[ASGIApp]:
    with open_services(Settings(data=tmp_path, base_url=BASE_URL)) as services:
        yield create_service(services)


def answer(app: ASGIApp, method: str, path: str, headers: dict[str, str]) -> httpx.Response:
    return ask(app, method, path, headers=headers, base_url=BASE_URL)


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("GET", "/discovery", {}),
        ("GET", "/discovery/v9/anything", {}),
        ("GET", "/v1/static-export", {}),
        ("GET", "/v1/project", {}),
        ("GET", "/v2/agent", {}),
        ("GET", "/_files", {}),
        ("POST", "/v1/nothing", {}),
        ("POST", "/v1/project/update%0A", {}),
        ("POST", "/discovery/v1/assistant/a%0Ab", {}),
        ("DELETE", "/v2/nothing/at/all", {}),
        ("GET", "/v1/nothing", KEY),
    ],
)
def test_unknown_urls_of_the_interface_answer_as_it_does(
    app: ASGIApp, method: str, path: str, headers: dict[str, str]
) -> None:
    response = answer(app, method, path, headers)
    assert (response.status_code, list(response.json())) == (404, ["error"])


@pytest.mark.parametrize("path", ["/v1/guide", "/v2", "/discovery-channel", "/openapi.json.md"])
def test_pages_may_have_urls_that_look_alike(app: ASGIApp, path: str) -> None:
    assert answer(app, "GET", path, {}).headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_load_balancers_see_that_it_works(app: ASGIApp, method: str) -> None:
    assert answer(app, method, "/healthz", {}).status_code == 200


def test_it_says_that_it_lives_and_what_it_waits_for(app: ASGIApp) -> None:
    alive, ready = (answer(app, "GET", path, {}) for path in ("/livez", "/readyz"))
    assert (alive.status_code, alive.json()) == (200, {"status": "ok"})
    checks = dict.fromkeys(("database", "objects", "engine", "disk"), "ok")
    expected = {"status": "waiting", "checks": checks | {"queue": "jobs are not running"}}
    assert (ready.status_code, ready.json()) == (503, expected)


def test_changes_have_short_urls_that_no_page_of_a_site_loses(app: ASGIApp) -> None:
    led = answer(app, "GET", "/changes/chg_0123456789abcdef", {})
    expected = (303, "/dashboard/changes/chg_0123456789abcdef")
    assert (led.status_code, led.headers["location"]) == expected
    for path in ("/changes", "/changes/2026", "/changes/chg_0123456789abcdef/x"):
        assert answer(app, "GET", path, {}).status_code == 404
