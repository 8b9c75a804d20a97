"""The rules of `checks/words.py`, on names and sentences that they find and others."""

from __future__ import annotations

import ast
import importlib
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
GLOSSARY = {
    "words": [
        {
            "forms": "address(?:es)?",
            "instead": "URL",
            "accepted": [
                {"reason": "IP addresses", "phrases": ["client address"]},
                {"reason": "of networks only", "files": ["src/networks.py", "src/gone.py"]},
                {"reason": "ordinary English", "areas": ["cli", "screens"]},
            ],
        }
    ]
}


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


def test_comments_of_scripts(words: dict[str, Any], phrases: re.Pattern[str]) -> None:
    script = (
        "const a = 1;\n/**\n * Where a caret is.\n */\n/** Mend a line. */\n/** Return it. */\n"
    )
    found = words["comment_findings"](script, "x.ts", phrases)
    assert [(finding.rule, finding.position) for finding in found] == [
        ("riddle-docstring", "x.ts:2"),
        ("docstring-phrase", "x.ts:5"),
    ]


@pytest.mark.parametrize(
    ("source", "count"),
    [("told = 1", 1), ("def _narrowed(drawn): self.twin_of = 1", 3), ("untold = withdrawn", 0)],
)
def test_names_of_variables(words: dict[str, Any], source: str, count: int) -> None:
    found = [words["dialect_findings"](node, "x.py") for node in ast.walk(ast.parse(source))]
    assert len([each for findings in found for each in findings]) == count


@pytest.fixture(scope="module")
def glossary() -> Any:
    # Classes of data need their module, which imports the other check by its name.
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "checks")
        return importlib.import_module("glossary")


@pytest.mark.parametrize(
    ("area", "file", "text", "accepted"),
    [
        ("names", "src/a.py", "page address", [False]),
        ("names", "src/a.py", "client address", [True]),
        ("names", "src/networks.py", "address", [True]),
        ("guides", "docs/a.mdx", "An address, and a client address.", [False, True]),
        ("guides", "docs/a.mdx", "Who reaches an address", [False]),
        ("guides", "docs/a.mdx", "The remote addressed them.", []),
    ],
)
def test_uses_of_a_word(glossary: Any, area: str, file: str, text: str, accepted: object) -> None:
    (word,) = glossary.glossary_words(GLOSSARY)
    uses = word.uses([glossary.ReadText(area, file, 1, text)])
    assert [is_accepted for _, is_accepted in uses] == accepted


def test_accepted_uses_that_are_gone(glossary: Any) -> None:
    (word,) = glossary.glossary_words(GLOSSARY)
    texts = [("names", "src/networks.py", "client address"), ("cli", "src/b.py", "an address")]
    list(word.uses([glossary.ReadText(area, file, 1, text) for area, file, text in texts]))
    phrases, files, areas = (each.stale() for each in word.accepted)
    assert (phrases, files, areas) == ([], ["src/gone.py"], ["screens"])


@pytest.mark.parametrize(
    ("code", "may_have_word"),
    [
        ("def f(remoteAddress): pass", True),
        ("IP_ADDRESSES = {}", True),
        ("kept_for_ever = 1", True),
        ("readdressed = 1; forevermore = 2", True),  # more than there is
        ("addressed = 1", False),
    ],
)
def test_quick_search(glossary: Any, code: str, may_have_word: bool) -> None:
    assert glossary._quick_search("address(?:es)?|for ever")(code) is may_have_word


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("page_address = 1", [("names", "page address")]),
        ("class PageAddress: pass", [("names", "Page Address")]),
        ("def f(address): self.address = {'address': 1}", [("names", "address")] * 2),
        ("x = 1  # its address", [("comments", "its address")]),
        ("def f(x): 'An address.'", [("texts", "An address.")]),
        ("x = {'address': dressing}", []),
    ],
)
def test_words_of_code(glossary: Any, source: str, found: object) -> None:
    texts = glossary.texts_of_code("src/a.py", source, re.compile("address"))
    assert [(text.area, text.text) for text in texts if "ddress" in text.text] == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("const pageAddress = 1;", [("names", "page Address")]),
        ("run(<Page address={url} />);", [("names", "address")]),
        ("x = 1; // its address", [("comments", "// its address")]),
        ("/** An\n * address. */", [("comments", "/** An * address. */")]),
        ('it("opens an address", open);', [("texts", '"opens an address"')]),
        ("x = `${y}: no address`;", [("texts", "`${y}: no address`")]),
        ("""x = /["'`]/; address = 1;""", [("names", "address")]),
        ('x = { "address": dressing };', []),
    ],
)
def test_words_of_scripts(glossary: Any, source: str, found: object) -> None:
    part = re.compile("address", re.IGNORECASE)
    texts = glossary.texts_of_script("engine/src/a.ts", source, part)
    assert [(text.area, text.text) for text in texts] == found


def test_a_new_word_in_a_script_fails_the_check(
    glossary: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "engine" / "browser" / "a.ts"
    script.parent.mkdir(parents=True)
    script.write_text("export const url = 1;\nexport const pageAddress = url;\n")
    monkeypatch.setattr(glossary, "ROOT", tmp_path)
    (word,) = glossary.glossary_words(GLOSSARY)
    monkeypatch.setattr(glossary, "guide_lines", list)
    ((text, is_accepted),) = word.uses(list(glossary.read_texts(word.forms)))
    assert (text.file, text.line, is_accepted) == ("engine/browser/a.ts", 2, False)


def test_words_of_tests(glossary: Any) -> None:
    source = "def test_f(x):\n    'An address.'\n    assert f(['an address']) == 1  # the address\n"
    texts = glossary.texts_of_code("tests/cli/test_a.py", source, re.compile("address"))
    assert [(text.area, text.text) for text in texts] == [
        ("comments", "the address"), ("names", "test f"), ("texts", "An address."), ("names", "x"),
    ]  # fmt: skip
