from __future__ import annotations

import json
import re
from typing import Any

import pytest
from lxml import html as lxml_html
from lxml.html import HtmlElement

from docstead.content.config import ApiSettings
from docstead.content.reference_entries import HttpOperation, OpenApiOperation, WebhookOperation
from docstead.reference.common.text import highlighted
from docstead.reference.view import reference_html

USER = {
    "type": "object",
    "required": ["id"],
    "properties": {
        "id": {"type": "string", "format": "uuid", "readOnly": True},
        "name": {"type": ["string", "null"], "description": "How **people** call them."},
        "role": {"type": "string", "enum": ["admin", "reader"], "default": "reader"},
        "friends": {"type": "array", "items": {"$ref": "#/components/schemas/User"}},
        "secret": {"type": "string", "writeOnly": True},
    },
}
PET = {
    "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
    "discriminator": {"propertyName": "kind"},
}
COMPONENTS = {
    "schemas": {
        "User": USER,
        "Pet": PET,
        "Cat": {"type": "object", "properties": {"lives": {"type": "integer", "maximum": 9}}},
        "Dog": {
            "allOf": [
                {"$ref": "#/components/schemas/Cat"},
                {
                    "type": "object",
                    "required": ["breed"],
                    "properties": {"breed": {"type": "string"}},
                },
            ]
        },
    },
    "parameters": {"Limit": {"name": "limit", "in": "query", "schema": {"type": "integer"}}},
    "responses": {"Gone": {"description": "It is gone."}},
    "securitySchemes": {
        "bearer": {"type": "http", "scheme": "bearer"},
        "key": {"type": "apiKey", "in": "query", "name": "api_key"},
    },
}


def operation(definition: dict[str, Any], method: str = "POST", **known: Any) -> HttpOperation:
    known = {"components": COMPONENTS, "servers": ("https://api.example.com/v1/",), **known}
    return HttpOperation("api.json", method, known.pop("path", "/users/{id}"), definition, **known)


def parse(found: OpenApiOperation) -> HtmlElement:
    return lxml_html.fromstring(highlighted(reference_html(found)))


def body(schema: dict[str, Any]) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": schema}}}


def names(document: HtmlElement, anchor: str) -> list[str]:
    heading = document.cssselect(f"h2#{anchor}")[0]
    (section,) = heading.xpath("ancestor::section[1]")
    return [e.text_content() for e in section.cssselect(".ds-field-name")]


def pills(document: HtmlElement, anchor: str) -> list[str]:
    (field,) = document.xpath(f'//*[@id="{anchor}"]')
    return [e.text_content() for e in field.cssselect(".ds-field-head")[0].cssselect("span")]


def code(document: HtmlElement, kind: str) -> str:
    return document.cssselect(f"[data-ds-example={kind}] pre")[0].text_content()


def test_a_request_is_described_part_by_part() -> None:
    document = parse(
        operation(
            {
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
                    {"$ref": "#/components/parameters/Limit"},
                    {"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
                ],
                "requestBody": body({"$ref": "#/components/schemas/User"}),
                "responses": {"410": {"$ref": "#/components/responses/Gone"}},
            },
            security=({"bearer": []},),
        )
    )
    assert document.cssselect(".ds-address-path")[0].text_content() == "/users/{id}"
    described = json.loads(document.cssselect(".tryit-button")[0].get("data-playground"))
    assert (described["method"], described["path"]) == ("POST", "/users/{id}")
    assert [(field["name"], field["in"], field.get("scheme")) for field in described["fields"]] == [
        ("Authorization", "header", "bearer"),
        ("id", "path", None),
        ("limit", "query", None),
        ("X-Trace", "header", None),
    ]
    assert [body["kind"] for body in described["bodies"]] == ["application/json"]
    assert names(document, "authorization") == ["Authorization"]
    assert names(document, "path-parameters") == ["id"]
    assert names(document, "query-parameters") == ["limit"]
    assert names(document, "headers") == ["X-Trace"]
    assert names(document, "body") == ["name", "role", "friends", "secret"]
    assert "It is gone." in document.cssselect(".api-section")[-1].text_content()
    assert document.cssselect(".api-section > .api-section-heading > .api-section-heading-title")


def test_the_parameters_of_an_operation_win_over_those_of_its_path() -> None:
    shared = {"name": "id", "in": "path", "required": True, "description": "Shared."}
    own = {**shared, "description": "Own."}
    document = parse(operation({"parameters": [own]}, parameters=(shared,)))
    assert names(document, "path-parameters") == ["id"]
    assert "Own." in document.text_content()
    assert "Shared." not in document.text_content()


def test_a_field_says_its_type_and_its_limits() -> None:
    document = parse(operation({"requestBody": body({"$ref": "#/components/schemas/User"})}))
    assert pills(document, "body-name") == ["string | null"]
    assert pills(document, "body-role") == ["enum<string>", "default: reader"]
    assert pills(document, "body-friends") == ["object[]"]
    (role,) = document.xpath('//*[@id="body-role"]')
    assert "admin, reader" in role.text_content()
    (name,) = document.xpath('//*[@id="body-name"]')
    assert name.cssselect("strong")[0].text_content() == "people"


