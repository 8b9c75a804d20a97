"""Logos, favicons and fonts of other hosts: fetched, checked, stored with the edition."""

from __future__ import annotations

import io
import json
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from docstead.base.errors import Unavailable
from docstead.content.style_settings import FontSettings
from docstead.publishing.remote_assets import suffix_of
from docstead.publishing.remote_files import RemoteReaders, no_assets
from docstead.repository.remote_assets import AssetKind
from docstead.settings import Settings
from publishing_world import World

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>'
WOFF2 = b"wOF2\0\1\0\0" + struct.pack(">I", 48) + bytes(36)
PNG_HEAD = b"\x89PNG\r\n\x1a\n"


def avif() -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (16, 16)).save(data, "AVIF")
    return data.getvalue()


def png(width: int = 1, height: int = 1) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        checksum = struct.pack(">I", zlib.crc32(name + data))
        return struct.pack(">I", len(data)) + name + data + checksum

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    rows = chunk(b"IDAT", zlib.compress(b"\0" * (width + 1)))
    return PNG_HEAD + header + rows + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("data", "kind", "suffix"),
    [
        (SVG, AssetKind.PICTURE, "svg"),
        (b'<?xml version="1.0"?>\n<!-- logo -->' + SVG, AssetKind.PICTURE, "svg"),
        (png(), AssetKind.PICTURE, "png"),
        (avif(), AssetKind.PICTURE, "avif"),
        (WOFF2, AssetKind.FONT, "woff2"),
    ],
)
def test_files_are_recognized_by_their_content(data: bytes, kind: AssetKind, suffix: str) -> None:
    assert suffix_of(data, kind) == suffix


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", AssetKind.PICTURE),
        (b"GIF8 but nothing else", AssetKind.PICTURE),
        (PNG_HEAD, AssetKind.PICTURE),
        (png(9_000, 9_000), AssetKind.PICTURE),
        (avif()[:40], AssetKind.PICTURE),
        (WOFF2, AssetKind.PICTURE),
        (SVG, AssetKind.FONT),
        (WOFF2 + b"x", AssetKind.FONT),
        (b"OTTO\0\1" + bytes(6) + bytes(8) + struct.pack(">II", 9, 9_999), AssetKind.FONT),
        (b"\0\1\0\0", AssetKind.FONT),
        (b"<html><body>Not found</body></html>", AssetKind.PICTURE),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><svg>&b;', AssetKind.PICTURE),
        (SVG.replace(b"<circle", b"<script>alert(1)</script><circle"), AssetKind.PICTURE),
        (SVG.replace(b"<circle", b'<circle onload="alert(1)"'), AssetKind.PICTURE),
        (SVG.replace(b"<circle", b'<a href=" javascript:alert(1)"/><circle'), AssetKind.PICTURE),
        (SVG.replace(b"<circle", b"<foreignObject/><circle"), AssetKind.PICTURE),
        (
            b'<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/hostname">]><svg>&a;</svg>',
            AssetKind.PICTURE,
        ),
    ],
)
def test_other_and_unsafe_files_are_refused(data: bytes, kind: AssetKind) -> None:
    with pytest.raises(Unavailable):
        suffix_of(data, kind)


LIGHT, FONT = "https://cdn.example/light.svg", "https://cdn.example/brand.woff2"
REMOTE_KEYS = {
    "logo": {"light": LIGHT, "dark": "//cdn.example/dark.png"},
    "favicon": LIGHT,
    "fonts": {"family": "Brand", "source": FONT, "heading": {"family": "Inter"}},
}
FILES = {LIGHT: SVG, "https://cdn.example/dark.png": png(), FONT: WOFF2}


def source(**keys: object) -> dict[str, str]:
    config = {
        "name": "Acme",
        "theme": "mint",
        "colors": {"primary": "#0F766E"},
        "navigation": {"pages": ["index"]},
        **keys,
    }
    return {"docs.json": json.dumps(config, indent=1), "index.mdx": "# Hello"}


def fetch(url: str) -> bytes:
    if url not in FILES:
        raise Unavailable("it answers with status 404")
    return FILES[url]


def offline(_: str) -> bytes:
    raise Unavailable("it cannot be reached")


