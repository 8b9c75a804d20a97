"""`publish` with a running service, to another machine, and without a service."""

from __future__ import annotations

import json
import re
import signal
import socket
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import patient_http
from commands import Command
from docstead.base.errors import Unavailable
from docstead.cli.publish import located
from docstead.cli.service_client import ServiceClient
from docstead.publishing.publications import Destination
from free_ports import free_port
from ready_processes import ReadyProcesses

_SECONDS = 300


class _Begun:
    """A command that has begun, and what it prints."""

    def __init__(
        self, docstead: Command, environment: dict[str, str], *arguments: str | Path
    ) -> None:
        self._log = docstead.folder / f"{arguments[0]}-{free_port()}.log"
        with self._log.open("wb") as log:
            self.process = docstead.ready.start_logged(
                ("docstead.cli", *arguments), environment, log
            )

    def await_line(self, text: str) -> None:
        while text not in self._log.read_text():
            assert self.process.poll() is None, self._log.read_text()
            time.sleep(0.02)

    def interrupt(self) -> tuple[int, str]:
        """Interrupt it as Ctrl-C does; its exit status, and all that it has printed."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=_SECONDS), self._log.read_text()


class Serving:
    """`docstead serve`."""

    def __init__(self, docstead: Command, **more: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        environment = docstead.environment | {"DOCSTEAD_PORT": str(self.port)} | more
        self.data = Path(environment["DOCSTEAD_DATA"])
        self._begun = _Begun(docstead, environment, "serve")
        self._begun.await_line("serves on")

    def await_removal(self, file: Path) -> None:
        """Wait until the service has deleted the file, which it does after an update has ended."""
        latest = time.monotonic() + _SECONDS
        while file.exists():
            assert time.monotonic() < latest, f"{file} was not deleted"
            time.sleep(0.02)

    def stop(self) -> None:
        self._begun.interrupt()

    def home(self, domain: str) -> str:
        return patient_http.get(f"{self.url}/_sites/{domain}/", follow_redirects=True).text

    def rows(self, query: str, *values: str) -> list[tuple]:
        with sqlite3.connect(self.data / "docstead.sqlite") as database:
            return database.execute(query, values).fetchall()

    def updates(self, domain: str, column: str = "origin") -> list[str]:
        query = (
            f"select {column} from updates join projects on projects.id = updates.project_id "
            "where projects.name = ? order by sequence"
        )
        return [found for (found,) in self.rows(query, domain)]


@pytest.fixture(scope="module")
def docstead(tmp_path_factory: pytest.TempPathFactory, ready: ReadyProcesses) -> Command:
    """Commands that share a data folder, which the service of the module has."""
    return Command(tmp_path_factory.mktemp("commands"), ready)


@pytest.fixture(scope="module")
def serving(docstead: Command) -> Iterator[Serving]:
    service = Serving(docstead)
    yield service
    service.stop()


@pytest.fixture(scope="module")
def elsewhere(docstead: Command) -> Iterator[Serving]:
    """A service with another data folder than the commands have."""
    service = Serving(docstead, DOCSTEAD_DATA=str(docstead.folder / "elsewhere"))
    yield service
    service.stop()


@pytest.fixture
def unserved(tmp_path: Path, ready: ReadyProcesses) -> Command:
    """Commands with a data folder that no service has, and that is not there yet."""
    return Command(tmp_path, ready, migrates=True)


def test_the_running_service_publishes_the_folder(docstead, source: Path, serving) -> None:
    ended = docstead("publish", source, "--domain", "handbook")
    assert ended.returncode == 0, ended.stderr
    assert f"in the service at {serving.url}" in ended.stderr
    assert f"published at http://handbook.localhost:{serving.port}/" in ended.stderr
    assert "2 pages published" in ended.stderr
    assert "Welcome" in serving.home("handbook")
    again = docstead("publish", source, "--domain", "handbook")
    assert "(0 re-rendered)" in again.stderr
    assert serving.updates("handbook") == ["command", "command"]
    stored = serving.rows("select source from projects where name = 'handbook'")
    assert stored == [(str(source),)]


@pytest.mark.deep
def test_the_report_of_the_service_is_that_of_the_command(
    docstead, unserved, source: Path, serving
) -> None:
    (source / "index.mdx").write_text("---\ntitle: Welcome\n---\n\n[nowhere](/nowhere)\n")
    (source / "guides" / "keys.mdx").write_bytes(b"# caf\xe9")
    command = ("publish", source, "--domain", "faulty", "--json")
    by_service, by_itself = docstead(*command), unserved(*command)
    assert by_service.returncode == by_itself.returncode == 1
    report, expected = json.loads(by_service.stdout), json.loads(by_itself.stdout)
    assert serving.updates("faulty") == ["command"]
    for measured in ("seconds", "peakMemoryBytes"):
        assert report.pop(measured) > 0
        del expected[measured]
    assert report == expected
    assert {each["code"] for each in report["diagnostics"]} >= {"broken-link", "not-utf8"}


def test_a_failure_in_the_service_shows_its_position_and_leaves_no_deployment(
    docstead, source: Path, serving
) -> None:
    (source / "docs.json").write_text('{"name": }')
    ended = docstead("publish", source, "--domain", "broken", "--json")
    assert ended.returncode == 1
    assert "docs.json:1:" in ended.stderr
    assert json.loads(ended.stdout)["diagnostics"][0]["code"] == "source-unreadable"
    assert serving.updates("broken", "status") == ["failure"]
    assert serving.rows("select 1 from deployments where domain = 'broken'") == []
    assert docstead("publish", source, "--domain", "Hand Book").returncode == 2


def test_where_none_runs_the_command_publishes_and_says_so(unserved, source: Path) -> None:
    ended = unserved("publish", source, "--domain", "handbook")
    assert ended.returncode == 0, ended.stderr
    assert "New data folder" in ended.stderr
    assert "No service runs on" in ended.stderr
    assert "Nothing answers at http://127.0.0.1:8080 yet; start it: docstead serve" in ended.stderr
    assert "New data folder" not in unserved("ask", "How?").stderr


@pytest.mark.parametrize(
    "listener", [pytest.param("nobody", marks=pytest.mark.deep), "another service"]
)
def test_a_stale_url_is_noticed(unserved, source: Path, elsewhere, listener: str) -> None:
    url = elsewhere.url if listener != "nobody" else f"http://127.0.0.1:{free_port()}"
    data = Path(unserved.environment["DOCSTEAD_DATA"])
    data.mkdir()
    (data / "service.json").write_text(json.dumps({"url": url, "public_url": url, "run": "1"}))
    ended = unserved("publish", source, "--domain", "stale")
    assert ended.returncode == 0, ended.stderr
    assert "No service runs on" in ended.stderr
    assert elsewhere.updates("stale") == []


def test_the_url_is_private_and_goes_with_the_service(unserved) -> None:
    service = Serving(unserved)
    announcement = service.data / "service.json"
    assert json.loads(announcement.read_text())["url"] == service.url
    assert announcement.stat().st_mode & 0o077 == 0
    service.stop()
    assert not announcement.exists()


def test_a_folder_is_sent_to_a_service_elsewhere(unserved, source: Path, elsewhere) -> None:
    own = {"DOCSTEAD_DATA": str(elsewhere.data)}
    key = unserved("keys", "create", "admin", **own).stdout.strip()
    (source / ".docsignore").write_text("drafts/\n")
    (source / "drafts").mkdir()
    (source / "drafts" / "secret.mdx").write_text("# Secret\n")
    (source / "again.mdx").symlink_to("guides/keys.mdx")
    command = ("publish", source, "--domain", "sent", "--server", elsewhere.url)
    assert "DOCSTEAD_ADMIN_KEY" in unserved(*command).stderr
    ended = unserved(*command, DOCSTEAD_ADMIN_KEY=key)
    assert ended.returncode == 0, ended.stderr
    assert "Welcome" in elsewhere.home("sent")
    (archive,) = elsewhere.data.rglob("archives/*/*.tar.gz")
    listing = subprocess.run(["tar", "tzf", archive], capture_output=True, text=True, check=True)
    assert sorted(listing.stdout.split()) == [
        *(".docsignore", "again.mdx", "docs.json", "guides/keys.mdx", "index.mdx")
    ]
    (source / "index.mdx").write_text("---\ntitle: Hello\n---\n")
    again = unserved(*command, DOCSTEAD_ADMIN_KEY=key)
    assert "(1 re-rendered)" in again.stderr, again.stderr
    elsewhere.await_removal(archive)
    (_renewed,) = elsewhere.data.rglob("archives/*/*.tar.gz")
    assert elsewhere.updates("sent") == ["api", "api"]
    assert not (unserved.folder / "data").exists()
    refused = unserved(*command, DOCSTEAD_ADMIN_KEY="svc_wrong")
    assert refused.returncode == 1
    assert "correct --key or DOCSTEAD_ADMIN_KEY" in refused.stderr


class _Site(BaseHTTPRequestHandler):
    """A published site: it answers other methods than GET with a page."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.send_response(405)
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Method not allowed</title>")


