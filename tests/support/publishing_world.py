"""Publishing over real stores, on any number of nodes with separate clocks and folders."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from builds import builds_in, publisher_in
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.publishing.editions import EditionStore
from docstead.publishing.remote_files import FetchAsset, no_assets
from docstead.publishing.retention import Retention
from docstead.publishing.update_records import Update, UpdateRecords
from docstead.publishing.updates import UpdateService
from manual_clock import ManualClock

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
_SETTINGS = """{"name": "Acme", "theme": "mint", "colors": {"primary": "#123456"},
"navigation": {"pages": ["index"]}}"""


@dataclass
class PublishingNode:
    """A node that publishes and serves, with its own clock and folder."""

    clock: ManualClock
    folder: Path
    editions: EditionStore
    updates: UpdateService
    retention: Retention

    @property
    def copies(self) -> list[Path]:
        return sorted((self.folder / "editions").glob("*.sqlite"))

    def publish(self, deployment: Deployment) -> Update:
        return self.updates.run(self.updates.create(deployment.project_id, "api").id).update

    def shown(self, deployment: Deployment) -> str:
        """Return the text of the home page on this node."""
        edition = self.editions.current(deployment)
        assert edition is not None
        page = edition.page("index")
        assert page is not None
        return page.html


@dataclass
class World:
    backend: Any
    folder: Path

    def node(
        self,
        name: str = "one",
        *,
        ahead: timedelta = timedelta(),
        fetch_asset: FetchAsset = no_assets,
        fetches_assets: Callable[[Iterable[str]], bool] = lambda _: True,
    ) -> PublishingNode:
        clock = ManualClock(NOON + ahead)
        database, objects = self.backend.database, self.backend.objects
        folder = self.folder / name
        editions = EditionStore(database, objects, folder / "editions", fresh_seconds=0)
        tenancy = Tenancy(database, clock)
        retention = Retention(database, objects, editions, clock, kept=2, in_use=set)
        publisher = publisher_in(
            folder,
            database,
            objects,
            clock,
            editions,
            builds=builds_in(folder, fetch_asset=fetch_asset),
            retention=retention,
            fetches_assets=fetches_assets,
        )
        updates = UpdateService(UpdateRecords(database, clock), publisher, tenancy, clock)
        return PublishingNode(clock, folder, editions, updates, retention)

    def deployment(self, domain: str = "acme") -> Deployment:
        """Create a deployment in a new organization, whose source says "first"."""
        tenancy = Tenancy(self.backend.database, ManualClock(NOON))
        source = self.folder / domain
        source.mkdir()
        (source / "docs.json").write_text(_SETTINGS)
        self.write("first", domain)
        organization = tenancy.create_organization(domain)
        project = tenancy.create_project(organization.id, domain, str(source))
        return tenancy.create_deployment(project.id, domain, f"docs.{domain}.example")

    def configure(self, domain: str = "acme", **keys: object) -> None:
        """Add keys to the settings of a source."""
        config = {**json.loads(_SETTINGS), **keys}
        (self.folder / domain / "docs.json").write_text(json.dumps(config))

    def write(self, words: str, domain: str = "acme") -> None:
        (self.folder / domain / "index.mdx").write_text(f"# Home\n\nThe {words} words.\n")
