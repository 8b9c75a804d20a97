"""A command that dies when it has moved the pointer loses no automatic export."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import killed_command
from docstead.app.services import AppServices, open_services
from docstead.export.records import Export, ExportStatus
from docstead.settings import Settings
from handmade_sites import HandmadeSites
from ready_processes import ReadyProcesses

DOMAIN = "acme"


@pytest.fixture
def services(tmp_path: Path) -> Iterator[AppServices]:
    """A service's data, with a deployment that has two editions and automatic export."""
    with open_services(Settings(data=tmp_path / "data")) as opened:
        sites = HandmadeSites(opened.database, opened.objects, tmp_path, opened.clock)
        acme = sites.deployment(DOMAIN, "docs.acme.example")
        for title in ("First", "Second"):
            sites.publish(acme, ("index",), title=title)
        opened.tenancy.set_auto_export(acme.id, is_on=True)
        yield opened


@pytest.fixture
def run_killed(tmp_path: Path, ready: ReadyProcesses) -> Callable[..., None]:
    """Run a command that dies at a checkpoint."""

    def run(point: str, *words: object) -> None:
        points = tmp_path / "points"
        points.write_text(point)
        done = ready.run(
            [Path(killed_command.__file__), points, *words],
            {"DOCSTEAD_DATA": str(tmp_path / "data"), "HOME": str(tmp_path), "PATH": "/usr/bin"},
            folder=tmp_path,
            timeout=240,
        )
        assert done.returncode == -signal.SIGKILL, done.stderr

    return run


def shown_and_exported(services: AppServices) -> tuple[str | None, list[Export]]:
    found = services.tenancy.deployment_of_domain(DOMAIN)
    return found.current_edition_id, services.exports.of_deployment(found.id)


def test_a_rollback_and_its_export_happen_together(
    services: AppServices, run_killed: Callable[..., None]
) -> None:
    second, _ = shown_and_exported(services)
    run_killed("roll back|before", "deployments", "rollback", DOMAIN)
    assert shown_and_exported(services) == (second, [])
    run_killed("roll back|after", "deployments", "rollback", DOMAIN)
    first, (export,) = shown_and_exported(services)
    assert first != second
    assert (export.status, export.edition_id) == (ExportStatus.QUEUED, first)
    assert export.update_id is not None
    assert services.updates.get(export.update_id).edition_id == first


def test_a_publish_and_its_export_happen_together(
    services: AppServices, run_killed: Callable[..., None], tmp_path: Path
) -> None:
    source = tmp_path / "source"
    source.mkdir()
    config = {"name": "Acme", "theme": "mint", "navigation": {"pages": ["index"]}}
    (source / "docs.json").write_text(json.dumps(config | {"colors": {"primary": "#0055ff"}}))
    (source / "index.mdx").write_text("---\ntitle: Acme\n---\n\nAcme sends parcels.\n")
    run_killed("move the pointer|after", "publish", source, "--domain", DOMAIN)
    shown, (export,) = shown_and_exported(services)
    assert (export.status, export.edition_id) == (ExportStatus.QUEUED, shown)
    assert len(services.editions.open(export.edition_id).slugs()) == 1
