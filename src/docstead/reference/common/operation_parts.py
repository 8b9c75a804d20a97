"""Shared parts of a specification that an operation references, transitively."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_SIMPLE = frozenset({str, int, float, bool, type(None)})


def referenced(
    value: object, components: Mapping[str, Any], most: int | None = None
) -> dict[str, object]:
    """Return the referenced parts by reference, transitively.

    Parts beyond `most` are omitted.
    """
    found: dict[str, object] = {}
    waiting: list[object] = [value]
    while waiting and (most is None or len(found) < most):
        for reference in _references(waiting.pop()):
            if reference not in found:
                found[reference] = _resolved(reference, components)
                waiting.append(found[reference])
    return found


def parts_of(reference: str) -> list[str]:
    """Return the keys that lead to a part of the document."""
    path = reference.removeprefix("#/").split("/")
    return [part.replace("~1", "/").replace("~0", "~") for part in path]


def _references(value: object) -> Iterator[str]:
    """Yield every `$ref` within a value, which may be circular."""
    waiting, seen = [value], set[int]()
    while waiting:
        each = waiting.pop()
        # Most values are scalars, which the type check excludes quickly.
        if type(each) in _SIMPLE or id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, Mapping):
            reference = each.get("$ref")
            if isinstance(reference, str):
                yield reference
            waiting += each.values()
        elif isinstance(each, list | tuple):
            waiting += each


def _resolved(reference: str, components: Mapping[str, Any]) -> object:
    value: object = {"components": components}
    for name in parts_of(reference):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
