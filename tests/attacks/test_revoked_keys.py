"""Keys that were revoked by a command while the service knew them."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest

import patient_http
from free_ports import free_port
from ready_processes import ReadyProcesses
from running_service import Service

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


def site_key(service: Service) -> str:
    """The key in the pages as they are now."""
    page = service.get(f"/_sites/{service.facts['domain']}/").text
    return re.findall(r"svc_dsc_[A-Za-z0-9]{38}", page)[0]


def search(service: Service, key: str) -> int:
    return patient_http.post(
        f"{service.facts['baseUrl']}/discovery/v1/search/{service.facts['domain']}",
        json={"query": "keys"},
        headers={"Authorization": f"Bearer {key}"},
    ).status_code


def test_the_key_of_a_site_is_rotated_and_revoked(service: Service, ready: ReadyProcesses) -> None:
    before = site_key(service)
    assert search(service, before) == 200
    said = command(service, ready, "keys", "rotate-site").stderr
    deadline = time.monotonic() + 120
    while (after := site_key(service)) == before:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert (search(service, before), search(service, after)) == (200, 200)
    (old,) = re.findall(r"key_[0-9a-f]{16}", said)
    command(service, ready, "keys", "revoke", old)
    assert (search(service, before), search(service, after)) == (401, 200)


def test_the_secret_of_the_forge_is_rotated(service: Service, ready: ReadyProcesses) -> None:
    def send(secret: str) -> int:
        hook = f"{service.facts['baseUrl']}/v1/agent-comments/{service.facts['projectId']}"
        return patient_http.post(hook, json={}, headers={"X-Gitlab-Token": secret}).status_code

    secret = command(service, ready, "keys", "rotate-webhook").stdout.strip()
    assert (send(secret), send("0" * 64)) == (202, 401)


def test_the_secret_is_rotated_beside_the_service(service: Service, ready: ReadyProcesses) -> None:
    key = site_key(service)
    command(service, ready, "secret", "rotate")
    file = service.data / "secret"
    assert len(file.read_text().split()) == 2
    assert search(service, key) == 200
    command(service, ready, "secret", "retire")
    assert len(file.read_text().split()) == 1
    assert (search(service, key), site_key(service)) == (200, key)
    made = json.loads(command(service, ready, "keys", "create", "assistant", "--json").stdout)
    assert search(service, made["key"]) == 200


def test_a_revoked_key_is_refused_by_the_next_request(
    service: Service, ready: ReadyProcesses
) -> None:
    listed = json.loads(command(service, ready, "keys", "list", "--json").stdout)
    (demo,) = (each["id"] for each in listed if each["kind"] == "admin")
    path = "/v1/static-export/jobs/se_0123456789abcdef"
    assert service.admin("GET", path).status_code == 404  # the key is known now
    command(service, ready, "keys", "revoke", demo)
    assert service.admin("GET", path).status_code == 401
