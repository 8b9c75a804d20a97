"""Code blocks that keep to light or dark colours, whatever the page has (docs.json, section 4).

Only the names of highlighting themes are known: each is a light or a dark one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from docstead.content.config import SiteConfig
from docstead.site.highlight_css import token_variables
from docstead.site.shell.colors import color_variables

_LIGHT = re.compile(r"light|latte|dawn|lotus|min-white|day\b", re.IGNORECASE)
_FOLLOWING = ("system", "css-variables")


def code_look_css(config: SiteConfig) -> str:
    """ "" where code follows the page."""
    chosen = config.styling.get("codeblocks")
    if isinstance(chosen, Mapping):
        chosen = chosen.get("theme", chosen)
    both = chosen if isinstance(chosen, Mapping) else {"light": chosen, "dark": chosen}
    looks = {_is_light(both.get("light")), _is_light(both.get("dark"))}
    is_light = looks.pop()
    if looks or is_light is None:
        return ""
    pages, tokens = color_variables(config.colors, config.background), token_variables()
    scheme, at = ("light", 0) if is_light else ("dark", 1)
    rules = f"color-scheme:{scheme};color:var(--ds-fg);{pages[at]}{tokens[at]}"
    return f"@media screen{{:is(.ds-code,.ds-code-group){{{rules}}}}}\n"


def _is_light(theme: object) -> bool | None:
    """None for what is no theme, and for those that follow the page."""
    if not isinstance(theme, str) or theme in _FOLLOWING:
        return None
    return bool(_LIGHT.search(theme))
