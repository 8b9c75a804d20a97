"""Publishing processes are killed for real here."""

from __future__ import annotations

import json

import pytest

from docstead.accounts.tenancy import Tenancy
from docstead.publishing.update_records import Update, UpdateRecords, UpdateStatus
from waiting import wait_for

CONFIG = {"name": "Acme", "theme": "mint", "colors": {"primary": "#123456"},
          "navigation": {"pages": ["index"]}}  # fmt: skip
FILES = {"docs.json": json.dumps(CONFIG), "index.mdx": "# Home\n", "logo.svg": "<svg/>"}


@pytest.mark.parametrize("moment", [pytest.param("assets/", marks=pytest.mark.deep), "editions/"])
def test_a_killed_update_changes_nothing_until_it_is_resumed(
    backend, clock, repository, start_worker, moment
):
    commit = repository.commit(FILES)
    tenancy, records = Tenancy(backend.database, clock), UpdateRecords(backend.database, clock)
    project = tenancy.create_project(tenancy.create_organization("Acme").id, "Docs", repository.url)
    deployment = tenancy.create_deployment(project.id, "acme", "docs.acme.example")
    queued = records.create(project.id, "api")
    written = repository.path.parent / "written"

    def now() -> Update:
        return records.get(queued.id)

    worker = start_worker(moment)
    wait_for(lambda: written.exists() and moment in written.read_text())
    worker.kill()
    worker.wait()
    assert now().status is UpdateStatus.IN_PROGRESS
    assert tenancy.deployment(deployment.id).current_edition_id is None

    start_worker()
    wait_for(lambda: now().status.is_final)
    assert (now().status, now().commit["sha"]) == (UpdateStatus.SUCCESS, commit), now().summary
    assert tenancy.deployment(deployment.id).current_edition_id == now().edition_id
    stored = written.read_text().split()
    assert len(stored) == len(set(stored))
    files = sorted(key.partition("/")[0] for key in stored)
    # The key of an edition's file holds its digest, and an index has random names in it: a
    # build that is repeated stores another file. The one without a row is swept after a day.
    assert files == ["assets", *["editions"] * (2 if moment == "editions/" else 1)]
