"""The whole service over fresh stores. Jobs are queued and never run here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp

from docstead.app.service import create_service
from docstead.app.services import AppServices, open_services
from docstead.settings import Settings
from in_process import ask
from migrated_data import data_with_tables

BASE_URL = "http://service.test"


@dataclass(frozen=True)
class ApiService:
    """The service in this process, and what is behind it."""

    services: AppServices
    app: ASGIApp

    def __call__(self, method: str, path: str, **options: Any) -> httpx.Response:
        return ask(self.app, method, path, base_url=BASE_URL, **options)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ApiService]:
    with _service(tmp_path) as service:
        yield service


@pytest.fixture(scope="module")
def untouched_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiService]:
    """A service for all tests of a module, which leave nothing in it."""
    with _service(tmp_path_factory.mktemp("service")) as service:
        yield service


@contextmanager
def _service(folder: Path) -> Iterator[ApiService]:
    settings = Settings(data=data_with_tables(folder / "data"), base_url=BASE_URL)
    with open_services(settings) as services:
        yield ApiService(services, create_service(services))
