"""Values of the settings that are longer than those of any site."""

from __future__ import annotations

import pytest

from docstead.base.errors import SourceUnreadable
from docstead.repository.settings_limits import (
    DRAWING_LIMIT,
    ENTRY_LIMIT,
    TEXT_LIMIT,
    limited_text,
)


def codes(repository):
    return [found.code for found in repository.diagnostics if found.code == "settings-too-long"]


def test_texts_are_cut(load):
    found = load({}, name="n" * (TEXT_LIMIT + 1), description="d" * TEXT_LIMIT)
    assert found.site.config.name == "n" * TEXT_LIMIT
    assert found.site.config.description == "d" * TEXT_LIMIT
    (diagnostic,) = (each for each in found.diagnostics if each.code == "settings-too-long")
    assert (diagnostic.file, diagnostic.line) == ("docs.json", 3)
    assert diagnostic.message == "'name' has over 10,000 characters; the rest was left out"


def test_texts_in_lists_are_cut_at_any_depth(load):
    link = {"label": "L" * (TEXT_LIMIT + 1), "href": "https://example.com"}
    found = load({}, footer={"links": [{"header": "H", "items": [link]}]})
    (column,) = found.site.config.footer.columns
    assert len(column.items[0].label) == TEXT_LIMIT
    assert len(codes(found)) == 1


def test_drawings_may_be_longer_and_are_never_cut():
    drawing = f"<svg>{'<g/>' * TEXT_LIMIT}</svg>"
    assert limited_text(drawing) == drawing
    assert limited_text("<svg>" + " " * DRAWING_LIMIT) == ""


def test_lists_are_shortened(load):
    links = [{"label": str(n), "href": "https://example.com"} for n in range(ENTRY_LIMIT + 1)]
    found = load({}, navbar={"links": links})
    assert [link.label for link in found.site.config.navbar.links][-1] == str(ENTRY_LIMIT - 1)
    assert len(codes(found)) == 1


def test_pages_redirects_and_variables_may_be_as_many_as_there_are(load):
    count = ENTRY_LIMIT + 1
    found = load(
        {f"p{n}.mdx": "Text." for n in range(count)},
        {"pages": ["index", *(f"p{n}" for n in range(count))]},
        redirects=[{"source": f"/o{n}", "destination": "/"} for n in range(count)],
        variables={f"v{n}": "x" for n in range(count)},
    )
    assert len(found.site.navigation.roots) == count + 1
    assert len(found.site.config.redirects) == len(found.site.config.variables) == count
    assert not codes(found)


def test_the_navigation_is_limited_by_the_number_of_pages(load):
    with pytest.raises(SourceUnreadable, match=r"10,011 entries, over 10,010 for 1 page"):
        load({}, {"pages": ["index"] * 10_011})


def test_long_fields_of_a_page_are_cut(load):
    title = "t" * (TEXT_LIMIT + 1)
    found = load({"index.mdx": f"---\ntitle: {title}\nkeywords: [{title}]\n---\n\nText."})
    meta = found.site.pages["index"]
    assert (meta.title, meta.keywords) == (title[:-1], (title[:-1],))
    assert [(d.code, d.line) for d in found.diagnostics] == [("frontmatter-too-long", 2)]
