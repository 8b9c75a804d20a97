from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from docstead.content.navigation import NavNode, NodeKind
from docstead.content.pages import Repository
from docstead.content.reference_entries import GraphqlOperation, HttpOperation

Load = Callable[..., Repository]
NO_ENTRY = 'Write a path such as "guides/start", or an object with a "group".'
PAGES = dict.fromkeys(["a.mdx", "b.mdx", "deep/index.mdx", "deep/c.mdx"], "text\n")
API = json.dumps(
    {
        "openapi": "3.0.0",
        "paths": {
            "/pets": {
                "get": {"summary": "List pets", "tags": ["Pets"]},
                "post": {"summary": "Add a pet", "tags": ["Pets"]},
            },
            "/ping": {"get": {"summary": "Ping"}},
        },
    }
)


def outline(node: NavNode) -> Any:
    """A tree as nested lists: pages as slugs, the rest as [kind label, …]."""
    if node.slug:
        return node.slug
    if node.href:
        return f"{node.kind} {node.label} -> {node.href}"
    return [f"{node.kind} {node.label}", *map(outline, node.children)]


def tree(repository: Repository) -> Any:
    return [outline(node) for node in repository.site.navigation.roots]


def codes(repository: Repository) -> list[str]:
    return [diagnostic.code for diagnostic in repository.diagnostics]


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("languages", "language"),
        ("versions", "version"),
        ("products", "product"),
        ("dropdowns", "dropdown"),
        ("tabs", "tab"),
        ("anchors", "anchor"),
        ("groups", "group"),
    ],
)
def test_every_kind_at_the_root(load: Load, key: str, kind: str) -> None:
    repository = load(PAGES, {key: [{kind: "x", "pages": ["a"]}, {kind: "y", "pages": ["b"]}]})

    assert tree(repository) == [[f"{kind} x", "a"], [f"{kind} y", "b"]]
    assert repository.diagnostics == ()


def test_kinds_inside_one_another(load: Load) -> None:
    group = {"group": "G", "pages": ["a", {"group": "Inner", "root": "deep", "pages": ["deep/c"]}]}
    menu = {"tab": "T", "menu": [{"item": "I", "groups": [group]}]}
    repository = load(
        PAGES,
        {"languages": [{"language": "en", "versions": [{"version": "v1", "tabs": [menu]}]}]},
    )

    inner = ["group Inner", "deep/c"]
    expected = ["tab T", ["item I", ["group G", "a", inner]]]
    assert tree(repository) == [["language en", ["version v1", expected]]]
    meta = repository.site.pages["deep/c"]
    assert (meta.language, meta.version, meta.in_navigation) == ("en", "v1", True)
    assert repository.site.pages["deep/index"].in_navigation


def test_a_plain_list_of_pages(load: Load) -> None:
    assert tree(load(PAGES, {"pages": ["a", "b"]})) == ["a", "b"]


def test_pages_may_stand_before_groups(load: Load) -> None:
    tab = {"tab": "T", "pages": ["a"], "groups": [{"group": "G", "pages": ["b"]}]}

    assert tree(load(PAGES, {"tabs": [tab]})) == [["tab T", "a", ["group G", "b"]]]


def test_the_pages_of_a_group_with_an_empty_name_stand_without_it(load: Load) -> None:
    start = {"group": "", "pages": ["a", {"group": "G", "pages": ["b"]}]}
    repository = load(PAGES, {"groups": [start, {"group": "H", "pages": ["deep/c"]}]})

    assert tree(repository) == ["a", ["group G", "b"], ["group H", "deep/c"]]
    assert repository.site.pages["a"].in_navigation
    assert repository.diagnostics == ()


def test_attributes_of_a_node(load: Load) -> None:
    group = {
        "group": "G",
        "icon": "star",
        "iconType": "solid",
        "tag": "NEW",
        "root": "deep/index",
        "expanded": True,
        "hidden": True,
        "searchable": True,
        "boost": 2,
        "directory": "card",
        "pages": ["a", {"group": "Inner", "pages": ["b"]}],
    }
    (node,) = load(PAGES, {"groups": [group]}).site.navigation.roots

    assert (node.icon, node.icon_type, node.tag, node.root) == (
        "star",
        "solid",
        "NEW",
        "deep/index",
    )
    assert (node.expanded, node.hidden, node.searchable) == (True, True, True)
    assert (node.boost, node.directory) == (2.0, "card")
    assert node.children[1].directory == "card"


