"""Two nodes on one PostgreSQL and one bucket, started by the same command as a single one."""

from __future__ import annotations

import io
import signal
import tarfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import patient_http
from free_ports import free_port
from running_service import Service

SECRET = "a long enough secret that both nodes share"
S3_SETTINGS = {
    "DOCSTEAD_S3_BUCKET": "docstead",
    "DOCSTEAD_S3_ACCESS_KEY_ID": "test-access",
    "DOCSTEAD_S3_SECRET_ACCESS_KEY": "test-secret-of-the-test-server",
}


@pytest.fixture
def nodes(
    tmp_path: Path, postgres_backend, s3_endpoint: str, large_source: Callable[[int], Path]
) -> Iterator[tuple[Service, Service]]:
    more = S3_SETTINGS | {
        "DOCSTEAD_DATABASE_URL": postgres_backend.database_url,
        "DOCSTEAD_S3_ENDPOINT": s3_endpoint,
        "DOCSTEAD_SECRET": SECRET,
    }
    source = large_source(300)
    first, second = (
        Service(source, tmp_path / name, free_port(), more=tuple(more.items()))
        for name in ("first", "second")
    )
    first.start()
    second.start()
    yield first, second
    for node in (first, second):
        if node.process is not None and node.process.poll() is None:
            node.stop()


@pytest.mark.deep
@pytest.mark.timeout(240)
def test_what_one_node_began_another_ends(nodes: tuple[Service, Service]) -> None:
    first, second = nodes
    assert "0 re-rendered" in second.log()  # the edition of the first node is there already
    assert second.get("/page-7").status_code == 200
    assert first.facts["projectId"] == second.facts["projectId"]

    job_id = first.export()["jobId"]
    deadline = time.monotonic() + 120
    while second.job(job_id)["status"] == "queued":
        assert time.monotonic() < deadline
        time.sleep(0.1)
    # Whichever node took the job is the one that dies.
    first.stop(signal.SIGKILL)
    ended = second.ended(job_id, seconds=90)
    assert (ended["status"], ended["pageCount"]) == ("completed", 300)

    bundle = second.admin("POST", f"/v1/static-export/jobs/{job_id}/bundle").json()
    assert "X-Amz-Signature" in bundle["bundleUrl"]
    with tarfile.open(fileobj=io.BytesIO(patient_http.get(bundle["bundleUrl"]).content)) as archive:
        assert "page-299.html" in archive.getnames()
