"""Data of earlier versions, as `upgrades/store.py` stored it: it opens, and its work goes on."""

from __future__ import annotations

import io
import json
import secrets
import subprocess
import tarfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx
import psycopg
import pytest
from sqlalchemy import create_engine, text
from starlette.testclient import TestClient

from chat_server import Call, ChatRequest, ChatServer, Reply, Rule, chat_server
from docstead.agent.states import JobStatus
from docstead.agent.values import AgentJob
from docstead.app.databases import database_url
from docstead.app.service import create_service
from docstead.app.services import AppServices, open_services
from docstead.export.records import Export, ExportStatus
from docstead.jobs.library import jobs_engine, jobs_url, new_client
from docstead.jobs.step_results import with_new_fields
from docstead.publishing.update_records import UpdateStatus
from docstead.settings import Settings

STORED = Path(__file__).parent / "upgrades"
# The suite opens each version and each database once, --deep all of them.
STORES = (
    pytest.param("7e77c87-sqlite"),
    pytest.param("7e77c87-postgres", marks=pytest.mark.deep),
    pytest.param("503add21-sqlite", marks=pytest.mark.deep),
    pytest.param("503add21-postgres"),
)
SECRET = "a long enough secret of stored data"
HOST = "docs.acme.example"
_SECONDS = 240
T = TypeVar("T")


@dataclass(frozen=True)
class Upgraded:
    """The service of today over stored data; `facts` has the ids of what was stored."""

    services: AppServices
    client: TestClient
    chat: ChatServer
    first_page: httpx.Response  # before any job ran
    repository: Path
    facts: dict[str, str]

    def export(self, name: str) -> Export:
        """The export once it has ended."""

        def found() -> Export:
            return self.services.exports.get(self.facts["organization"], self.facts[name])

        return _until(found, lambda export: export.status.is_final)

    def job(self, name: str) -> AgentJob:
        """The agent job once it has ended."""

        def found() -> AgentJob:
            return self.services.agent.get(
                self.facts[name],
                project_id=self.facts["project"],
                organization_id=self.facts["organization"],
            )

        return _until(found, lambda job: job.status is not JobStatus.ACTIVE)

    def call(self, method: str, path: str, key: str = "adminKey", **more: Any) -> httpx.Response:
        """The response to a request with a key that was stored."""
        headers = {"Authorization": f"Bearer {self.facts[key]}"}
        response = self.client.request(method, path, headers=headers, **more)
        assert response.is_success, response.text
        return response

    def file(self, branch: str, path: str) -> str:
        command = ["git", "-c", "safe.directory=*", "show", f"{branch}:{path}"]
        done = subprocess.run(command, cwd=self.repository, check=True, capture_output=True)
        return done.stdout.decode()


def _until(look: Callable[[], T], is_so: Callable[[T], bool]) -> T:
    deadline = time.monotonic() + _SECONDS
    while not is_so(seen := look()):
        assert time.monotonic() < deadline, seen
        time.sleep(0.1)
    return seen


PARCELS = '---\ntitle: "Parcels"\n---\n\nSee [start](/guides/start).\n'


def _write(path: str, page: str) -> Reply:
    return Reply(calls=(Call("write_file", {"path": path, "text": page}, "w"),))


def _asked(words: str) -> Callable[[ChatRequest], bool]:
    """Report whether an agent job with these words in its instruction has written nothing yet."""

    def matches(said: ChatRequest) -> bool:
        return bool(said.tools) and words in _text(said) and "write_file" not in said.used

    return matches


def _text(said: ChatRequest) -> str:
    return "\n".join(each.text for each in said.messages)


FINISH = Reply(calls=(Call("finish", {"title": "Done", "summary": "It was missing."}, "f"),))
RULES = (
    Rule(_asked("Explain the first parcel"), _write("guides/start.mdx", PARCELS)),
    Rule(_asked("Add a page about parcels"), _write("index.mdx", PARCELS)),
    Rule(lambda said: bool(said.tools), FINISH),
    Rule(lambda _: True, Reply("Parcelo sends parcels [1].")),
)


@pytest.fixture(scope="module", params=STORES)
def upgraded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Upgraded]:
    folder = tmp_path_factory.mktemp("upgraded")
    _unpack(STORED / f"{request.param}.tar.xz", folder)
    facts = json.loads((folder / "facts.json").read_text())
    dump = folder / "dump.sql"
    url = _restored(dump, request.getfixturevalue("postgres_url")) if dump.exists() else ""
    with chat_server() as chat:
        chat.rules = RULES
        settings = Settings(
            data=folder / "data",
            database_url=url,
            node_id="node-1",
            base_url="http://docstead.test",
            secret=SECRET,
            render_workers=1,
            model_base_url=chat.url,
            model_name="scripted",
            model_retries=0,
        )
        _move_sources(database_url(settings), folder / "repository")
        with open_services(settings) as services:
            client = TestClient(create_service(services), base_url=settings.base_url)
            page = client.get("/guides/start", headers={"Host": HOST})
            with client:  # from here on, jobs are run
                yield Upgraded(services, client, chat, page, folder / "repository", facts)


