"""Labels of page content: in every language, all of them from the translations."""

from __future__ import annotations

import re
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import pytest
from lxml import html as lxml_html

from docstead.content.reference_entries import (
    ComponentSchema,
    GraphqlEntry,
    HttpOperation,
    MessageChannel,
    ReferenceEntry,
    WebhookOperation,
)
from docstead.markup import words as shell_words
from docstead.markup.content_words import ENGLISH, ContentTexts
from docstead.markup.sections import PageBody
from docstead.markup.words import content_texts
from docstead.reference.common.security import authorization
from docstead.reference.graphql.spec import linked, read_schema
from docstead.reference.view import reference_html
from docstead.repository.positions import Diagnostics

LANGUAGES = sorted(
    each.stem for each in (Path(shell_words.__file__).parent / "translations").glob("*.json")
)
NAMES = [each.name for each in fields(ContentTexts)]
OF_COMPONENTS = Path(__file__).parents[2] / "engine" / "src" / "words.ts"
MARKDOWN = {"key_note", "basic_note", "bearer_note"}
MARKED = ContentTexts(**{name: f"‹{name}›" for name in NAMES})
PLACEHOLDERS = re.compile(r"\{\w+\}")
CODE = re.compile(r"`[^`]+`")

REFERENCE = {"$ref": "#/components/schemas/E"}
SHAPE: dict[str, Any] = {
    "type": "object",
    "required": ["A"],
    "properties": {
        "A": {"type": "string", "deprecated": True, "readOnly": True, "enum": ["X", "Y"]},
        "B": {
            "type": "integer", "default": 3, "minimum": 1, "exclusiveMinimum": 0, "maximum": 9,
            "exclusiveMaximum": 10, "multipleOf": 1, "example": 4,
        },
        "C": {
            "type": "string", "writeOnly": True, "minLength": 1, "maxLength": 2, "pattern": "X",
        },
        "D": {"type": "array", "minItems": 1, "maxItems": 2, "items": REFERENCE},
        "F": {"oneOf": [REFERENCE, {"type": "string", "title": "G"}]},
    },
}  # fmt: skip
COMPONENTS = {
    "schemas": {"E": {"type": "object", "properties": {"H": {"type": "string"}}}, "S": SHAPE},
    "securitySchemes": {
        "K": {"type": "apiKey", "in": "header", "name": "K"},
        "L": {"type": "http", "scheme": "basic"},
        "M": {"type": "http", "scheme": "bearer"},
    },
}
CONTENT = {"content": {"application/json": {"schema": SHAPE}}}
PARAMETERS = [
    {"name": "P", "in": position, "required": True, "schema": {"type": "string"}}
    for position in ("path", "query", "header", "cookie")
]
CALLBACKS = {"N": {"{$X}": {"post": {"requestBody": CONTENT}}}}
GRAPHQL = """
enum ROLE { ADMIN GUEST @deprecated(reason: "Ω") }
interface NODE { id: ID! }
type USER implements NODE { id: ID!  role(of: ROLE = ADMIN, in: ID!): ROLE }
union ANY = USER
type Query { user(id: ID! @deprecated(reason: "Ω"), of: ROLE = ADMIN): USER! }
"""
MESSAGES = ({"payload": COMPONENTS["schemas"]["E"]}, {"name": "Σ", "payload": SHAPE})


def operation(*statuses: str, servers: int = 2) -> HttpOperation:
    definition = {
        "parameters": PARAMETERS,
        "requestBody": CONTENT,
        "callbacks": CALLBACKS,
        "responses": dict.fromkeys(statuses, CONTENT),
    }
    return HttpOperation(
        "api.json",
        "POST",
        "/X/{P}",
        definition,
        components=COMPONENTS,
        servers=tuple(f"https://{number}.example.com" for number in range(servers)),
        security=(("K",), ("L",), ("M",)),
    )


def webhook(*statuses: str) -> WebhookOperation:
    known = operation(*statuses)
    return WebhookOperation(
        known.spec, known.path, known.definition,
        servers=known.servers, components=known.components, security=known.security,
    )  # fmt: skip


def channel() -> MessageChannel:
    position = {"R": {"type": "string"}}
    return MessageChannel(
        "async.json",
        "R",
        "WSS",
        "/R/{R}",
        parameters=position,
        query=position,
        sent=MESSAGES,
        received=MESSAGES,
        components=COMPONENTS,
        servers=("wss://example.com",),
        security=(("K",),),
    )


