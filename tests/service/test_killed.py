"""A killed service loses nothing that it has acknowledged."""

from __future__ import annotations

import io
import signal
import tarfile
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

import patient_http
from free_ports import free_port
from running_service import Service

PAGES = 400
MARK = b"of a part that was finished before the process died"


@pytest.fixture
def large(tmp_path: Path, large_source: Callable[[int], Path]) -> Iterator[Service]:
    """A service whose export takes long enough to be interrupted."""
    service = Service(large_source(PAGES), tmp_path / "data", free_port())
    service.start()
    yield service
    service.stop()


@pytest.mark.deep
@pytest.mark.timeout(240)
def test_an_export_goes_on_after_kill_9_with_the_batch_that_was_missing(large: Service) -> None:
    job_id = large.export()["jobId"]
    deadline = time.monotonic() + 120
    while (before := large.job(job_id))["pageCount"] == 0:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    large.stop(signal.SIGKILL)
    assert before["status"] == "running", "the export was too quick to be interrupted"
    parts = large.data / "objects" / "exports" / job_id / "parts"
    finished = [part for part in parts.iterdir() if part.name.isdigit()]
    assert finished
    marked = {mark(part) for part in finished}

    large.start()
    after = large.ended(job_id)
    assert (after["status"], after["progress"], after["pageCount"]) == ("completed", 100, PAGES)
    assert after["pageCount"] >= before["pageCount"]

    bundle = large.admin("POST", f"/v1/static-export/jobs/{job_id}/bundle").json()
    with tarfile.open(fileobj=io.BytesIO(patient_http.get(bundle["bundleUrl"]).content)) as archive:
        pages = [name for name in archive.getnames() if name.startswith("page-")]
        kept = {name for name in marked if archive.extractfile(name).read() == MARK}
    assert len([name for name in pages if name.endswith(".html")]) == PAGES
    assert kept == marked, "finished parts were made again"


def mark(part: Path) -> str:
    """Change one page of a finished part, so that a rewritten one is noticed."""
    contents = msgspec.msgpack.decode(zlib.decompress(part.read_bytes()), type=dict[str, bytes])
    page = next(name for name in contents if name.endswith(".html"))
    part.write_bytes(zlib.compress(msgspec.msgpack.encode({**contents, page: MARK})))
    return page
