"""Highlighting with a repository's own TextMate grammars.

Their patterns are for Oniguruma, which Python's `re` does not support: they run in a separate V8
context that is created for the first such block. A grammar whose patterns time out is disabled.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Self

from py_mini_racer import JSEvalException, JSOOMException, JSTimeoutException, MiniRacer

from docstead.base.decoders import json_decoder
from docstead.base.units import MIB
from docstead.content.grammars import Grammar
from docstead.markup.assets import BuiltAssets

Pieces = list[tuple[str, str]]  # the class of a token, or "", and its text

_FAILURES = (JSEvalException, JSOOMException, JSTimeoutException)
_HEAP_BYTES = 64 * MIB
_PATIENCE_SECONDS = 8.0  # seconds that failing grammars may take, within the host's timeout
_LEAST_SECONDS = 0.5  # with less time left, no block is started
_FIRST_SHARE = 0.75  # for the first block of a language, which compiles its patterns
_SHARE = 0.25  # for each of the others
_LINES = json_decoder(list[list[tuple[str, str]]])
# Prefixes of scopes, the longest match wins; later scopes of a token are more specific.
_CLASSES = {
    "comment": "c",
    "constant": "m",
    "entity.name.class": "t",
    "entity.name.function": "f",
    "entity.name.namespace": "t",
    "entity.name.section": "k",
    "entity.name.tag": "g",
    "entity.name.type": "t",
    "entity.other.attribute-name": "a",
    "entity.other.inherited-class": "t",
    "invalid": "gd",
    "keyword": "k",
    "keyword.operator": "",
    "keyword.operator.word": "k",
    "markup.bold": "gs",
    "markup.deleted": "gd",
    "markup.heading": "k",
    "markup.inserted": "gi",
    "markup.italic": "ge",
    "markup.raw": "s",
    "meta.template.expression": "v",
    "punctuation.definition.comment": "c",
    "punctuation.definition.string": "s",
    "storage": "k",
    "storage.type": "k",
    "string": "s",
    "support.class": "t",
    "support.constant": "m",
    "support.function": "b",
    "support.type": "t",
    "support.type.property-name": "a",
    "support.variable": "v",
    "variable": "v",
    "variable.other": "",
    "variable.parameter": "",
}


class SiteGrammars:
    """Grammars of one site."""

    def __init__(self, grammars: Sequence[Grammar], *, patience: float = _PATIENCE_SECONDS) -> None:
        """Create the grammars; `patience` is the total limit of seconds for failing ones."""
        self._scopes = {name: each.scope for each in grammars for name in each.names}
        self._sources = [each.source for each in grammars]
        self._known: set[str] = set()  # scopes that have highlighted a block
        self._given_up: set[str] = set()
        self._patience = self._left = patience
        self._racer: MiniRacer | None = None
        self._read: Any = None

    def lines(self, code: str, language: str) -> list[Pieces] | None:
        """Return the pieces of each line; None without a grammar, or if it failed."""
        scope = self._scopes.get(language)
        if scope is None or self._is_given_up(scope):
            return None
        seconds = self._patience * (_SHARE if scope in self._known else _FIRST_SHARE)
        begun = time.monotonic()
        try:
            if self._racer is None:
                self._open()
            text = self._read(scope, code, timeout_sec=min(seconds, self._left))
        except _FAILURES:
            self._given_up.add(scope)
            self._left -= time.monotonic() - begun
            return None
        self._known.add(scope)
        return [_merged(line) for line in _LINES.decode(text)]

    def has_given_up(self, language: str) -> bool:
        """Report whether the language's grammar was disabled."""
        scope = self._scopes.get(language.strip().lower())
        return scope is not None and self._is_given_up(scope)

    def _is_given_up(self, scope: str) -> bool:
        return scope in self._given_up or self._left < _LEAST_SECONDS

    def close(self) -> None:
        """Free the context, without which the interpreter could not exit."""
        if self._racer is None:
            return
        if self._given_up:  # aborted calls report this a moment later
            with suppress(*_FAILURES):
                self._racer.eval("0", timeout_sec=_LEAST_SECONDS)
        self._racer.close()
        self._racer = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> None:
        self._racer = racer = MiniRacer()
        racer.set_hard_memory_limit(_HEAP_BYTES)
        racer.eval(BuiltAssets().read("grammars.js").decode())
        learn: Any = racer.eval("grammars.learn")
        learn(f"[{','.join(self._sources)}]")
        self._read = racer.eval("grammars.read")


def _merged(line: Pieces) -> Pieces:
    """Merge adjacent pieces of a class; whitespace joins the preceding piece."""
    merged: Pieces = []
    for scopes, text in line:
        name = _class_of(scopes)
        if merged and (name == merged[-1][0] or text.isspace()):
            merged[-1] = (merged[-1][0], merged[-1][1] + text)
        elif text:
            merged.append((name, text))
    return merged


@lru_cache(maxsize=1_024)
def _class_of(scopes: str) -> str:
    """Return the class of the innermost known scope; the first is the language itself."""
    for scope in reversed(scopes.split(" ")[1:]):
        parts = scope.split(".")
        for end in range(len(parts), 0, -1):
            name = _CLASSES.get(".".join(parts[:end]))
            if name is not None:
                return name
    return ""
