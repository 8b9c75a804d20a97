"""A killed service loses nothing that it has acknowledged."""

from __future__ import annotations

import io
import signal
import tarfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from running_service import Service, free_port

PAGES = 400


@pytest.fixture
def large(tmp_path: Path, large_source: Callable[[int], Path]) -> Iterator[Service]:
    """A service whose export takes long enough to be interrupted."""
    service = Service(large_source(PAGES), tmp_path / "data", free_port())
    service.start()
    yield service
    service.stop()


@pytest.mark.timeout(240)
def test_an_export_goes_on_after_kill_9_with_the_batch_that_was_missing(large: Service) -> None:
    job_id = large.export()["jobId"]
    deadline = time.monotonic() + 60
    while (before := large.job(job_id))["pageCount"] == 0:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    large.stop(signal.SIGKILL)
    assert before["status"] == "running", "the export was too quick to be interrupted"
    parts = large.data / "objects" / "exports" / job_id
    written = {part: part.stat().st_mtime_ns for part in parts.rglob("*") if part.is_file()}
    assert written

    large.start()
    after = large.ended(job_id)
    assert (after["status"], after["progress"], after["pageCount"]) == ("completed", 100, PAGES)
    assert after["pageCount"] >= before["pageCount"]
    kept = {part: stamp for part, stamp in written.items() if part.exists()}
    assert all(part.stat().st_mtime_ns == stamp for part, stamp in kept.items())

    bundle = large.admin("POST", f"/v1/static-export/jobs/{job_id}/bundle").json()
    with tarfile.open(fileobj=io.BytesIO(httpx.get(bundle["bundleUrl"]).content)) as archive:
        pages = [name for name in archive.getnames() if name.startswith("page-")]
    assert len([name for name in pages if name.endswith(".html")]) == PAGES