def test_entries_of_pages_show_what_the_page_says(load: Load) -> None:
    page = "---\ntitle: Long title\nsidebarTitle: Short\nicon: star\ntag: NEW\n---\n"
    link = "---\ntitle: Forum\nurl: https://example.com\n---\n"
    (group,) = load(
        {"a.mdx": page, "b.mdx": link}, {"groups": [{"group": "G", "pages": ["a", "b"]}]}
    ).site.navigation.roots

    first, second = group.children
    assert (first.label, first.icon, first.tag, first.slug) == ("Short", "star", "NEW", "a")
    assert (second.label, second.href) == ("Forum", "https://example.com")


def test_links_everywhere(load: Load) -> None:
    navigation = {
        "pages": ["a"],
        "global": {"anchors": [{"anchor": "Blog", "href": "https://example.com", "icon": "rss"}]},
    }
    (anchor,) = load(PAGES, navigation).site.navigation.everywhere

    assert anchor == NavNode(NodeKind.ANCHOR, "Blog", href="https://example.com", icon="rss")


def test_a_link_everywhere_that_leads_nowhere_is_reported(load: Load) -> None:
    everywhere = {"anchors": [{"anchor": "Blog"}], "products": [{"product": "Acme"}]}
    repository = load(PAGES, {"pages": ["a"], "global": everywhere})

    assert [node.label for node in repository.site.navigation.everywhere] == ["Acme"]
    (diagnostic,) = [each for each in repository.diagnostics if each.code == "missing-key"]
    assert (diagnostic.hint, diagnostic.line > 1) == ('Add an "href".', True)


def test_a_page_whose_name_holds_what_ends_a_url(load: Load) -> None:
    assert tree(load({"c#tag.mdx": "", "a?b.mdx": ""}, {"pages": ["c#tag", "/a?b"]})) == [
        "c#tag",
        "a?b",
    ]


@pytest.mark.parametrize("entry", ["a", "/a", "a.mdx", "./a", "a/"])
def test_a_page_is_found_however_it_is_written(load: Load, entry: str) -> None:
    assert tree(load(PAGES, {"pages": [entry]})) == ["a"]


@pytest.mark.parametrize(
    ("entry", "code", "hint"),
    [
        ("other/C", "missing-page", "Did you mean 'deep/c'?"),
        ("nothing/like/it", "missing-page", "Add the file or remove the entry."),
        ("../../etc/passwd", "missing-page", "Remove the entry."),
        (7, "wrong-type", NO_ENTRY),
        (None, "wrong-type", NO_ENTRY),
        ({"pages": ["a"]}, "missing-key", 'Add "group": "its name".'),
        ("GET /nothing", "unknown-operation", "Method and path must match."),
    ],
)
def test_what_names_nothing_is_left_out(load: Load, entry: Any, code: str, hint: str) -> None:
    repository = load(PAGES, {"pages": ["a", entry, "b"]})

    assert tree(repository) == ["a", "b"]
    (diagnostic,) = repository.diagnostics
    assert (diagnostic.file, diagnostic.code, diagnostic.hint) == ("docs.json", code, hint)
    assert (diagnostic.line, diagnostic.column) == (10, 7)


@pytest.mark.parametrize(
    ("entry", "hint"),
    [
        ("ja/start", "Add the file or remove the entry."),
        ("ja/old/only", "Did you mean 'ja/only'?"),
        ("old/start", "Did you mean 'start'?"),
        ("old/only", "Add the file or remove the entry."),
    ],
)
def test_a_page_of_another_language_is_not_suggested(load: Load, entry: str, hint: str) -> None:
    files = {"start.mdx": "", "ja/only.mdx": ""}
    languages = [
        {"language": "en", "pages": ["start"]},
        {"language": "ja", "pages": ["ja/only", entry]},
    ]
    (diagnostic,) = load(files, {"languages": languages}).diagnostics
    assert (diagnostic.code, diagnostic.hint) == ("missing-page", hint)


