"""What an operation names of its specification: shared parts, and those that these name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def referenced(value: object, components: Mapping[str, Any]) -> dict[str, object]:
    """The parts that a value names by `$ref`, and those that these name, by reference."""
    found: dict[str, object] = {}
    waiting: list[object] = [value]
    while waiting:
        for reference in _references(waiting.pop()):
            if reference not in found:
                found[reference] = _resolved(reference, components)
                waiting.append(found[reference])
    return found


def parts_of(reference: str) -> list[str]:
    """The keys that lead to a part of the document."""
    path = reference.removeprefix("#/").split("/")
    return [part.replace("~1", "/").replace("~0", "~") for part in path]


def _references(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        reference = value.get("$ref")
        if isinstance(reference, str):
            yield reference
        for each in value.values():
            yield from _references(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _references(each)


def _resolved(reference: str, components: Mapping[str, Any]) -> object:
    value: object = {"components": components}
    for name in parts_of(reference):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
