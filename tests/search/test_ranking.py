"""The rules of the order, one by one."""

from __future__ import annotations

import pytest

from docstead.search.documents import Passage
from docstead.search.ranking import NO_PREFERENCE, Preference, SearchCandidate, ranked


def passage(slug: str, anchor: str = "", **more: str) -> Passage:
    heading = (anchor,) if anchor else ()
    return Passage(slug, slug, heading, anchor, f"{slug} {anchor} {sorted(more)}", 0.0, **more)


def candidate(slug: str, score: float, anchor: str = "", boost: float = 1.0, **more: str):
    return SearchCandidate(passage(slug, anchor, **more), boost, score)


def order(
    *candidates: SearchCandidate, near: str | None = None, prefer: Preference = NO_PREFERENCE
) -> list[str]:
    found = ranked(candidates, near, prefer)
    return ["#".join(filter(None, (e.passage.slug, e.passage.anchor))) for e in found]


def test_the_higher_score_comes_first() -> None:
    assert order(candidate("a", 1.0), candidate("b", 2.0)) == ["b", "a"]


def test_a_page_with_more_that_fits_comes_first() -> None:
    found = order(candidate("one", 1.0), candidate("two", 0.99, "x"), candidate("two", 0.9, "y"))
    assert found == ["two#x", "one", "two#y"]


def test_the_shares_of_a_page_are_added() -> None:
    (only,) = ranked([candidate("a", 1.0)], None, NO_PREFERENCE)
    assert only.score == pytest.approx(1.1)
    first, *_ = ranked([candidate("a", 1.0, each) for each in "wxyz"], None, NO_PREFERENCE)
    assert first.score == pytest.approx(1.3)  # three sections count


@pytest.mark.parametrize(
    ("near", "first"), [(None, "b/two"), ("a/one", "a/one"), ("a/other", "a/one"), ("c", "b/two")]
)
def test_what_is_near_the_reader_comes_first(near: str | None, first: str) -> None:
    assert order(candidate("a/one", 1.0), candidate("b/two", 1.01), near=near)[0] == first


def test_the_readers_page_is_nearer_than_its_folder() -> None:
    assert order(candidate("a/x", 1.0), candidate("a/y", 1.05), near="a/x")[0] == "a/x"
    assert order(candidate("ab/x", 1.0), candidate("c/y", 1.01), near="a/z")[0] == "c/y"


def test_boosts_count_up_to_a_limit() -> None:
    pages = (candidate("a", 1.0), candidate("b", 0.9, boost=2.0))
    assert order(*pages) == ["b", "a"]
    assert order(*pages, prefer=Preference(most_boost=1.0)) == ["a", "b"]


def test_the_topic_comes_first_unless_another_page_fits_much_better() -> None:
    about = Preference(topic="b")
    assert order(candidate("a", 1.0), candidate("b", 0.6), prefer=about) == ["b", "a"]
    assert order(candidate("a", 1.0), candidate("b", 0.4), prefer=about) == ["a", "b"]


@pytest.mark.parametrize("name", ["language", "version"])
def test_what_is_preferred_comes_first(name: str) -> None:
    pages = (candidate("a", 1.0, **{name: "x"}), candidate("b", 0.9, **{name: "y"}))
    assert order(*pages) == ["a", "b"]
    assert order(*pages, prefer=Preference(**{name: "y"})) == ["b", "a"]
    assert order(*pages, prefer=Preference(**{name: "x"})) == ["a", "b"]


def test_a_section_is_there_once_by_its_best_passage() -> None:
    assert order(candidate("a", 1.0, "x"), candidate("a", 2.0, "x")) == ["a#x"]
    (only,) = ranked([candidate("a", 1.0, "x"), candidate("a", 2.0, "x")], None, NO_PREFERENCE)
    assert only.score == pytest.approx(2.2)


def test_factors_of_the_order() -> None:
    (near,) = ranked([candidate("a/x", 1.0)], "a/x", NO_PREFERENCE)
    assert near.score == pytest.approx(1.1 * 1.15)
    prefer = Preference(language="en", version="2")
    assert prefer.factor(passage("a", language="en", version="2")) == 1.0
    assert prefer.factor(passage("a", language="fr", version="2")) == 0.6
    assert prefer.factor(passage("a", language="en", version="1")) == 0.5


def test_a_candidate_with_its_similarity_is_another_value() -> None:
    first = candidate("a", 1.0)
    assert (first.near(0.5).cosine, first.near(0.5).share, first.cosine) == (0.5, 0.0, None)
    with pytest.raises(AttributeError):
        first.score = 2.0


@pytest.mark.parametrize(
    ("second", "slugs"),
    [
        (Passage("a", "Guide", ("Two",), "", "2", 0.0, language="en"), ["a", "a"]),
        (Passage("fr/a", "Guide", ("One",), "", "3", 0.0, language="fr"), ["a"]),
        (Passage("fr/a", "Guide", ("Two",), "", "3", 0.0, language="fr"), ["a", "fr/a"]),
        (Passage("b", "Guide", ("One",), "", "1", 0.0, language="en"), ["a"]),
    ],
)
def test_equal_sections_are_there_once(second: Passage, slugs: list[str]) -> None:
    first = Passage("a", "Guide", ("One",), "", "1", 0.0, language="en")
    candidates = [SearchCandidate(first, 1.0, 2.0), SearchCandidate(second, 1.0, 1.0)]
    found = ranked(candidates, None, NO_PREFERENCE)
    assert [each.passage.slug for each in found] == slugs
