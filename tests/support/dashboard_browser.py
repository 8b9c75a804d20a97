"""The whole service in this process, and browsers of dashboard users."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
from fastapi.testclient import TestClient
from starlette.types import ASGIApp

from docstead.accounts.owners import OwnerRecords
from docstead.app.service import create_service
from docstead.app.services import AppServices, open_services
from docstead.settings import load_settings
from migrated_data import data_with_tables

SIGN_IN = "/dashboard/sign-in"
PASSWORD = "harbour crane lantern"


class DashboardBrowser:
    """A browser with cookies, which sends forms with the token of the last page."""

    def __init__(self, app: ASGIApp, base_url: str, ip_address: str) -> None:
        self._client = TestClient(
            app, base_url=base_url, client=(ip_address, 1), follow_redirects=False
        )
        self._origin = base_url
        self.cookies = self._client.cookies
        self.csrf = ""

    def get(self, path: str) -> httpx.Response:
        return self._seen(self._client.get(path))

    def post(
        self, path: str, headers: dict[str, str] | None = None, **fields: str | list[str]
    ) -> httpx.Response:
        """Send a form with the right token, by default from a page of the dashboard."""
        sent = {"Origin": self._origin} if headers is None else headers
        data = {"csrf": self.csrf, **fields}
        return self._seen(self._client.post(path, data=data, headers=sent))

    def sign_in(self, name: str = "owner", password: str = PASSWORD) -> httpx.Response:
        self.get(SIGN_IN)
        return self.post(SIGN_IN, name=name, password=password)

    def use(self, link: str) -> httpx.Response:
        self.get(link)
        answer = self.post(link)
        self.get("/dashboard/password")
        return answer

    def choose(self, password: str, **fields: str) -> httpx.Response:
        return self.post("/dashboard/password", password=password, again=password, **fields)

    def _seen(self, answer: httpx.Response) -> httpx.Response:
        token = re.search(r'name="csrf" value="(\w+)"', answer.text)
        self.csrf = token[1] if token else self.csrf
        return answer


class Dashboard:
    """A service with one organization and its deployment `acme`; password hashes are cheap."""

    def __init__(self, services: AppServices, base_url: str) -> None:
        owners = OwnerRecords(services.database, services.clock, password_cost=2)
        self.services = replace(services, owners=owners)
        self.base_url = base_url
        self._app = create_service(self.services)
        self.organization = services.tenancy.create_organization("Acme")
        project = services.tenancy.create_project(self.organization.id, "Docs", "/docs")
        services.tenancy.create_deployment(project.id, "acme", "docs.acme.test")

    def browser(self, ip_address: str = "192.0.2.1") -> DashboardBrowser:
        return DashboardBrowser(self._app, self.base_url, ip_address)

    def link(self) -> str:
        return self.services.owners.new_sign_in_link(self.organization.id)

    def owner(self) -> DashboardBrowser:
        """Return the browser of an owner who has just set a password."""
        browser = self.browser()
        browser.use(self.link())
        assert browser.choose(PASSWORD).status_code == 303
        browser.get("/dashboard/password")
        return browser


@contextmanager
def dashboard(
    data: Path, base_url: str = "http://docstead.test", **settings: Any
) -> Iterator[Dashboard]:
    with open_services(
        load_settings(data=data_with_tables(data), base_url=base_url, **settings)
    ) as services:
        yield Dashboard(services, base_url)
