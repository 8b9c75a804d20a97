"""Keys of rendered pages: the same for the same page, another for every change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docstead.content.grammars import Grammar
from docstead.content.pages import PageModule
from docstead.content.reference_entries import HttpOperation
from docstead.content.style_settings import StylingSettings
from docstead.rendering import ENGINE_VERSION, PageKeys

MODULES = {
    "/snippets/a.mdx": "import B from './b.mdx'\n\n<B />",
    "/snippets/b.mdx": "Deep.",
    "/c.mdx": "Other.",
}
BODY = "import A from '/snippets/a.mdx'\n\n[x](/b) <A />"


def page_key(repository, slug):
    return PageKeys(repository).of(slug)


@pytest.fixture
def repository(make_repository):
    return make_repository({"p": BODY, "q": "[bare](other)"}, MODULES)


def test_a_key_is_stable(repository):
    assert page_key(repository, "p") == page_key(repository, "p")
    assert page_key(repository, "p") != page_key(repository, "q")
    assert len(ENGINE_VERSION) == 16


@pytest.mark.parametrize("path", ["/snippets/a.mdx", "/snippets/b.mdx"])
def test_a_module_changes_the_pages_that_import_it(repository, path):
    source = MODULES[path] + "!"
    changed = replace(repository, modules={**repository.modules, path: PageModule(path, source)})
    assert page_key(changed, "p") != page_key(repository, "p")
    assert page_key(changed, "q") == page_key(repository, "q")


def test_a_module_changes_no_other_page(repository):
    changed = replace(
        repository, modules={**repository.modules, "/c.mdx": PageModule("/c.mdx", "New.")}
    )
    assert page_key(changed, "p") == page_key(repository, "p")


def test_settings_that_pages_show(repository):
    latex = {"styling": StylingSettings(latex=True)}
    for change in ({"variables": {"a": "b"}}, {"icon_library": "lucide"}, latex):
        config = replace(repository.site.config, **change)
        changed = replace(repository, site=replace(repository.site, config=config))
        assert page_key(changed, "p") != page_key(repository, "p")


def test_grammars_of_the_repository(repository):
    grammar = Grammar("a.json", ("flow",), "source.flow", "{}")
    changed = replace(repository, grammars=(grammar,))
    other = replace(repository, grammars=(replace(grammar, source="{ }"),))
    keys = {page_key(each, "p") for each in (repository, changed, other)}
    assert len(keys) == 3


def test_other_files_matter_only_to_links_that_may_mean_them(repository):
    changed = replace(repository, assets=("other",))
    assert page_key(changed, "p") == page_key(repository, "p")
    assert page_key(changed, "q") != page_key(repository, "q")


def test_an_operation_and_the_schemas_that_it_names(repository):
    schemas = {"Pet": {"$ref": "#/components/schemas/Cat"}, "Cat": {"type": "object"}, "Dog": {}}
    operation = HttpOperation(
        "api.json",
        "GET",
        "/pets",
        {"responses": {"200": {"schema": {"$ref": "#/components/schemas/Pet"}}}},
        components={"schemas": schemas},
    )

    def key(**changes):
        new = replace(operation, components={"schemas": {**schemas, **changes}})
        page = replace(repository.pages["p"], reference=new)
        return page_key(replace(repository, pages={"p": page}), "p")

    assert key() != page_key(repository, "p")
    assert key() == key(Dog={"type": "string"})
    assert key() != key(Cat={"type": "string"})


def test_an_operation_of_a_file_that_refers_to_the_whole_of_itself(make_repository):
    components: dict[str, object] = {"schemas": {}}
    components["schemas"] = {"Whole": {"components": components}}
    definition = {"schema": {"$ref": "#/components/schemas/Whole"}}
    found = HttpOperation("api.json", "GET", "/x", definition, components=components)
    repository = make_repository({"p": ""})
    page = replace(repository.pages["p"], reference=found)
    repository = replace(repository, pages={"p": page})
    assert page_key(repository, "p") == page_key(repository, "p")
