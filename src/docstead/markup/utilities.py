"""Style sheet of the utility classes in pages.

Classes such as `flex mt-4 md:grid-cols-2 dark:hidden` are compiled by Tailwind's own compiler, for
the names in use only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from py_mini_racer import MiniRacer

from docstead.base.units import MIB
from docstead.markup.assets import BuiltAssets

_CLASS = re.compile(r' class="([^"]+)"')
_LONGEST_NAME = 200
_MOST_NAMES = 20_000
_HEAP_BYTES = 256 * MIB
_SECONDS = 20.0


def class_names(html: str) -> tuple[str, ...]:
    """Return the sorted class names in the content of a page, without those of our components."""
    names = {name for value in set(_CLASS.findall(html)) for name in value.split()}
    return tuple(sorted(name.replace("&amp;", "&") for name in names if _is_authors(name)))


def _is_authors(name: str) -> bool:
    """Report whether a class is an author's; classes with URLs cannot be resolved."""
    return not name.startswith("ds-") and len(name) <= _LONGEST_NAME and "url(" not in name


def utility_css(names: Iterable[str]) -> str:
    """Return the rules of those names that are utility classes, or "".

    The result is reproducible.

    Raises:
        AssetsMissing: the engine is not built.
    """
    requested = sorted(set(names))[:_MOST_NAMES]
    if not requested:
        return ""
    source = BuiltAssets().read("utilities.js").decode()
    # The input are names, not code of pages; limits apply anyway.
    with MiniRacer() as racer:
        racer.set_hard_memory_limit(_HEAP_BYTES)
        racer.eval(source)
        compiled: Any = racer.eval("utilities")
        css = compiled(json.dumps(requested)).get(timeout=_SECONDS)
    return css if "{" in css else ""
