"""Pages say their own words in the language that the shell has them in."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from docstead.content.pages import Repository
from docstead.loading.loader import load_repository
from docstead.markup.rendered import RenderedPage
from docstead.rendering import PageKeys, PageLanguages, RenderingEngine

COMPONENTS = """
## A part

<Note>A.</Note> <Check>B.</Check>

<ParamField query="limit" type="integer" default="10" required deprecated>C.</ParamField>

<ResponseField name="id" type="string" optional>D.</ResponseField>

<Accordion>E.</Accordion>

<Expandable>F.</Expandable>

<Tabs><Tab>G.</Tab></Tabs>

<View>H.</View>

<Prompt>I.</Prompt>

<Update label="1.0" tags={["x"]}>J.</Update>

<Panel>K.</Panel>

<RequestExample>
```js a.js
1
```
</RequestExample>

<ResponseExample>
```json
2
```
</ResponseExample>

- [ ] L.

Noted[^1].

[^1]: M.
"""
SPEC = {
    "openapi": "3.1.0",
    "info": {"title": "API", "version": "1"},
    "servers": [{"url": "https://api.example.com"}],
    "paths": {
        "/parcels/{id}": {
            "get": {
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
                ],
                "responses": {
                    "200": {"content": {"application/json": {"schema": {"$ref": "#/$defs/P"}}}}
                },
            }
        }
    },
    "$defs": {"P": {"type": "object", "properties": {"to": {"type": "string", "default": "me"}}}},
}
OPERATION = "---\ntitle: One\nopenapi: GET /parcels/{id}\n---\n"
BROKEN = "---\ntitle: Broken\n---\nexport const a = nothing();\n\nA.\n"
ENGLISH = (
    'aria-label="Note"', 'aria-label="Success"', "default <code>&quot;10&quot;</code>",
    ">required<", ">optional<", ">deprecated<", ">Details<", 'data-title="Tab"', 'data-view="View"',
    ">Prompt<", ">Show prompt<", 'aria-label="Tags"', 'aria-label="On this page"',
    'aria-label="Request example"', 'aria-label="Response example"', 'aria-label="Task"',
    'aria-label="Link to this section"', ">Footnotes<", 'aria-label="Back to reference 1"',
)  # fmt: skip
FRENCH = (
    'aria-label="Remarque"', 'aria-label="Succès"', "par défaut <code>&quot;10&quot;</code>",
    ">obligatoire<", ">facultatif<", ">obsolète<", ">Détails<", 'data-title="Onglet"',
    'data-view="Vue"', ">Prompt<", ">Afficher le prompt<", 'aria-label="Étiquettes"',
    'aria-label="Sur cette page"', 'aria-label="Exemple de requête"',
    'aria-label="Exemple de réponse"', 'aria-label="Tâche"',
    'aria-label="Lien vers cette section"', ">Notes de bas de page<",
    'aria-label="Retour à la référence 1"',
)  # fmt: skip


def written(root: Path, *languages: str) -> Repository:
    """The same pages in each language; one more page is in no navigation."""
    names = ("parts", "one", "broken")
    pages = {"parts": f"---\ntitle: Parts\n---\n{COMPONENTS}", "one": OPERATION, "broken": BROKEN}
    groups = [
        {"language": code, "groups": [{"group": "All", "pages": [f"{code}/{n}" for n in names]}]}
        for code in languages
    ]
    settings = {
        "name": "Acme", "theme": "mint", "colors": {"primary": "#000000"},
        "api": {"openapi": "openapi.json"}, "navigation": {"languages": groups},
    }  # fmt: skip
    files = {"docs.json": json.dumps(settings), "openapi.json": json.dumps(SPEC)}
    files |= {f"{code}/{n}.mdx": text for code in languages for n, text in pages.items()}
    files[f"{languages[-1]}/aside.mdx"] = "---\ntitle: Aside\n---\n<Tip>N.</Tip>\n"
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return load_repository(root)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, RenderedPage]:
    repository = written(tmp_path_factory.mktemp("languages"), "en", "fr")
    with RenderingEngine(1) as engine:
        return {page.slug: page for page in engine.render(repository, list(repository.pages))}


def test_components_speak_english_and_french(pages: dict[str, RenderedPage]) -> None:
    for slug, own, other in (("en/parts", ENGLISH, FRENCH), ("fr/parts", FRENCH, ENGLISH)):
        html = pages[slug].html
        assert [said for said in own if said not in html] == []
        assert [said for said in other if said in html and said not in own] == []


def test_fragments_of_parts_are_the_same_in_both(pages: dict[str, RenderedPage]) -> None:
    for name in ("parts", "one"):
        ids = [re.findall(r' id="([^"]+)"', pages[f"{code}/{name}"].html) for code in ("en", "fr")]
        assert ids[0] == ids[1]


def test_an_operation_in_french_says_its_own_words_in_french(
    pages: dict[str, RenderedPage],
) -> None:
    page = pages["fr/one"]
    titles = ["Paramètres de chemin", "Réponse"]
    assert [heading.text for heading in page.headings] == titles
    assert [heading.anchor for heading in page.headings] == ["path-parameters", "response"]
    assert ">Essayer</button>" in page.html
    assert ">Serveur</span>" in page.html
    assert "## Paramètres de chemin\n\n`id` (string, obligatoire)" in page.markdown
    assert "`to` (string, par défaut\u00a0: `me`)" in page.markdown
    assert "`to` (string, default: `me`)" in pages["en/one"].markdown
    assert [heading.text for heading in pages["en/one"].headings] == ["Path parameters", "Response"]


def test_markdown_for_agents_and_search_speaks_the_language(
    pages: dict[str, RenderedPage],
) -> None:
    assert "> **Remarque\u00a0:** A." in pages["fr/parts"].markdown
    assert "> **Check:** B." in pages["en/parts"].markdown


def test_a_page_outside_the_navigation_is_in_the_language_around_it(
    pages: dict[str, RenderedPage],
) -> None:
    assert 'aria-label="Astuce"' in pages["fr/aside"].html


def test_the_notice_of_a_page_that_failed(pages: dict[str, RenderedPage]) -> None:
    assert "<p>This page could not be rendered completely.</p>" in pages["en/broken"].html
    assert "<p>Cette page n’a pas pu être affichée.</p>" in pages["fr/broken"].html


def test_a_page_whose_language_changes_is_rendered_again(tmp_path: Path) -> None:
    french = written(tmp_path, "en", "fr")
    text = (tmp_path / "docs.json").read_text()
    (tmp_path / "docs.json").write_text(text.replace('"language": "fr"', '"language": "de"'))
    german = load_repository(tmp_path)
    assert {slug.partition("/")[0] for slug in french.pages} == {"en", "fr"}
    for slug in french.pages:
        keys = [PageKeys(each).of(slug) for each in (french, german)]
        assert (keys[0] == keys[1]) == slug.startswith("en/")


def test_a_translation_that_changes_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = written(tmp_path, "fr")
    before = PageKeys(repository).of("fr/one")
    words = {"fr": replace(PageLanguages(repository.site).words["fr"], required="requis")}
    monkeypatch.setattr(PageLanguages, "words", words)
    assert PageKeys(repository).of("fr/one") != before


def test_sites_of_one_language_ask_for_no_words(tmp_path: Path) -> None:
    (tmp_path / "docs.json").write_text(
        '{"name": "A", "theme": "mint", "colors": {"primary": "#000000"},'
        ' "navigation": {"pages": ["a"]}}'
    )
    (tmp_path / "a.mdx").write_text("---\ntitle: A\n---\nA.\n")
    languages = PageLanguages(load_repository(tmp_path).site)
    assert languages.of("a") is None
    assert languages.words == {}
