from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docstead.content.slugs import clean_path
from docstead.reference.openapi.spec import Specification, read_specification
from docstead.reference.pages import ApiPages, TagGroup
from docstead.repository.positions import Diagnostics


def specification(paths: dict[str, Any], **keys: Any) -> Specification:
    document = {"openapi": "3.1.0", "paths": paths, **keys}
    found = read_specification(json.dumps(document), "api.json", Diagnostics())
    assert found is not None
    return found


def slug(path: str, **definition: Any) -> str:
    pages = ApiPages((), Diagnostics())
    return pages.page(specification({path: {"get": definition}}).entries[0], "api-reference")


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        ({"summary": "List all pets", "tags": ["Pets"]}, "api-reference/pets/list-all-pets"),
        (
            {"summary": "Advance", "tags": ["Checkout / State"]},
            "api-reference/checkout-state/advance",
        ),
        ({"summary": "It's v1.0 (new)."}, "api-reference/its-v10-new"),
        ({"tags": ["Pets"]}, "api-reference/pets/get-pets"),
        ({"summary": "What? #1 100%"}, "api-reference/what-1-100"),
        ({"summary": "../../etc"}, "api-reference/etc"),
        ({"summary": "a" * 300}, f"api-reference/{'a' * 240}"),
        ({"summary": "ü" * 200, "tags": ["é" * 200]}, f"api-reference/{'é' * 120}/{'ü' * 120}"),
        ({"summary": "x", "x-docs": {"href": "/custom/place"}}, "custom/place"),
    ],
)
def test_urls(definition: dict[str, Any], expected: str) -> None:
    assert slug("/pets/{id}", **definition) == expected


def test_the_same_url_twice_is_numbered() -> None:
    same = {"get": {"summary": "Same"}, "put": {"summary": "Same"}, "post": {"summary": "Same"}}
    pages = ApiPages((), Diagnostics())
    (group,) = pages.groups(specification({"/a": same}), "api")

    assert group.slugs == ("api/same", "api/same-1", "api/same-2")
    assert [page.reference.method for page in pages.pages.values() if page.reference] == [
        "GET",
        "PUT",
        "POST",
    ]


def test_asking_twice_gives_the_same_pages() -> None:
    pages = ApiPages((), Diagnostics())
    found = specification({"/a": {"get": {"summary": "One"}}})

    assert pages.groups(found, "api") == pages.groups(found, "api")
    assert list(pages.pages) == ["api/one"]


def test_groups_follow_tags_and_their_labels() -> None:
    paths = {
        "/a": {"get": {"summary": "A", "tags": ["second-tag"]}},
        "/b": {"get": {"summary": "B", "tags": ["first"]}},
        "/c": {"get": {"summary": "C", "tags": ["second-tag", "first"]}},
        "/d": {"get": {"summary": "D"}},
    }
    found = specification(paths, tags=[{"name": "second-tag", "x-group": "Second"}])

    assert ApiPages((), Diagnostics()).groups(found, "api") == (
        TagGroup("Second", ("api/second-tag/a", "api/second-tag/c")),
        TagGroup("first", ("api/first/b",)),
        TagGroup(None, ("api/d",)),
    )


def test_hidden_and_excluded_operations() -> None:
    paths = {
        "/a": {"get": {"summary": "Shown"}},
        "/b": {"get": {"summary": "Hidden", "x-hidden": True}},
        "/c": {"get": {"summary": "Excluded", "x-excluded": True}},
    }
    pages = ApiPages((), Diagnostics())
    (group,) = pages.groups(specification(paths), "api")

    assert group.slugs == ("api/shown",)
    assert set(pages.pages) == {"api/shown", "api/hidden"}
    assert pages.pages["api/hidden"].meta.hidden


def test_a_page_of_the_repository_keeps_its_url() -> None:
    pages = ApiPages({"api/one"}, Diagnostics())
    found = specification({"/a": {"get": {"summary": "One"}}})

    assert pages.groups(found, "api") == (TagGroup(None, ("api/one",)),)
    assert pages.pages == {}


@pytest.mark.parametrize("name", ["x-docs", "x-mint"])
def test_metadata_and_content_of_the_extension(name: str) -> None:
    extension = {"metadata": {"title": "Better", "tag": "NEW"}, "content": "## Before"}
    definition = {"summary": "Plain", "description": "One.\n\nTwo.", name: extension}
    pages = ApiPages((), Diagnostics())
    made = pages.page(specification({"/a": {"get": definition}}).entries[0], "api")
    page = pages.pages[made]

    assert (page.meta.title, page.meta.tag, page.meta.description) == ("Better", "NEW", "One.")
    assert page.meta.method == "GET"
    assert page.body == "## Before"


def test_title_and_mark_come_from_the_operation() -> None:
    pages = ApiPages((), Diagnostics())
    found = specification({"/a/{id}": {"delete": {"deprecated": True}}})
    meta = pages.pages[pages.page(found.entries[0], "api")].meta

    assert (meta.title, meta.deprecated, meta.slug) == ("DELETE /a/{id}", True, "api/delete-a")


@given(st.text(max_size=40), st.text(max_size=20), st.text(max_size=20))
def test_any_names_make_a_url_that_is_safe(summary: str, tag: str, path: str) -> None:
    made = slug(f"/{path}", summary=summary, tags=[tag])

    assert made == clean_path(made)
    assert made.startswith("api-reference/")
    assert not set(made) & set('?#%\\:*"<>|\n{}')
    assert ".." not in made


@pytest.mark.parametrize(
    ("description", "lead", "rest"),
    [
        ("One line.", "One line.", ""),
        ("First.\n\nSecond.\n\n- a\n- b\n", "First.", "Second.\n\n- a\n- b"),
        ("First\nline.\r\n \r\nSecond.", "First\nline.", "Second."),
        ("# Heading\n\nText.", None, "# Heading\n\nText."),
        ("- a\n\n- b", None, "- a\n\n- b"),
        ("```\na\n\nb\n```", None, "```\na\n\nb\n```"),
        ("-1 is a number.", "-1 is a number.", ""),
        ("", None, ""),
        (None, None, ""),
        (["odd"], None, ""),
    ],
)
def test_a_description_is_a_lead_and_the_rest(
    description: object, lead: str | None, rest: str
) -> None:
    pages = ApiPages((), Diagnostics())
    slug = pages.page(specification({"/a": {"get": {"description": description}}}).entries[0], "")
    page = pages.pages[slug]
    assert page.reference is not None
    assert (page.meta.description, page.reference.about) == (lead, rest)


def test_a_description_of_its_own_leaves_no_rest() -> None:
    own = {"description": "A.\n\nB.", "x-docs": {"metadata": {"description": "Own."}}}
    pages = ApiPages((), Diagnostics())
    slug = pages.page(specification({"/a": {"get": own}}).entries[0], "")
    operation = pages.pages[slug].reference
    assert operation is not None
    assert (pages.pages[slug].meta.description, operation.about) == ("Own.", "")
