"""Everything that needs no other host, done once by a real service: see `test_no_telemetry.py`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from free_ports import free_port
from running_service import Service


def main(arguments: list[str]) -> dict[str, Any]:
    source, folder = map(Path, arguments)
    service = Service(source, folder / "data", free_port())
    service.start()
    try:
        found = {
            "page": service.get("/").status_code,
            "search": _search(service),
            "answer": service.ask("How do I rotate a token?").text,
            "export": service.ended(service.export()["jobId"])["status"],
        }
    finally:
        service.stop()
    command = [sys.executable, "-m", "docstead.cli", "export", str(source)]
    done = subprocess.run(
        [*command, "--output", str(folder / "site")], stdout=sys.stderr, check=False
    )
    return {**found, "vectors": _embed(folder / "data"), "command": done.returncode}


def _embed(data: Path) -> int:
    """Use the sentence model, as the job does which follows a publication some minutes later."""
    lines = (
        "import pathlib, sys",
        "from docstead.models.minilm import MiniLM",
        "print(len(MiniLM(pathlib.Path(sys.argv[1])).embed(['rotate a token'])))",
    )
    command = [sys.executable, "-c", "\n".join(lines), str(data / "cache" / "models")]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def _search(service: Service) -> list[dict[str, Any]]:
    path = f"/discovery/v1/search/{service.facts['domain']}"
    answer = service._call(
        "POST", path, service.facts["assistantKey"], json={"query": "rotate a token"}
    )
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()
    return found
