"""The whole service, started by its command."""

from __future__ import annotations

import json
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

import patient_http
from migrated_data import data_with_tables
from ready_processes import ReadyProcess, shared_processes

_READY_SECONDS = 1_200  # a busy machine computes vectors for minutes


@dataclass
class Service:
    """A running `docstead demo`; one that `migrates` creates its database itself."""

    source: Path
    data: Path
    port: int
    process: ReadyProcess | None = None
    more: tuple[tuple[str, str], ...] = ()
    command: tuple[object, ...] = ("docstead.cli",)
    migrates: bool = False

    def start(self) -> float:
        """Start it; return the seconds until it was ready."""
        began = time.time()
        environment = {k: v for k, v in os.environ.items() if not k.startswith("DOCSTEAD_")}
        environment |= {"DOCSTEAD_DATA": str(self.data), "DOCSTEAD_PORT": str(self.port)}
        environment |= {"DOCSTEAD_RENDER_WORKERS": "1"}  # most sites have a page or two
        environment |= {"DOCSTEAD_SEARCH_BY_MEANING": "false"}  # it would wait for vectors
        if self.migrates or "DOCSTEAD_DATABASE_URL" in dict(self.more):
            self.data.mkdir(parents=True, exist_ok=True)
        else:
            data_with_tables(self.data)
        with (self.data / "log").open("ab") as log:
            self.process = shared_processes().start_logged(
                (*self.command, "demo", self.source), environment | dict(self.more), log
            )
        facts = self.data / "demo.json"
        while not (facts.exists() and facts.stat().st_mtime >= began):
            assert self.process.poll() is None, self.log()
            assert time.time() - began < _READY_SECONDS, self.log()
            time.sleep(0.02)
        return time.time() - began

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        """Stop it; return its exit status."""
        assert self.process is not None
        self.process.send_signal(how)
        return self.process.wait(timeout=120)

    def log(self) -> str:
        return (self.data / "log").read_text()

    @property
    def facts(self) -> dict[str, str]:
        found: dict[str, str] = json.loads((self.data / "demo.json").read_text())
        return found

    @property
    def site(self) -> str:
        """URL of the site in a browser, on its own host."""
        return f"http://{self.facts['domain']}.localhost:{self.port}"

    def admin(self, method: str, path: str, **more: Any) -> httpx.Response:
        return self._call(method, path, self.facts["adminKey"], **more)

    def ask(self, question: str, **body: Any) -> httpx.Response:
        message = {
            "id": "1",
            "role": "user",
            "content": question,
            "parts": [{"type": "text", "text": question}],
        }
        return self._call(
            "POST",
            f"/discovery/v1/assistant/{self.facts['domain']}/message",
            self.facts["assistantKey"],
            json={"fp": "anonymous", "messages": [message], **body},
        )

    def get(self, path: str, **more: Any) -> httpx.Response:
        return patient_http.get(f"{self.facts['baseUrl']}{path}", **more)

    def export(self, **body: Any) -> dict[str, Any]:
        """Start an export; return the job."""
        response = self.admin(
            "POST", "/v1/static-export/jobs", json={"domain": self.facts["hostname"], **body}
        )
        assert response.status_code == 202, response.text
        job: dict[str, Any] = response.json()
        return job

    def job(self, job_id: str) -> dict[str, Any]:
        response = self.admin("GET", f"/v1/static-export/jobs/{job_id}")
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found

    def ended(self, job_id: str, seconds: float = 120) -> dict[str, Any]:
        """Wait until the job is completed or failed; return it."""
        deadline, pause = time.monotonic() + seconds, 0.1
        while (job := self.job(job_id))["status"] not in ("completed", "failed"):
            assert time.monotonic() < deadline, job
            time.sleep(pause)
            pause = min(1.5 * pause, 0.6)  # the status can be requested 120 times per minute
        return job

    def _call(self, method: str, path: str, key: str, **more: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {key}"}
        url = f"{self.facts['baseUrl']}{path}"
        return patient_http.request(method, url, headers=headers, **more)
