"""Editions written by hand, so that exports are tested without the engine."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from docstead.content.config import Redirect, SiteConfig
from docstead.content.navigation import Navigation, NavNode, NodeKind
from docstead.content.pages import PageMeta, Section, Site
from docstead.publishing.assets import FolderContents, content_type
from docstead.publishing.edition import Edition
from docstead.publishing.edition_file import EditionWriter, StoredAsset
from docstead.site.rendered import LINK_MARK, RenderedPage

PAGES = ("index", "guides/start", "guides/index", "api/users", "hidden")
REDIRECTS = (Redirect("/old", "/guides/start#install"), Redirect("/gone/:rest*", "/guides/:rest*"))
FILES = {"images/logo.svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>", "empty.txt": b""}

WriteEdition = Callable[..., Path]


def rendered(slug: str) -> RenderedPage:
    html = (
        f'<p>{slug}</p><a href="{LINK_MARK}/guides/start#install">start</a>'
        f'<a href="{LINK_MARK}/api/users">users</a><img src="{LINK_MARK}/images/logo.svg">'
    )
    section = Section("", (), f"{slug} as text, see [start]({LINK_MARK}/guides/start).")
    return RenderedPage(slug, html, headings=(), sections=(section,))


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
        **config: Any,
    ) -> Path:
        path = tmp_path / name
        writer = EditionWriter(path)
        for position, slug in enumerate(pages):
            writer.add_page(rendered(slug), f"key of {slug}", position)
        writer.add_assets(_stored(tmp_path / "repository", file, data) for file, data in files.items())
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
