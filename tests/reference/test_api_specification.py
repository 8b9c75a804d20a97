"""The part of a specification that stands at the end of a page's Markdown."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from docstead.content.config import SiteConfig
from docstead.content.reference_entries import (
    HttpOperation,
    ManualOperation,
    MessageChannel,
    ReferenceEntry,
    WebhookOperation,
)
from docstead.content.written_settings import WrittenSettings
from docstead.outputs.generated_texts import GeneratedTexts
from docstead.reference.openapi.excerpt import excerpt
from docstead.reference.openapi.spec import read_specification
from docstead.repository.positions import Diagnostics
from docstead.theme.document import PageShell
from docstead.theme.mode import ShellMode
from site_builders import make_site, page, rendered

COMPONENTS: dict[str, Any] = {
    "schemas": {
        "User": {"properties": {"team": {"$ref": "#/components/schemas/Team"}}},
        "Team": {"properties": {"lead": {"$ref": "#/components/schemas/User"}}},
        "Other": {"type": "string"},
    },
    "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}, "unused": {"type": "apiKey"}},
}
DEFINITION = {"responses": {"200": {"schema": {"$ref": "#/components/schemas/User"}}}}


def operation(**given: Any) -> HttpOperation:
    known: dict[str, Any] = {
        "spec": "api.json", "method": "GET", "path": "/users/{id}", "definition": DEFINITION,
        "servers": ("https://a.example",), "components": COMPONENTS, "security": ({"key": []},),
        "parameters": ({"name": "id", "in": "path"},),
    }  # fmt: skip
    return HttpOperation(**{**known, **given})


def test_an_operation_has_all_that_it_refers_to_and_nothing_else() -> None:
    assert json.loads(excerpt(operation())) == {
        "servers": [{"url": "https://a.example"}],
        "paths": {"/users/{id}": {"get": DEFINITION, "parameters": [{"name": "id", "in": "path"}]}},
        "components": {
            "schemas": {name: COMPONENTS["schemas"][name] for name in ("User", "Team")},
            "securitySchemes": {"key": COMPONENTS["securitySchemes"]["key"]},
        },
    }


def test_a_webhook_and_a_schema() -> None:
    webhook = WebhookOperation("api.json", "new", DEFINITION)
    assert "post" in json.loads(excerpt(webhook))["webhooks"]["new"]
    document = {"openapi": "3.1.0", "components": COMPONENTS}
    specification = read_specification(json.dumps(document), "api.json", Diagnostics())
    assert specification is not None
    schema = specification.schema("User")
    assert list(json.loads(excerpt(schema))) == ["components"]
    schemas = json.loads(excerpt(schema))["components"]["schemas"]
    assert schemas == {name: COMPONENTS["schemas"][name] for name in ("User", "Team")}


def test_what_is_too_long_is_reported_without_what_it_shares() -> None:
    large = {**COMPONENTS, "schemas": {**COMPONENTS["schemas"], "Team": {"x": "y" * 70_000}}}
    assert list(json.loads(excerpt(operation(components=large)))) == ["servers", "paths"]
    assert excerpt(operation(definition={"description": "y" * 70_000})) == ""


def test_a_file_that_refers_to_the_whole_of_itself_is_reported_without_what_it_shares() -> None:
    components: dict[str, Any] = {}
    components["schemas"] = {"User": {"components": components}}
    assert list(json.loads(excerpt(operation(components=components)))) == ["servers", "paths"]


@pytest.mark.parametrize(
    "other",
    [
        None,
        operation(spec=""),
        MessageChannel("a.json", "a", "WS", "/a"),
        ManualOperation("GET", "/a"),
    ],
)
def test_what_stands_in_no_openapi_file(other: ReferenceEntry | None) -> None:
    assert excerpt(other) == ""


def test_a_reference_to_nothing_stays_as_it_is() -> None:
    reference = {"$ref": "#/components/none/../x"}
    found = json.loads(excerpt(operation(definition=reference)))
    assert found["paths"]["/users/{id}"]["get"] == reference
    assert list(found["components"]) == ["securitySchemes"]


@pytest.mark.parametrize(("written", "has_it"), [({}, True), ({"schema": False}, False)])
def test_the_markdown_of_a_page_ends_with_it(written: dict[str, Any], has_it: bool) -> None:
    site = make_site(
        page("index"), config=SiteConfig("Acme", extra=WrittenSettings(markdown=written))
    )
    shown = replace(rendered("index", "<p>Hi</p>"), specification='{"paths":{}}')
    text = GeneratedTexts(PageShell(site, ShellMode.bundle())).markdown(shown)
    assert text.endswith('\n\n## OpenAPI\n\n```json\n{"paths":{}}\n```\n') is has_it
