from __future__ import annotations

from docstead.base.lru_cache import LruCache


def test_the_least_recently_used_entry_is_dropped() -> None:
    cache: LruCache[str, int] = LruCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert cache.items() == (("a", 1), ("c", 3))
    assert cache.get("b") is None


def test_entries_count_by_their_size() -> None:
    cache: LruCache[str, str] = LruCache(5, len)
    cache.put("a", "12")
    cache.put("b", "345")
    assert [key for key, _ in cache.items()] == ["a", "b"]
    cache.put("c", "6")
    assert [key for key, _ in cache.items()] == ["b", "c"]


def test_a_replaced_entry_counts_once() -> None:
    cache: LruCache[str, str] = LruCache(4, len)
    for text in ("1", "123", "12"):
        cache.put("a", text)
    cache.put("b", "12")
    assert cache.items() == (("a", "12"), ("b", "12"))


def test_an_entry_over_the_capacity_leaves_the_others() -> None:
    cache: LruCache[str, str] = LruCache(3, len)
    cache.put("a", "123")
    cache.put("b", "1234")
    assert cache.items() == (("a", "123"),)
    cache.put("a", "1234")
    assert cache.items() == ()
