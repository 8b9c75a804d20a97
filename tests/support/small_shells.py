"""A small site, and a shell that needs only a font of the front-end build."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from docstead.content.config import THEMES
from docstead.content.pages import Site
from docstead.markup.assets import BuiltAssets
from docstead.markup.icons import IconSet
from docstead.theme.document import PageShell
from docstead.theme.mode import ShellMode
from site_builders import BASE_URL, group, make_site, meta, page


@pytest.fixture
def built(tmp_path: Path) -> BuiltAssets:
    """Create small assets as the front-end build does."""
    packed = {name: {"book": "512 M0"} for name in ("solid", "regular", "brands", "lucide")}
    aliases: dict[str, dict[str, str]] = {name: {} for name in packed}
    icons = {**packed, "aliases": aliases, "near": {}}
    looks = tuple(f"look-{theme}" for theme in THEMES[1:])
    styles = ("shell", "components", "extras", "banner", "decorations", "playground", *looks)
    scripts = ("shell", "browser", "extras", "search", "sections", "playground", "root")
    names = (
        *(f"{name}.css" for name in styles),
        *(f"{name}.js" for name in scripts),
        "playground-dialog.js",
    )
    files = {name: name for name in names}
    for name, text in {**files, "icons.json": json.dumps(icons)}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "fonts").mkdir(exist_ok=True)
    face = {"family": "Inter", "file": "inter-latin.woff2", "range": "U+0000-00FF"}
    (tmp_path / "fonts" / "fonts.json").write_text(json.dumps([face]))
    font = BuiltAssets().read("fonts/inter-latin.woff2")
    (tmp_path / "fonts" / "inter-latin.woff2").write_bytes(font)
    return BuiltAssets(tmp_path)


@pytest.fixture
def shell_of(built: BuiltAssets, tmp_path: Path) -> Callable[..., PageShell]:
    """Return a function that creates a shell, for a bundle by default."""

    def make(
        site: Site,
        mode: ShellMode | None = None,
        assets: tuple[str, ...] = (),
        page_features: tuple[str, ...] = (),
        **more: Any,
    ) -> PageShell:
        icons = IconSet(tmp_path / "icons.json")
        mode = mode or ShellMode.bundle(BASE_URL)
        more |= {"page_features": page_features, "icons": icons, "built": built}
        return PageShell(site, mode, assets, **more)

    return make


@pytest.fixture
def guide_site() -> Site:
    """Return a site with a home page, two groups, one of them nested, and an unlisted page."""
    nested = group("Nested", page("guides/deep/one"), page("guides/deep/two"), icon="book")
    site = make_site(
        group("Start", page("index"), page("guides/start")),
        group("More", nested, page("guides/last")),
        metas={"loose": meta("loose")},
    )
    home = replace(site.pages["index"], title="Welcome", description="Read this <first>.")
    return replace(site, pages={**site.pages, "index": home})
