"""A service with a published site."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx
import pytest

from docstead.accounts.tenancy import Deployment
from docstead.content.config import NotFoundPage, Redirect
from docstead.hosting.application import HostingApp
from handmade_sites import HandmadeSites
from in_process import ask
from manual_clock import ManualClock

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
    "data.xml": (b"<data/>", "application/xml"),
    "data.rdf": (b"<data/>", "application/rdf+xml; charset=utf-8"),
    "Ünïcode name.txt": ("grüße".encode(), "text/plain"),
}


class HostingWorld(HandmadeSites):
    """Hosting over sites that are made by hand."""

    @cached_property
    def usual_hosting(self) -> HostingApp:
        return self.hosting()

    def publish_site(self, deployment: Deployment, **choices: Any) -> str:
        config = {"not_found": NotFoundPage(redirect=False), "redirects": REDIRECTS}
        return self.publish(deployment, **{"pages": PAGES, "files": FILES, **config, **choices})

    def get(
        self, url: str, method: str = "GET", hosting: HostingApp | None = None, **options: Any
    ) -> httpx.Response:
        """A request to `url`, whose host is the Host header unless that is given."""
        return ask(hosting or self.usual_hosting, method, url, **options)


@pytest.fixture
def world(sqlite_backend: Any, tmp_path: Path, clock: ManualClock) -> HostingWorld:
    return HostingWorld(sqlite_backend.database, sqlite_backend.objects, tmp_path, clock)


@pytest.fixture
def acme(world: HostingWorld) -> Deployment:
    """A published site at docs.acme.test."""
    deployment = world.deployment("acme", "docs.acme.test")
    world.publish_site(deployment)
    return deployment