def test_settings_name_the_fetched_files(tree, build) -> None:
    edition, report = build(tree(source(**REMOTE_KEYS)), remote=RemoteReaders(asset=fetch))
    assert [each.code for each in report.diagnostics] == []
    config = edition.site.config
    pictures = (config.logo.image.light, config.logo.image.dark, config.fonts.source)
    for path, data in zip(pictures, (SVG, png(), WOFF2), strict=True):
        asset = edition.asset(path)
        assert b"".join(edition.blocks(asset)) == data
        assert asset.sha256.startswith(Path(path).stem)
    assert config.favicon.light == config.logo.image.light
    assert config.fonts.format == "woff2"
    assert config.fonts.heading == FontSettings("Inter")


def test_a_later_build_without_a_network_shows_the_same(tree, build) -> None:
    checkout = tree(source(**REMOTE_KEYS))
    first, before = build(checkout, remote=RemoteReaders(asset=fetch))
    second, after = build(checkout, first, remote=RemoteReaders(asset=offline))
    assert after.diagnostics == ()
    assert second.site.config.logo == first.site.config.logo
    assert after.digest == before.digest
    third, _ = build(checkout, second, remote=RemoteReaders(asset=offline))
    assert b"".join(third.blocks(third.asset(third.site.config.fonts.source))) == WOFF2


def test_files_that_cannot_be_fetched_are_reported_with_key_and_remedy(tree, build) -> None:
    keys = {**REMOTE_KEYS, "logo": {"light": "https://cdn.example/gone.svg", "dark": FONT}}
    _, report = build(tree(source(**keys)), remote=RemoteReaders(asset=fetch))
    light, dark = report.diagnostics
    assert (light.code, dark.code) == ("logo-elsewhere", "logo-elsewhere")
    assert light.message.startswith("logo.light cannot be fetched from https://cdn.example/gone")
    assert "status 404; pages show the site's name" in light.message
    assert dark.message.startswith("logo.dark")
    assert "it is not a picture" in dark.message
    assert "Put the file into the repository" in light.hint
    assert dark.line > light.line > 1


def test_without_a_network_every_url_is_reported(tree, build) -> None:
    edition, report = build(tree(source(**REMOTE_KEYS)))
    codes = [each.code for each in report.diagnostics]
    assert sorted(codes) == ["favicon-elsewhere", "font-elsewhere", *["logo-elsewhere"] * 2]
    assert all("network access is disabled" in each.message for each in report.diagnostics)
    assert edition.assets() == ()


def test_every_node_serves_the_files_of_editions_and_keeps_them(backend, tmp_path) -> None:
    world = World(backend, tmp_path)
    acme = world.deployment()
    world.configure(**REMOTE_KEYS)
    first = world.node("first", fetch_asset=fetch)
    second = world.node("second", fetch_asset=offline)
    for node, words in ((first, "first"), (second, "second")):
        world.write(words)
        assert node.publish(acme).status == "success"
        edition = node.editions.current(acme)
        assert words in node.shown(acme)
        assert edition.diagnostics == ()
        logo = edition.asset(edition.site.config.logo.image.light)
        assert backend.objects.get(logo.object_key) == SVG
        assert b"".join(edition.blocks(logo)) == SVG


def test_a_switched_off_fetch_names_the_setting(tree, build) -> None:
    _, report = build(tree(source(logo=LIGHT)), remote=RemoteReaders(asset=no_assets))
    (found,) = report.diagnostics
    assert found.message.startswith(f"logo cannot be fetched from {LIGHT}: DOCSTEAD_REMOTE_ASSETS")


AIR_GAPPED_ACME = Settings(deployments={"acme": {"deployment_type": "air-gapped"}})


def test_air_gapped_deployments_fetch_nothing() -> None:
    assert Settings().fetches_assets()
    assert not Settings(remote_assets=False).fetches_assets()
    assert not Settings(deployment_type="air-gapped").fetches_assets(["acme"])
    assert AIR_GAPPED_ACME.fetches_assets(["other"])


def test_a_project_with_an_air_gapped_deployment_fetches_nothing(backend, tmp_path) -> None:
    world = World(backend, tmp_path)
    acme = world.deployment()
    world.configure(logo=LIGHT)
    node = world.node(fetch_asset=fetch, fetches_assets=AIR_GAPPED_ACME.fetches_assets)
    assert node.publish(acme).status == "success"
    (found,) = node.editions.current(acme).diagnostics
    assert "this deployment is air-gapped" in found.message
