"""Parts of a page that many pages share, rendered once for the same arguments."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from docstead.theme.searching import SearchView

_REMEMBERED = 256
_VALUES = (str, bool, type(None), SearchView)


class RepeatedParts:
    """HTML of macros by their arguments, which are compared by value or identity."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], tuple[tuple[Any, ...], Markup]] = {}

    def __call__(self, macro: Any, *values: Any) -> Markup:
        """Return the HTML of a macro for these arguments, which never change."""
        key = (macro.name, *(v if isinstance(v, _VALUES) else id(v) for v in values))
        if (known := self._known.get(key)) is not None:
            return known[1]
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        html = Markup(macro(*values))  # noqa: S704 - from a template
        self._known[key] = (values, html)  # an identity is of no other value while it is kept
        return html
