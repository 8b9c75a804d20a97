"""Step results stored by earlier versions.

The job library pickles them, and dataclasses with slots are pickled as their fields in order. New
fields of such a class must therefore be last and have a default.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, TypeVar

T = TypeVar("T")


def with_new_fields(result: T) -> T:
    """Return a result with defaults for fields that its stored class did not have."""
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
