"""Tokens, keys, and texts of readers stay out of the log."""

from __future__ import annotations

import asyncio
import logging
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from docstead.base.errors import Unavailable
from docstead.base.texts import logged_path
from docstead.cli.server import _LoggedDisconnects
from docstead.dashboard.application import EndpointFactory
from docstead.jobs.library import jobs_engine, jobs_url
from docstead.models.provider_errors import ProviderError, model_error
from docstead.publishing.remote_files import RemoteFiles

SCOPE = {
    "type": "http",
    "method": "GET",
    "path": "/dashboard/sign-in/Zq3_one-time-token_9fK",
    "query_string": b"",
    "headers": [],
}


def test_a_sign_in_link_whose_body_breaks_off(caplog: pytest.LogCaptureFixture) -> None:
    async def app(*_: object) -> None:
        raise ClientDisconnect

    with caplog.at_level(logging.INFO):
        asyncio.run(_LoggedDisconnects(app)(SCOPE, None, None))
    assert "GET /dashboard/sign-in/…: the client disconnected" in caplog.text


def test_a_sign_in_link_that_fails_unexpectedly(caplog: pytest.LogCaptureFixture) -> None:
    services = SimpleNamespace(is_https=False)
    pages = SimpleNamespace(failure=lambda *_: Response())
    # `services` has no owners: looking for the visitor's session fails.
    endpoint = EndpointFactory(services, pages).anyone(lambda _: Response())
    asyncio.run(endpoint(Request(SCOPE)))
    (record,) = caplog.records
    assert record.getMessage().endswith("GET /dashboard/sign-in/… failed")


def test_a_path_is_one_line() -> None:
    assert logged_path("/a\r\n2026 ERROR forged\x1b[2J") == r"/a\r\n2026 ERROR forged\x1b[2J"


def test_errors_of_the_databases_are_without_values(sqlite_backend, tmp_path) -> None:
    jobs = jobs_engine(jobs_url(f"sqlite:///{tmp_path}/docstead.db"))
    for begin in (sqlite_backend.database.transaction, jobs.begin):
        with begin() as connection:
            connection.execute(text("CREATE TABLE t (question TEXT CHECK (question = ''))"))
            inserting = text("INSERT INTO t VALUES (:said)")
            with pytest.raises(IntegrityError) as caught:
                connection.execute(inserting, {"said": "My private question"})
        assert "INSERT INTO t" in str(caught.value)
        assert "private" not in str(caught.value)
    jobs.dispose()


def test_a_key_at_the_end_of_what_is_kept_of_a_providers_message() -> None:
    key = "sk-0123456789abcdef"
    failure = model_error(ProviderError(f"{'x' * 590} {key}", 401), key)
    assert key[:6] not in failure.detail


def test_the_query_of_a_remote_file(tmp_path, caplog: pytest.LogCaptureFixture) -> None:
    is_away = False

    @contextmanager
    def get(_url: str):
        if is_away:
            raise Unavailable("away")
        yield SimpleNamespace(status=200, blocks=[b"openapi: 3.1.0"])

    files = RemoteFiles(SimpleNamespace(get=get), tmp_path)
    url = "https://specs.example.com/openapi.yaml?token=abc123"
    files.read(url)
    is_away = True
    with caplog.at_level(logging.WARNING):
        assert files.read(url) == "openapi: 3.1.0"
    assert "specs.example.com/openapi.yaml: away" in caplog.text
    assert "abc123" not in caplog.text
