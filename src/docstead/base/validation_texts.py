"""Plain sentences for values that a pydantic model refuses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

_Writer = Callable[[Mapping[str, Any], str], str]

_TEXTS: dict[str, _Writer] = {
    "int_parsing": lambda _, given: f"must be a whole number, not {given}",
    "int_type": lambda _, given: f"must be a whole number, not {given}",
    "int_from_float": lambda _, given: f"must be a whole number, not {given}",
    "float_parsing": lambda _, given: f"must be a number, not {given}",
    "float_type": lambda _, given: f"must be a number, not {given}",
    "bool_parsing": lambda _, given: f"must be true or false, not {given}",
    "bool_type": lambda _, given: f"must be true or false, not {given}",
    "string_type": lambda _context, _given: "must be a string",
    "literal_error": lambda context, given: f"must be {context['expected']}, not {given}",
    "greater_than": lambda context, given: f"must be more than {context['gt']}, not {given}",
    "greater_than_equal": lambda context, given: f"must be at least {context['ge']}, not {given}",
    "less_than": lambda context, given: f"must be less than {context['lt']}, not {given}",
    "less_than_equal": lambda context, given: f"must be at most {context['le']}, not {given}",
    "string_pattern_mismatch": lambda _context, _given: "does not have the required form",
    "missing": lambda _context, _given: "is required",
    "value_error": lambda context, _: str(context["error"]),
}
_LONGEST_VALUE = 60


def validation_text(fault: Mapping[str, Any]) -> str:
    """Return one error of a `ValidationError` as the end of a sentence that names the field.

    Refused numbers, switches and choices are quoted, other values are not: they may be secrets.
    """
    write = _TEXTS.get(fault["type"])
    if write is None:
        return str(fault["msg"])
    given = repr(fault.get("input"))
    shown = given if len(given) <= _LONGEST_VALUE else f"{given[:_LONGEST_VALUE]}…"
    return write(fault.get("ctx", {}), shown)
