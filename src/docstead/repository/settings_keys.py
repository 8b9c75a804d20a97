"""Diagnostics of keys and options of `docs.json` without effect.

A key that is silently ignored appears to work.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from typing import Any

from docstead.content.config import LanguageSettings, SiteConfig
from docstead.content.navigation import DIVISIONS, NavNode, NodeKeys, NodeKind, SdkKeys
from docstead.content.setting_keys import declared, key_of, keys_by_object
from docstead.content.written_settings import ContextualKeys, WrittenSettings
from docstead.repository.json_text import JsonArray, JsonObject
from docstead.repository.positions import Diagnostics, FilePosition

#: Keys of a node that contain navigation nodes only.
_INSIDE = frozenset(
    {*DIVISIONS, key_of(declared(NodeKeys).pages), key_of(declared(NodeKeys).everywhere)}
)
_FOR_EDITORS = "$schema"
_OPTION_NAMES = (
    "assistant copy view download-pdf download-spec chatgpt claude perplexity grok aistudio "
    "devin mcp add-mcp cursor vscode"
)
_OPTIONS = frozenset(_OPTION_NAMES.split())
_LEAVE_OUT = "Remove it, or leave it for other tools."


@cache
def node_keys() -> frozenset[str]:
    """Return the keys of a navigation node."""
    names = frozenset(kind.value for kind in NodeKind if kind is not NodeKind.PAGE)
    keys = (keys_by_object(holder)[""] for holder in (NavNode, NodeKeys, LanguageSettings))
    return names.union(DIVISIONS, *keys)


def check_keys(settings: JsonObject, diagnostics: Diagnostics) -> None:
    """Report unknown keys, and values without effect."""
    _check(settings, "", set(), diagnostics)
    _check_options(settings.get(key_of(declared(WrittenSettings).contextual)), diagnostics)


def _check(value: JsonObject, path: str, reported: set[str], diagnostics: Diagnostics) -> None:
    """Check a value; `reported` are navigation keys that are reported once for all nodes."""
    in_navigation = path.partition(".")[0] == "navigation"
    known = node_keys() if in_navigation else _known(path)
    if known is None:
        return
    for key, child in value.items():
        if key not in known and not (in_navigation and key in reported):
            _unknown(value.position(key), f"{path}.{key}" if path else key, known, diagnostics)
            reported.add(key)
        elif in_navigation and key == key_of(declared(NodeKeys).sdk):
            for each in _objects(child):
                _check_plain(each, f"{path}.{key}", diagnostics)
        elif not in_navigation or key in _INSIDE:
            for each in _objects(child):
                _check(each, f"{path}.{key}" if path else key, reported, diagnostics)


def _known(path: str) -> frozenset[str] | None:
    known = keys_by_object(SiteConfig).get(path)
    return known if path or known is None else known | {_FOR_EDITORS}


def _check_plain(value: JsonObject, path: str, diagnostics: Diagnostics) -> None:
    known = keys_by_object(SdkKeys)[""]
    for key in value:
        if key not in known:
            _unknown(value.position(key), f"{path}.{key}", known, diagnostics)


def _objects(value: Any) -> list[JsonObject]:
    if isinstance(value, JsonObject):
        return [value]
    listed = value if isinstance(value, JsonArray) else ()
    return [each for each in listed if isinstance(each, JsonObject)]


def _unknown(
    position: FilePosition, name: str, known: frozenset[str], diagnostics: Diagnostics
) -> None:
    near = get_close_matches(name.rpartition(".")[2], sorted(known), 1)
    hint = f"Did you mean {near[0]!r}?" if near else _LEAVE_OUT
    message = f"the key {name!r} is not known and has no effect"
    diagnostics.info(position, "unknown-key", message, hint)


def _without_effect(
    position: FilePosition, name: str, reason: str, diagnostics: Diagnostics
) -> None:
    diagnostics.info(position, "without-effect", f"{name} has no effect: {reason}", _LEAVE_OUT)


def _check_options(value: Any, diagnostics: Diagnostics) -> None:
    options = (
        value.get(key_of(declared(ContextualKeys).options))
        if isinstance(value, JsonObject)
        else None
    )
    if not isinstance(options, JsonArray):
        return
    for index, option in enumerate(options):
        if isinstance(option, str) and option not in _OPTIONS:
            name = f"contextual.options: {option!r}"
            reason = f"it must be one of {', '.join(sorted(_OPTIONS))}"
            _without_effect(options.position(index), name, reason, diagnostics)
