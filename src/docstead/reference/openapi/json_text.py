"""Specifications written as JSON, with the limit of nesting that YAML has."""

from __future__ import annotations

import json
from itertools import chain
from typing import Any

from docstead.repository.yaml_text import DEPTH_LIMIT


def json_value(text: str) -> Any:
    """Return the value of a JSON text. Raises ValueError if it is none, or nested too deeply."""
    try:
        value = json.loads(text, parse_constant=_no_number)
        too_deep = _is_deeper(value, DEPTH_LIMIT)
    except RecursionError:
        too_deep = True
    if too_deep:  # what reads or pickles it would exceed the stack
        raise ValueError("nested too deeply")
    return value


def _is_deeper(value: Any, levels: int) -> bool:
    """Report whether containers are nested in more levels than this."""
    level = [value]
    for _ in range(levels + 1):
        nested = (each.values() if isinstance(each, dict) else each for each in level)
        level = [each for each in chain.from_iterable(nested) if isinstance(each, (dict, list))]
        if not level:
            return False
    return True


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")
