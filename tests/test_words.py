"""The rules of `checks/words.py`, on names and sentences that they find and others."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def words() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "checks" / "words.py"))


@pytest.fixture(scope="module")
def phrases(words: dict[str, Any]) -> re.Pattern[str]:
    _, found, _ = words["_configuration"]()
    assert isinstance(found, re.Pattern)
    return found


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("Wanted", "class-participle"),
        ("FirstKept", "class-participle"),
        ("Desk", "class-one-word"),
        ("HandingIn", "trailing-adverb"),
        ("look_again", "trailing-adverb"),
        ("ReviewService", None),
        ("Reader", None),
        ("sign_in", None),
    ],
)
def test_names(words: dict[str, Any], name: str, rule: str | None) -> None:
    found = [finding.rule for finding in words["name_findings"](name, "x.py:1", "src")]
    assert found == ([rule] if rule else [])


def test_a_key_of_the_settings_is_spelled_by_its_declaration_only(words: dict[str, Any]) -> None:
    text = 'keys.child("seo").text("title")\nkeys.text(name)\nkeys.values.place("seo")\n'
    found = [(each.position, each.text) for each in words["key_findings"](text, "a.py")]
    assert found == [("a.py:1", "seo"), ("a.py:1", "title")]


def test_a_class_name_has_one_meaning(words: dict[str, Any]) -> None:
    classes = {"Reader": ["a.py:1", "b.py:2"], "_Row": ["a.py:3", "c.py:4"], "Writer": ["a.py:5"]}
    found = [(each.rule, each.text) for each in words["ambiguity_findings"](classes)]
    assert found == [
        ("ambiguous-class", "Reader: b.py:2"),
        ("ambiguous-private-class", "_Row: c.py:4"),
    ]


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("What was made of texts before.", ["riddle-docstring"]),
        ("Mend the file that whoever reads it is told of.", ["docstring-phrase"] * 3),
        ("Return the stored history.", []),
        ("Cache of parse results.", []),
    ],
)
def test_docstrings(
    words: dict[str, Any], phrases: re.Pattern[str], text: str, rules: list[str]
) -> None:
    found = [finding.rule for finding in words["docstring_findings"](text, "x.py:1", phrases)]
    assert found == rules


@pytest.mark.parametrize(
    ("source", "count"),
    [("told = 1", 1), ("def _narrowed(drawn): self.twin_of = 1", 3), ("untold = withdrawn", 0)],
)
def test_names_of_variables(words: dict[str, Any], source: str, count: int) -> None:
    found = [words["dialect_findings"](node, "x.py") for node in ast.walk(ast.parse(source))]
    assert len([each for findings in found for each in findings]) == count