def test_a_site_is_not_taken_for_the_service(tmp_path: Path) -> None:
    archive = tmp_path / "source.tar.gz"
    archive.write_bytes(b"archive")
    with ThreadingHTTPServer(("127.0.0.1", 0), _Site) as site:
        threading.Thread(target=site.serve_forever, args=(0.02,)).start()
        url = f"http://127.0.0.1:{site.server_address[1]}"
        try:
            with (
                ServiceClient(url, "svc_key") as client,
                pytest.raises(Unavailable, match=r"a published site .*DOCSTEAD_BASE_URL"),
            ):
                client.publish_archive(Destination("handbook"), archive)
        finally:
            site.shutdown()


def test_a_second_installation_is_not_begun_beside_a_service(
    unserved, source: Path, serving
) -> None:
    usual = {"DOCSTEAD_DATA": ".docstead", "DOCSTEAD_PORT": str(serving.port)}
    for command in (
        ("publish", source, "--domain", "people"),
        ("ask", "How?"),
        ("sign-in",),
        ("keys", "create", "admin"),
        ("deployments", "list"),
        ("organizations", "list"),
        ("secret", "reset", "--yes"),
    ):
        ended = unserved(*command, **usual)
        assert ended.returncode == 1
        assert "does not use the data folder" in ended.stderr
        assert "DOCSTEAD_DATA" in ended.stderr
    assert not (unserved.folder / ".docstead").exists()


