"""Operations that pages describe with fields of their own."""

from __future__ import annotations

import json
from html import unescape
from typing import Any

import pytest

from docstead.content.config import ApiSettings
from docstead.reference.openapi.manual import written_operation
from docstead.reference.view import reference_html

DEFAULT = '<span class="ds-field-pill ds-field-default">default: <code>10</code></span>'
FIELDS = "".join(
    f'<div id="param-{name}" data-place="{position}" class="ds-field field">'
    f'<div class="ds-field-head"><a class="ds-field-name" href="#x"><code>{name}</code></a>'
    f'<span class="ds-field-pill ds-field-type">{kind}</span>{more}</div>'
    '<div class="ds-field-body"><div data-place="body" class="ds-field">'
    '<div class="ds-field-head"><code>inner</code></div></div></div></div>'
    for name, position, kind, more in (
        ("id", "path", "string", '<span class="ds-field-pill ds-field-required">required</span>'),
        ("limit", "query", "number", DEFAULT),
        ("tags", "body", "string[]", ""),
        ("a&lt;b", "header", "Anything", ""),
    )
)


def described(html: str) -> dict[str, Any]:
    text = html.partition('data-playground="')[2].partition('"')[0]
    found: dict[str, Any] = json.loads(unescape(text))
    return found


@pytest.mark.parametrize(
    ("written", "servers", "path"),
    [
        ("POST https://api.example.com/v1/users/{id}", (), "/v1/users/{id}"),
        ("post /v1/users/{id}", ("https://api.example.com",), "/v1/users/{id}"),
        ("POST  /v1/users/{id} ", ("https://api.example.com",), "/v1/users/{id}"),
    ],
)
def test_the_url_is_the_pages_or_the_sites(
    written: str, servers: tuple[str, ...], path: str
) -> None:
    operation = written_operation(written, "", ApiSettings(server=servers))
    assert (operation.method, operation.path) == ("POST", path)
    assert operation.servers == ("https://api.example.com",)


def test_fields_feed_the_playground_and_the_samples() -> None:
    operation = written_operation("POST https://api.example.com/users/{id}", "", ApiSettings())
    html = reference_html(operation, ApiSettings(examples=("bash",)), FIELDS)
    playground = described(html)
    assert [
        (f["name"], f["in"], f.get("required", False), f.get("value")) for f in playground["fields"]
    ] == [
        ("id", "path", True, None),
        ("limit", "query", False, "10"),
        ("a<b", "header", False, None),
    ]
    (body,) = playground["bodies"]
    assert json.loads(body["text"]) == {"tags": ["string"]}
    assert 'data-title="cURL"' in html
    assert 'id="path-parameters"' not in html


def test_an_example_of_the_author_is_the_only_one() -> None:
    operation = written_operation("GET https://a.example/x", "", ApiSettings())
    html = reference_html(operation, None, '<aside data-ds-example="request"></aside>')
    assert "cURL" not in html
    assert "ds-address" in html


@pytest.mark.parametrize(
    ("page", "settings", "shown"),
    [
        ("", ApiSettings(auth_method="key", auth_name="X-Mine"), "X-Mine"),
        ("", ApiSettings(auth_method="bearer"), "Bearer"),
        ("basic", ApiSettings(auth_method="bearer"), "Basic"),
        ("", ApiSettings(auth_method="bearer", auth_name="X-Token"), "X-Token"),
    ],
)
def test_how_to_authenticate(page: str, settings: ApiSettings, shown: str) -> None:
    html = reference_html(written_operation("GET https://a.example/x", page, settings), settings)
    assert 'id="authorization"' in html
    assert shown in html


def test_a_header_that_the_author_describes_is_said_once() -> None:
    settings = ApiSettings(auth_method="bearer")
    field = FIELDS.replace("a&lt;b", "authorization")
    operation = written_operation("GET https://a.example/x", "", settings)
    assert 'id="authorization"' not in reference_html(operation, settings, field)


def test_nobody_has_to_authenticate() -> None:
    settings = ApiSettings(auth_method="bearer")
    operation = written_operation("GET https://a.example/x", "none", settings)
    assert 'id="authorization"' not in reference_html(operation, settings)


def test_what_an_author_puts_into_an_empty_field_is_passed_to_the_playground() -> None:
    field = FIELDS.replace('data-place="path"', 'data-place="path" data-placeholder="usr_1"', 1)
    operation = written_operation("GET https://api.example.com/users/{id}", "", ApiSettings())
    playground = described(reference_html(operation, ApiSettings(), field))
    placeholders = {each["name"]: each.get("placeholder") for each in playground["fields"]}
    assert placeholders["id"] == "usr_1"
    assert placeholders["limit"] is None
