"""Data that the playground of an operation needs to send a request.

The description travels in an attribute of a button that stays hidden where no script runs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

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
    """`fields` as `field()` gives them; "" where there is no server to send anything to."""
    if not servers:
        return ""
    description = {
        "method": method,
        "path": path,
        "servers": list(servers),
        "fields": list(fields),
        "bodies": list(bodies),
    }
    return _button(label, description)


def socket_button(
    method: str,
    path: str,
    servers: Sequence[str],
    fields: Sequence[Field],
    messages: Sequence[Field],
    *,
    label: str,
) -> str:
    """Of a channel: `messages` are those that a reader can send, `{"kind": title, "text"}`.

    "" where no server speaks WebSocket, which is all that browsers do.
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
        f'<button type="button" class="ds-try"{mark} data-playground="{text}" hidden>'
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
    """One input. `scheme` is bearer, basic or key for credentials, "" for parameters."""
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