def test_links_of_commands_lead_to_the_running_service(docstead, source: Path, serving) -> None:
    published = docstead("publish", source, "--domain", "linked")
    link = docstead("sign-in")
    assert link.stdout.startswith(f"{serving.url}/dashboard/sign-in/")
    assert "Nothing answers" not in link.stderr
    site = f"http://linked.localhost:{serving.port}/"
    assert f"published at {site}" in published.stderr
    assert f"{site}guides/keys" in docstead("search", "keys", "--domain", "linked").stdout


def test_a_key_ends_when_the_command_has_revoked_it(docstead, serving) -> None:
    made = json.loads(docstead("keys", "create", "admin", "--json").stdout)

    def status() -> int:
        headers = {"Authorization": f"Bearer {made['key']}"}
        return patient_http.get(
            f"{serving.url}/v1/static-export/jobs/x", headers=headers
        ).status_code

    assert status() == 404
    assert docstead("keys", "revoke", made["id"]).returncode == 0
    assert status() == 401


def test_an_interrupted_command_says_that_the_update_goes_on(
    docstead, source: Path, serving
) -> None:
    for number in range(100):
        (source / f"page{number}.mdx").write_text(f"# Page {number}\n\n" + "Words. " * 200)
    command = _Begun(docstead, docstead.environment, "publish", source, "--domain", "long")
    command.await_line("Started update")
    status, output = command.interrupt()
    assert status == 130, output
    assert re.search(rf"Update up_\w+ continues .*{serving.url}/dashboard", output)
    while serving.updates("long", "status")[0] in ("queued", "in_progress"):
        time.sleep(0.05)
    assert serving.updates("long", "status") == ["success"]


@pytest.mark.parametrize(
    ("source_waits", "sentence"),
    [
        (True, "Interrupted; the published site is unchanged."),
        (False, "Interrupted before an update was confirmed."),
    ],
)
def test_an_interruption_before_the_update_says_how_far_it_came(
    unserved, source: Path, source_waits: bool, sentence: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(30)
        host = f"127.0.0.1:{silent.getsockname()[1]}"
        location = f"https://{host}/handbook.git" if source_waits else source
        to = ("--domain", "handbook", "--server", f"http://{host}")
        environment = unserved.environment | {"DOCSTEAD_ADMIN_KEY": "svc_any"}
        command = _Begun(unserved, environment, "publish", location, *to)
        with silent.accept()[0]:
            status, output = command.interrupt()
    assert (status, output.count("\n")) == (130, 1), output
    assert output.startswith(sentence)


@pytest.mark.deep
def test_a_command_that_publishes_by_itself_says_that_it_was_interrupted(
    unserved, source: Path
) -> None:
    for number in range(100):
        (source / f"page{number}.mdx").write_text(f"# Page {number}\n\n" + "Words. " * 200)
    assert unserved("ask", "How?").returncode == 1  # makes the database
    command = _Begun(unserved, unserved.environment, "publish", source, "--domain", "long")
    with sqlite3.connect(Path(unserved.environment["DOCSTEAD_DATA"]) / "docstead.sqlite") as rows:
        begun = "select count(*) from updates where status = 'in_progress'"
        while not rows.execute(begun).fetchone()[0]:
            assert command.process.poll() is None
            time.sleep(0.02)
    status, output = command.interrupt()
    assert status == 130, output
    assert "Interrupted; the published site is unchanged." in output


def test_a_folder_is_stored_without_dots_and_with_its_links(tmp_path: Path) -> None:
    (tmp_path / "first" / "docs").mkdir(parents=True)
    (tmp_path / "now").symlink_to("first")

    assert located(f"{tmp_path}/now/docs") == f"{tmp_path}/now/docs"
    assert located(f"{tmp_path}/now/docs/../docs") == f"{tmp_path.resolve()}/first/docs"
    assert located("https://git.example/acme/../docs") == "https://git.example/acme/../docs"
