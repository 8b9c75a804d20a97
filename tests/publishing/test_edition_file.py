"""The file of an edition: what goes in comes out."""

from __future__ import annotations

import sqlite3
import threading
import zlib

import msgspec
import pytest

from docstead.base.units import MIB
from docstead.content.config import SiteConfig
from docstead.content.diagnostics import Diagnostic, Severity
from docstead.content.navigation import Navigation, NavNode, NodeKind
from docstead.content.pages import PageMeta, Section, Site
from docstead.content.style_settings import (
    BackgroundColors,
    BackgroundSettings,
    FontSettings,
    LightAndDark,
    SiteFontSettings,
)
from docstead.content.written_settings import WrittenSettings
from docstead.markup.rendered import LINK_MARK, Heading, RenderedPage
from docstead.publishing import edition_format
from docstead.publishing.edition_file import EditionFile, EditionWriter
from docstead.publishing.edition_format import (
    FORMAT,
    VALUE_LIMIT_BYTES,
    DamagedEditionError,
    StoredAsset,
    UtilityStyles,
)
from docstead.publishing.page_notes import PageNotes

SITE = Site(
    SiteConfig(
        "Acme", extra=WrittenSettings(markdown={"numbers": [1, 2.5, None], "name": "Ünïcode"})
    ),
    Navigation((NavNode(NodeKind.GROUP, "All", (NavNode(NodeKind.PAGE, "Home", slug="index"),)),)),
    {"index": PageMeta("index", "index.mdx", "Home", keywords=("a", "b"), in_navigation=True)},
)
PAGE = RenderedPage(
    "index",
    f'<a href="{LINK_MARK}/guides">more</a>',
    (Heading(2, "Install", "install"),),
    (Section("install", ("Install",), "Run it."),),
    (Diagnostic("index.mdx", 3, 1, Severity.WARNING, "broken-link", "leads nowhere", "mend it"),),
    features=("tabs",),
    classes=("flex", "mt-4"),
    link_lines=(("/guides", 3, 1),),
)
ASSET = StoredAsset("images/logo.svg", "a" * 64, 12, "image/svg+xml")


def write(
    path, *, page=PAGE, site=SITE, commit="c0ffee", assets=(ASSET,), search=None, packed=True
):
    writer = EditionWriter(path, packed=packed)
    writer.add_page(page, "key")
    writer.add_assets(assets)
    writer.add_files({"index.mdx": "b" * 64})
    if search is not None:
        writer.add_search_files(search)
    return writer.close(commit=commit, site=site, diagnostics=page.diagnostics)


@pytest.mark.parametrize("packed", [True, False])
def test_everything_comes_out_as_it_went_in(tmp_path, packed):
    digest = write(tmp_path / "edition", packed=packed)
    file = EditionFile(tmp_path / "edition")
    assert file.site() == SITE
    assert file.page("index") == PAGE
    assert file.page("other") is None
    assert file.diagnostics() == PAGE.diagnostics
    assert (file.commit, file.digest) == ("c0ffee", digest)
    assert file.asset("images/logo.svg") == ASSET
    assert file.asset("other") is None
    assert file.assets() == (ASSET,)
    assert file.files() == {"index.mdx": "b" * 64}
    assert file.page_keys() == {"index": "key"}
    assert file.slugs() == ("index",)


def test_the_style_sheet_of_the_classes_of_all_pages_is_kept(tmp_path):
    writer = EditionWriter(tmp_path / "edition")
    writer.add_page(PAGE, "key")
    assert writer.class_names() == ("flex", "mt-4")
    utilities = UtilityStyles(writer.class_names(), ".flex{display:flex}")
    writer.close(commit="c0ffee", site=SITE, diagnostics=(), utilities=utilities)
    assert EditionFile(tmp_path / "edition").utilities() == utilities


def test_the_search_index_comes_out_as_files(tmp_path):
    (tmp_path / "index" / "deep").mkdir(parents=True)
    (tmp_path / "index" / "meta.json").write_text("{}")
    (tmp_path / "index" / "deep" / "segment").write_bytes(b"\0\1")
    write(tmp_path / "edition", search=tmp_path / "index")
    EditionFile(tmp_path / "edition").extract_search_files(tmp_path / "out")
    assert (tmp_path / "out" / "meta.json").read_text() == "{}"
    assert (tmp_path / "out" / "deep" / "segment").read_bytes() == b"\0\1"


