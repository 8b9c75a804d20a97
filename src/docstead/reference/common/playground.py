"""Data for the playground of an operation.

It is stored in an attribute of a button that stays hidden without scripts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from itertools import islice
from typing import Any

from docstead.reference.common.schemas import ResolvedSchema, SchemaResolver, visible

_MOST_HINTED = 100  # values of a body that are examined
_MOST_CHOICES = 40
_HINT_DEPTH = 4

Field = Mapping[str, Any]


def playground_button(
    method: str,
    path: str,
    servers: Sequence[str],
    fields: Sequence[Field],
    bodies: Sequence[Field],
    *,
    label: str,
) -> str:
    """Return the button with `fields` from `field()`, or "" without servers."""
    if not servers:
        return ""
    description = {
        "method": method,
        "path": path,
        "servers": list(servers),
        "fields": list(fields),
        "bodies": list(bodies),
    }
    has_oauth = any("oauth" in each for each in fields)
    return _button(label, description, " data-oauth" if has_oauth else "")


def socket_button(
    method: str,
    path: str,
    servers: Sequence[str],
    fields: Sequence[Field],
    messages: Sequence[Field],
    *,
    label: str,
) -> str:
    """Return the button of a channel: `messages` are those that a reader can send.

    Returns "" without a WebSocket server, because browsers support no other protocol.
    """
    reached = [each for each in servers if each.lower().startswith(("ws://", "wss://"))]
    if not reached:
        return ""
    description = {
        "method": method,
        "path": path,
        "servers": reached,
        "fields": list(fields),
        "bodies": list(messages),
        "socket": True,
    }
    return _button(label, description, " data-socket")


def _button(label: str, description: Mapping[str, Any], mark: str = "") -> str:
    text = escape(json.dumps(description, ensure_ascii=False, separators=(",", ":")))
    return (
        f'<button type="button" class="ds-try tryit-button"{mark} data-playground="{text}" hidden>'
        f"{label}</button>"
    )


def field(
    name: str,
    position: str,
    *,
    required: bool,
    kind: str = "string",
    choices: Sequence[Any] = (),
    value: str = "",
    placeholder: str = "",
    scheme: str = "",
) -> Field:
    """Return an input. `scheme` is bearer, basic or key for credentials, "" for parameters."""
    given = {
        "name": name,
        "in": position,
        "required": required,
        "kind": kind,
        "choices": list(choices),
        "value": value,
        "placeholder": placeholder,
        "scheme": scheme,
    }
    return {key: each for key, each in given.items() if each not in ("", [], False)}


def body_example(kind: str, text: str, title: str, hints: Field) -> Field:
    """Return the initial text of a body; `hints` come from `value_hints`."""
    given = {"kind": kind, "text": text, "title": title, "hints": hints}
    return {key: each for key, each in given.items() if each or key == "text"}


def value_hints(shape: ResolvedSchema, schemas: SchemaResolver) -> Field:
    """Return required values and choices by path; `*` is an item of a list."""
    hints: dict[str, Any] = {}
    waiting = [("", shape, False, 0)]
    for path, inner, required, depth in waiting:  # it grows during the loop
        choices = [each for each in inner.enum if isinstance(each, str | int | float)]
        hint = {"required": required, "choices": choices[:_MOST_CHOICES]}
        if path and (said := {key: each for key, each in hint.items() if each}):
            hints[path] = said
        left = _MOST_HINTED - len(waiting)
        if inner.circular or depth >= _HINT_DEPTH or left <= 0:
            continue
        if "array" in inner.types:
            waiting.append((_below(path, "*"), schemas.items(inner), False, depth + 1))
        else:
            waiting += [
                (_below(path, name), each, name in inner.required, depth + 1)
                for name, each in islice(visible(inner, request=True, schemas=schemas), left)
            ]
    return hints


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
