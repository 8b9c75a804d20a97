"""`host` as a user runs it: one process through updates, signals and restarts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import patient_http
from bundle_archives import bundle_of
from free_ports import free_port
from ready_processes import ReadyProcesses

SECONDS = 120


class HostCommand:
    def __init__(self, folder: Path, ready: ReadyProcesses) -> None:
        self.folder = folder
        self._ready = ready
        self.config = folder / "deployment.yaml"
        self.port = free_port()
        self.process: subprocess.Popen[str] | None = None

    def bundle(self, name: str, title: str) -> None:
        (self.folder / name).write_bytes(
            bundle_of([("index.html", f"<title>{title}</title>".encode())])
        )

    def configure(self, **export: Any) -> None:
        partial = self.config.with_suffix(".new")
        partial.write_text(json.dumps({"staticExport": {"enabled": True, **export}}))
        partial.replace(self.config)

    def command(self, *options: str) -> list[str]:
        return ["docstead.cli", "host", "--config", str(self.config), *options]

    @property
    def environment(self) -> dict[str, str]:
        return os.environ | {"DOCSTEAD_DATA": str(self.folder / "data")}

    def run(self, *options: str) -> subprocess.CompletedProcess[str]:
        """A host that exits on its own."""
        command = self.command(*options)
        return self._ready.run(command, self.environment, folder=self.folder, timeout=SECONDS)

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", *self.command("--port", str(self.port))],
            env=self.environment,
            stderr=subprocess.PIPE,
            text=True,
        )

    def stop(self, how: signal.Signals = signal.SIGTERM) -> str:
        assert self.process is not None
        self.process.send_signal(how)
        return self.process.communicate(timeout=SECONDS)[1]

    def shows(self, condition: Callable[[], bool]) -> bool:
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            try:
                if condition():
                    return True
            except httpx.TransportError:
                pass
            time.sleep(0.1)
        return False

    def title(self) -> str:
        return patient_http.get(f"http://127.0.0.1:{self.port}/").text

    def error(self) -> str:
        return str(patient_http.get(f"http://127.0.0.1:{self.port}/readyz").json()["error"])


@pytest.fixture
def host(tmp_path: Path, ready: ReadyProcesses) -> Iterator[HostCommand]:
    found = HostCommand(tmp_path, ready)
    yield found
    if found.process is not None and found.process.poll() is None:
        found.process.kill()
        found.process.communicate()


def test_one_life_of_a_host(host: HostCommand) -> None:
    host.bundle("a.tar.gz", "First")
    host.configure(bundleUrl="a.tar.gz")
    host.start()
    assert host.shows(lambda: "First" in host.title())

    host.bundle("b.tar.gz", "Second")
    host.configure(bundleUrl="b.tar.gz")
    assert host.shows(lambda: "Second" in host.title())

    host.configure(bundleUrl="missing.tar.gz")
    assert host.shows(lambda: "there is no such file" in host.error())
    assert "Second" in host.title()

    host.configure(bundleUrl="b.tar.gz")
    assert host.shows(lambda: host.error() == "None")
    host.bundle("b.tar.gz", "Third")
    assert host.process is not None
    host.process.send_signal(signal.SIGHUP)
    assert host.shows(lambda: "Third" in host.title())

    rolled = host.run("--rollback")
    assert rolled.returncode == 0, rolled.stderr
    assert "None" not in rolled.stderr
    assert host.shows(lambda: "Second" in host.title())
    further = host.run("--rollback")  # not forward, to the bundle that was left
    assert further.returncode == 1
    assert "no bundle before the live one" in further.stderr

    (host.folder / "b.tar.gz").unlink()
    host.stop(signal.SIGKILL)
    host.start()
    assert host.shows(lambda: "Second" in host.title())
    output = host.stop()
    assert "Traceback" not in output
    assert "The bundle is served on" in output
    assert "version None" not in output


def test_nothing_is_said_to_be_served_where_nothing_is(host: HostCommand) -> None:
    host.configure(bundleUrl="https://127.0.0.1:1/bundle.tar.gz")
    host.start()
    assert host.shows(lambda: "staticExport.allowedNetworks" in host.error())
    output = host.stop()
    assert "Listening on" in output
    assert "is served on" not in output


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("staticExport: {enabled: false}", "staticExport.enabled: must be true"),
        ("staticExport: {enabled: true}", "staticExport.bundleUrl: is required"),
        ("deploymentType: air-gapped\nfeatures: {search: on}", "features.search: not available"),
        ("{", "deployment.yaml:1:2: expected the node content"),
    ],
)
def test_a_wrong_configuration_ends_with_a_sentence(
    host: HostCommand, config: str, message: str
) -> None:
    host.config.write_text(config)
    ended = host.run()
    assert ended.returncode == 2
    assert message in " ".join(ended.stderr.split())
    assert "Traceback" not in ended.stderr


def test_there_is_nothing_to_go_back_to(host: HostCommand) -> None:
    host.bundle("a.tar.gz", "First")
    host.configure(bundleUrl="a.tar.gz")
    ended = host.run("--rollback")
    assert ended.returncode == 1
    assert "no previous bundle" in ended.stderr