def test_a_response_shows_what_only_answers_hold() -> None:
    answer = body({"$ref": "#/components/schemas/User"})
    document = parse(operation({"responses": {"200": {"description": "Fine.", **answer}}}))
    assert names(document, "response")[:2] == ["id", "name"]
    assert "secret" not in names(document, "response")
    assert pills(document, "response-id") == ["string<uuid>", "required", "read-only"]


def test_a_schema_that_holds_itself_comes_to_an_end() -> None:
    document = parse(operation({"requestBody": body({"$ref": "#/components/schemas/User"})}))
    (friends,) = document.xpath('//*[@id="body-friends"]')
    assert not friends.cssselect(".ds-expandable")
    assert '"friends": []' in code(document, "request")


def test_alternatives_are_labelled_and_parts_are_merged() -> None:
    document = parse(operation({"requestBody": body({"$ref": "#/components/schemas/Pet"})}))
    titles = [tab.get("data-title") for tab in document.cssselect(".ds-tab")]
    assert titles == ["Cat", "Dog"]
    dog = document.cssselect(".ds-tab")[1]
    assert [e.text_content() for e in dog.cssselect(".ds-field-name")] == ["lives", "breed"]
    assert "Maximum: 9" in dog.text_content()
    assert dog.xpath(".//@id") == ["body-one-of-1", "body-one-of-1-lives", "body-one-of-1-breed"]


def test_fields_of_the_answer_hoped_for_are_named_without_its_status() -> None:
    answers = {"404": body({"type": "object", "properties": {"why": {}}})}
    answers["200"] = body({"type": "object", "properties": {"id": {}}})
    document = parse(operation({"responses": answers}))
    ids = [each.get("id") for each in document.cssselect(".ds-field")]
    assert ids == ["response-404-why", "response-id"]


def test_the_sample_is_a_command_that_would_run() -> None:
    definition = {
        "parameters": [
            {"name": "id", "in": "path", "required": True, "example": "u_1"},
            {"name": "q", "in": "query", "required": True, "schema": {"type": "string"}},
        ],
        "requestBody": {
            "content": {"application/json": {"example": {"name": "Ann's"}}},
        },
    }
    document = parse(operation(definition, security=({"bearer": []}, {"key": []})))
    assert code(document, "request").strip() == (
        "curl --request POST \\\n  --url 'https://api.example.com/v1/users/u_1?q=<q>' \\\n"
        "  --header 'Authorization: Bearer <token>' \\\n"
        "  --header 'Content-Type: application/json' \\\n"
        "  --data '{\n  \"name\": \"Ann'\\''s\"\n}'"
    )


def test_authors_samples_and_examples_come_first() -> None:
    definition = {
        "x-codeSamples": [{"lang": "python", "label": "SDK", "source": "client.users()"}],
        "responses": {
            "200": {
                "content": {
                    "application/json": {
                        "examples": {"one": {"summary": "First", "value": {"n": 1}}},
                        "schema": USER,
                    }
                }
            }
        },
    }
    document = parse(operation(definition))
    assert code(document, "request").strip() == "client.users()"
    assert '"n": 1' in code(document, "response")
    shown = document.cssselect("[data-ds-example=response]")[0]
    assert "200 First" in lxml_html.tostring(shown, encoding="unicode")


@pytest.mark.parametrize("kind", ["request", "response"])
def test_an_example_of_the_author_replaces_the_generated_one(kind: str) -> None:
    found = operation({"responses": {"200": {"content": {"application/json": {"example": 1}}}}})
    written = f'<aside class="ds-example" data-ds-example="{kind}"></aside>'
    kinds = {each for each in ("request", "response") if each != kind}
    html = reference_html(found, None, written)
    assert set(re.findall(r'data-ds-example="(\w+)"', html)) == kinds


def test_a_webhook_shows_its_payload_and_no_command() -> None:
    definition = {"requestBody": body({"$ref": "#/components/schemas/Cat"})}
    document = parse(WebhookOperation("api.json", "cat", definition, components=COMPONENTS))
    assert '"lives": 1' in code(document, "request")
    assert "curl" not in document.text_content()


def test_what_a_specification_says_is_text_and_not_markup() -> None:
    nasty = "<script>alert(1)</script>"
    definition = {
        "parameters": [{"name": nasty, "in": "query", "description": nasty, "example": nasty}],
        "requestBody": body({"properties": {nasty: {"enum": [nasty], "title": nasty}}}),
        "responses": {nasty: {"description": nasty}},
    }
    assert "<script>" not in reference_html(operation(definition, path=f"/{nasty}"))


