"""Contents and lifetime of the cache."""

from __future__ import annotations

from docstead.repository.memory import Memory, no_memory
from docstead.repository.places import Faults, Place


class Maker:
    def __init__(self) -> None:
        self.made = 0

    def __call__(self, faults: Faults) -> int:
        self.made += 1
        faults.warning(Place("a.mdx"), "odd", "it is odd")
        return self.made


def recalled(memory: Memory, key: str, maker: Maker, characters: int = 10) -> tuple[int, int]:
    """The value, and how many faults came with it."""
    faults = Faults()
    value = memory.recall(key, maker, faults, characters=characters)
    return value, len(faults.sorted())


def test_a_value_is_made_once_and_its_faults_are_told_each_time() -> None:
    memory, maker = Memory(100), Maker()
    assert recalled(memory, "a", maker) == (1, 1)
    assert recalled(memory, "a", maker) == (1, 1)
    assert recalled(memory, "b", maker) == (2, 1)


def test_what_was_not_asked_for_longest_makes_room() -> None:
    memory, maker = Memory(20), Maker()
    for key in ("a", "b", "a", "c"):
        recalled(memory, key, maker)
    assert maker.made == 3
    assert recalled(memory, "a", maker) == (1, 1)
    assert recalled(memory, "b", maker) == (4, 1)


def test_what_is_larger_than_all_the_room_is_not_kept() -> None:
    memory, maker = Memory(20), Maker()
    assert recalled(memory, "a", maker, 21) == (1, 1)
    assert recalled(memory, "a", maker, 21) == (2, 1)
    assert recalled(memory, "b", maker, 20) == (3, 1)
    assert recalled(memory, "b", maker, 20) == (3, 1)


def test_no_memory_keeps_nothing() -> None:
    maker = Maker()
    assert [recalled(no_memory(), "a", maker)[0] for _ in range(2)] == [1, 2]
