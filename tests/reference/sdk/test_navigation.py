"""`sdk` on tabs and groups, and in the frontmatter of pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from docstead.content.navigation import NavNode
from docstead.content.pages import Repository
from docstead.content.reference_entries import LibrarySymbol

Load = Callable[..., Repository]
SOURCE = "art/typedoc.json"
SETTINGS = {"format": "typedoc", "source": SOURCE}


@pytest.fixture
def files(artifacts: Path) -> dict[str, bytes]:
    return {SOURCE: (artifacts / "typedoc.json").read_bytes()}


def outline(node: NavNode) -> Any:
    return node.slug if node.slug else {node.label: [outline(child) for child in node.children]}


def tab(found: Repository, label: str = "SDK") -> Any:
    root = next(each for each in found.site.navigation.roots if each.label == label)
    return [outline(child) for child in root.children]


def codes(found: Repository) -> list[str]:
    return [each.code for each in found.diagnostics]


def test_a_tab_has_a_group_for_each_kind_and_module(load: Load, files: Any) -> None:
    own = {"group": "First", "pages": ["index"]}
    found = load(files, {"tabs": [{"tab": "SDK", "sdk": SETTINGS, "groups": [own]}]})
    assert codes(found) == []
    assert tab(found) == [
        {"First": ["index"]},
        {"Classes": ["sdk-reference/classes/client"]},
        {"Interfaces": ["sdk-reference/interfaces/options"]},
        {"Enums": ["sdk-reference/enums/region"]},
        {"Functions": ["sdk-reference/functions/connect"]},
        {"Types": ["sdk-reference/types/page"]},
        {"helpers": ["sdk-reference/helpers", "sdk-reference/helpers/wait"]},
    ]
    page = found.pages["sdk-reference/classes/client"]
    assert (page.meta.title, page.meta.symbol) == ("Client", "class")
    assert page.meta.description == "Speaks to the service."
    assert isinstance(page.reference, LibrarySymbol)
    assert "[how to connect](/sdk-reference/functions/connect)" in page.reference.about
    urls = [each.url for each in page.reference.symbol.members]
    assert "/sdk-reference/classes/client#find" in urls


def test_a_group_has_its_own_pages_first(load: Load, files: Any) -> None:
    sdk = {**SETTINGS, "directory": "/sdk/ts/"}
    group = {"group": "TypeScript", "sdk": sdk, "pages": ["index"]}
    found = load(files, {"tabs": [{"tab": "SDK", "groups": [group]}]})
    assert codes(found) == []
    first, second, *_ = tab(found)[0]["TypeScript"]
    assert (first, second) == ("index", {"Classes": ["sdk/ts/classes/client"]})


def test_pages_of_authors_stay_and_are_linked(load: Load, files: Any) -> None:
    own = {"sdk-reference/classes/client.mdx": "---\ntitle: Ours\n---\nWords."}
    found = load({**files, **own}, {"tabs": [{"tab": "SDK", "sdk": SETTINGS}]})
    page = found.pages["sdk-reference/classes/client"]
    assert (page.meta.title, page.reference) == ("Ours", None)
    assert tab(found)[0] == {"Classes": ["sdk-reference/classes/client"]}


def test_artifacts_may_stand_where_nothing_is_published(load: Load, files: Any) -> None:
    found = load({**files, ".docsignore": "art\n"}, {"tabs": [{"tab": "SDK", "sdk": SETTINGS}]})
    assert codes(found) == []
    assert found.assets == ()
    assert "sdk-reference/classes/client" in found.pages


def test_a_page_about_a_symbol_replaces_all(load: Load, files: Any) -> None:
    page = "---\nsdk: class Client\n---\nWords of ours."
    tabs = [{"tab": "SDK", "sdk": SETTINGS, "groups": [{"group": "G", "pages": ["client", "c"]}]}]
    written = {"client.mdx": page, "c.mdx": "---\ntitle: Own\nsdk: function connect\n---\n"}
    found = load({**files, **written}, {"tabs": tabs})
    assert codes(found) == []
    assert tab(found) == [{"G": ["client", "c"]}]
    assert [child.label for child in found.site.navigation.roots[0].children[0].children] == [
        "Client",
        "Own",
    ]
    client = found.pages["client"]
    assert (client.meta.title, client.body) == ("Client", "Words of ours.")
    assert client.meta.description == "Speaks to the service."
    assert client.reference is not None
    assert "[how to connect](/c)" in client.reference.about
    assert set(found.pages) == {"index", "client", "c"}


@pytest.mark.parametrize(
    ("sdk", "name"),
    [
        (f"{SOURCE} class Client", "Client"),
        ("method Client.find", "find"),
        ("{kind: property, parent: Options, name: timeout}", "timeout"),
        ("property Region.Europe", "Europe"),
        ("function helpers.wait", "wait"),
    ],
)
def test_symbols_as_pages_name_them(load: Load, files: Any, sdk: str, name: str) -> None:
    tabs = [{"tab": "SDK", "sdk": SETTINGS, "groups": [{"group": "G", "pages": ["a"]}]}]
    found = load({**files, "a.mdx": f"---\nsdk: {sdk}\n---\n"}, {"tabs": tabs})
    assert codes(found) == []
    assert found.pages["a"].meta.title == name


def test_elsewhere_a_page_says_it_all_itself(load: Load, files: Any) -> None:
    sdk = f"{{kind: class, name: Client, format: typedoc, source: {SOURCE}}}"
    page = f"---\ntitle: T\ndescription: D\nsdk: {sdk}\n---\n"
    found = load({**files, "a.mdx": page, "b.mdx": page}, {"pages": ["index", "a"]})
    assert codes(found) == []
    for slug in ("a", "b"):  # of which one is in the navigation
        assert (found.pages[slug].meta.title, found.pages[slug].meta.description) == ("T", "D")
        operation = found.pages[slug].reference
        assert operation is not None
        assert operation.about.startswith("Speaks to the service.")


@pytest.mark.parametrize(
    ("sdk", "message"),
    [
        ("class Nobody", "art/typedoc.json has no class Nobody"),
        ("interface Client", "has no interface Client"),
        ("thing Client", "must name one of class, enum"),
        ("Client", "must name one of class, enum"),
        ("method find", "a method needs the name"),
        ("[1]", "'sdk' does not name a symbol"),
        ("{kind: class}", "must name a symbol"),
        ("{kind: class, name: Client, format: rust}", "one of the formats typedoc, docfx"),
        ("nowhere.json class Client", "there is no artifact 'nowhere.json'"),
    ],
)
def test_symbols_that_there_are_not(load: Load, files: Any, sdk: str, message: str) -> None:
    tabs = [{"tab": "SDK", "sdk": SETTINGS, "groups": [{"group": "G", "pages": ["a"]}]}]
    found = load({**files, "a.mdx": f"---\ntitle: A\nsdk: {sdk}\n---\nWords."}, {"tabs": tabs})
    diagnostic = next(each for each in found.diagnostics if each.file == "a.mdx")
    assert (diagnostic.line, message in diagnostic.message) == (3, True)
    assert found.pages["a"].body == "Words."


def test_a_page_that_names_no_artifact(load: Load, files: Any) -> None:
    found = load({**files, "a.mdx": "---\nsdk: class Client\n---\n"}, {"pages": ["index", "a"]})
    (diagnostic,) = found.diagnostics
    assert (diagnostic.file, diagnostic.line, diagnostic.code) == ("a.mdx", 2, "sdk-symbol")


@pytest.mark.parametrize(
    ("sdk", "code"),
    [
        ("art/typedoc.json", "sdk-settings"),
        ({"format": "typedoc"}, "sdk-settings"),
        ({"source": SOURCE}, "sdk-settings"),
        ({"format": "rust", "source": SOURCE}, "unknown-value"),
        ({**SETTINGS, "folder": "x"}, "unknown-key"),
        ({**SETTINGS, "source": "art/nothing.json"}, "sdk-missing"),
        ({**SETTINGS, "source": "art"}, "sdk-missing"),
        ({**SETTINGS, "source": "../outside.json"}, "sdk-missing"),
        ({**SETTINGS, "source": ".git/config"}, "sdk-missing"),
        ({**SETTINGS, "source": "a\0b"}, "sdk-missing"),
        ({**SETTINGS, "source": "http://example.com/t.json"}, "sdk-missing"),
        ({**SETTINGS, "source": "https://example.com/t.json"}, "sdk-remote"),
        ({"format": "sphinx", "source": SOURCE}, "sdk-missing"),
        ({"format": "phpdoc", "source": SOURCE}, "sdk-artifact"),
        ({"format": "javadoc", "source": "art"}, "sdk-artifact"),
    ],
)
def test_settings_that_cannot_be_used(load: Load, files: Any, sdk: Any, code: str) -> None:
    tabs = [{"tab": "Guides", "pages": ["index"]}, {"tab": "SDK", "sdk": sdk}]
    found = load({**files, ".git/config": "{}"}, {"tabs": tabs})
    (diagnostic,) = found.diagnostics
    assert (diagnostic.code, diagnostic.hint != "") == (code, True)
    assert diagnostic.line > 0
    assert "index" in found.pages


def test_links_lead_to_no_artifact_outside(load: Load, files: Any, tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_bytes(files[SOURCE])
    (tmp_path / "repository" / "art").mkdir(parents=True)
    (tmp_path / "repository" / SOURCE).symlink_to(tmp_path / "secret.json")
    tabs = [{"tab": "Guides", "pages": ["index"]}, {"tab": "SDK", "sdk": SETTINGS}]
    found = load({}, {"tabs": tabs})
    assert "leads out of the repository" in str(found.diagnostics[-1])
    assert list(found.pages) == ["index"]


@pytest.mark.parametrize(
    ("node", "code"),
    [
        ({"anchors": [{"anchor": "A", "sdk": SETTINGS, "pages": ["index"]}]}, "unsupported-source"),
        (
            {"tabs": [{"tab": "T", "sdk": SETTINGS, "menu": [{"item": "I", "pages": ["index"]}]}]},
            "mixed-navigation",
        ),
        (
            {"tabs": [{"tab": "T", "sdk": SETTINGS, "graphql": "x.graphql", "pages": ["index"]}]},
            "mixed-navigation",
        ),
    ],
)
def test_where_a_library_cannot_stand(load: Load, files: Any, node: Any, code: str) -> None:
    found = load(files, node)
    assert code in codes(found)
    assert list(found.pages) == ["index"]


def test_two_libraries_have_directories_of_their_own(load: Load, files: Any) -> None:
    tabs = [
        {"tab": "SDK", "sdk": SETTINGS},
        {"tab": "Beta", "sdk": {**SETTINGS, "source": "art/beta.json"}},
    ]
    found = load({**files, "art/beta.json": files[SOURCE]}, {"tabs": tabs})
    assert codes(found) == ["sdk-settings"]
    assert tab(found, "Beta")[0] == {"Classes": ["sdk-reference/classes/client-1"]}
    about = found.pages["sdk-reference/classes/client-1"].reference
    assert about is not None
    assert "(/sdk-reference/functions/connect-1)" in about.about


def test_groups_have_what_is_around_them_or_their_own(load: Load, files: Any) -> None:
    own = {**SETTINGS, "source": "art/beta.json", "directory": "beta"}
    groups = [
        {"group": "Ours", "pages": [{"group": "Deep", "pages": ["a"]}]},
        {"group": "Beta", "sdk": own, "pages": ["b", {"group": "Deeper", "pages": ["c"]}]},
    ]
    pages = {f"{name}.mdx": "---\nsdk: enum Region\n---\n" for name in ("a", "b", "c")}
    written = {**files, "art/beta.json": files[SOURCE].replace(b'"Region"', b'"Beta"'), **pages}
    found = load(written, {"tabs": [{"tab": "SDK", "sdk": SETTINGS, "groups": groups}]})
    reported = [(each.file, each.message) for each in found.diagnostics]
    assert reported == [
        ("b.mdx", "art/beta.json has no enum Region"),
        ("c.mdx", "art/beta.json has no enum Region"),
    ]
    assert found.pages["a"].meta.title == "Region"


def test_a_site_may_be_one_library(load: Load, files: Any) -> None:
    found = load(files, {"pages": ["index"], "sdk": SETTINGS})
    assert codes(found) == []
    assert [outline(each) for each in found.site.navigation.roots][:2] == [
        "index",
        {"Classes": ["sdk-reference/classes/client"]},
    ]
