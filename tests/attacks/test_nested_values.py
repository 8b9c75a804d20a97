"""Values in YAML and JSON that are nested too deeply, which failed the whole repository.

Aliases nest without nested text: each of a thousand lines contains the previous one. A
specification was read, but could not be pickled for the process that asked for it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docstead.content.diagnostics import Diagnostic
from docstead.loading.loader import load_repository
from docstead.repository.yaml_text import DEPTH_LIMIT, YamlError, parse

LEVELS = 1_300  # more than Python's stack has; aliases stand for less than a million values
OPENAPI = {"openapi": "3.1.0", "info": {"title": "A", "version": "1"}}
DEEP = {
    "example": "[" * 500 + "]" * 500,
    "schema": '{"properties":{"a":' * 200 + "{}" + "}}" * 200,
    "more than the parser can read": "[" * 5_000 + "]" * 5_000,
}


def aliases(levels: int, item: str = "[{}]") -> str:
    """Return lines that contain each other by aliases."""
    lines = (f"a{n}: &a{n} " + item.replace("{}", f"*a{n - 1}") for n in range(1, levels))
    return "\n".join(("a0: &a0 [x]", *lines))


def diagnostics(folder: Path, files: dict[str, str]) -> tuple[Diagnostic, ...]:
    """Load a repository with a page, a specification and these files."""
    groups = [
        {"group": "Pages", "pages": ["index"]},
        {"group": "API", "openapi": next((each for each in files if "api." in each), "api.json")},
    ]
    settings = {
        "name": "A",
        "theme": "mint",
        "colors": {"primary": "#0055ff"},
        "navigation": {"groups": groups},
    }
    usual = {
        "docs.json": json.dumps(settings),
        "index.mdx": "---\ntitle: A\n---\n\nHello.\n",
        "api.json": json.dumps({**OPENAPI, "paths": {}}),
    }
    for name, text in (usual | files).items():
        (folder / name).write_text(text)
    return load_repository(folder).diagnostics


@pytest.mark.parametrize("item", ["[{}]", "{k: {}}", "[[[{}]]]"])
def test_aliases_count_as_what_they_stand_for(item: str) -> None:
    with pytest.raises(YamlError, match="nested too deeply"):
        parse(aliases(LEVELS, item))


def test_aliases_may_nest_as_deeply_as_text() -> None:
    assert len(parse(aliases(DEPTH_LIMIT - 1))) == DEPTH_LIMIT - 1


def test_frontmatter_of_nested_aliases_is_reported(tmp_path: Path) -> None:
    page = f"---\ntitle: A\n{aliases(LEVELS)}\n---\n\nHello.\n"
    found = diagnostics(tmp_path, {"index.mdx": page})
    assert [each.message for each in found if each.code == "frontmatter-syntax"] == [
        "not YAML: nested too deeply"
    ]


def test_a_specification_of_nested_aliases_is_reported(tmp_path: Path) -> None:
    found = diagnostics(tmp_path, {"api.yaml": f"openapi: 3.1.0\npaths: {{}}\n{aliases(LEVELS)}\n"})
    assert [each.message for each in found if each.code == "openapi-syntax"] == [
        "not YAML: nested too deeply"
    ]


@pytest.mark.parametrize("name", DEEP)
def test_a_deep_specification_is_reported(tmp_path: Path, name: str) -> None:
    text = json.dumps({**OPENAPI, "paths": {}, "x": "@"}).replace('"@"', DEEP[name])
    found = diagnostics(tmp_path, {"api.json": text})
    assert [each.message for each in found if each.code == "openapi-syntax"] == [
        "not readable: nested too deeply"
    ]
