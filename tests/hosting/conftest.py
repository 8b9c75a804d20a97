"""A service with two sites, whose editions are written by hand: no engine is needed."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import insert

from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.base.clock import ManualClock
from docstead.base.ids import new_id
from docstead.content.config import NotFoundPage, Redirect, SiteConfig
from docstead.content.navigation import Navigation, NavNode, NodeKind
from docstead.content.pages import PageMeta, Section, Site
from docstead.hosting.application import Hosting, create_hosting
from docstead.publishing.edition_file import EditionWriter, StoredAsset
from docstead.publishing.editions import Editions
from docstead.site.rendered import LINK_MARK, RenderedPage
from docstead.storage.database import Database
from docstead.storage.objects import Objects
from docstead.storage.schema import editions as editions_table

PAGES = ("index", "quickstart", "guides/start", "guides/index", "api")
REDIRECTS = (
    Redirect("/old", "/guides/start#install"),
    Redirect("/moved/:rest*", "/guides/:rest*", permanent=False),
    Redirect("/away", "https://example.org/there"),
)
FILES: Mapping[str, tuple[bytes, str]] = {
    "images/logo.svg": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"),
    "video.mp4": (bytes(range(256)) * 8, "video/mp4"),
    "large.bin": (b"0123456789" * 150_000, "application/octet-stream"),
    "empty.txt": (b"", "text/plain"),
    "form.html": (b"<script>1</script>", "text/html"),
    "Ünïcode name.txt": ("grüße".encode(), "text/plain"),
}


class World:
    """Hosting over real stores, and what tests need to fill them."""

    def __init__(
        self, database: Database, objects: Objects, folder: Path, clock: ManualClock
    ) -> None:
        self.database = database
        self.objects = objects
        self.tenancy = Tenancy(database, clock)
        self.editions = Editions(database, self.objects, folder / "cache", fresh_seconds=0)
        self._folder = folder
        self._clock = clock
        self.hosting = self.new_hosting()

    def new_hosting(self, **settings: Any) -> Hosting:
        return create_hosting(
            self.tenancy,
            self.editions,
            self.objects,
            site_address=lambda deployment: f"https://{deployment.hostname}",
            service_hosts=["service.test"],
            **settings,
        )

    def deployment(self, domain: str, hostname: str) -> Deployment:
        organization = self.tenancy.create_organization(f"The {domain} people")
        project = self.tenancy.create_project(organization.id, domain, "/nowhere")
        return self.tenancy.create_deployment(project.id, domain, hostname)

    def publish(
        self,
        deployment: Deployment,
        *,
        pages: tuple[str, ...] = PAGES,
        title: str = "Start",
        files: Mapping[str, tuple[bytes, str]] = FILES,
        **config: Any,
    ) -> str:
        edition_id = new_id("ed")
        path = self._folder / f"{edition_id}.sqlite"
        writer = EditionWriter(path)
        for slug in pages:
            writer.add_page(rendered(slug, title), "key")
        writer.add_assets(self._stored(name, *file) for name, file in files.items())
        config = {"not_found": NotFoundPage(redirect=False), "redirects": REDIRECTS, **config}
        writer.close(commit="c0ffee", site=site(pages, **config), diagnostics=())
        self.objects.put(f"editions/{edition_id}.sqlite", path)
        self._record(deployment, edition_id, len(pages))
        return edition_id

    def get(self, url: str, method: str = "GET", **options: Any) -> httpx.Response:
        """A request to `url`, whose host is the Host header."""
        hosting = options.pop("hosting", self.hosting)
        return asyncio.run(self._send(hosting, method, url, **options))

    async def _send(self, app: Hosting, method: str, url: str, **options: Any) -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app)) as client:
            return await client.request(method, url, **options)

    def _stored(self, path: str, data: bytes, content_type: str) -> StoredAsset:
        asset = StoredAsset(path, hashlib.sha256(data).hexdigest(), len(data), content_type)
        self.objects.put(asset.object_key, data)
        return asset

    def _record(self, deployment: Deployment, edition_id: str, pages: int) -> None:
        row = {
            "id": edition_id,
            "project_id": deployment.project_id,
            "commit": "c0ffee",
            "object_key": f"editions/{edition_id}.sqlite",
            "page_count": pages,
            "rendered_count": pages,
            "failed_count": 0,
            "created_at": self._clock.now(),
        }
        with self.database.transaction() as connection:
            connection.execute(insert(editions_table).values(row))
        self.tenancy.set_current_edition(deployment.project_id, edition_id)


def rendered(slug: str, title: str) -> RenderedPage:
    html = f'<p>{title} {slug}</p><a href="{LINK_MARK}/guides/start">on</a>' + "<p>text</p>" * 200
    section = Section("", (), f"{title} {slug} as text")
    return RenderedPage(slug, html, headings=(), sections=(section,))


def site(pages: tuple[str, ...], **config: Any) -> Site:
    nodes = tuple(NavNode(NodeKind.PAGE, slug.title(), slug=slug) for slug in pages)
    group = NavNode(NodeKind.GROUP, "Guides", children=nodes)
    metas = {
        slug: PageMeta(slug, f"{slug}.mdx", title=slug.title(), in_navigation=True)
        for slug in pages
    }
    return Site(SiteConfig("Acme", **config), Navigation((group,)), metas)


@pytest.fixture
def world(sqlite_backend: Any, tmp_path: Path, clock: ManualClock) -> World:
    return World(sqlite_backend.database, sqlite_backend.objects, tmp_path, clock)


@pytest.fixture
def acme(world: World) -> Deployment:
    """A published site at docs.acme.test."""
    deployment = world.deployment("acme", "docs.acme.test")
    world.publish(deployment)
    return deployment