def test_a_page_can_be_copied_from_one_file_to_the_next(tmp_path):
    write(tmp_path / "one")
    (stored,) = EditionFile(tmp_path / "one").stored_pages(["nowhere", "index"])
    assert stored.key == "key"
    writer = EditionWriter(tmp_path / "two")
    writer.copy_page(stored)
    assert writer.notes("index") == PageNotes.of(PAGE)
    writer.close(commit="c0ffee", site=SITE, diagnostics=())
    assert EditionFile(tmp_path / "two").page("index") == PAGE


def test_the_digest_distinguishes_contents_and_nothing_else(tmp_path):
    first = write(tmp_path / "one")
    assert write(tmp_path / "two") == first
    assert write(tmp_path / "three", commit="other") != first
    assert write(tmp_path / "four", assets=()) != first


def test_half_a_character_does_not_stop_a_site(tmp_path):
    site = Site(
        SiteConfig("Acme \ud800", extra=WrittenSettings(seo=["\udfff"])), Navigation(), SITE.pages
    )
    write(tmp_path / "edition", site=site)
    assert EditionFile(tmp_path / "edition").site().config.name == "Acme ?"


def test_settings_that_an_earlier_version_stored_are_read():
    stored = {
        "config": {"name": "Acme", "extra": {"thumbnails": "dark", "colour": 1}},
        "navigation": {"roots": []},
        "pages": {},
    }
    found = edition_format.SITE.unpack(zlib.compress(msgspec.json.encode(stored)))
    assert found.config.extra == WrittenSettings(thumbnails="dark")


@pytest.mark.parametrize("encode", [msgspec.json.encode, msgspec.msgpack.encode])
def test_styles_that_an_earlier_version_stored_as_written_are_read(encode):
    stored = msgspec.to_builtins(SITE)
    stored["config"] |= {
        "fonts": {"family": "Inter", "weight": "bold", "heading": {"source": 1, "family": "Geist"}},
        "background": {"image": "/b.png", "color": {"dark": "#222222"}, "decoration": ["grid"]},
        "styling": {"latex": "yes", "codeblocks": {"theme": {"light": "nord"}}},
    }
    packed = zlib.compress(encode(stored))
    if encode is msgspec.msgpack.encode:
        packed = b"\0" + encode(stored)
    config = edition_format.SITE.unpack(packed).config
    assert config.fonts == SiteFontSettings("Inter", heading=FontSettings("Geist"))
    colors = BackgroundColors(dark="#222222")
    assert config.background == BackgroundSettings(color=colors, image="/b.png")
    assert config.styling.code_themes == LightAndDark("nord")
    assert (config.styling.latex, config.name) == (None, "Acme")


@pytest.mark.parametrize("config", [None, [], {"name": 1}])
def test_a_site_without_usable_settings_is_refused(config):
    stored = {**msgspec.to_builtins(SITE), "config": config}
    with pytest.raises(DamagedEditionError):
        edition_format.SITE.unpack(zlib.compress(msgspec.json.encode(stored)))


@pytest.mark.parametrize("content", [b"", b"no database at all" * 100])
def test_what_is_no_edition_is_refused(tmp_path, content):
    (tmp_path / "edition").write_bytes(content)
    with pytest.raises(DamagedEditionError):
        EditionFile(tmp_path / "edition")


def test_an_unfinished_or_newer_edition_is_refused(tmp_path):
    writer = EditionWriter(tmp_path / "unfinished")
    writer.add_page(PAGE, "key")
    writer.abandon()
    write(tmp_path / "newer")
    with sqlite3.connect(tmp_path / "newer") as connection:
        newer = (zlib.compress(b"%d" % (FORMAT + 1)),)
        connection.execute("UPDATE facts SET value = ? WHERE name = 'format'", newer)
    connection.close()
    for name in ("unfinished", "newer"):
        with pytest.raises(DamagedEditionError):
            EditionFile(tmp_path / name)


def test_many_threads_read_one_file(tmp_path):
    write(tmp_path / "edition")
    file = EditionFile(tmp_path / "edition")
    seen = []

    def read() -> None:
        seen.extend(file.page("index") for _ in range(50))

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [PAGE] * 400


def test_a_value_that_unpacks_to_too_much_is_refused(tmp_path):
    path = tmp_path / "edition.sqlite"
    write(path)
    packing = zlib.compressobj()
    blocks = [packing.compress(b" " * MIB) for _ in range(VALUE_LIMIT_BYTES // MIB + 1)]
    with sqlite3.connect(path) as connection:
        row = (b"".join(blocks) + packing.flush(),)
        connection.execute("UPDATE facts SET value = ? WHERE name = 'site'", row)
    with pytest.raises(DamagedEditionError, match="over 128 MB"):
        EditionFile(path).site()