def _unpack(packed: Path, folder: Path) -> None:
    with tarfile.open(packed) as archive:
        for member in archive:
            if (file := archive.extractfile(member)) is not None:
                target = folder / member.name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(file.read())


def _restored(dump: Path, url_of: Callable[[str], str]) -> str:
    """The URL of a new database with the rows of a dump."""
    url = url_of(name := f"upgraded_{secrets.token_hex(4)}")
    with psycopg.connect(url_of("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    lines = dump.read_text().splitlines()
    statements = "\n".join(line for line in lines if not line.startswith("\\"))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statements.encode())
    return url


def _move_sources(url: str, repository: Path) -> None:
    """Let the projects have their repository where it was unpacked."""
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.execute(text("UPDATE projects SET source = :to"), {"to": str(repository)})
    engine.dispose()


def test_stored_edition_is_served(upgraded: Upgraded) -> None:
    assert upgraded.first_page.status_code == 200, upgraded.first_page.text
    assert "The first parcel." in upgraded.first_page.text


def test_thread_is_read(upgraded: Upgraded) -> None:
    text = "And what else?"
    part = {"type": "text", "text": text}
    message = {"id": "1", "role": "user", "content": text, "parts": [part]}
    response = upgraded.call(
        "POST",
        "/discovery/v1/assistant/acme/message",
        "assistantKey",
        json={"fp": "reader", "threadId": upgraded.facts["thread"], "messages": [message]},
    )
    assert upgraded.facts["thread"] in response.text
    asked = [each for each in upgraded.chat.conversations if text in _text(each)]
    assert "What does Parcelo do?" in _text(asked[-1])


def test_bundle_is_linked(upgraded: Upgraded) -> None:
    path = f"/v1/static-export/jobs/{upgraded.facts['export']}/bundle"
    bundle = upgraded.client.get(upgraded.call("POST", path).json()["bundleUrl"])
    with tarfile.open(fileobj=io.BytesIO(bundle.content)) as archive:
        assert "guides/start.html" in archive.getnames()


@pytest.mark.parametrize("name", ["runningExport", "queuedExport"])
def test_export_goes_on(upgraded: Upgraded, name: str) -> None:
    ended = upgraded.export(name)
    assert (ended.status, ended.error, ended.page_count) == (ExportStatus.COMPLETED, None, 2)


def test_queued_update_is_run(upgraded: Upgraded) -> None:
    updates, update_id = upgraded.services.updates, upgraded.facts["queuedUpdate"]
    ended = _until(lambda: updates.get(update_id), lambda update: update.status.is_final)
    assert ended.status is UpdateStatus.SUCCESS, ended


@pytest.mark.parametrize(
    ("name", "path"), [("runningJob", "guides/start.mdx"), ("queuedJob", "index.mdx")]
)
def test_job_goes_on(upgraded: Upgraded, name: str, path: str) -> None:
    ended = upgraded.job(name)
    turns = upgraded.services.agent.turns(ended.id)
    assert (ended.status, [each.status for each in turns]) == (JobStatus.COMPLETED, ["completed"])
    assert upgraded.file(ended.branch, path) == PARCELS


def test_results_of_steps_are_read(upgraded: Upgraded) -> None:
    engine = jobs_engine(jobs_url(database_url(upgraded.services.settings)))
    steps = new_client(engine).list_workflow_steps(f"{upgraded.facts['proposedJob']}_1")
    engine.dispose()
    results = [with_new_fields(each["output"]) for each in steps]
    assert {type(each).__name__ for each in results} >= {
        "WorkspaceReady",
        "ModelAnswer",
        "ToolDone",
        "CheckResult",
        "WorkCommitted",
        "BranchPushed",
        "WorkOffered",
    }
    for name in ("go_on", "is_cut"):
        assert not any(getattr(each, name, None) for each in results), name


def test_review_is_shown(upgraded: Upgraded) -> None:
    services, job = upgraded.services, upgraded.job("proposedJob")
    change = services.forges.of(services.tenancy.project(job.project_id)).find(job.branch)
    assert change is not None
    review = services.forges.reviews.numbered(job.project_id, change.number)
    revisions = services.reviews.revisions(review)
    assert (review.title, review.is_open) == ("Add webhooks", True)
    assert services.reviews.conflicts(revisions) == ()
