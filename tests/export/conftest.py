"""Editions written by hand, so that exports are tested without the engine."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from docstead.accounts.plans import OrganizationPlan
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.base.ids import new_id
from docstead.content.config import Redirect, SiteConfig
from docstead.content.navigation import Navigation, NavNode, NodeKind
from docstead.content.pages import PageMeta, Section, Site
from docstead.export.exports import ExportManager
from docstead.export.records import ExportRecords
from docstead.jobs import Jobs
from docstead.markup.rendered import LINK_MARK, RenderedPage
from docstead.publishing.assets import FolderContents, content_type, upload
from docstead.publishing.edition import Edition
from docstead.publishing.edition_file import EditionWriter
from docstead.publishing.edition_format import StoredAsset
from docstead.publishing.editions import EditionStore
from docstead.storage.schema import editions as editions_table
from manual_clock import ManualClock
from tenancy_changes import set_current_edition

PAGES = ("index", "guides/start", "guides/index", "api/users", "hidden")
REDIRECTS = (Redirect("/old", "/guides/start#install"), Redirect("/gone/:rest*", "/guides/:rest*"))
FILES = {"images/logo.svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>", "empty.txt": b""}

WriteEdition = Callable[..., Path]


def rendered(slug: str, *edits: str) -> RenderedPage:
    html = (
        f'<p>{slug}</p><a href="{LINK_MARK}/guides/start#install">start</a>'
        f'<a href="{LINK_MARK}/api/users">users</a><img src="{LINK_MARK}/images/logo.svg">'
    )
    section = Section("", (), f"{slug} as text, see [start]({LINK_MARK}/guides/start).")
    more = tuple(Section(f"s{n}", (f"S{n}",), text) for n, text in enumerate(edits))
    return RenderedPage(slug, html + "".join(edits), headings=(), sections=(section, *more))


def site(pages: tuple[str, ...], **config: Any) -> Site:
    listed = tuple(slug for slug in pages if slug != "hidden")
    nodes = tuple(NavNode(NodeKind.PAGE, slug.title(), slug=slug) for slug in listed)
    group = NavNode(NodeKind.GROUP, "Guides", children=nodes)
    metas = {
        slug: PageMeta(slug, f"{slug}.mdx", slug.title(), in_navigation=slug in listed)
        for slug in pages
    }
    config = {"redirects": REDIRECTS, **config}
    return Site(SiteConfig("Acme", **config), Navigation((group,)), metas)


@pytest.fixture
def write_edition(tmp_path: Path) -> WriteEdition:
    """Writes the file of an edition; its assets are in the folder `repository`."""

    def write(
        pages: tuple[str, ...] = PAGES,
        files: Mapping[str, bytes] = FILES,
        name: str = "edition.sqlite",
        edits: Mapping[str, tuple[str, ...]] = {},
        **config: Any,
    ) -> Path:
        path = tmp_path / name
        writer = EditionWriter(path)
        for position, slug in enumerate(pages):
            texts = edits.get(slug, ())
            writer.add_page(rendered(slug, *texts), f"key of {slug} {texts}", position)
        writer.add_assets(
            _stored(tmp_path / "repository", file, data) for file, data in files.items()
        )
        writer.close(commit="c0ffee", site=site(pages, **config), diagnostics=())
        return path

    return write


@pytest.fixture
def edition(write_edition: WriteEdition, tmp_path: Path) -> Edition:
    """An edition with its assets in a folder."""
    return opened(write_edition(), tmp_path)


def opened(path: Path, folder: Path) -> Edition:
    return Edition("ed_test", path, FolderContents(folder / "repository"), folder / "scratch")


def _stored(root: Path, path: str, data: bytes) -> StoredAsset:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    return StoredAsset(path, hashlib.sha256(data).hexdigest(), len(data), content_type(path))


@pytest.fixture
def open_edition(tmp_path: Path) -> Callable[[Path], Edition]:
    return lambda path: opened(path, tmp_path)


class ExportWorld:
    """Exports over real stores, and what tests need to fill them."""

    def __init__(self, backend: Any, clock: ManualClock, cache: Path) -> None:
        self.backend = backend
        self.clock = clock
        self.tenancy = Tenancy(backend.database, clock)
        self.editions = EditionStore(backend.database, backend.objects, cache, fresh_seconds=0)
        self.records = ExportRecords(backend.database, clock)

    def exports(self, **options: Any) -> ExportManager:
        return ExportManager(
            records=self.records,
            editions=self.editions,
            objects=self.backend.objects,
            tenancy=self.tenancy,
            **options,
        )

    def deployment(
        self, domain: str, plan: OrganizationPlan = OrganizationPlan.ENTERPRISE
    ) -> Deployment:
        organization = self.tenancy.create_organization(f"The {domain} people", plan)
        project = self.tenancy.create_project(organization.id, domain, "/nowhere")
        return self.tenancy.create_deployment(project.id, domain, f"docs.{domain}.example")

    def publish(self, deployment: Deployment, file: Path, assets: Path) -> str:
        """Make an edition written by hand the current one."""
        edition_id = new_id("ed")
        key = f"editions/{edition_id}.sqlite"
        edition = Edition("new", file, FolderContents(assets), file.parent)
        upload(self.backend.objects, assets, edition.assets())
        self.backend.objects.put(key, file)
        row = {
            "id": edition_id,
            "project_id": deployment.project_id,
            "commit": "c0ffee",
            "object_key": key,
            "page_count": len(edition.slugs()),
            "rendered_count": len(edition.slugs()),
            "failed_count": 0,
            "created_at": self.clock.now(),
        }
        with self.backend.database.transaction() as connection:
            connection.execute(insert(editions_table).values(row))
        set_current_edition(self.tenancy, deployment.project_id, edition_id)
        return edition_id


@pytest.fixture
def world(backend: Any, clock: ManualClock, tmp_path: Path) -> ExportWorld:
    return ExportWorld(backend, clock, tmp_path / "cache")


@pytest.fixture
def acme(world: ExportWorld, write_edition: WriteEdition, tmp_path: Path) -> Deployment:
    """A published site at docs.acme.example."""
    deployment = world.deployment("acme")
    world.publish(deployment, write_edition(), tmp_path / "repository")
    return deployment


@pytest.fixture
def republish(
    world: ExportWorld, acme: Deployment, write_edition: WriteEdition, tmp_path: Path
) -> Callable[..., str]:
    """Publishes acme's site again, with other pages."""

    def publish(pages: tuple[str, ...] = PAGES, **options: Any) -> str:
        file = write_edition(pages, name=new_id("file"), **options)
        return world.publish(acme, file, tmp_path / "repository")

    return publish


@pytest.fixture
def jobs(backend: Any) -> Iterator[Jobs]:
    jobs = Jobs(backend.database_url, node_id="node-1", polling_seconds=0.25)
    yield jobs
    jobs.close()