def test_a_mixed_level_keeps_the_first_kind(load: Load) -> None:
    tabs = [{"tab": "T", "pages": ["b"]}]
    repository = load(PAGES, {"tabs": tabs, "versions": [{"version": "1", "pages": ["a"]}]})

    assert tree(repository) == [["version 1", "a"]]
    assert codes(repository) == ["mixed-navigation"]


@pytest.mark.parametrize(
    "navigation",
    [
        {"tabs": 5},
        {"tabs": [5, None, "x"]},
        {"groups": [{"group": [], "pages": {}}]},
        {"groups": [{"group": "G", "pages": "a", "openapi": 7, "hidden": "yes", "boost": 1e308}]},
        {"global": []},
        {},
    ],
)
def test_wrong_shapes_never_stop_the_site(load: Load, navigation: Any) -> None:
    repository = load(PAGES, navigation)

    assert set(repository.pages) == {"index", "a", "b", "deep/index", "deep/c"}
    assert set(codes(repository)) <= {"wrong-type", "missing-key", "empty-navigation"}


def test_a_whole_specification(load: Load) -> None:
    repository = load({"api.json": API}, {"tabs": [{"tab": "API", "openapi": "api.json"}]})

    assert tree(repository) == [
        [
            "tab API",
            ["group Pets", "api-reference/pets/list-pets", "api-reference/pets/add-a-pet"],
            ["group API Reference", "api-reference/ping"],
        ]
    ]
    page = repository.pages["api-reference/ping"]
    assert page.reference is not None
    assert (page.meta.method, page.meta.file, page.meta.in_navigation) == ("GET", "api.json", True)
    assert repository.diagnostics == ()


def test_pages_before_a_whole_specification(load: Load) -> None:
    group = {"group": "G", "pages": ["a"], "openapi": {"source": "/api.json", "directory": "ref"}}
    repository = load({**PAGES, "api.json": API}, {"groups": [group]})

    pets = ["group Pets", "ref/pets/list-pets", "ref/pets/add-a-pet"]
    assert tree(repository) == [["group G", "a", pets, "ref/ping"]]


def test_only_the_operations_that_are_listed(load: Load) -> None:
    inner = {"group": "Inner", "pages": ["POST /pets"]}
    group = {"group": "G", "openapi": ["api.json"], "pages": ["a", "GET /pets", inner]}
    repository = load({**PAGES, "api.json": API}, {"groups": [group]})

    listed = ["group Inner", "api-reference/pets/add-a-pet"]
    assert tree(repository) == [["group G", "a", "api-reference/pets/list-pets", listed]]


def test_an_operation_with_its_file(load: Load) -> None:
    repository = load({"api.json": API}, {"pages": ["/api.json GET /ping"]})

    assert tree(repository) == ["api-reference/ping"]


def test_operations_are_found_in_the_settings_of_the_api(load: Load) -> None:
    files = {"one.json": API.replace("ping", "pong"), "two.json": API}
    repository = load(files, {"pages": ["GET /ping"]}, api={"openapi": ["one.json", "two.json"]})

    operation = repository.pages["api-reference/ping"].reference
    assert isinstance(operation, HttpOperation)
    assert operation.spec == "two.json"


def test_pages_that_document_operations_are_a_list_of_them(load: Load) -> None:
    page = "---\nopenapi: GET /ping\n---\nBy hand.\n"
    group = {"group": "G", "openapi": "api.json", "pages": ["ping"]}
    repository = load({"ping.mdx": page, "api.json": API}, {"groups": [group]})

    assert tree(repository) == [["group G", "ping"]]
    assert repository.pages["ping"].reference is not None
    assert repository.site.pages["ping"].title == "Ping"


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("none.json", "openapi-missing"),
        ("../outside.json", "openapi-missing"),
        ("https://example.com/api.json", "openapi-remote"),
    ],
)
def test_a_specification_that_is_not_there(load: Load, source: str, code: str) -> None:
    repository = load({}, {"tabs": [{"tab": "API", "openapi": source}]})

    (diagnostic,) = repository.diagnostics
    assert (diagnostic.code, diagnostic.line) == (code, 11)


def test_one_specification_in_two_versions_makes_its_pages_once(load: Load) -> None:
    versions = [{"version": name, "openapi": "api.json"} for name in ("1", "2")]
    repository = load({"api.json": API}, {"versions": versions})

    assert len([page for page in repository.pages.values() if page.reference]) == 3
    first, second = repository.site.navigation.roots
    assert list(first.pages()) == list(second.pages())


