"""Escapes from the sandbox of V8 workers and builders, tried from inside."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import escape_attempts
from docstead.base import sandbox
from docstead.content.config import ApiSettings
from docstead.rendering.limits import EngineLimits
from docstead.rendering.process import Worker
from docstead.rendering.protocol import SiteSource

pytestmark = pytest.mark.skipif(
    not sandbox.supported().is_complete, reason="this kernel has no Landlock or no seccomp"
)


@pytest.fixture(scope="module", params=["worker", "builder"])
def obtained(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, str | None]:
    """The result of every attempt, made by one confined process of each kind."""
    folder = tmp_path_factory.mktemp("others")
    secret = folder / "secret"
    secret.write_text("of another tenant")
    own = tmp_path_factory.mktemp("own")
    kind = "worker" if request.param == "worker" else str(own)
    name = secrets.token_hex(8)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"\0{name}")
        listener.listen()
        program = [sys.executable, escape_attempts.__file__, kind, str(os.getpid()), name, secret]
        made = subprocess.run(program, capture_output=True, text=True, timeout=120, check=False)
    assert made.returncode == 0, made.stderr
    assert secret.read_text() == "of another tenant"
    assert [path.name for path in folder.iterdir()] == ["secret"]
    results: dict[str, str | None] = json.loads(made.stdout)
    return results


_ATTEMPTS = sorted(escape_attempts._attempts(0, "", Path("x"), 0))


@pytest.mark.parametrize("attempt", _ATTEMPTS)
def test_an_escape_is_refused(obtained: Mapping[str, str | None], attempt: str) -> None:
    assert obtained[attempt] is None


def test_a_worker_is_confined() -> None:
    limits = EngineLimits()
    site = SiteSource({}, {}, (), "", "lucide", None, ApiSettings(), {}, limits)
    worker = Worker(limits)
    try:
        worker.begin(site)
        status = Path(f"/proc/{worker.pid}/status").read_text()
    finally:
        worker.kill()
    assert "Seccomp:\t2" in status
    assert "NoNewPrivs:\t1" in status
    kept = 6 if os.geteuid() == 0 else 0  # a root reads files of others
    assert f"CapPrm:\t{kept:016x}" in status
