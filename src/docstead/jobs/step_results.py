"""Step results stored by earlier versions.

The job library pickles them, and dataclasses with slots are pickled as their fields in order. New
fields of such a class must therefore be last and have a default.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any


class FormerResult(ABC):
    """A stored result of a class that steps no longer return."""

    __slots__ = ()

    @abstractmethod
    def current(self) -> Any:
        """Return the same as a value of today."""


def with_new_fields(result: Any) -> Any:
    """Return a stored result as a value of today."""
    _add_fields(result)
    return result.current() if isinstance(result, FormerResult) else result


def _add_fields(result: Any) -> None:
    """Set the fields that the class did not have before to their defaults."""
    if isinstance(result, tuple | list):
        for each in result:
            _add_fields(each)
    elif is_dataclass(result) and not isinstance(result, type):
        for field in fields(result):
            if not hasattr(result, field.name):
                object.__setattr__(result, field.name, _default(field))
            _add_fields(getattr(result, field.name))


def _default(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    if field.default is MISSING:
        raise TypeError(f"the stored value has no {field.name}, which needs a default")
    return field.default
