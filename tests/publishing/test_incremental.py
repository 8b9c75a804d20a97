"""Incremental builds: equal to builds from scratch, to the last byte."""

from __future__ import annotations

import json

import pytest

from docstead.export.options import ExportOptions
from docstead.export.temp_files import TempFiles
from docstead.publishing.edition import Edition
from docstead.repository.parse_cache import ParseCache
from static_files import static_files

PAGES = [f"guides/p{number}" for number in range(9)]


def _config(**more: object) -> str:
    navigation = {
        "groups": [
            {"group": "Guides", "pages": ["index", *PAGES]},
            {"group": "API", "openapi": "api.json"},
        ]
    }
    colors = {"primary": "#112233"}
    return json.dumps(
        {"name": "Acme", "theme": "mint", "colors": colors, "navigation": navigation, **more}
    )


def _api(summary: str, **more: object) -> str:
    get = {"summary": summary, "responses": {"200": {"description": "Fine."}}}
    paths = {"/gears": {"get": get}, **more}
    return json.dumps(
        {"openapi": "3.1.0", "info": {"title": "Gears", "version": "1"}, "paths": paths}
    )


def _page(number: int, text: str = "") -> str:
    imported = 'import Note from "/snippets/note.mdx"\n\n' if number % 2 else ""
    note = "<Note />\n\n" if number % 2 else ""
    return (
        f"---\ntitle: Page {number}\n---\n\n{imported}{note}## Part {number}\n\n"
        f"See [the next](p{number + 1}#part-{number + 1}). {text}\n"
    )


FILES = {
    "docs.json": _config(),
    "index.mdx": "---\ntitle: Home\n---\n\nWelcome. [First](guides/p0#part-0)\n",
    "api.json": _api("List gears"),
    "style.css": ".x { color: red }",
    "snippets/deep.mdx": "Deep {{word}}.",
    "snippets/note.mdx": 'import Deep from "./deep.mdx"\n\nMind the gap. <Deep />\n',
    **{f"{slug}.mdx": _page(number) for number, slug in enumerate(PAGES)},
}
# Each is compared with a clean build before a later one takes it back.
_COMPARED = ("a snippet of many pages", "a page that has a fault")
_COMPARED_TOO = ("settings", "an added page", "an operation", "a utility class", "a page hidden")
CHANGES: dict[str, dict[str, str | None]] = {
    "an edited page": {"guides/p2.mdx": _page(2, "More words.")},
    "a part that others lead to": {
        "guides/p2.mdx": _page(2).replace("## Part 2", "## Another part")
    },
    "a snippet of many pages": {"snippets/note.mdx": "Mind the step, at once.\n"},
    "a snippet again": {"snippets/note.mdx": FILES["snippets/note.mdx"]},
    "a snippet of a snippet": {"snippets/deep.mdx": "Deeper {{word}}."},
    "settings": {"docs.json": _config(name="Other", variables={"word": "down"})},
    "an added page": {"guides/p99.mdx": _page(99), "docs.json": _config()},
    "a removed page": {"guides/p99.mdx": None},
    "a renamed page": {"guides/p4.mdx": None, "guides/moved.mdx": _page(4)},
    "an operation": {"api.json": _api("List all gears", **{"/cogs": {"get": {"summary": "Cogs"}}})},
    "an operation less": {"api.json": _api("List all gears")},
    "a style sheet": {"style.css": ".x { color: blue }"},
    "a utility class": {"guides/p1.mdx": _page(1, '<span className="mt-7 flex">a</span>')},
    "no utility class": {"guides/p1.mdx": _page(1)},
    "a page that has a fault": {"guides/p3.mdx": _page(3, "<Unheard>x</Unheard> {oops")},
    "and has none": {"guides/p3.mdx": _page(3)},
    "a page hidden": {
        "guides/p5.mdx": _page(5).replace("title: Page 5", "title: Page 5\nnoindex: true")
    },
}


def _files(edition: Edition) -> dict[str, bytes]:
    with TempFiles() as temp_files:
        found = static_files(edition, ExportOptions(), temp_files)
        return {file.path: b"".join(file.blocks()) for file in found}


def _passages(edition: Edition) -> list[tuple[object, ...]]:
    found = edition.index.passages()
    return sorted((each.slug, each.title, each.anchor, each.markdown) for each in found)


@pytest.mark.parametrize(
    "compared",
    [_COMPARED, pytest.param(_COMPARED_TOO, marks=pytest.mark.deep)],
    ids=["some", "others"],
)
def test_every_change_leads_to_what_a_clean_build_makes(tree, build, compared):
    memory = ParseCache(1_000_000)
    edition, _ = build(tree(FILES), parse_cache=memory)
    for name, changed in CHANGES.items():
        found = tree(changed, commit=name)
        edition, report = build(found, edition, parse_cache=memory)
        if name not in compared:
            continue
        clean, expected = build(found)
        assert report.digest == expected.digest, name
        assert report.diagnostics == expected.diagnostics, name
        assert edition.slugs() == clean.slugs(), name
        assert _files(edition) == _files(clean), name
        assert _passages(edition) == _passages(clean), name
