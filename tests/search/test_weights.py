"""Each weight of search decides between two passages: with another weight, the other is first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from docstead.content.pages import Section
from docstead.search.documents import Passage, SearchDocument
from docstead.search.english import distinctiveness
from docstead.search.fusion import PageVectors, are_near, fused
from docstead.search.index import Index
from docstead.search.ranking import SearchCandidate
from docstead.search.vectors import VectorFile, write_vectors


@pytest.fixture
def order(index_of: Callable[..., Index]) -> Callable[..., list[str]]:
    """Return the texts that a query finds, best first."""

    def found(query: str, *texts: str) -> list[str]:
        pages = (
            SearchDocument(f"p{number}", f"Part {number}", (Section("", (), text),))
            for number, text in enumerate(texts)
        )
        return [each.markdown for each in index_of(*pages).search(query, limit=9)]

    return found


def test_a_synonym_counts_less_than_the_word(order) -> None:
    word, synonym = "Gateways have a configuration of their own here.", "Settings."
    assert order("configuration", synonym, word) == [word, synonym]


def test_a_synonym_adds_to_a_passage_with_another_word(order) -> None:
    word, both = "Gateways.", "Gateways have settings that people see."
    found = order("gateways configuration", word, both, "The configuration of keys.")
    assert found.index(both) < found.index(word)


def test_a_word_that_is_only_begun_counts_less_than_a_whole_one(order) -> None:
    whole, begun = "Kubernetes has parts.", "A manifest has parts."
    assert order("manif kubernetes", begun, whole) == [whole, begun]


def test_a_word_that_is_only_begun_adds_to_a_passage_with_another_word(order) -> None:
    word, both = "Kubernetes.", "Kubernetes has parts, which people list in a manifest."
    assert order("manif kubernetes", word, both)[0] == both


def test_neighboring_words_count_more_than_the_same_words_apart(order) -> None:
    near = "A rate limit is for workers, gateways, clients, servers and teams alike."
    apart = "A rate is for workers, gateways, clients, servers and a limit."
    assert order("rate limit", apart, near) == [near, apart]


def test_a_near_synonym_counts_less_than_a_word(order) -> None:
    word, near = "Wheels have many parts of their own here.", "Flowers."
    assert order("blossoms wheels", near, word) == [word, near]


def test_a_generic_word_weighs_less(index_of: Callable[..., Index]) -> None:
    text = "This thing lists gateways."
    index = index_of(SearchDocument("a", "Start", (Section("", (), text),)))
    thing, gateway = index.terms("thing gateways")
    assert gateway.weight == pytest.approx(gateway.rarity * distinctiveness("gateways"))
    assert thing.weight == pytest.approx(0.4 * thing.rarity * distinctiveness("thing"))


def passage(slug: str, digest: int = 0) -> Passage:
    return Passage(slug, slug, (), "", "A.", score=0.0, digest=digest)


@pytest.mark.parametrize(("cosine", "near"), [(0.45, True), (0.35, False), (None, False)])
def test_passages_are_near_without_a_known_word(cosine: float | None, near: bool) -> None:
    candidate = SearchCandidate(passage("a"), 1.0, 0.0, cosine=cosine)
    assert are_near([candidate]) is near


def test_of_equal_passages_that_of_the_nearer_page_is_first() -> None:
    both = [SearchCandidate(passage(slug), 1.0, 1.0, cosine=0.5) for slug in ("far", "near")]
    far, near = fused(both, {"far": 0.2, "near": 0.8})
    assert near.score - far.score == pytest.approx(0.1)


def test_a_page_of_two_subjects_is_as_long_as_any(tmp_path: Path) -> None:
    one, other = passage("a", 1), passage("a", 2)
    axes = np.eye(4, dtype=np.float32)
    write_vectors(tmp_path / "v", "by-hand", {one.digest: axes[0], other.digest: axes[1]})
    pages = PageVectors({"a": [one.digest, other.digest]}, VectorFile(tmp_path / "v"))
    assert pages.cosines(axes[0], ["a"])["a"] == pytest.approx(2**-0.5, abs=0.01)
