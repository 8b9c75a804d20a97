"""Builds of editions from files, with the real engine."""

from __future__ import annotations

import json

import pytest

from docstead.base.errors import SourceUnreadable
from docstead.content.diagnostics import Severity
from docstead.publishing.build import changes_between
from docstead.rendering import EngineLimits

CONFIG = json.dumps(
    {
        "name": "Acme",
        "theme": "mint",
        "colors": {"primary": "#112233"},
        "navigation": {"pages": ["index", "guides/start", "guides/more"]},
    }
)
FILES = {
    "docs.json": CONFIG,
    "index.mdx": "---\ntitle: Home\n---\n\nWelcome to the turbine.\n",
    "guides/start.mdx": 'import Note from "/snippets/note.mdx"\n\n# Start\n\n<Note />\n',
    "guides/more.mdx": "# More\n\n![Logo](/images/logo.svg)\n",
    "unlisted.mdx": "# Unlisted\n\nOnly for those who know the carburettor.\n",
    "snippets/note.mdx": "Mind the gap.\n",
    "images/logo.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
}


def test_an_edition_holds_the_whole_repository(tree, build):
    edition, report = build(tree(FILES))
    assert (report.pages, report.rendered, report.reused, report.failed) == (4, 4, 0, 0)
    assert set(edition.slugs()) == {"index", "guides/start", "guides/more", "unlisted"}
    assert "Welcome to the turbine." in edition.page("index").html
    assert "Mind the gap." in edition.page("guides/start").html
    assert edition.site.config.name == "Acme"
    assert edition.commit == report.commit == "c0ffee"
    assert b"".join(edition.blocks(edition.asset("/images/logo.svg"))).startswith(b"<svg")
    assert edition.asset("images/logo.svg").content_type == "image/svg+xml"
    assert edition.asset("docs.json") is None
    assert edition.page("nowhere") is None
    assert edition.asset("nowhere") is None


def test_the_diagnostics_of_an_edition_are_limited(tree, build):
    repeated = "description: x\n" * 6_000
    edition, report = build(
        tree({**FILES, "index.mdx": f"---\ntitle: Home\n{repeated}---\n\nHi.\n"})
    )
    assert len(report.diagnostics) == 5_001
    assert report.diagnostics[-1].code == "more-diagnostics"
    assert edition.diagnostics == report.diagnostics


def test_search_knows_what_readers_may_find(tree, build):
    edition, _ = build(tree(FILES))
    assert [found.slug for found in edition.index.search("turbine", limit=5)] == ["index"]
    assert "unlisted" not in {f.slug for f in edition.index.search("carburettor", limit=5)}


def test_the_same_commit_renders_nothing(tree, build):
    first, before = build(tree(FILES))
    again, report = build(tree({}), first)
    assert (report.rendered, report.reused, report.digest) == (0, 4, before.digest)
    assert again.page("guides/start") == first.page("guides/start")
    assert again.slugs() == first.slugs()
    assert [found.slug for found in again.index.search("turbine", limit=5)] == ["index"]
    assert (report.changes.added, report.changes.modified, report.changes.removed) == ((), (), ())


@pytest.mark.parametrize(
    ("changed", "rendered"),
    [
        ({"index.mdx": "# Home\n\nA different rotor.\n"}, 1),
        ({"snippets/note.mdx": "Mind the step.\n"}, 1),
        ({"new.mdx": "# New\n"}, 1),
        ({"unlisted.mdx": None}, 0),
    ],
)
def test_an_edit_renders_what_it_changed(tree, build, changed, rendered):
    first, _ = build(tree(FILES))
    _, report = build(tree(changed, commit="decade"), first)
    assert report.rendered == rendered
    assert report.rendered + report.reused == report.pages


def test_an_edit_reaches_pages_and_search(tree, build):
    first, before = build(tree(FILES))
    edition, report = build(
        tree({"index.mdx": "# Home\n\nA different rotor.\n", "unlisted.mdx": None}), first
    )
    assert "different rotor" in edition.page("index").html
    assert edition.page("unlisted") is None
    assert [found.slug for found in edition.index.search("rotor", limit=5)] == ["index"]
    assert edition.index.search("turbine", limit=5) == []
    assert report.digest != before.digest
    assert report.changes.modified == ("index.mdx",)
    assert report.changes.removed == ("unlisted.mdx",)


def test_a_changed_configuration_is_seen_though_no_page_is_rendered(tree, build):
    first, _ = build(tree(FILES))
    config = json.dumps({**json.loads(CONFIG), "name": "Renamed"})
    edition, report = build(tree({"docs.json": config}), first)
    assert edition.site.config.name == "Renamed"
    assert report.rendered == 0