def test_a_specification_above_tabs_is_only_inherited(load: Load) -> None:
    tabs = [{"tab": "T", "pages": ["GET /ping"]}, {"tab": "U", "pages": ["a"]}]
    repository = load({**PAGES, "api.json": API}, {"openapi": "api.json", "tabs": tabs})

    assert tree(repository) == [["tab T", "api-reference/ping"], ["tab U", "a"]]


def test_a_navigation_that_is_one_specification(load: Load) -> None:
    repository = load({"api.json": API}, {"openapi": "api.json"})

    assert [node.label for node in repository.site.navigation.roots] == ["Pets", "API Reference"]


SCHEMA = "type Query { user: User old: User @deprecated } type User { name: String }"


@pytest.mark.parametrize(
    ("written", "directory"),
    [
        ("schema.graphql", "graphql-reference"),
        ("/schema", "graphql-reference"),
        ({"source": "schema.graphql", "directory": "/ql"}, "ql"),
    ],
)
def test_a_schema_makes_pages_on_its_tab(load: Load, written: Any, directory: str) -> None:
    tab = {"tab": "T", "groups": [{"group": "Start", "pages": ["a"]}], "graphql": written}
    repository = load({**PAGES, "schema.graphql": SCHEMA}, {"tabs": [tab]})

    assert codes(repository) == []
    assert tree(repository) == [
        [
            "tab T",
            ["group Start", "a"],
            ["group Queries", f"{directory}/queries/user", f"{directory}/queries/old"],
            ["group Types", f"{directory}/types/user"],
        ]
    ]
    page = repository.pages[f"{directory}/queries/user"]
    assert (page.meta.title, page.meta.method, page.meta.file) == (
        "user", "QUERY", "schema.graphql"
    )  # fmt: skip
    assert isinstance(page.reference, GraphqlOperation)
    assert page.reference.links == {"User": f"/{directory}/types/user"}
    assert repository.pages[f"{directory}/queries/old"].meta.deprecated
    assert repository.pages[f"{directory}/types/user"].meta.method is None
    assert "schema.graphql" in repository.assets


def test_names_that_differ_only_in_case_have_pages_of_their_own(load: Load) -> None:
    schema = "type Query { a: USER b: User } type User { a: Int } type USER { a: Int }"
    repository = load({"schema.gql": schema}, {"tabs": [{"tab": "T", "graphql": "schema.gql"}]})

    pages = [repository.pages[f"graphql-reference/queries/{name}"] for name in "ab"]
    links = [page.reference.links for page in pages if isinstance(page.reference, GraphqlOperation)]
    assert links == [
        {"USER": "/graphql-reference/types/user-1"},
        {"User": "/graphql-reference/types/user"},
    ]


@pytest.mark.parametrize(
    ("files", "tab", "code"),
    [
        ({}, {"graphql": "schema.graphql"}, "openapi-missing"),
        ({"schema.graphql": "type"}, {"graphql": "schema.graphql"}, "graphql-syntax"),
        ({"schema.graphql": b"type A { a: Int } # \xff"}, {"graphql": "schema"}, "not-utf8"),
        ({}, {"graphql": "https://example.com/schema.graphql"}, "openapi-remote"),
        (
            {"schema.graphql": SCHEMA},
            {"groups": [{"group": "G", "graphql": "schema.graphql", "pages": ["a"]}]},
            "unsupported-source",
        ),
        (
            {"schema.graphql": SCHEMA},
            {"graphql": "schema.graphql", "versions": [{"version": "1", "pages": ["a"]}]},
            "mixed-navigation",
        ),
    ],
)
def test_a_schema_that_cannot_be_used_is_reported(
    load: Load, files: dict[str, str | bytes], tab: dict[str, Any], code: str
) -> None:
    repository = load({**PAGES, **files}, {"tabs": [{"tab": "T", "pages": ["a"], **tab}]})
    assert code in codes(repository)
    assert not any(page.reference for page in repository.pages.values())


def test_sources_that_no_pages_are_made_of(load: Load) -> None:
    tab = {"tab": "T", "sourceRef": "owner/name"}
    assert codes(load({}, {"tabs": [tab]})) == ["unsupported-source"]
