from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from docstead.base.errors import SourceUnreadable
from docstead.content.contexts import NavigationContexts
from docstead.content.pages import Repository
from docstead.content.reference_entries import HttpOperation
from docstead.loading.loader import load_repository

Load = Callable[..., Repository]
Write = Callable[[dict[str, str | bytes]], Path]
GOOD = '{"name": "A", "theme": "mint", "colors": {"primary": "#111"}, "navigation": {}}'


def codes(repository: Repository) -> list[str]:
    return [diagnostic.code for diagnostic in repository.diagnostics]


@pytest.mark.parametrize(
    ("content", "position", "message"),
    [
        (None, "docs.json:1:1", "there is no such file"),
        ('{\n  "name": "A",\n}', "docs.json:2:14", "a comma before a closing bracket"),
        ("[]", "docs.json:1:1", "must be an object"),
        ('{"navigation": {}}', "docs.json:1:1", "'name' is missing"),
        ('{"name": "A"}', "docs.json:1:1", "'navigation' is missing"),
        ('{\n "name": 5,\n "navigation": {}}', "docs.json:2:2", "'name' must be a string"),
        ('{"name": "A",\n"navigation": []}', "docs.json:2:1", "'navigation' must be an object"),
        ('{"name":\n {"$ref": "x.json"}}', "docs.json:2:3", "does not exist: x.json"),
        ('{"a": {"$ref": "../x.json"}}', "docs.json:1:8", "leads out of the repository"),
        ('{"a": {"$ref": "docs.json"}}', "docs.json:1:8", "goes round in a circle"),
        (b'{"name":\n "\xff"}', "docs.json:2:1", "not UTF-8"),
    ],
)
def test_settings_that_cannot_be_used(
    write: Write, content: str | bytes | None, position: str, message: str
) -> None:
    root = write({"a.mdx": "", **({} if content is None else {"docs.json": content})})

    with pytest.raises(SourceUnreadable) as caught:
        load_repository(root)

    assert caught.value.message.startswith(f"{position}: ")
    assert message in caught.value.message


def test_all_diagnostics_of_unusable_settings_are_reported_at_once(write: Write) -> None:
    root = write(
        {"docs.json": '{\n"theme": "plaid",\n"navigation": [],\n"colors": 5}', "a.mdx": ""}
    )
    with pytest.raises(SourceUnreadable) as caught:
        load_repository(root)
    first, second, *others = caught.value.message.splitlines()
    assert first == "docs.json:1:1: the required key 'name' is missing"
    assert second == "docs.json:3:1: 'navigation' must be an object"
    assert any("docs.json:2:" in line for line in others), others
    assert any("docs.json:4:" in line for line in others), others


def test_settings_in_a_folder_are_pointed_at(write: Write) -> None:
    with pytest.raises(SourceUnreadable, match="in a subfolder: use --root docs"):
        load_repository(write({"docs/docs.json": GOOD}))


def test_settings_two_folders_deep_are_pointed_at(write: Write) -> None:
    with pytest.raises(SourceUnreadable, match="use --root docs/a or --root docs/b"):
        load_repository(write({"docs/a/docs.json": GOOD, "docs/b/docs.json": GOOD}))


