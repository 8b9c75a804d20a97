"""Code in languages that a repository describes itself, by the real tokenizer."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from docstead.content.grammars import Grammar
from docstead.markup.grammars import SiteGrammars
from docstead.markup.highlight import FenceMeta, highlight

FLOW = {
    "name": "Flow",
    "scopeName": "source.flow",
    "patterns": [
        {"match": r"(?<=\bstep\s+)\w+", "name": "entity.name.function.flow"},
        {"match": r"\b(step|end)\b", "name": "keyword.control.flow"},
        {"match": r"[a-z]++(?=:)", "name": "support.type.property-name.flow"},
        {"match": r"(?<open>\((?:[^()]|\g<open>)*\))", "name": "constant.numeric.flow"},
        {"begin": '"""', "end": '"""', "name": "string.quoted.flow"},
        {"include": "#comment"},
        {"include": "source.nobody"},
    ],
    "repository": {"comment": {"match": "#.*$", "name": "comment.line.flow"}},
}
ENDLESS = {
    "name": "endless",
    "scopeName": "source.endless",
    "patterns": [{"match": "(x+x+)+y", "name": "keyword"}],
}


def grammar(value: dict[str, object]) -> Grammar:
    names = (str(value["name"]).lower(),)
    return Grammar("g.json", names, str(value["scopeName"]), json.dumps(value))


@pytest.fixture
def grammars() -> Iterator[SiteGrammars]:
    with SiteGrammars([grammar(FLOW), grammar(ENDLESS)], patience=8) as found:
        yield found


def test_patterns_of_oniguruma_make_tokens(grammars: SiteGrammars) -> None:
    assert grammars.lines("step  pay (a(b)) # <x>\nsum: 1", "flow") == [
        [("k", "step  "), ("f", "pay "), ("m", "(a(b)) "), ("c", "# <x>")],
        [("a", "sum"), ("", ": 1")],
    ]


def test_a_block_that_reaches_over_lines(grammars: SiteGrammars) -> None:
    assert grammars.lines('"""a\n\n b""" end', "flow") == [
        [("s", '"""a')],
        [],
        [("s", ' b""" '), ("k", "end")],
    ]


def test_other_languages_are_not_its_own(grammars: SiteGrammars) -> None:
    assert grammars.lines("a = 1", "python") is None
    assert highlight("a = 1", "python", None, grammars) == highlight("a = 1", "python")


def test_the_frame_and_its_marks_are_those_of_every_block(grammars: SiteGrammars) -> None:
    html = highlight("step a\nend <b>", " Flow", FenceMeta(highlight=frozenset({2})), grammars)
    assert 'data-language="flow"' in html
    assert (
        '<span class="ds-line"><span class="k">step </span><span class="f">a</span>\n</span>'
        '<span class="ds-line ds-hl"><span class="k">end</span> &lt;b&gt;\n</span>'
    ) in html


def test_only_a_pattern_that_does_not_end_is_given_up(grammars: SiteGrammars) -> None:
    assert grammars.lines("a", "endless") == [[("", "a")]]
    assert grammars.lines("x" * 80, "endless") is None
    assert grammars.has_given_up("Endless")
    assert not grammars.has_given_up("flow")
    assert not grammars.has_given_up("python")
    left = grammars._left
    assert grammars.lines("x" * 80, "endless") is None
    assert grammars._left == left  # it is not tried again
    assert grammars.lines("end", "flow") == [[("k", "end")]]


def test_patience_ends_before_that_of_the_host() -> None:
    names = ["a", "b", "c", "d"]
    endless = [grammar({**ENDLESS, "name": n, "scopeName": f"source.{n}"}) for n in names]
    with SiteGrammars([*endless, grammar(FLOW)], patience=2) as found:
        assert [found.lines("x" * 80, name) for name in names] == [None] * 4
        assert found.lines("end", "flow") is None
        assert all(found.has_given_up(name) for name in (*names, "flow"))


PLAIN = [[("", "xx <y>")]]


@pytest.mark.parametrize(
    ("patterns", "lines_read"),
    [
        ([{"match": "(?<a"}], PLAIN),
        ([{"match": 5}], PLAIN),
        ([{"include": "$self"}], None),
        ([{"begin": "(?=x)", "end": "(?=y)", "patterns": [{"include": "$self"}]}], PLAIN),
        (["text", None], None),
        ([{"match": "x", "name": ["a"]}], None),
        ([{"match": "(.)", "captures": {"1": {"patterns": [{"include": "$self"}]}}}], None),
    ],
)
def test_odd_grammars_leave_code_as_it_is(patterns: list[object], lines_read: object) -> None:
    odd = grammar({"name": "odd", "scopeName": "source.odd", "patterns": patterns})
    with SiteGrammars([odd]) as found:
        lines = found.lines("xx <y>", "odd")
        html = highlight("xx <y>", "odd", None, found)
    assert lines == lines_read
    assert "xx &lt;y&gt;" in html
