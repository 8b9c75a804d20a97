"""Authentication as fields of a page and as parts of a request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from docstead.content.reference_entries import MessageChannel, OpenApiOperation
from docstead.markup.content_words import ContentTexts
from docstead.reference.common.playground import Field, field
from docstead.reference.common.schemas import SchemaResolver
from docstead.reference.common.text import markdown, pill, section

_KEYS = ("apikey", "httpapikey")
# OAuth flows of the playground, with the URLs that they need.
_FLOWS = {
    "authorizationCode": ("authorizationUrl", "tokenUrl"),
    "clientCredentials": ("tokenUrl",),
    "implicit": ("authorizationUrl",),
}
_MOST_SCOPES = 100
_WEB_URL = re.compile(r"https?://[^\s/]+\S*", re.IGNORECASE)


def schemes_of(
    entry: OpenApiOperation | MessageChannel, schemas: SchemaResolver
) -> list[Mapping[str, Any]]:
    """Return the distinct security schemes of all alternatives."""
    known = entry.components.get("securitySchemes")
    schemes = known if isinstance(known, Mapping) else {}
    names = dict.fromkeys(name for way in entry.security for name in way)
    return [schemas.follow(schemes[name]) for name in names if name in schemes]


def required_scopes(entry: OpenApiOperation | MessageChannel) -> list[str]:
    """Return the scopes that an operation requires, of all alternatives."""
    ways = (way for way in entry.security if isinstance(way, Mapping))
    lists = (each for way in ways for each in way.values() if isinstance(each, list))
    return list(dict.fromkeys(str(scope) for scopes in lists for scope in scopes))


def authorization(schemes: Iterable[Mapping[str, Any]], words: ContentTexts) -> str:
    """Return the section about authentication, or "".

    Schemes that use the same header are one field with a note on each.
    """
    notes: dict[tuple[str, str], dict[str, None]] = {}
    for scheme in schemes:
        note = markdown(scheme.get("description")) or markdown(_note(scheme, words))
        notes.setdefault(scheme_location(scheme), {})[note] = None
    fields = "".join(
        _field(name, location, "".join(known), words) for (name, location), known in notes.items()
    )
    return section("authorization", words.authorization, fields)


def _field(name: str, location: str, body: str, words: ContentTexts) -> str:
    return (
        f'<div class="ds-field field"><div class="ds-field-head"><span class="ds-field-name">'
        f"<code>{escape(name)}</code></span>{pill('type', 'string')}"
        f"{pill('place', escape(location))}{pill('required', words.required)}</div>"
        f'<div class="ds-field-body">{body}</div></div>'
    )


def _note(scheme: Mapping[str, Any], words: ContentTexts) -> str:
    """Return a note on the credential to send."""
    if _is_key(scheme):
        return words.key_note
    return words.basic_note if _is_basic(scheme) else words.bearer_note


def _is_key(scheme: Mapping[str, Any]) -> bool:
    return str(scheme.get("type", "")).lower() in _KEYS


def _is_basic(scheme: Mapping[str, Any]) -> bool:
    return str(scheme.get("scheme", "")).lower() == "basic"


def scheme_location(scheme: Mapping[str, Any]) -> tuple[str, str]:
    """Return name and location of a credential."""
    if _is_key(scheme):
        return str(scheme.get("name", "key")), str(scheme.get("in", "header"))
    return str(scheme.get("x-name") or "Authorization"), "header"


def credential_fields(
    schemes: Iterable[Mapping[str, Any]], scopes: Sequence[str] = ()
) -> list[Field]:
    """Return the fields of a playground, with each header once.

    `scopes` are those that the operation requires.
    """
    first: dict[tuple[str, str], Field] = {}
    for scheme in schemes:
        location = scheme_location(scheme)
        known = first.get(location)
        if known is None or (known["scheme"] == "bearer" and "oauth" not in known):
            first[location] = {**(known or _credential(scheme)), **_oauth(scheme, scopes)}
    return list(first.values())


def _credential(scheme: Mapping[str, Any]) -> Field:
    name, location = scheme_location(scheme)
    kind = "key" if _is_key(scheme) else "basic" if _is_basic(scheme) else "bearer"
    return field(name, location, required=True, scheme=kind)


def _oauth(scheme: Mapping[str, Any], scopes: Sequence[str]) -> Field:
    """Return the flows by which readers can get a token, or an empty object."""
    flows = scheme.get("flows") if str(scheme.get("type", "")).lower() == "oauth2" else None
    known = flows if isinstance(flows, Mapping) else {}
    found = [_flow(kind, known[kind], scopes) for kind in _FLOWS if _can_start(kind, known)]
    return {"oauth": found} if found else {}


def _can_start(kind: str, flows: Mapping[str, Any]) -> bool:
    flow = flows.get(kind)
    urls = (str(flow.get(name)) for name in _FLOWS[kind]) if isinstance(flow, Mapping) else ("",)
    return all(map(_WEB_URL.fullmatch, urls))


def _flow(kind: str, flow: Mapping[str, Any], requested: Sequence[str]) -> Field:
    urls = {name: flow[name] for name in _FLOWS[kind]}
    known = flow.get("scopes")
    scopes = list(known)[:_MOST_SCOPES] if isinstance(known, Mapping) else []
    return {"kind": kind, **urls, "scopes": scopes, "wanted": [s for s in scopes if s in requested]}


def credentials(
    schemes: list[Mapping[str, Any]],
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return query parameters and headers that authenticate with the first scheme."""
    if not schemes:
        return [], []
    scheme = schemes[0]
    name, location = scheme_location(scheme)
    if location == "query":
        return [(name, "<api-key>")], []
    if location == "cookie":
        return [], [("Cookie", f"{name}=<api-key>")]
    if _is_key(scheme):
        return [], [(name, "<api-key>")]
    return [], [(name, "Basic <credentials>" if _is_basic(scheme) else "Bearer <token>")]
