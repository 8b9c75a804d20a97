"""Grammars that `docs.json` names."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from docstead.content.pages import Repository

Load = Callable[..., Repository]
FLOW = {"name": "Flow Script", "aliases": ["fl", 5], "scopeName": "source.flow", "patterns": []}


def styling(*paths: Any) -> dict[str, Any]:
    return {"codeblocks": {"theme": "system", "languages": {"custom": list(paths)}}}


def test_a_grammar_has_the_names_that_fences_use(load: Load) -> None:
    repository = load(
        {"grammars/flow.tmLanguage.json": json.dumps(FLOW)},
        styling=styling("./grammars/flow.tmLanguage.json"),
    )
    (grammar,) = repository.grammars
    assert grammar.file == "grammars/flow.tmLanguage.json"
    assert grammar.names == ("flow script", "fl", "flow")
    assert grammar.scope == "source.flow"
    assert json.loads(grammar.source) == FLOW
    assert [f for f in repository.diagnostics if f.file == "docs.json"] == []


@pytest.mark.parametrize(
    ("path", "file", "message"),
    [
        ("/none.json", "docs.json", "there is no grammar '/none.json'"),
        ("../out.json", "docs.json", "there is no grammar"),
        ({"name": "inline"}, "docs.json", "named by the path of its file"),
        ("broken.json", "broken.json", "not JSON: Expecting value"),
        ("plist.json", "plist.json", "not JSON"),
        ("other.json", "other.json", 'an object with a "scopeName"'),
        ("nan.json", "nan.json", 'an object with a "scopeName"'),
        ("deep.json", "deep.json", 'an object with a "scopeName"'),
    ],
)
def test_what_cannot_be_read_is_reported_and_left_out(
    load: Load, path: Any, file: str, message: str
) -> None:
    files = {
        "broken.json": '{\n  "name": }',
        "plist.json": "<plist/>",
        "other.json": '{"scopeName": "source.x"}',
        "nan.json": '{"scopeName": "source.x", "patterns": [NaN]}',
        "deep.json": "[" * 200_000,
        "flow.json": json.dumps(FLOW),
    }
    repository = load(files, styling=styling(path, "flow.json"))

    assert [grammar.file for grammar in repository.grammars] == ["flow.json"]
    (diagnostic,) = (each for each in repository.diagnostics if each.code == "unusable-grammar")
    assert (diagnostic.file, message in diagnostic.message) == (file, True), diagnostic
    assert diagnostic.line >= 1


def test_more_grammars_than_anybody_has(load: Load) -> None:
    repository = load({"flow.json": json.dumps(FLOW)}, styling=styling(*["flow.json"] * 51))
    assert len(repository.grammars) == 50
    assert "too-many-grammars" in {diagnostic.code for diagnostic in repository.diagnostics}


@pytest.mark.parametrize("value", ["dark", {"theme": "dark"}, [], None])
def test_a_theme_by_itself_names_none(load: Load, value: Any) -> None:
    assert load({}, styling={"codeblocks": value}).grammars == ()
