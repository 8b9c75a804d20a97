"""URLs of servers in OpenAPI and AsyncAPI files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

_VARIABLE = re.compile(r"\{([^{}]+)\}")


def with_defaults(url: str, variables: Iterable[tuple[str, Mapping[str, Any]]]) -> str:
    """Replace `{variable}` with its default, in one pass."""
    defaults = {name: str(variable.get("default", "")) for name, variable in variables}
    return _VARIABLE.sub(lambda found: defaults.get(found[1], found[0]), url)
