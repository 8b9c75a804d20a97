"""Effects of a hostile or broken repository on a running service."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from free_ports import free_port
from running_service import Service

SETTINGS = {
    "name": "Hostile",
    "theme": "mint",
    "colors": {"primary": "#0F766E"},
    "navigation": {"pages": ["index", "endless", "greedy", "latin", "stolen"]},
}
SECRET = "what lies beside the repository"


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("hostile")
    root = top / "docs"
    root.mkdir()
    (top / "secret.mdx").write_text(SECRET)
    settings = {**SETTINGS, "navigation": {"pages": ["index"]}}
    (root / "docs.json").write_text(json.dumps(settings))
    (root / "index.mdx").write_text("---\ntitle: Welcome\n---\n\nThe good page.\n")
    return root


def turn_bad(root: Path) -> None:
    (root / "docs.json").write_text(json.dumps(SETTINGS))
    (root / "endless.mdx").write_text("{(() => { while (true) {} })()}\n")
    (root / "greedy.mdx").write_text(
        "{(() => { const all = []; while (true) all.push(Array(1e6).fill(1)) })()}\n"
    )
    (root / "latin.mdx").write_bytes(b"caf\xe9\n")
    (root / "stolen.mdx").symlink_to(root.parent / "secret.mdx")
    (root / "stolen.txt").symlink_to(root.parent / "secret.mdx")


@pytest.fixture(scope="module")
def hostile(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = Service(repository, tmp_path_factory.mktemp("data"), free_port())
    service.start()
    turn_bad(repository)  # by now, so that each page is tried once
    yield service
    service.stop()


def updated(service: Service) -> dict[str, Any]:
    """Return the status of a finished update of the project."""
    started = service.admin("POST", f"/v1/project/update/{service.facts['projectId']}")
    assert started.status_code == 202, started.text
    path = f"/v1/project/update-status/{started.json()['statusId']}"
    deadline = time.monotonic() + 200
    while (status := service.admin("GET", path).json())["endedAt"] is None:
        assert time.monotonic() < deadline, status
        time.sleep(0.2)
    return dict(status)


@pytest.mark.timeout(240)
def test_only_bad_pages_fail_and_the_site_is_published(hostile: Service) -> None:
    status = updated(hostile)
    assert status["status"] == "success"
    assert "3 of them failed" in status["summary"]
    logs = "\n".join(status["logs"])
    for position, message in (
        (
            "endless.mdx:1:1: error page-stopped:",
            "processor time",
        ),  # its own limit, or that of a busy machine
        ("greedy.mdx:1:1: error page-stopped:", "memory"),
        ("latin.mdx:1:4: error not-utf8:", "0xe9"),
        ("stolen.mdx:0:0: warning symbolic-link:", "leads out"),
        ("stolen.txt:0:0: warning symbolic-link:", "leads out"),
    ):
        (line,) = [line for line in logs.splitlines() if line.startswith(position)]
        assert message in line
    assert "The good page." in hostile.get("/").text
    for path in ("/stolen", "/stolen.txt", "/stolen.md", "/../secret.mdx"):
        assert SECRET not in hostile.get(path).text


@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    ("settings", "position"),
    [
        ('{\n  "name": "Hostile",\n  "theme" "mint"\n}', "docs.json:3:"),
        ('{\n  "theme": "mint"\n}', "docs.json:1:1:"),
        ('{\n  "name": "Hostile",\n  "navigation": {"$ref": "../secret.json"}\n}', "docs.json:3:"),
        ('{\n  "name": ' + "[" * 100_000, "docs.json:2:"),
    ],
    ids=["syntax", "missing key", "outside", "deep"],
)
def test_broken_settings_fail_the_update_and_the_old_edition_stays(
    hostile: Service, repository: Path, settings: str, position: str
) -> None:
    before = hostile.get("/").text
    file = repository / "docs.json"
    good = file.read_text()
    file.write_text(settings)
    try:
        status = updated(hostile)
    finally:
        file.write_text(good)
    assert status["status"] == "failure"
    assert status["summary"].startswith(position)
    assert hostile.get("/").text == before
