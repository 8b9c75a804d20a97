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
#: Variables of the theme "css-variables", and our classes of tokens that they color.
_VARIABLES = {
    "keyword": "k",
    "string": "s",
    "comment": "c",
    "constant": "m",
    "function": "f",
    "parameter": "v",
    "punctuation": "p",
    "link": "a",
}


def code_look_css(config: SiteConfig) -> str:
    """ "" where code follows the page."""
    chosen = config.styling.get("codeblocks")
    if isinstance(chosen, Mapping):
        chosen = chosen.get("theme", chosen)
    if chosen == "css-variables":
        return _named_by_the_site()
    both = chosen if isinstance(chosen, Mapping) else {"light": chosen, "dark": chosen}
    looks = {_is_light(both.get("light")), _is_light(both.get("dark"))}
    is_light = looks.pop()
    if looks or is_light is None:
        return ""
    pages, tokens = color_variables(config.colors, config.background), token_variables()
    scheme, at = ("light", 0) if is_light else ("dark", 1)
    rules = f"color-scheme:{scheme};color:var(--ds-fg);{pages[at]}{tokens[at]}"
    return f"@media screen{{:is(.ds-code,.ds-code-group){{{rules}}}}}\n"


def _named_by_the_site() -> str:
    """Return rules for colors that the site sets in variables of Shiki or of the original."""
    tokens = "".join(
        f".ds-code .{token}{{color:{_token(name, token)}}}" for name, token in _VARIABLES.items()
    )
    back = _variable("", "background", "var(--ds-code-bg)", "color-")
    fore = _variable("", "foreground", "var(--mint-color-text,inherit)")
    return f":is(.ds-code,.ds-code-group){{background:{back};color:{fore}}}\n{tokens}\n"


def _token(name: str, token: str) -> str:
    otherwise = f"var(--ds-code-{token})"
    if name == "string":  # templates have a color of their own in Shiki, and none in ours
        otherwise = _variable("token", "string-expression", otherwise)
    return _variable("token", name, otherwise)


def _variable(group: str, name: str, otherwise: str, original: str = "") -> str:
    """`var(--shiki-token-keyword,var(--mint-token-keyword,…))`."""
    full = f"{group}-{name}" if group else name
    return f"var(--shiki-{full},var(--mint-{original}{full},{otherwise}))"


def _is_light(theme: object) -> bool | None:
    """None for what is no theme, and for those that follow the page."""
    if not isinstance(theme, str) or theme in _FOLLOWING:
        return None
    return bool(_LIGHT.search(theme))
