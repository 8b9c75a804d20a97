"""Results of steps that an earlier version stored.

The job library pickles them, and the fields of a dataclass with slots are pickled in their
order. So a field that is added to such a class is its last one, and has a default.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, TypeVar

T = TypeVar("T")


def with_new_fields(result: T) -> T:
    """Return a result with defaults in the fields that its class did not have before."""
    if isinstance(result, tuple | list):
        for each in result:
            with_new_fields(each)
    elif is_dataclass(result) and not isinstance(result, type):
        for field in fields(result):
            if not hasattr(result, field.name):
                object.__setattr__(result, field.name, _default(field))
            with_new_fields(getattr(result, field.name))
    return result


def _default(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    if field.default is MISSING:
        raise TypeError(f"the stored value has no {field.name}, which needs a default")
    return field.default
