"""Ways to authenticate, as fields of a page and as parts of a request."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from docstead.content.pages import Operation
from docstead.site.api_playground import Field, field
from docstead.site.api_schemas import Schemas
from docstead.site.api_text import markdown, pill

_KEYS = ("apikey", "httpapikey")


def schemes_of(operation: Operation, schemas: Schemas) -> list[Mapping[str, Any]]:
    """The security schemes of every way to authenticate, each once."""
    known = operation.components.get("securitySchemes")
    schemes = known if isinstance(known, Mapping) else {}
    names = dict.fromkeys(name for way in operation.security for name in way)
    return [schemas.follow(schemes[name]) for name in names if name in schemes]


def scheme_html(scheme: Mapping[str, Any]) -> str:
    name, place, about = scheme_words(scheme)
    body = markdown(scheme.get("description")) or markdown(about)
    return (
        f'<div class="ds-field field"><div class="ds-field-head"><span class="ds-field-name">'
        f"<code>{escape(name)}</code></span>{pill('type', 'string')}{pill('place', escape(place))}"
        f'{pill("required", "required")}</div><div class="ds-field-body">{body}</div></div>'
    )


def scheme_words(scheme: Mapping[str, Any]) -> tuple[str, str, str]:
    """Name, place and explanation of a way to authenticate."""
    kind = str(scheme.get("type", "")).lower()
    if kind in _KEYS:
        return str(scheme.get("name", "key")), str(scheme.get("in", "header")), "Your API key."
    if str(scheme.get("scheme", "")).lower() == "basic":
        about = "`Basic` and the Base64 of `username:password`."
        return str(scheme.get("x-name") or "Authorization"), "header", about
    name = str(scheme.get("x-name") or "Authorization")
    return name, "header", "`Bearer <token>`, where `<token>` is your access token."


def credential(scheme: Mapping[str, Any]) -> Field:
    name, place, _ = scheme_words(scheme)
    is_key = str(scheme.get("type", "")).lower() in _KEYS
    is_basic = str(scheme.get("scheme", "")).lower() == "basic"
    kind = "key" if is_key else "basic" if is_basic else "bearer"
    return field(name, place, required=True, scheme=kind)


def credentials(
    schemes: list[Mapping[str, Any]],
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Query parameters and headers that authenticate, by the first scheme."""
    if not schemes:
        return [], []
    scheme = schemes[0]
    name, place, _ = scheme_words(scheme)
    if place == "query":
        return [(name, "<api-key>")], []
    if place == "cookie":
        return [], [("Cookie", f"{name}=<api-key>")]
    if str(scheme.get("type", "")).lower() in _KEYS:
        return [], [(name, "<api-key>")]
    basic = str(scheme.get("scheme", "")).lower() == "basic"
    return [], [(name, "Basic <credentials>" if basic else "Bearer <token>")]
