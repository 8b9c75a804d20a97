"""The index of an edition that differs little from the previous one."""

from __future__ import annotations

import json

import pytest

from sampled_cases import one_in

PAGES = 24
CONFIG = {"name": "Acme", "theme": "mint", "colors": {"primary": "#112233"}}


def _page(number: int, words: str = "") -> str:
    return f"---\ntitle: Page {number}\n---\n\nAbout gear{number}. {words}\n\n## Teeth\n\nMany.\n"


def _config(**more: object) -> str:
    pages = [f"p{number}" for number in range(PAGES)]
    return json.dumps({**CONFIG, "navigation": {"pages": pages}, **more})


FILES = {"docs.json": _config(), **{f"p{number}.mdx": _page(number) for number in range(PAGES)}}


@pytest.fixture(scope="module")
def built_once(shared):
    tree, build = shared
    edition, _ = build(tree(FILES))
    return edition


@pytest.fixture
def first(built_once, tree):
    """The edition of the files that now lie in the folder of the source."""
    tree(FILES)
    return built_once


def _found(edition) -> list[tuple[object, ...]]:
    return sorted(
        (each.slug, each.title, each.heading_path, each.anchor, each.markdown)
        for each in edition.index.passages()
    )


@pytest.mark.parametrize(
    "changed",
    one_in(
        2,
        [
            {"p3.mdx": _page(3, "A rotor.")},
            {"p3.mdx": None},
            {"new.mdx": _page(99)},
            {"p3.mdx": None, "moved.mdx": _page(3), "p5.mdx": _page(5, "Grease.")},
            {"p3.mdx": _page(3).replace("title: Page 3", "title: Page 3\nnoindex: true")},
            {"p3.mdx": _page(3).replace("title: Page 3", "title: Other")},
            {"docs.json": _config(seo={"indexing": "all"})},
            {f"p{number}.mdx": _page(number, "Oil.") for number in range(PAGES)},
        ],
    ),
    ids=["edit", "removal", "addition", "move", "hidden", "title", "settings", "everything"],
)
def test_it_holds_what_a_clean_build_holds(tree, build, first, changed):
    found = tree(changed, commit="decade")
    renewed, _ = build(found, first)
    clean, _ = build(found)
    assert _found(renewed) == _found(clean)


def test_what_is_gone_is_not_found(tree, build, first):
    assert first.index.search("gear3", limit=3)[0].slug == "p3"
    renewed, _ = build(tree({"p3.mdx": _page(3).replace("gear3", "cog")}), first)
    assert "p3" not in {each.slug for each in renewed.index.search("gear3", limit=PAGES)}
    assert renewed.index.search("cog", limit=1)[0].slug == "p3"
    assert first.index.search("gear3", limit=3)[0].slug == "p3"


def test_many_edits_one_after_the_other(tree, build, first):
    edition = first
    for time in range(5):
        found = tree({"p7.mdx": _page(7, f"Change{time}.")})
        edition, _ = build(found, edition)
    clean, _ = build(found)
    assert _found(edition) == _found(clean)
    assert edition.index.search("change3", limit=1) == []


def test_an_overview_is_found_by_the_present_name_of_its_group(tree, build, first):
    def named(label: str) -> dict[str, str]:
        pages = [f"p{number}" for number in range(PAGES)]
        return {"docs.json": _config(navigation={"groups": [{"group": label, "pages": pages}]})}

    overview = {"p3.mdx": _page(3).replace("title: Page 3", "title: Overview")}
    before, _ = build(tree({**overview, **named("Drivetrain")}), first)
    assert [each.slug for each in before.index.search("drivetrain", limit=3)] == ["p3"]
    after, _ = build(tree(named("Powertrain")), before)
    assert [each.slug for each in after.index.search("powertrain", limit=3)] == ["p3"]
    assert after.index.search("drivetrain", limit=1) == []
