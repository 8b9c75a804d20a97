"""Updates over real stores and engine, and the files of a site."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.publishing.editions import EditionStore
from docstead.publishing.update_records import UpdateRecords
from docstead.publishing.updates import UpdateOutcome, UpdateService
from manual_clock import ManualClock

CONFIG = json.dumps({"name": "Acme", "theme": "mint", "colors": {"primary": "#123456"},
                     "navigation": {"pages": ["index", "guide"]}})  # fmt: skip
FILES = {
    "docs.json": CONFIG,
    "index.mdx": "# Home\n",
    "guide.mdx": "# Guide\n",
    "logo.svg": "<svg/>",
}
BROKEN = {"docs.json": '{\n  "name": "Acme",\n  "navigation": ]\n}\n'}


@dataclass
class UpdatesWorld:
    backend: Any
    clock: ManualClock
    tenancy: Tenancy
    editions: EditionStore
    records: UpdateRecords
    updates: UpdateService

    def deployment(self, source: str, domain: str = "acme", **options: str) -> Deployment:
        organization = self.tenancy.create_organization(domain)
        project = self.tenancy.create_project(organization.id, domain, source, **options)
        return self.tenancy.create_deployment(project.id, domain, f"docs.{domain}.example")

    def publish(self, deployment: Deployment, progress: Any = None) -> UpdateOutcome:
        self.clock.move_to(self.clock.now() + timedelta(seconds=1))
        return self.updates.run(self.updates.create(deployment.project_id, "internal").id, progress)

    def current(self, deployment: Deployment) -> str | None:
        return self.tenancy.deployment(deployment.id).current_edition_id
