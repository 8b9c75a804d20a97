"""Keys that were revoked by a command while the service knew them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from ready_processes import ReadyProcesses
from running_service import Service, free_port

CONFIG = {
    "name": "Keys",
    "theme": "mint",
    "colors": {"primary": "#0055ff"},
    "navigation": {"pages": ["index"]},
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    source = tmp_path_factory.mktemp("keys")
    (source / "docs.json").write_text(json.dumps(CONFIG))
    (source / "index.mdx").write_text("---\ntitle: Start\n---\n\nKeys are revoked at once.\n")
    running = Service(source, tmp_path_factory.mktemp("data"), free_port())
    running.start()
    yield running
    running.stop()


def command(service: Service, ready: ReadyProcesses, *arguments: str) -> Any:
    environment = {"DOCSTEAD_DATA": str(service.data), "PATH": "/usr/bin:/bin"}
    ended = ready.run(("docstead.cli", *arguments), environment, folder=service.data, timeout=120)
    assert ended.returncode == 0, ended.stderr
    return ended


def test_a_revoked_key_is_refused_by_the_next_request(
    service: Service, ready: ReadyProcesses
) -> None:
    listed = json.loads(command(service, ready, "keys", "list", "--json").stdout)
    (demo,) = (each["id"] for each in listed if each["kind"] == "admin")
    path = "/v1/static-export/jobs/se_0123456789abcdef"
    assert service.admin("GET", path).status_code == 404  # the key is known now
    command(service, ready, "keys", "revoke", demo)
    assert service.admin("GET", path).status_code == 401