def graphql() -> list[GraphqlEntry]:
    found = read_schema(GRAPHQL, "schema.graphql", Diagnostics())
    assert found is not None
    return [linked(each, {}) for each in found.entries if isinstance(each, GraphqlEntry)]


def every_page() -> list[ReferenceEntry]:
    schema = ComponentSchema("api.json", "S", {**COMPONENTS, "schemas": {"S": SHAPE}})
    kinds = (
        operation("200"),
        operation("200", "404", servers=1),
        webhook("200"),
    )
    return [*kinds, schema, channel(), *graphql()]


def said_by(html: str) -> list[str]:
    """The words that readers see or listen to, except code and the terms of specifications."""
    root: lxml_html.HtmlElement = lxml_html.fromstring(html)
    labels = [each.get("aria-label", "") for each in root.iter() if each.get("aria-label")]
    for own in root.cssselect("code, ds-source, .ds-field-type, .ds-field-place, .ds-method"):
        own.drop_tree()
    text = re.sub(r"‹\w+›", " ", " ".join([*root.itertext(), *labels]))
    return re.findall(r"[a-z]{2,}", text)


def test_every_page_about_an_interface_uses_only_words_of_translations() -> None:
    for found in every_page():
        assert not said_by(reference_html(found, words=MARKED)), found.path
    assert "required" in said_by(reference_html(operation("200")))


def test_every_word_for_such_pages_is_said_on_one() -> None:
    html = "".join(reference_html(each, words=MARKED) for each in every_page())
    unsaid = {name for name in NAMES if f"‹{name}›" not in html}
    assert unsaid == {*NAMES[NAMES.index("note") :], "optional", "more"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_lacks_a_word(language: str) -> None:
    own = asdict(content_texts(language))
    assert own.keys() == set(NAMES)
    for name, text in own.items():
        english = getattr(ENGLISH, name)
        assert text.strip()
        assert PLACEHOLDERS.findall(text) == PLACEHOLDERS.findall(english)
        if name in MARKDOWN:
            assert CODE.findall(text) == CODE.findall(english)
        else:
            assert not re.search(r"[&<>\"'`*_]", text), text


def test_components_and_specifications_speak_one_english() -> None:
    found = re.findall(r'^  (\w+): "([^"]*)",$', OF_COMPONENTS.read_text(), re.MULTILINE)
    assert len(found) > 20
    assert all(getattr(ENGLISH, name) == text for name, text in found)


def test_parts_have_the_same_url_in_every_language() -> None:
    french = content_texts("fr")
    for found in every_page():
        ids = [
            re.findall(r' id="([^"]+)"', reference_html(found, words=w)) for w in (ENGLISH, french)
        ]
        assert ids[0] == ids[1] != []


def test_a_mark_stands_before_a_value_as_a_language_writes_it() -> None:
    html = reference_html(operation("200"), words=content_texts("zh"))
    assert "可用选项：<code>X</code>" in html
    assert 'data-component-part="field-info-pill">默认值：<code>3</code></span>' in html
    french = reference_html(operation("200"), words=content_texts("fr"))
    assert "par défaut\u00a0: <code>3</code>" in french


def test_examples_of_a_schema_are_called_in_the_language_but_for_its_keywords() -> None:
    (html,) = [reference_html(each, words=MARKED) for each in graphql()[:1]]
    assert re.findall(r'data-title="([^"]*)"', html) == ["Query", "‹variables›", "‹response›"]


def test_how_to_authenticate_is_shown_with_its_code() -> None:
    html = authorization(COMPONENTS["securitySchemes"].values(), content_texts("de"))
    assert "Ihr API-Schlüssel." in html
    assert "<code>Bearer &lt;token&gt;</code>, wobei <code>&lt;token&gt;</code>" in html


def test_callouts_are_marked_in_the_language_of_the_page() -> None:
    html = '<div class="ds-callout" data-callout="check"><div class="ds-callout-body">A</div></div>'
    said = [
        PageBody(html).sections(words=words)[0].markdown for words in (ENGLISH, content_texts("zh"))
    ]
    assert said == ["> **Check:** A", "> **成功：** A"]