def test_a_reference_through_a_link_out_of_the_root(write: Write, tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text('{"token": 1}')
    root = write({"docs.json": '{"a": {"$ref": "link.json"}}'})
    (root / "link.json").symlink_to(tmp_path / "secret.json")

    with pytest.raises(SourceUnreadable, match="symbolic link leads out"):
        load_repository(root)


def test_the_newer_settings_win(write: Write) -> None:
    root = write({"docs.json": GOOD, "mint.json": "not json", "a.mdx": ""})

    assert load_repository(root).site.config.name == "A"


def test_pages_modules_and_assets(load: Load) -> None:
    files = {
        "a.mdx": 'import X from "/shared/x.mdx"\nimport { Y } from "./y.jsx"\n\n<X />\n',
        "b.md": "Plain.",
        "shared/x.mdx": '---\ntitle: X\n---\nimport Z from "./z.mdx"\n',
        "shared/z.mdx": "Z",
        "y.jsx": "export const Y = () => <b />",
        "snippets/unused.mdx": "U",
        "images/a.png": b"\x89PNG",
        "style.css": "",
        "notes.py": "",
        "README.md": "",
    }
    repository = load(files)

    assert set(repository.pages) == {"index", "a", "b"}
    assert list(repository.modules) == [
        "/shared/x.mdx",
        "/shared/z.mdx",
        "/snippets/unused.mdx",
        "/y.jsx",
    ]
    module = repository.modules["/shared/x.mdx"]
    assert (module.source_line, len(module.digest)) == (4, 64)
    assert module.source == 'import Z from "./z.mdx"\n'
    assert repository.assets == ("images/a.png", "style.css")
    assert codes(repository) == []


def test_an_imported_page_that_the_navigation_names_is_both(load: Load) -> None:
    files = {"a.mdx": 'import B from "./b.mdx"\n\n<B />', "b.mdx": "B"}
    repository = load(files, {"pages": ["a", "b"]})

    assert set(repository.pages) == {"index", "a", "b"}
    assert list(repository.modules) == ["/b.mdx"]
    assert codes(repository) == []


def test_modules_that_import_each_other(load: Load) -> None:
    files = {
        "a.mdx": 'import X from "/x.jsx"\n',
        "x.jsx": 'import { y } from "./y"\nexport const x = 1',
        "y.jsx": 'import { x } from "./x"\nexport const y = 1',
    }

    assert list(load(files).modules) == ["/x.jsx", "/y.jsx"]


def test_data_is_no_module(load: Load) -> None:
    files = {"a.mdx": 'import data from "/data.json"\n\n{data.x}', "data.json": '{"x": 1}'}
    (diagnostic,) = load(files).diagnostics

    assert (diagnostic.line, diagnostic.column, diagnostic.code) == (1, 19, "data-import")
    assert "export const data" in diagnostic.hint


def test_imports_that_lead_nowhere(load: Load) -> None:
    page = '---\ntitle: A\n---\nimport X from "/none.mdx"\n\n<Snippet file="gone.mdx" />\n'
    diagnostics = load({"a.mdx": page, "b.mdx": 'import X from "../../etc/x.mdx"'}).diagnostics

    assert [
        (diagnostic.file, diagnostic.line, diagnostic.column, diagnostic.code)
        for diagnostic in diagnostics
    ] == [
        ("a.mdx", 4, 16, "missing-import"),
        ("a.mdx", 6, 16, "missing-import"),
        ("b.mdx", 1, 16, "import-outside"),
    ]


def test_older_snippets(load: Load) -> None:
    files = {"a.mdx": '<Snippet file="note.mdx" />', "_snippets/note.mdx": "Note"}
    repository = load(files)

    assert list(repository.modules) == ["/_snippets/note.mdx"]
    assert set(repository.pages) == {"index", "a"}


def test_a_page_that_is_not_utf8_is_left_out_and_the_rest_is_published(load: Load) -> None:
    repository = load({"bad.mdx": b"one\ntwo \xe9\n", "good.mdx": "text"})

    assert set(repository.pages) == {"index", "good"}
    (diagnostic,) = repository.diagnostics
    assert (diagnostic.file, diagnostic.line, diagnostic.column) == ("bad.mdx", 2, 5)
    assert (diagnostic.severity, diagnostic.code) == ("error", "not-utf8")


def test_a_snippet_that_is_not_utf8(load: Load) -> None:
    files = {"a.mdx": 'import X from "/snippets/x.mdx"', "snippets/x.mdx": b"\xff"}
    repository = load(files)

    assert repository.modules == {}
    assert codes(repository) == ["not-utf8"]


def test_line_ends_and_byte_order_marks(load: Load) -> None:
    page = "\ufeff---\r\ntitle: A\r\n---\r\n\r\n[x](/none)\r\n"
    repository = load({"a.mdx": page})

    assert repository.pages["a"].meta.title == "A"
    assert repository.pages["a"].body == "\n[x](/none)\n"
    assert [(diagnostic.line, diagnostic.column) for diagnostic in repository.diagnostics] == [
        (5, 5)
    ]


def test_two_files_with_one_url(load: Load) -> None:
    files = {"x.mdx": "1", "x/index.mdx": "2", "y.md": "1", "y.mdx": "2"}
    repository = load(files)

    assert set(repository.pages) == {"index", "x", "y"}
    assert repository.pages["x"].meta.file == "x.mdx"
    assert repository.pages["y"].meta.file == "y.mdx"
    assert [(diagnostic.file, diagnostic.code) for diagnostic in repository.diagnostics] == [
        ("x/index.mdx", "same-address"),
        ("y.md", "same-address"),
    ]


def test_pages_that_name_operations(load: Load) -> None:
    api = {"openapi": "3.0.0", "paths": {"/a": {"get": {"summary": "Get a", "deprecated": True}}}}
    files = {
        "api.json": json.dumps(api),
        "a.mdx": "---\nopenapi: api GET /a/\n---\n",
        "b.mdx": "---\ntitle: B\nopenapi: GET /none\n---\n",
        "c.mdx": "---\nopenapi: nonsense\n---\n",
    }
    repository = load(files)
    first = repository.pages["a"]

    assert isinstance(first.reference, HttpOperation)
    assert (first.reference.spec, first.reference.path) == ("api.json", "/a")
    assert (first.meta.title, first.meta.method, first.meta.deprecated) == ("Get a", "GET", True)
    assert repository.pages["b"].meta.method == "GET"
    assert [
        (diagnostic.file, diagnostic.line, diagnostic.code) for diagnostic in repository.diagnostics
    ] == [
        ("b.mdx", 3, "unknown-operation"),
        ("c.mdx", 2, "unknown-operation"),
    ]


def test_variables_that_are_not_defined(load: Load) -> None:
    files = {"a.mdx": "Use {{version}} and {{ other }}.\n\n`{{code}}`\n"}
    (diagnostic,) = load(files, variables={"version": "1"}).diagnostics

    assert (diagnostic.line, diagnostic.column, diagnostic.code) == (1, 21, "undefined-variable")
    assert load(files).diagnostics == ()


def test_diagnostics_name_file_line_and_column(load: Load) -> None:
    repository = load({"a.mdx": "[x](/none)\n", "b.mdx": "---\na: b: c\n---\n"}, {"pages": ["z"]})

    for diagnostic in repository.diagnostics:
        assert re.match(
            r"[\w./]+:\d+:\d+: (error|warning|info) [a-z-]+: .+ \(.+\)$", str(diagnostic)
        )
    assert codes(repository) == ["broken-link", "frontmatter-syntax", "missing-page"]


def test_a_navigation_without_pages_names_where_the_site_begins(load: Load) -> None:
    repository = load({"b.mdx": "B\n", "c.mdx": "C\n"}, navigation={"pages": []})
    (diagnostic,) = repository.diagnostics
    assert diagnostic.code == "empty-navigation"
    assert "begins with 'index'" in diagnostic.message
    others = {slug: meta for slug, meta in repository.site.pages.items() if slug != "index"}
    assert NavigationContexts(replace(repository.site, pages=others)).home == "b"


def test_an_empty_folder_of_pages_is_still_a_site(write: Write) -> None:
    repository = load_repository(write({"docs.json": GOOD}))

    assert repository.pages == {}
    assert [diagnostic.code for diagnostic in repository.diagnostics] == ["no-pages"]


def test_parts_of_the_settings_are_not_published(load: Load) -> None:
    files = {
        "config/tab.json": '{"$ref": "./pages.json", "group": "A"}',
        "config/pages.json": '{"pages": ["index"]}',
        "config/data.json": "{}",
    }
    repository = load(files, {"groups": [{"$ref": "./config/tab.json"}]})
    assert repository.assets == ("config/data.json",)
    assert repository.site.pages["index"].in_navigation


def test_a_listed_page_that_was_left_out_is_not_called_missing(write: Write) -> None:
    settings = GOOD.replace("{}", '{"pages": ["a", "drafts/b", "c", "d"]}')
    files = {"docs.json": settings, ".docsignore": "drafts/", "drafts/b.mdx": "", "a.mdx": ""}
    repository = load_repository(write({**files, "c.mdx": b"\xff"}))

    missing = [
        diagnostic for diagnostic in repository.diagnostics if diagnostic.code == "missing-page"
    ]
    left_out = "Its file is there and was left out: see .docsignore and other diagnostics."
    hints = {diagnostic.message: diagnostic.hint for diagnostic in missing}
    assert hints["there is no page 'drafts/b'"] == hints["there is no page 'c'"] == left_out
    assert hints["there is no page 'd'"] == "Add the file or remove the entry."
