"""Installations that cannot work: one sentence with setting or path, and the way out."""

from __future__ import annotations

import socket


def test_a_database_of_another_kind_is_refused(docstead) -> None:
    ended = docstead("keys", "list", DOCSTEAD_DATABASE_URL="mysql://user@host/name")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "DOCSTEAD_DATABASE_URL: mysql is not supported; use postgresql://" in ended.stderr
    ended = docstead("keys", "list", DOCSTEAD_DATABASE_URL="nonsense")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "DOCSTEAD_DATABASE_URL: not the URL of a database" in ended.stderr


def test_a_database_server_that_is_away_is_named(docstead) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # nobody listens
        port = closed.getsockname()[1]
        url = f"postgresql://docs:secret@127.0.0.1:{port}/docs"
        ended = docstead("keys", "list", DOCSTEAD_DATABASE_URL=url)
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    last = ended.stderr.splitlines()[-1]
    assert f"@127.0.0.1:{port}/docs: the database cannot be reached (" in last
    assert "Connection refused" in last
    assert last.endswith("start it, or correct DOCSTEAD_DATABASE_URL")
    assert "secret" not in ended.stderr


def test_a_database_that_cannot_be_opened_is_named(docstead) -> None:
    path = docstead.folder / "data" / "docstead.sqlite"
    path.mkdir(parents=True)
    ended = docstead("keys", "list")
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    assert f"{path}: the database cannot be opened" in ended.stderr.splitlines()[-1]
