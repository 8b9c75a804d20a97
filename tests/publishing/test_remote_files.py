"""Specifications of other hosts: read, kept, refused."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from docstead.base.errors import InvalidRequest, Unavailable
from docstead.base.networks import parsed_networks
from docstead.base.outbound import OutboundClient
from docstead.loading.loader import read_repository
from docstead.publishing.remote_files import RemoteFiles

SPECIFICATION = {
    "openapi": "3.1.0",
    "info": {"title": "Users", "version": "1"},
    "paths": {"/users": {"get": {"summary": "List users", "responses": {}}}},
}
LOCAL = OutboundClient(parsed_networks(["127.0.0.0/8"]))


class FileHost(ThreadingHTTPServer):
    answer: tuple[int, bytes] = (200, json.dumps(SPECIFICATION).encode())
    asked = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/api"


class RemoteFileHandler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, FileHost)
        self.server.asked += 1
        status, body = self.server.answer
        self.send_response(status)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def host() -> Iterator[FileHost]:
    server = FileHost(("127.0.0.1", 0), RemoteFileHandler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def repository(folder: Path, url: str) -> Path:
    config = {
        "name": "Users",
        "theme": "mint",
        "colors": {"primary": "#0F766E"},
        "navigation": {"groups": [{"group": "API", "openapi": url}]},
    }
    folder.mkdir()
    (folder / "docs.json").write_text(json.dumps(config))
    return folder


def test_operations_of_another_host_become_pages(tmp_path: Path, host: FileHost) -> None:
    source = repository(tmp_path / "source", host.url)
    found = read_repository(source, read_remote=RemoteFiles(LOCAL).read).finished()
    assert found.diagnostics == ()
    (page,) = found.pages.values()
    assert (page.meta.title, page.meta.method) == ("List users", "GET")
    assert host.asked == 1


def test_a_schema_of_another_host_becomes_pages_of_its_tab(tmp_path: Path, host: FileHost) -> None:
    host.answer = (200, b"type Query { user: User } type User { name: String }")
    source = repository(tmp_path / "source", host.url)
    config = json.loads((source / "docs.json").read_text())
    config["navigation"] = {"tabs": [{"tab": "GraphQL", "graphql": host.url}]}
    (source / "docs.json").write_text(json.dumps(config))
    found = read_repository(source, read_remote=RemoteFiles(LOCAL).read).finished()
    assert found.diagnostics == ()
    assert list(found.pages) == ["graphql-reference/queries/user", "graphql-reference/types/user"]
    assert host.asked == 1


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ((404, b""), "status 404"),
        ((200, b"\xff\xfe\xff"), "not UTF-8"),
        ((200, b"x" * (11 * 1024 * 1024)), "larger than 10 MB"),
    ],
)
def test_what_cannot_be_read_is_a_diagnostic_with_its_position(
    tmp_path: Path, host: FileHost, answer: tuple[int, bytes], reason: str
) -> None:
    host.answer = answer
    source = repository(tmp_path / "source", host.url)
    found = read_repository(source, read_remote=RemoteFiles(LOCAL).read).finished().diagnostics
    (diagnostic,) = (each for each in found if each.code == "openapi-remote")
    assert (diagnostic.file, diagnostic.line) == ("docs.json", 1)
    assert reason in diagnostic.message


def test_a_file_of_the_api_settings_that_is_not_to_be_had_is_reported(
    tmp_path: Path, host: FileHost
) -> None:
    host.answer = (404, b"")
    source = repository(tmp_path / "source", host.url)
    config = json.loads((source / "docs.json").read_text())
    config |= {"api": {"openapi": host.url}, "navigation": {"pages": ["users"]}}
    (source / "docs.json").write_text(json.dumps(config))
    (source / "users.mdx").write_text("---\nopenapi: GET /users\n---\n")
    found = read_repository(source, read_remote=RemoteFiles(LOCAL).read).finished().diagnostics
    assert [each.code for each in found] == ["openapi-remote"]
    assert "status 404" in found[0].message


def test_one_diagnostic_names_a_file_that_is_not_to_be_had(tmp_path: Path, host: FileHost) -> None:
    host.answer = (404, b"")
    source = repository(tmp_path / "source", host.url)
    config = json.loads((source / "docs.json").read_text())
    operations = [f"GET /{number}" for number in range(50)]
    mistyped = "local.json GET /nothing"
    config["navigation"] = {"pages": ["users", *operations, mistyped], "openapi": host.url}
    (source / "local.json").write_text(json.dumps(SPECIFICATION))
    (source / "docs.json").write_text(json.dumps(config))
    (source / "users.mdx").write_text("---\ntitle: Users\n---\n")
    found = read_repository(source, read_remote=RemoteFiles(LOCAL).read).finished().diagnostics
    assert sorted(each.code for each in found) == ["openapi-remote", "unknown-operation"]
    assert "local.json has no GET /nothing" in [each.message for each in found]


def test_private_hosts_are_not_asked(tmp_path: Path, host: FileHost) -> None:
    with pytest.raises(InvalidRequest, match="not a public address"):
        RemoteFiles(OutboundClient()).read(host.url)
    assert host.asked == 0


def test_the_copy_of_the_last_time_serves_while_a_host_is_away(
    tmp_path: Path, host: FileHost
) -> None:
    files = RemoteFiles(LOCAL, tmp_path / "kept")
    text = files.read(host.url)
    host.answer = (503, b"")
    assert files.read(host.url) == text
    with pytest.raises(Unavailable):
        files.read(f"{host.url}/other")


def test_builds_read_the_same_file_at_the_same_time(
    tmp_path: Path, host: FileHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = Path.replace

    def slowly(path: Path, target: Path) -> Path:
        time.sleep(0.01)  # in which another thread would write the copy
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", slowly)
    files = RemoteFiles(LOCAL, tmp_path / "kept")
    with ThreadPoolExecutor(4) as pool:
        texts = list(pool.map(files.read, [host.url] * 8))
    assert texts == [host.answer[1].decode()] * 8


def test_artifacts_are_larger_and_need_be_no_text(tmp_path: Path, host: FileHost) -> None:
    files = RemoteFiles(LOCAL, tmp_path / "kept")
    host.answer = (200, b"\xff" * (11 * 1024 * 1024))
    assert files.read_artifact(host.url) == host.answer[1]
    host.answer = (200, b"x" * (50 * 1024 * 1024 + 1))
    assert len(files.read_artifact(host.url)) == 11 * 1024 * 1024
    with pytest.raises(Unavailable, match="larger than 50 MB"):
        files.read_artifact(f"{host.url}/other")
    with pytest.raises(InvalidRequest, match="not a public address"):
        RemoteFiles(OutboundClient()).read_artifact(host.url)
