"""Contents and lifetime of the cache."""

from __future__ import annotations

from docstead.repository.parse_cache import ParseCache, no_parse_cache
from docstead.repository.positions import Diagnostics, FilePosition


class Maker:
    def __init__(self) -> None:
        self.made = 0

    def __call__(self, diagnostics: Diagnostics) -> int:
        self.made += 1
        diagnostics.warning(FilePosition("a.mdx"), "odd", "it is odd")
        return self.made


def parsed(
    parse_cache: ParseCache, key: str, maker: Maker, characters: int = 10
) -> tuple[int, int]:
    """The value, and the number of its diagnostics."""
    diagnostics = Diagnostics()
    value = parse_cache.cached(key, maker, diagnostics, characters=characters)
    return value, len(diagnostics.sorted())


def test_a_value_is_made_once_and_its_diagnostics_are_reported_each_time() -> None:
    parse_cache, maker = ParseCache(100), Maker()
    assert parsed(parse_cache, "a", maker) == (1, 1)
    assert parsed(parse_cache, "a", maker) == (1, 1)
    assert parsed(parse_cache, "b", maker) == (2, 1)


def test_what_was_not_asked_for_longest_makes_space() -> None:
    parse_cache, maker = ParseCache(20), Maker()
    for key in ("a", "b", "a", "c"):
        parsed(parse_cache, key, maker)
    assert maker.made == 3
    assert parsed(parse_cache, "a", maker) == (1, 1)
    assert parsed(parse_cache, "b", maker) == (4, 1)


def test_what_is_larger_than_all_the_space_is_not_kept() -> None:
    parse_cache, maker = ParseCache(20), Maker()
    assert parsed(parse_cache, "a", maker, 21) == (1, 1)
    assert parsed(parse_cache, "a", maker, 21) == (2, 1)
    assert parsed(parse_cache, "b", maker, 20) == (3, 1)
    assert parsed(parse_cache, "b", maker, 20) == (3, 1)


def test_entries_that_were_only_restored_are_not_used() -> None:
    earlier, later = ParseCache(100), ParseCache(100)
    for key in ("a", "b"):
        parsed(earlier, key, Maker())
    later.restore(earlier.entries())
    parsed(later, "b", Maker())
    assert [key for key, _ in later.used_entries()] == ["b"]
    assert [key for key, _ in later.entries()] == ["a", "b"]


def test_no_memory_keeps_nothing() -> None:
    maker = Maker()
    assert [parsed(no_parse_cache(), "a", maker)[0] for _ in range(2)] == [1, 2]
