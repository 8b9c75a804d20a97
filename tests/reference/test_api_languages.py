"""Samples of one request in every language that the settings may name."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess

import pytest

from docstead.content.config import ApiSettings
from docstead.content.reference_entries import HttpOperation
from docstead.markup.content_words import ContentTexts
from docstead.reference.common.endpoint import endpoint_bar
from docstead.reference.common.languages import SampleRequest, request_sample
from docstead.reference.view import reference_html

_LANGUAGES = (
    "bash python javascript node typescript php go java ruby powershell swift csharp dotnet c "
    "c++ kotlin rust dart"
)
_ALIASES = "curl sh shell py js nodejs node.js golang rb c# .net dot-net ts cpp kt rs flutter"
LANGUAGES, ALIASES = _LANGUAGES.split(), _ALIASES.split()
NASTY = "a\"b'c\\d\ne$f{g}</script>"
POST = SampleRequest(
    "POST",
    "https://api.example.com/users/u_1",
    query=[("q", "one two")],
    headers=[("Authorization", "Bearer <token>")],
    body=("application/json", {"name": NASTY, "on": True, "none": None, "list": [1, {"a": []}]}),
)


def code(language: str, request: SampleRequest = POST) -> str:
    found = request_sample(language, request)
    assert found is not None
    return found[2]


@pytest.mark.parametrize("language", [*LANGUAGES, *ALIASES])
def test_every_language_sends_the_whole_request(language: str) -> None:
    written = code(language)
    assert "https://api.example.com/users/u_1?q=one%20two" in written
    assert "Authorization" in written
    assert "Bearer <token>" in written
    assert "post" in written.lower()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_request_without_a_body_has_none(language: str) -> None:
    written = code(language, SampleRequest("GET", "https://a.example/x"))
    assert "https://a.example/x" in written
    assert "Content-Type" not in written
    assert "payload" not in written.replace("nil", "")


def test_python_reads_what_was_meant() -> None:
    tree = ast.parse(code("python"))
    values = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and not isinstance(node.value, ast.Call)
    }
    assert POST.body is not None
    assert values["payload"] == POST.body[1]
    assert values["headers"] == {"Authorization": "Bearer <token>"}


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js builds the engine")
def test_javascript_reads_what_was_meant() -> None:
    program = (
        "globalThis.fetch = async (url, given) => ({ json: () => JSON.stringify([url, given]) });\n"
    )
    program = f"{program}(async () => {{\n{code('javascript')}\n}})()"
    ended = subprocess.run(["node", "-e", program], capture_output=True, text=True, check=True)
    url, given = json.loads(ended.stdout)
    assert POST.body is not None
    assert url == POST.url
    assert json.loads(given["body"]) == POST.body[1]


def test_the_shell_reads_what_was_meant() -> None:
    program = f"curl() {{ printf '%s\\0' \"$@\"; }}\n{code('bash')}"
    ended = subprocess.run(["sh", "-c", program], capture_output=True, text=True, check=True)
    assert POST.body is not None
    assert json.loads(ended.stdout.split("\0")[-2]) == POST.body[1]


def test_an_unknown_language_is_passed_over() -> None:
    assert request_sample("cobol", POST) is None


OPERATION = HttpOperation(
    "api.json",
    "POST",
    "/users",
    {
        "parameters": [
            {"name": "n", "in": "query", "example": "7", "schema": {"type": "string"}},
            {"name": "d", "in": "query", "schema": {"type": "string", "x-default": "dd"}},
        ],
        "requestBody": {
            "content": {
                "application/json": {
                    "schema": {
                        "required": ["a"],
                        "properties": {
                            "a": {"type": "string", "x-unit": "ms", "x-docs": {"pre": ["first"]}},
                            "b": {"type": "object", "properties": {"c": {"type": "string"}}},
                        },
                    }
                }
            }
        },
    },
    servers=("https://api.example.com/v1",),
)


@pytest.mark.parametrize(
    ("settings", "shown", "gone"),
    [
        (ApiSettings(), 'data-title="Ruby"', 'data-title="Swift"'),
        (ApiSettings(examples=("go", "c#")), 'data-title="Go"', 'data-title="cURL"'),
        (ApiSettings(), "\\&quot;b\\&quot;", "never"),
        (ApiSettings(autogenerate=False), "ds-address", 'data-title="cURL"'),
        (ApiSettings(only_required=True), "ds-address", "\\&quot;b\\&quot;"),
        (ApiSettings(prefill=True), "&quot;value&quot;:&quot;7&quot;", "never"),
        (ApiSettings(prefill=True), "&quot;value&quot;:&quot;dd&quot;", "never"),
        (ApiSettings(), "ds-address", "&quot;value&quot;:&quot;7&quot;"),
        (ApiSettings(), 'expandable" open>', "never"),  # the first level
        (ApiSettings(expanded=False), 'expandable">', 'expandable" open>'),
        (ApiSettings(expanded=True), 'expandable" open>', 'expandable">'),
        (
            ApiSettings(pills=("x-unit",)),
            '<span class="ds-field-pill ds-field-note" data-component-part="field-info-pill">ms<',
            "never",
        ),
        (ApiSettings(), 'data-component-part="field-info-pill">first</span>', ">ms<"),
        (ApiSettings(full_url=True), "https://api.example.com/v1<wbr>/users</code>", "never"),
    ],
)
def test_a_setting_shows(settings: ApiSettings, shown: str, gone: str) -> None:
    html = reference_html(OPERATION, settings)
    assert shown in html
    assert gone not in html


def test_a_long_name_in_a_path_may_break_between_its_parts() -> None:
    html = endpoint_bar("POST", "/v1/getAllAccountBalances/{id}", ContentTexts())
    assert "<wbr>/v1<wbr>/get<wbr>All<wbr>Account<wbr>Balances<wbr>/<span>{id}</span>" in html
