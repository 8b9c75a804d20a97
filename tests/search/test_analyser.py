"""Text as terms."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docstead.search.analyser import Analyser


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("configuration", "configure"),
        ("Authenticating", "authentication"),
        ("getUserName", "get_user_name"),
        ("get-user-name", "getUserName"),
        ("HTTPServer", "http server"),
        ("the server's keys", "server key"),
        ("docs.json", "docs json"),
        ("don’t retry", "retry"),
    ],
)
def test_spellings_of_one_thing_share_terms(one: str, other: str) -> None:
    analyser = Analyser()
    assert set(analyser.terms(one)) & set(analyser.terms(other))


def test_identifiers_are_known_whole_and_by_their_parts() -> None:
    assert Analyser().words("ctx.report_progress") == [
        "reportprogress",
        "ctxreportprogress",
        "ctx",
        "report",
        "progress",
    ]


@pytest.mark.parametrize(("many", "one"), [("APIs", "api"), ("OpenAPIs", "api"), ("IDs", "id")])
def test_plurals_of_abbreviations_are_no_identifiers(many: str, one: str) -> None:
    assert Analyser().terms(many)[-1] == one
    assert not {"ap", "d"} & set(Analyser().words(many))


def test_versions_stay_whole() -> None:
    assert Analyser().terms("upgrade from v2.13 to 3.0.1") == ["upgrad", "v2.13", "3.0.1"]


def test_words_that_say_nothing_are_left_out() -> None:
    assert Analyser().terms("How do I use the SDK with it?") == ["use", "sdk"]


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("配置模型", ["配置", "置模", "模型"]),
        ("認証", ["認証"]),
        ("설정", ["설정"]),
        ("配", ["配"]),
        ("配置Ollama的模型", ["配置", "ollama", "的模", "模型"]),
    ],
)
def test_chinese_japanese_and_korean_are_read_by_pairs(text: str, pairs: list[str]) -> None:
    assert Analyser().terms(text) == pairs


def test_urls_of_links_are_not_words() -> None:
    assert Analyser().terms("[Keys](/guides/secret-things)") == ["key"]


@given(st.text())
def test_any_text_gives_terms_without_blanks(text: str) -> None:
    terms = Analyser().terms(f"known {text}")
    assert terms[0] == "known"
    for term in terms:
        assert term
        assert not any(letter.isspace() for letter in term)


@given(st.text(alphabet="ab-._' '’é中 ", max_size=40), st.sampled_from(["a", "ab", "ba"]))
def test_spans_are_the_chains_that_have_a_requested_stem(text: str, stem: str) -> None:
    analyser = Analyser()
    chains = [m for m in re.finditer(r"\w+(?:[.\-'’]\w+)*", text) if m[0].isascii()]
    expected = [m.span() for m in chains if stem in analyser.terms(m[0])]
    found = analyser.spans(text, frozenset({stem}))
    assert [(s, e) for s, e, _ in found if text[s:e].isascii()] == expected


def test_spans_are_found_after_more_words_than_are_remembered() -> None:
    analyser = Analyser()
    for start in range(0, 80_000, 20_000):
        many = " ".join(f"word{number}" for number in range(start, start + 20_000))
        assert [s for s, _, _ in analyser.spans(f"timeout {many}", frozenset({"timeout"}))] == [0]