def test_every_diagnostic_is_reported_with_its_position_also_when_its_page_was_copied(tree, build):
    files = {**FILES, "index.mdx": "# Home\n\n<Unheard>x</Unheard>\n\n[gone](/nowhere)\n"}
    first, report = build(tree(files))
    diagnostics = {d.code: (d.file, d.line) for d in report.diagnostics}
    assert diagnostics["unknown-component"] == ("index.mdx", 3)
    assert diagnostics["broken-link"] == ("index.mdx", 5)
    again, second = build(tree({}), first)
    assert second.diagnostics == report.diagnostics == again.diagnostics


def test_only_a_page_that_never_ends_fails_and_it_gets_another_chance(tree, build):
    looping = "export const x = (() => { for (;;) {} })()\n\n# Loop\n\n{x}\n"
    limits = EngineLimits(page_seconds=1.0)
    first, report = build(tree({**FILES, "guides/more.mdx": looping}), limits=limits)
    assert (report.pages, report.failed) == (4, 1)
    assert first.page("guides/more").failed
    assert not first.page("index").failed
    diagnostic = next(d for d in report.diagnostics if d.severity is Severity.ERROR)
    assert diagnostic.file == "guides/more.mdx"
    assert diagnostic.line >= 1
    _, again = build(tree({}), first, limits)
    assert (again.rendered, again.reused) == (1, 3)


@pytest.mark.deep
def test_a_page_that_gets_another_chance_gets_into_search(tree, build):
    wait = "const end = Date.now() + 1500; while (Date.now() < end);"
    slow = f"export const x = (() => {{ {wait} return 1 }})()\n\n# Slow\n\nA gearbox.\n"
    files = {**FILES, "guides/more.mdx": slow}
    first, _ = build(tree(files), limits=EngineLimits(page_seconds=0.5))
    assert first.page("guides/more").failed
    second, _ = build(tree({}), first)
    assert [found.slug for found in second.index.search("gearbox", limit=5)] == ["guides/more"]


def test_progress_is_reported_to_the_end(tree, build):
    progress = []
    first, _ = build(tree(FILES), progress=lambda done, total: progress.append((done, total)))
    assert progress == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]
    progress.clear()
    build(tree({}), first, progress=lambda done, total: progress.append((done, total)))
    assert progress == [(4, 4)]


@pytest.mark.parametrize(
    ("config", "position"),
    [
        ('{\n  "name": "Acme",\n  "theme": }\n', "docs.json:3:12: "),
        (json.dumps({"$ref": "./docs.json"}), "docs.json:1:"),
        (json.dumps({"$ref": "../outside.json"}), "docs.json:1:"),
        ("[]", "docs.json:1:1: "),
        (None, "docs.json"),
    ],
)
def test_a_broken_configuration_names_its_position_and_leaves_no_file(
    tree, build, config, position
):
    files = {name: text for name, text in FILES.items() if name != "docs.json"}
    checkout = tree({**files, **({"docs.json": config} if config else {})})
    with pytest.raises(SourceUnreadable) as refusal:
        build(checkout)
    assert position in refusal.value.message
    assert not list(checkout.path.parent.glob("ed_*"))


def test_files_from_outside_do_not_get_in(tree, build, tmp_path):
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "secret.mdx").write_text("# secret\n")
    checkout = tree(FILES)
    (checkout.path / "images" / "stolen.txt").symlink_to(tmp_path / "secret.txt")
    (checkout.path / "stolen.mdx").symlink_to(tmp_path / "secret.mdx")
    (checkout.path / "inner.svg").symlink_to(checkout.path / "images" / "logo.svg")
    edition, report = build(checkout)
    assert edition.asset("images/stolen.txt") is None
    assert edition.page("stolen") is None
    assert edition.asset("inner.svg").sha256 == edition.asset("images/logo.svg").sha256
    reported = {d.file for d in report.diagnostics}
    assert {"images/stolen.txt", "stolen.mdx"} <= reported


def test_a_page_that_is_not_utf_8_is_left_out_and_named(tree, build):
    edition, report = build(tree({**FILES, "guides/more.mdx": b"# M\xe4hr\n"}))
    assert edition.page("guides/more") is None
    assert (report.pages, report.rendered, report.left_out, report.failed) == (4, 3, 1, 1)
    assert ("guides/more.mdx", Severity.ERROR) in {(d.file, d.severity) for d in report.diagnostics}


def test_what_happened_to_files():
    before, after = {"a": "1", "b": "1", "c": "1"}, {"b": "1", "c": "2", "d": "1"}
    changes = changes_between(before, after)
    assert (changes.added, changes.modified, changes.removed) == (("d",), ("c",), ("a",))
