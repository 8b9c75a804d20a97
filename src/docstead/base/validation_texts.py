"""Messages for values that pydantic models or msgspec decoders reject."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

_Context = Mapping[str, Any]
_Writer = Callable[[_Context, object], str]

_LONGEST_VALUE = 60
_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "a boolean"),
    ((int, float), "a number"),
    (str, "a string"),
    ((list, tuple), "an array"),
    (Mapping, "an object"),
    (type(None), "null"),
)
_MOMENT = "2026-11-21T09:30:00Z"


def validation_text(error: Mapping[str, Any]) -> str:
    """Return one error of a `ValidationError`, to follow the name of the field.

    Rejected numbers, booleans and choices are quoted; other values may be secrets and are not.
    """
    write = _TEXTS.get(error["type"])
    return "is not valid" if write is None else write(error.get("ctx", {}), error.get("input"))


def decoding_text(error: Exception) -> str:
    """Return a msgspec error as a sentence that names the field, without values."""
    message, has_field, rest = str(error).rpartition(_AT_FIELD)
    location = rest.rstrip("`").replace("[...]", ".*") if has_field else ""
    field = _INDEX.sub(r".\1", location).lstrip(".")
    message = message or rest
    if found := _MISSING_FIELD.match(message):
        return f"{'.'.join(filter(None, (field, found[1])))} is required"
    for pattern, write in _DECODING_TEXTS:
        if found := pattern.match(message):
            return f"{field or 'the body'}: {write(found)}"
    return f"{field}: is not valid" if field else "the body is not valid JSON"


def _kind(given: object) -> str:
    return next((name for types, name in _KINDS if isinstance(given, types)), "another value")


def _quoted(given: object) -> str:
    """Return the beginning of a simple value, or the type of another."""
    if not isinstance(given, int | float | str):
        return _kind(given)
    text = str(given).lower() if isinstance(given, bool) else repr(given)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


def _expects(what: str, describe: Callable[[object], str] = _kind) -> _Writer:
    return lambda _, given: f"must be {what}, not {describe(given)}"


def _bound(words: str, name: str) -> _Writer:
    return lambda context, given: f"must be {words} {_number(context[name])}, not {_quoted(given)}"


def _length(words: str, name: str, noun: str) -> _Writer:
    return lambda context, _: f"must have {words} {_count(context[name], noun)}"


def _choice(name: str) -> _Writer:
    return lambda context, given: f"must be {context[name]}, not {_quoted(given)}"


def _says(text: str) -> _Writer:
    return lambda _context, _given: text


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _wrong_type(found: re.Match[str]) -> str:
    expected = " or ".join(_JSON_TYPES.get(each, each) for each in found[1].split(" | "))
    given = "a fraction" if found[2] == "float" else _JSON_TYPES.get(found[2], found[2])
    return f"must be {expected}, not {given}"


def _wrong_length(found: re.Match[str]) -> str:
    noun = "character" if found[1] == "str" else "item"
    return f"must have {_BOUNDS[found[2]]} {_count(int(found[3]), noun)}"


_WHOLE_NUMBER = _expects("a whole number", _quoted)
_NUMBER = _expects("a number", _quoted)
_BOOLEAN = _expects("true or false", _quoted)
_STRING = _expects("a string")
_ARRAY = _expects("an array")
_OBJECT = _expects("an object")
_DATE = _says(f"must be a date and time such as {_MOMENT}")

_TEXTS: Mapping[str, _Writer] = {
    "missing": _says("is required"),
    "extra_forbidden": _says("is not known; correct or remove it"),
    "none_required": _says("must be null or left out"),
    "int_parsing": _WHOLE_NUMBER,
    "int_type": _WHOLE_NUMBER,
    "int_from_float": _WHOLE_NUMBER,
    "int_parsing_size": _says("must be a whole number with fewer digits"),
    "float_parsing": _NUMBER,
    "float_type": _NUMBER,
    "finite_number": _says("must be a finite number"),
    "bool_parsing": _BOOLEAN,
    "bool_type": _BOOLEAN,
    "string_type": _STRING,
    "path_type": _STRING,
    "string_unicode": _says("must be valid Unicode"),
    "string_too_short": _length("at least", "min_length", "character"),
    "string_too_long": _length("at most", "max_length", "character"),
    "string_pattern_mismatch": lambda context, _: f"must match the pattern {context['pattern']}",
    "too_short": _length("at least", "min_length", "item"),
    "too_long": _length("at most", "max_length", "item"),
    "list_type": _ARRAY,
    "tuple_type": _ARRAY,
    "set_type": _ARRAY,
    "dict_type": _OBJECT,
    "mapping_type": _OBJECT,
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "literal_error": _choice("expected"),
    "enum": _choice("expected"),
    "greater_than": _bound("more than", "gt"),
    "greater_than_equal": _bound("at least", "ge"),
    "less_than": _bound("less than", "lt"),
    "less_than_equal": _bound("at most", "le"),
    "datetime_type": _DATE,
    "datetime_parsing": _DATE,
    "datetime_from_date_parsing": _DATE,
    "datetime_object_invalid": _DATE,
    "timezone_aware": _says(f"must have a time zone, such as {_MOMENT}"),
    "value_error": lambda context, _: str(context["error"]),
}

_AT_FIELD = " - at `$"
_INDEX = re.compile(r"\[(\d+)\]")
_MISSING_FIELD = re.compile(r"Object missing required field `([^`]*)`")
_BOUNDS = {">=": "at least", "<=": "at most", "": "exactly"}
_JSON_TYPES = {
    "str": "a string",
    "int": "a whole number",
    "float": "a number",
    "bool": "a boolean",
    "array": "an array",
    "object": "an object",
}
_DECODING_TEXTS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"Expected `([^`]*)`, got `([^`]*)`"), _wrong_type),
    (re.compile(r"Expected `(\w+)` of length ((?:>=|<=)?) ?(\d+)"), _wrong_length),
    (
        re.compile(r"Expected `\w+` (>=|<=) (\d+)"),
        lambda found: f"must be {_BOUNDS[found[1]]} {found[2]}",
    ),
    (re.compile(r"Invalid value"), lambda _: "is not one of the known values"),
)
