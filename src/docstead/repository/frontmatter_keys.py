"""Keys of frontmatter, and diagnostics of those that are probably misspelled.

Pages may have custom keys, so most unknown keys are not mistakes.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from docstead.content.pages import PageMeta
from docstead.content.setting_keys import setting, setting_fields
from docstead.repository.frontmatter import SourceDocument
from docstead.repository.positions import Diagnostics


@dataclass(frozen=True)
class OtherKeys:
    """Keys that other parts read: reference pages, and meta tags of the page."""

    openapi: str = setting(
        "",
        "operation or webhook of an OpenAPI file: `POST /users`, `specs/users.json POST /users`, "
        "`webhook userAdded`",
    )
    openapi_schema: str = setting("", "schema of an OpenAPI file: `User`", key="openapi-schema")
    asyncapi: str = setting("", "channel of an AsyncAPI file: `live.yaml chat`")
    auth_method: str = setting("", "`bearer`, `basic`, `key` or `none`, for `api`")
    sdk: str = setting(
        "",
        "[symbol of a library](/guides/sdk-pages#one-symbol-on-a-page-of-your-own)",
        type="string or object",
    )
    robots: str = setting("", "robots meta tag; `noindex` also removes the page from the sitemap")
    author: str = setting("", "meta tag")


HOLDERS = (PageMeta, OtherKeys)  # classes that declare the keys
KEYS = frozenset(each.path[0] for holder in HOLDERS for each in setting_fields(holder))
_LENGTHS = range(6, 40)  # shorter words are similar by chance
_ALIKE = 0.9


def check_keys(document: SourceDocument, diagnostics: Diagnostics) -> None:
    """Report each key that resembles a known one that the page lacks."""
    for key in document.fields:
        near = None if key in KEYS else meant_key(str(key))
        if near and near not in document.fields:
            message = f"the key {key!r} is not known and has no effect"
            hint = f"Did you mean {near!r}?"
            diagnostics.info(document.position(str(key)), "unknown-key", message, hint)


@lru_cache(maxsize=1_024)
def meant_key(key: str) -> str | None:
    """Return the known key that an unknown one probably means."""
    plain = _plain(key)
    if found := _PLAIN.get(plain):
        return found
    near = get_close_matches(plain, _LONG, 1, _ALIKE) if len(plain) in _LENGTHS else ()
    return _PLAIN[near[0]] if near and near[0] != plain.removesuffix("s") else None


def _plain(key: str) -> str:
    return key.lower().replace("-", "").replace("_", "").replace(" ", "")


_PLAIN = {_plain(key): key for key in KEYS}
_LONG = sorted(key for key in _PLAIN if len(key) in _LENGTHS)