@pytest.mark.parametrize(
    "definition",
    [
        {},
        {"parameters": None, "requestBody": [], "responses": "no"},
        {"parameters": ["x", {}], "responses": {"200": None}},
        {"requestBody": {"content": {"application/json": {"schema": True}}}},
        {"requestBody": body({"$ref": "#/components/schemas/Absent"})},
        {"requestBody": body({"allOf": [True, {"$ref": "#/nowhere"}], "required": "x"})},
        {"requestBody": body({"type": "array", "items": {"type": "array"}})},
        {"callbacks": {"done": {"{$url}": {"post": {"requestBody": body(USER)}}}}},
    ],
)
def test_an_odd_definition_is_shown_as_far_as_it_goes(definition: dict[str, Any]) -> None:
    assert parse(operation(definition)).cssselect(".ds-address")


def test_a_header_that_authenticates_is_said_once() -> None:
    headers = [
        {"name": name, "in": "header", "required": True, "schema": {"type": "string"}}
        for name in ("authorization", "X-Trace")
    ]
    found = operation({"parameters": headers}, security=(("bearer",),))
    page: HtmlElement = lxml_html.fromstring(highlighted(reference_html(found)))
    names = [each.text_content() for each in page.cssselect(".ds-field-name")]
    assert names == ["Authorization", "X-Trace"]


def test_ways_that_send_the_same_header_are_one_field() -> None:
    schemes = {
        "token": {"type": "http", "scheme": "bearer", "description": "A token."},
        "password": {"type": "http", "scheme": "basic"},
        "sign-in": {"type": "oauth2", "description": "A token."},
    }
    ways = (("token",), ("password",), ("sign-in",))
    found = operation({}, security=ways, components={"securitySchemes": schemes})
    page = parse(found)
    names = [each.text_content() for each in page.cssselect(".ds-field-name")]
    assert names == ["Authorization"]
    assert page.text_content().count("A token.") == 1
    (button,) = page.cssselect("[data-playground]")
    headers = [each["name"] for each in json.loads(button.get("data-playground"))["fields"]]
    assert headers == ["Authorization"]


def test_a_playground_knows_the_flows_that_it_can_start() -> None:
    scopes = {"read": "Read.", "write": "Write."}
    flows = {
        "authorizationCode": {
            "authorizationUrl": "https://id.example/a",
            "tokenUrl": "https://id.example/t",
            "scopes": scopes,
        },
        "clientCredentials": {"tokenUrl": "/relative", "scopes": scopes},
        "implicit": {"authorizationUrl": "javascript:alert(1)", "scopes": scopes},
        "password": {"tokenUrl": "https://id.example/t"},
    }
    schemes = {
        "bearer": {"type": "http", "scheme": "bearer"},
        "sign-in": {"type": "oauth2", "flows": flows},
        "broken": {"type": "oauth2", "flows": ["implicit"]},
    }
    page = parse(
        operation(
            {},
            components={"securitySchemes": schemes},
            security=({"bearer": []}, {"sign-in": ["write"]}, {"broken": []}),
        )
    )
    (button,) = page.cssselect("[data-playground][data-oauth]")
    (token,) = json.loads(button.get("data-playground"))["fields"]
    assert (token["name"], token["scheme"]) == ("Authorization", "bearer")
    assert token["oauth"] == [
        {
            "kind": "authorizationCode",
            "authorizationUrl": "https://id.example/a",
            "tokenUrl": "https://id.example/t",
            "scopes": ["read", "write"],
            "wanted": ["write"],
        }
    ]


def test_a_playground_knows_choices_and_required_values() -> None:
    item = {"type": "object", "properties": {"kind": {"enum": ["gift", "sale"]}}}
    schema = {
        "type": "object",
        "required": ["items"],
        "properties": {"items": {"type": "array", "items": item}, "note": {"type": "string"}},
    }
    examples = {"a": {"summary": "Small", "value": {}}, "b": {"value": {"note": "x"}}}
    content = {"application/json": {"schema": schema, "examples": examples}}
    page = parse(operation({"requestBody": {"content": content}}))
    (button,) = page.cssselect("[data-playground]")
    hints = {"items": {"required": True}, "items.*.kind": {"choices": ["gift", "sale"]}}
    assert json.loads(button.get("data-playground"))["bodies"] == [
        {"kind": "application/json", "text": "{}", "title": "Small", "hints": hints},
        {"kind": "application/json", "text": '{\n  "note": "x"\n}', "title": "b"},
    ]


def test_all_that_the_description_says_is_there() -> None:
    document = parse(
        operation({}, about="# Limits\n\nAt **most** ten.\n\n- one\n- two\n\n<b>x</b>")
    )
    (about,) = document.cssselect(".ds-operation-about")
    assert about.findtext("h2") == "Limits"
    assert about.findtext(".//strong") == "most"
    assert len(about.cssselect("li")) == 2
    assert about.cssselect("b") == []


def test_keys_of_parameters_and_of_schemas_are_shown_behind_the_name() -> None:
    given = {"name": "q", "in": "query", "x-beta": True, "schema": {"x-since": "v2"}}
    document = lxml_html.fromstring(
        reference_html(operation({"parameters": [given]}), ApiSettings(pills=("x-beta", "x-since")))
    )
    assert pills(document, "param-query-q")[-2:] == ["x-beta", "v2"]
