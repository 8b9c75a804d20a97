"""Reader of custom grammars in `docs.json` (`styling.codeblocks.languages.custom`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from docstead.content.config import SiteConfig
from docstead.content.grammars import Grammar
from docstead.content.setting_keys import declared, key_of
from docstead.content.style_settings import CodeBlockSettings, CodeLanguageKeys, StylingSettings
from docstead.repository.json_fields import ObjectReader
from docstead.repository.json_text import JsonObject
from docstead.repository.positions import Diagnostics, FilePosition
from docstead.repository.sources import SourceFiles

_CUSTOM = key_of(declared(CodeLanguageKeys).custom)
_MOST = 50
_HINT = 'Name the path of a file from the root: "grammars/flow.tmLanguage.json".'


def read_grammars(
    settings: ObjectReader, sources: SourceFiles, diagnostics: Diagnostics
) -> tuple[Grammar, ...]:
    """Return the valid grammars; invalid ones are reported."""
    languages = _languages(settings)
    if languages is None:
        return ()
    paths = languages.array(_CUSTOM)
    found = []
    for index, path in enumerate(paths[:_MOST]):
        reader = _GrammarsReader(sources, diagnostics, paths.position(index))
        if grammar := reader.read(path):
            found.append(grammar)
    if len(paths) > _MOST:
        message = f"{languages.name(_CUSTOM)} names more than {_MOST} grammars"
        diagnostics.warning(paths.position(_MOST), "too-many-grammars", message, "Leave some out.")
    return tuple(found)


def _languages(settings: ObjectReader) -> ObjectReader | None:
    """Return the languages; `codeblocks` may also be the name of a theme."""
    *objects, languages = map(
        key_of,
        (
            declared(SiteConfig).styling,
            declared(StylingSettings).codeblocks,
            declared(CodeBlockSettings).languages,
        ),
    )
    for key in objects:
        if not isinstance(settings.values.get(key), JsonObject):
            return None
        settings = settings.child(key)
    return settings.child(languages) if languages in settings.values else None


class _GrammarsReader:
    """Reads a grammar; `position` is that of its path in the settings."""

    def __init__(
        self, sources: SourceFiles, diagnostics: Diagnostics, position: FilePosition
    ) -> None:
        self._sources = sources
        self._diagnostics = diagnostics
        self._position = position

    def read(self, path: object) -> Grammar | None:
        if not isinstance(path, str):
            self._warn(self._position, "a grammar is named by the path of its file", _HINT)
            return None
        file = path.removeprefix("./").lstrip("/")
        if not self._sources.exists(file):
            self._warn(self._position, f"there is no grammar {path!r}", _HINT)
            return None
        text = self._sources.text(file)
        return None if text is None else self._grammar(file, text)

    def _grammar(self, file: str, text: str) -> Grammar | None:
        try:
            value = json.loads(text, parse_constant=_no_constant)
        except json.JSONDecodeError as error:
            position = FilePosition(file, error.lineno, error.colno)
            self._warn(position, f"the grammar is not JSON: {error.msg}", "Convert it to JSON.")
            return None
        except (ArithmeticError, RecursionError, ValueError):
            value = None
        if not _is_grammar(value):
            message = 'a grammar is an object with a "scopeName" and "patterns"'
            self._warn(FilePosition(file, 1, 1), message, "Name the file of a TextMate grammar.")
            return None
        return Grammar(file, tuple(dict.fromkeys(_names(file, value))), value["scopeName"], text)

    def _warn(self, position: FilePosition, message: str, hint: str) -> None:
        self._diagnostics.warning(position, "unusable-grammar", f"{message}; it was left out", hint)


def _no_constant(name: str) -> None:
    """Reject NaN and infinities, which are not JSON."""
    raise ValueError(name)


def _is_grammar(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("scopeName"), str)
        and isinstance(value.get("patterns"), list)
    )


def _names(file: str, grammar: dict[str, Any]) -> Iterator[str]:
    """Yield a grammar's name, its aliases, and the name of its file."""
    aliases = grammar.get("aliases")
    listed = aliases if isinstance(aliases, list) else []
    for name in (grammar.get("name"), *listed, file.rpartition("/")[2].partition(".")[0]):
        if isinstance(name, str) and (clean := name.strip().lower()):
            yield clean
