"""Published sites with handmade editions, without an engine."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from docstead.accounts.site_hosts import SiteHosts
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.base.clock import Clock
from docstead.base.features import ALL_FEATURES, Features
from docstead.base.ids import new_id
from docstead.content.assistant_notes import Skill
from docstead.content.config import SiteConfig
from docstead.content.diagnostics import Diagnostic
from docstead.content.navigation import Navigation, NavNode, NodeKind
from docstead.content.pages import PageMeta, Section, Site
from docstead.hosting.application import HostingApp, create_hosting
from docstead.hosting.options import SiteOptions
from docstead.hosting.site_matching import SiteMatcher
from docstead.markup.rendered import LINK_MARK, RenderedPage
from docstead.publishing.edition_file import EditionWriter
from docstead.publishing.edition_format import StoredAsset
from docstead.publishing.editions import EditionStore
from docstead.storage.database import Database
from docstead.storage.objects import ObjectStore
from docstead.storage.schema import editions as editions_table
from docstead.theme.external_services import NOTHING, ExternalServices
from tenancy_changes import set_current_edition

Files = Mapping[str, tuple[bytes, str]]  # path -> content and its type


@dataclass(frozen=True)
class HandmadeSites:
    """Real stores with helpers that publish sites."""

    database: Database
    objects: ObjectStore
    folder: Path
    clock: Clock
    tenancy: Tenancy = field(init=False)
    editions: EditionStore = field(init=False)

    def __post_init__(self) -> None:
        cache = self.folder / "cache"
        editions = EditionStore(self.database, self.objects, cache, fresh_seconds=0)
        object.__setattr__(self, "tenancy", Tenancy(self.database, self.clock))
        object.__setattr__(self, "editions", editions)

    def deployment(self, domain: str, hostname: str) -> Deployment:
        """Create a deployment in a new organization."""
        organization = self.tenancy.create_organization(f"The {domain} people")
        project = self.tenancy.create_project(organization.id, domain, "/nowhere")
        return self.tenancy.create_deployment(project.id, domain, hostname)

    def hosting(
        self,
        *,
        default_domain: str = "",
        site_hosts: SiteHosts | None = None,
        external_services: Callable[[Deployment], ExternalServices] = lambda _: NOTHING,
        features: Callable[[Deployment], Features] = lambda _: ALL_FEATURES,
        **choices: Any,
    ) -> HostingApp:
        """Return hosting of the sites; each has the URL https://{hostname}."""
        matcher = SiteMatcher(self.tenancy, ["service.test"], default_domain, site_hosts)
        options = SiteOptions(lambda site: f"https://{site.hostname}", external_services, features)
        return create_hosting(matcher, self.editions, self.objects, options, **choices)

    def publish(
        self,
        deployment: Deployment,
        pages: tuple[str, ...],
        *,
        title: str = "Start",
        files: Files | None = None,
        diagnostics: tuple[Diagnostic, ...] = (),
        skills: tuple[Skill, ...] = (),
        features: tuple[str, ...] = (),
        groups: Mapping[str, tuple[str, ...]] | None = None,
        navigation: Navigation | None = None,
        **config: Any,
    ) -> str:
        """Publish an edition with these pages; return its id."""
        edition_id = new_id("ed")
        path = self.folder / f"{edition_id}.sqlite"
        writer = EditionWriter(path)
        for slug in pages:
            writer.add_page(replace(rendered(slug, title), features=features), "key")
        writer.add_assets(self._stored(name, *file) for name, file in (files or {}).items())
        made = replace(site(pages, **config), skills=skills)
        made = replace(made, navigation=navigation or made.navigation)
        whose = {slug: replace(made.pages[slug], groups=of) for slug, of in (groups or {}).items()}
        made = replace(made, pages={**made.pages, **whose})
        writer.close(commit="c0ffee", site=made, diagnostics=diagnostics)
        self.objects.put(f"editions/{edition_id}.sqlite", path)
        self._record(deployment, edition_id, len(pages))
        return edition_id

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
            "created_at": self.clock.now(),
        }
        with self.database.transaction() as connection:
            connection.execute(insert(editions_table).values(row))
        set_current_edition(self.tenancy, deployment.project_id, edition_id)


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
