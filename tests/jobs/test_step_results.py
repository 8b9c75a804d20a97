from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from docstead.jobs.step_results import with_new_fields


@dataclass(frozen=True, slots=True)
class StoredResult:
    """A result whose last two fields were added since it was stored."""

    name: str
    is_new: bool = True
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class StoredGroup:
    results: tuple[StoredResult, ...]
    count: int


def _stored(kind: type, *values: object) -> object:
    """A value as pickle restores it from the fields that its class had then."""
    result = object.__new__(kind)
    result.__setstate__(values)  # type: ignore[attr-defined]
    return result


def test_fields_added_since_have_their_defaults() -> None:
    assert with_new_fields(_stored(StoredResult, "a")) == StoredResult("a")
    assert with_new_fields(_stored(StoredResult, "a", False)) == StoredResult("a", False)


def test_values_within_others_get_theirs() -> None:
    stored = with_new_fields(
        _stored(StoredGroup, (_stored(StoredResult, "a"), StoredResult("b", False)), 2)
    )
    assert stored == StoredGroup((StoredResult("a"), StoredResult("b", False)), 2)
    assert with_new_fields([_stored(StoredResult, "a"), 1, None]) == [StoredResult("a"), 1, None]


def test_a_new_field_without_a_default_is_named() -> None:
    with pytest.raises(TypeError, match="no count"):
        with_new_fields(_stored(StoredGroup, ()))


def test_other_results_stay_as_they_are() -> None:
    assert with_new_fields({"a": 1}) == {"a": 1}
    assert with_new_fields(StoredResult) is StoredResult
