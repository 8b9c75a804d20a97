"""Pages that say what others say."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from docstead.content.diagnostics import Diagnostic, Severity
from docstead.loading.loader import load_repository
from docstead.publishing.duplicate_pages import DuplicatePages
from docstead.rendering.notices import failed_page

WORDS = """
import Note from "/snippets/note.mdx";

## Install {#here}

<Note /> See [the guide](/guides/start#top), ![it](/images/a.png) and <a href="https://a.test">a</a>.

```js ./file.js
import a from "./relative";
```
"""
CONFIG = '{"name": "Acme", "theme": "mint", "colors": {}, "navigation": {"pages": []}}'


def written(root: Path, files: dict[str, str]) -> Path:
    for name, text in {"docs.json": CONFIG, "snippets/note.mdx": "Mind.\n", **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def rendered_of(root: Path, files: dict[str, str]) -> list[str]:
    repository = load_repository(written(root, files))
    return DuplicatePages(repository, list(repository.pages)).originals


def page(words: str, title: str = "A") -> str:
    return f"---\ntitle: {title}\n---\n{words}"


def test_pages_that_are_alike_are_rendered_once(tmp_path: Path) -> None:
    files = {f"{folder}/start.mdx": page(WORDS, folder) for folder in ("v1", "v2", "fr")}
    assert rendered_of(tmp_path, {**files, "v1/other.mdx": page("Other.\n")}) == [
        "fr/start",
        "v1/other",
    ]


def test_a_language_has_no_duplicates_in_another(tmp_path: Path) -> None:
    """Render pages in each language: their labels differ."""
    groups = [{"language": code, "pages": [f"{code}/start"]} for code in ("en", "fr")]
    settings = {**json.loads(CONFIG), "navigation": {"languages": groups}}
    slugs = ("en/start", "en/old", "fr/start", "fr/old")
    files = {f"{slug}.mdx": page("Words.\n", slug) for slug in slugs}
    originals = rendered_of(tmp_path, {**files, "docs.json": json.dumps(settings)})
    assert sorted(each[:2] for each in originals) == ["en", "fr"]


@pytest.mark.parametrize(
    "words",
    [
        "[On](./next)\n",
        "[On](next)\n",
        '<a href="next">x</a>\n',
        '<Card href={"next"}>x</Card>\n',
        "[On](../next)\n",
        "[On](next/page)\n",
        "![Logo](logo.png)\n",
        '<Card href="next/page">x</Card>\n',
        '<img src="logo.png" />\n',
        "[a]\n\n[a]: next/page\n",
        'import Note from "../snippets/note.mdx";\n\n<Note />\n',
        "export const A = () => <b>x</b>;\n\n<A />\n",
    ],
)
def test_what_depends_on_its_folder_is_rendered_in_each(tmp_path: Path, words: str) -> None:
    files = {"v1/a.mdx": page(words), "v2/a.mdx": page(words)}
    assert rendered_of(tmp_path, files) == ["v1/a", "v2/a"]


def test_so_is_what_imports_such_words(tmp_path: Path) -> None:
    files = {"v1/a.mdx": page(WORDS), "v2/a.mdx": page(WORDS)}
    files["snippets/note.mdx"] = "[On](next/page)\n"
    assert rendered_of(tmp_path, files) == ["v1/a", "v2/a"]


def test_a_copy_is_what_would_have_been_rendered(tree, build) -> None:
    broken = page("# Broken {nowhere.at.all}\n")
    files = {"docs.json": CONFIG, "snippets/note.mdx": "Mind.\n", "v1/a.mdx": page(WORDS)}
    files |= {"v1/broken.mdx": broken, "v1/odd.mdx": page("<Unknown />\n")}
    first, _ = build(tree(files))
    copies = {name.replace("v1/", "v2/"): text for name, text in files.items()}
    together, report = build(tree({**files, **copies}))
    assert (report.pages, report.rendered) == (6, 6)
    single, _ = build(tree(copies), first)
    for slug in ("v2/a", "v2/broken", "v2/odd"):
        assert together.page(slug) == single.page(slug)
        assert together.page_keys()[slug] == single.page_keys()[slug]
    assert together.page("v2/a") == replace(together.page("v1/a"), slug="v2/a")
    reported = {
        diagnostic.file for diagnostic in together.diagnostics if diagnostic.code != "orphan-page"
    }
    assert {"v1/broken.mdx", "v2/broken.mdx", "v1/odd.mdx", "v2/odd.mdx"} <= reported


def test_the_diagnostics_of_a_copy_name_its_own_file(tmp_path: Path) -> None:
    files = {"v1/a.mdx": page(WORDS), "v2/a.mdx": page(WORDS)}
    repository = load_repository(written(tmp_path, files))
    diagnostic = Diagnostic("v1/a.mdx", 4, 1, Severity.ERROR, "mdx-syntax", "It is broken.")
    failed = failed_page("v1/a", (diagnostic,), body=WORDS)
    first, second = DuplicatePages(repository, ["v1/a", "v2/a"]).each(iter((failed,)))
    assert first == failed
    assert second == failed_page("v2/a", (replace(diagnostic, file="v2/a.mdx"),), body=WORDS)
