"""Search by meaning and words, with vectors made by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from docstead.base.errors import Unavailable
from docstead.search.documents import SearchDocument
from docstead.search.fusion import SemanticIndex, is_match
from docstead.search.index import Index
from docstead.search.vectors import VectorFile, passage_vector, write_vectors

Page = Callable[..., SearchDocument]
AXES = {"car": 0, "automobile": 0, "runabout": 0, "boat": 1, "ship": 1, "garden": 2, "qqxz": 3}


def direction(text: str) -> np.ndarray:
    """A vector that knows which words mean the same."""
    vector = np.full(4, 0.05, np.float32)
    for word in text.lower().replace(".", " ").split():
        if word in AXES:
            vector[AXES[word]] += 1
    return vector / np.linalg.norm(vector)


class HandmadeQueries:
    space = "by-hand"

    def __init__(self, *, fails: bool = False) -> None:
        self._fails = fails

    def vector(self, query: str) -> np.ndarray | None:
        return None if self._fails else direction(query)

    def vectors(self, texts: list[str]) -> list[np.ndarray] | None:
        return None if self._fails else [direction(text) for text in texts]

    def begin(
        self, query: str, then: Callable[[np.ndarray], object]
    ) -> Callable[[], object | None]:
        vector = self.vector(query)
        return lambda: None if vector is None else then(vector)


@pytest.fixture
def index(index_of: Callable[..., Index], page: Page) -> Index:
    return index_of(
        page("cars", "Driving", {"": "An automobile has wheels."}),
        page("ships", "Sailing", {"": "A ship has sails."}, version="v1"),
        page("secret", "Yachts", {"": "A ship for us."}, groups=("crew",)),
        page("plants", "Growing", {"": "A garden has flowers and wheels."}),
    )


@pytest.fixture
def vectors(index: Index, tmp_path: Path) -> VectorFile:
    found = {each.digest: direction(each.markdown) for each in index.passages()}
    write_vectors(tmp_path / "vectors", "by-hand", found)
    return VectorFile(tmp_path / "vectors")


def slugs(index: Index, query: str, **options: object) -> list[str]:
    return [each.slug for each in index.search(query, limit=2, **options)]


def test_what_is_said_in_other_words_is_found(index: Index, vectors: VectorFile) -> None:
    assert slugs(index, "runabout") == []
    assert (
        slugs(index.with_meaning(SemanticIndex(vectors, HandmadeQueries())), "runabout")[0]
        == "cars"
    )


def test_what_has_no_known_word_and_is_near_to_nothing_finds_nothing(
    index: Index, vectors: VectorFile
) -> None:
    by_meaning = index.with_meaning(SemanticIndex(vectors, HandmadeQueries()))
    assert slugs(by_meaning, "qqxz") == []
    assert slugs(by_meaning, "qqxz wheels") != []
    assert slugs(by_meaning, "whels") == ["cars", "plants"]  # a slip


def test_words_that_nobody_uses_find_those_near_them(index: Index) -> None:
    assert slugs(index, "car") == ["cars"]
    assert slugs(index, "blossoms") == ["plants"]


def test_filters_and_groups_hold_for_meaning_too(index: Index, vectors: VectorFile) -> None:
    by_meaning = index.with_meaning(SemanticIndex(vectors, HandmadeQueries()))
    assert slugs(by_meaning, "boat")[0] == "ships"
    assert "secret" not in slugs(by_meaning, "boat")
    assert "secret" in slugs(by_meaning, "boat", groups=("crew",))
    assert slugs(by_meaning, "boat", version="v9") == []
    assert not by_meaning.knows("secret")
    assert by_meaning.knows("secret", ("crew",))


def test_without_a_vector_for_the_query_words_count(index: Index, vectors: VectorFile) -> None:
    by_words = index.with_meaning(SemanticIndex(vectors, HandmadeQueries(fails=True)))
    assert slugs(by_words, "wheels") == slugs(index, "wheels")
    assert by_words.lead("wheels") is None
    assert by_words.nearness("boat", ["A ship."]) == 0


def test_translations_do_not_lower_the_lead(
    index_of: Callable[..., Index], page: Page, tmp_path: Path
) -> None:
    flowers = {f"Flower {n}": f"A garden with number {n}." for n in range(60)}
    ships = {f"Barco {n}": f"A ship with number {n}." for n in range(60)}
    index = index_of(
        page("ships", "Sailing", {"": "A ship."}, language="en"),
        page("es/ships", "Barcos", ships, language="es"),
        page("plants", "Growing", flowers),
    )
    found = {each.digest: direction(each.markdown) for each in index.passages()}
    write_vectors(tmp_path / "vectors", "by-hand", found)
    by_meaning = index.with_meaning(
        SemanticIndex(VectorFile(tmp_path / "vectors"), HandmadeQueries())
    )
    of_english, of_all = by_meaning.lead("boat", "en"), by_meaning.lead("boat")
    assert of_english is not None
    assert of_english > 0.5
    assert of_all == pytest.approx(0.0, abs=0.1)
    assert by_meaning.lead("boat", "de") == of_all  # no page is in German


def test_the_nearest_of_several_texts_counts(index: Index, vectors: VectorFile) -> None:
    by_meaning = index.with_meaning(SemanticIndex(vectors, HandmadeQueries()))
    near = by_meaning.nearness("boat", ["A garden.", "A ship."])
    assert near == pytest.approx(1.0, abs=0.01)
    assert by_meaning.nearness("boat", ["A garden."]) < near
    assert by_meaning.nearness("boat", []) == 0


def test_vectors_of_another_edition_serve_what_they_know(index: Index, tmp_path: Path) -> None:
    some = list(index.passages())[:2]
    found = {each.digest: direction(each.markdown) for each in some} | {7: direction("garden")}
    write_vectors(tmp_path / "old", "by-hand", found)
    by_meaning = index.with_meaning(SemanticIndex(VectorFile(tmp_path / "old"), HandmadeQueries()))
    assert set(slugs(by_meaning, "wheels")) == {"cars", "plants"}


def test_scores_fall_and_are_shares(index: Index, vectors: VectorFile) -> None:
    found = index.with_meaning(SemanticIndex(vectors, HandmadeQueries())).search(
        "a car with wheels", limit=4
    )
    scores = [each.score for each in found]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_what_is_only_nearest_is_no_match(index: Index, vectors: VectorFile) -> None:
    found = index.with_meaning(SemanticIndex(vectors, HandmadeQueries())).search(
        "a car with wheels", limit=4
    )
    assert is_match(found)
    assert not is_match([replace(found[0], score=0.2), *found[1:]])
    assert not is_match([])
    assert is_match([replace(each, score=0.2) for each in index.search("wheels", limit=4)])


@pytest.mark.parametrize("damage", [b"", b"DSVECS01", b"DSVECS01" + b"\xff" * 60])
def test_a_damaged_file_is_reported(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "vectors").write_bytes(damage)
    with pytest.raises(Unavailable):
        VectorFile(tmp_path / "vectors")


def test_no_vectors_are_a_file_too(tmp_path: Path) -> None:
    write_vectors(tmp_path / "vectors", "by-hand", {})
    assert len(VectorFile(tmp_path / "vectors")) == 0


def test_a_passage_is_what_it_says_and_a_little_what_it_is_called() -> None:
    mixed = passage_vector(direction("car"), direction("boat"))
    assert (
        mixed @ direction("car") > mixed @ direction("boat") > direction("car") @ direction("boat")
    )


def test_passages_are_compared_with_one_of_them(
    index: Index, vectors: VectorFile, tmp_path: Path
) -> None:
    (ship,) = index.passages_of("ships", 5)
    yacht, garden = (index.passages_of(slug, 5)[0] for slug in ("secret", "plants"))
    by_meaning = index.with_meaning(SemanticIndex(vectors, HandmadeQueries()))
    near, far = by_meaning.similarities(ship, [yacht, garden])
    assert near is not None
    assert far is not None
    assert (near > 0.9, far < 0.5) == (True, True)
    unknown = replace(garden, digest=1)
    assert by_meaning.similarities(ship, [unknown]) == [None]
    assert by_meaning.similarities(unknown, [ship]) == [None]
    assert index.similarities(ship, [yacht, garden]) == [None, None]


def test_passages_of_a_page_are_limited(index_of: Callable[..., Index], page: Page) -> None:
    sections = {heading: f"About {heading}." for heading in ("", "Wheels", "Doors")}
    index = index_of(page("cars", "Driving", sections), page("ships", "Sailing", sections))
    found = index.passages_of("cars", 2)
    assert [(each.slug, each.heading_path) for each in found] == [
        ("cars", ()),
        ("cars", ("Wheels",)),
    ]
    assert index.passages_of("nowhere", 2) == []
