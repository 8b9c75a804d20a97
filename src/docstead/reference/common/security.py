"""Ways to authenticate, as fields of a page and as parts of a request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from docstead.content.reference_entries import MessageChannel, OpenApiOperation
from docstead.markup.content_words import ContentTexts
from docstead.reference.common.playground import Field, field
from docstead.reference.common.schemas import SchemaResolver
from docstead.reference.common.text import markdown, pill, section

_KEYS = ("apikey", "httpapikey")


def schemes_of(
    entry: OpenApiOperation | MessageChannel, schemas: SchemaResolver
) -> list[Mapping[str, Any]]:
    """The security schemes of every way to authenticate, each once."""
    known = entry.components.get("securitySchemes")
    schemes = known if isinstance(known, Mapping) else {}
    names = dict.fromkeys(name for way in entry.security for name in way)
    return [schemas.follow(schemes[name]) for name in names if name in schemes]


def authorization(schemes: Iterable[Mapping[str, Any]], words: ContentTexts) -> str:
    """The part of a page about ways to authenticate; "" without any.

    Ways that send the same header are one field with a note on each.
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
    """The name under which credentials are sent, and where."""
    if _is_key(scheme):
        return str(scheme.get("name", "key")), str(scheme.get("in", "header"))
    return str(scheme.get("x-name") or "Authorization"), "header"


def credential_fields(schemes: Iterable[Mapping[str, Any]]) -> list[Field]:
    """Return the fields of a playground, each header once: a request can send only one."""
    first: dict[tuple[str, str], Field] = {}
    for scheme in schemes:
        first.setdefault(scheme_location(scheme), _credential(scheme))
    return list(first.values())


def _credential(scheme: Mapping[str, Any]) -> Field:
    name, location = scheme_location(scheme)
    kind = "key" if _is_key(scheme) else "basic" if _is_basic(scheme) else "bearer"
    return field(name, location, required=True, scheme=kind)


def credentials(
    schemes: list[Mapping[str, Any]],
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Query parameters and headers that authenticate, by the first scheme."""
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
