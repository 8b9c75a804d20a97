"""PostgreSQL and S3 go away for a while: readers go on, jobs wait, nothing fails for good.

The names of the tests are the ids of the findings: before, readers lost every page, requests got
500, jobs ended as failed, and each request wrote a trace into the log.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from attacked_service import call
from free_ports import free_port
from running_service import Service
from store_servers import Stores, StoreServer, own_stores

_PAGES = 200
_OUTAGE_SECONDS = 3.0  # longer than the object store's own retries need


@dataclass(frozen=True)
class OutageNode:
    """A service with stores that the test may stop."""

    service: Service
    stores: Stores

    def post(self, path: str, **body: object) -> httpx.Response:
        return call(self.service, "assistant", "POST", path, json=body)

    def update(self) -> str:
        """Start an update of the project; its id."""
        path = f"/v1/project/update/{self.service.facts['projectId']}"
        return str(call(self.service, "admin", "POST", path).json()["statusId"])

    def update_status(self, update_id: str) -> str:
        answer = call(self.service, "admin", "GET", f"/v1/project/update-status/{update_id}")
        return str(answer.json()["status"])


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OutageNode]:
    folder = tmp_path_factory.mktemp("outages")
    with own_stores() as stores:
        more = tuple({**stores.settings, "DOCSTEAD_SEARCH_BY_MEANING": "false"}.items())
        service = Service(_source(folder / "source"), folder / "data", free_port(), more=more)
        service.start()
        yield OutageNode(service, stores)
        stores.postgres.start_if_stopped()
        stores.s3.start_if_stopped()
        service.stop()


def _source(folder: Path) -> Path:
    folder.mkdir()
    names = ["index", *(f"page-{number}" for number in range(_PAGES))]
    for name in names:
        (folder / f"{name}.mdx").write_text(f"---\ntitle: {name}\n---\n\nElephants of {name}.\n")
    config = {
        "name": "Large",
        "theme": "mint",
        "colors": {"primary": "#0F766E"},
        "navigation": {"pages": names},
    }
    (folder / "docs.json").write_text(json.dumps(config))
    return folder


@contextmanager
def _away(server: StoreServer) -> Iterator[None]:
    server.stop()
    try:
        yield
    finally:
        server.start_if_stopped()


def _eventually(condition: Callable[[], object], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_nodes_4_and_fault_6_sites_and_search_without_the_database(node: OutageNode) -> None:
    service, domain = node.service, node.service.facts["domain"]
    search = f"/discovery/v1/search/{domain}"
    assert service.get("/page-9").status_code == 200
    assert node.post(search, query="elephants").json()
    logged = len(service.log())
    with _away(node.stores.postgres):
        for _ in range(10):
            assert service.get("/page-9").status_code == 200
            assert service.get("/page-7").status_code == 200  # not asked for before
            found = node.post(search, query="elephants")
            assert (found.status_code, bool(found.json())) == (200, True)
        assert service.get("/livez").status_code == 200
        assert service.get("/readyz").status_code == 503
        refused = service.ask("Do elephants sleep?")
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
        assert "error" in refused.json()
        changed = call(service, "admin", "POST", f"/v1/project/update/{service.facts['projectId']}")
        assert (changed.status_code, "Retry-After" in changed.headers) == (503, True)
    _eventually(lambda: service.ask("Do elephants sleep?").status_code == 200)
    # nodes 11, fault 8: a few lines for the whole outage, none with a trace
    lines = service.log()[logged:].splitlines()
    assert not [line for line in lines if "Traceback" in line]
    assert len(lines) < 6, lines


@pytest.mark.deep
def test_nodes_1_a_short_database_outage_ends_no_export(node: OutageNode) -> None:
    job_id = node.service.export()["jobId"]
    _eventually(lambda: node.service.job(job_id)["status"] == "running")
    with _away(node.stores.postgres):
        time.sleep(_OUTAGE_SECONDS)
    _eventually(lambda: node.service.get("/healthz").status_code == 200)
    assert node.service.ended(job_id, seconds=120)["status"] == "completed"


def test_nodes_3_and_fault_7_an_outage_of_objects_ends_no_job(node: OutageNode) -> None:
    page = node.service.source / "page-9.mdx"
    with _away(node.stores.s3):
        page.write_text(f"{page.read_text()}\n\nWritten meanwhile.\n")
        update_id, job_id = node.update(), node.service.export()["jobId"]
        _eventually(lambda: node.update_status(update_id) == "in_progress")
        assert node.service.get("/page-8").status_code == 200
        time.sleep(_OUTAGE_SECONDS)
        assert node.update_status(update_id) == "in_progress"
    _eventually(lambda: node.update_status(update_id) == "success")
    _eventually(lambda: "Written meanwhile." in node.service.get("/page-9").text)
    assert node.service.ended(job_id, seconds=120)["status"] == "completed"
    assert "Traceback" not in node.service.log()
