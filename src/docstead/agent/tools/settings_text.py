"""`docs.json` or the older `mint.json` as text that is edited in place.

Content included by `$ref` is edited in its own file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from docstead.agent.tools.json_spans import (
    JsonSpan,
    append_member,
    insert_item,
    most_values,
    read,
    remove_items,
    replace_texts,
    replace_value,
)
from docstead.agent.tools.locations import check_writable
from docstead.agent.workspace.diffs import text_diff
from docstead.agent.workspace.files import PathRefused, WorkspaceFiles
from docstead.repository.json_text import JsonError
from docstead.repository.positions import FilePosition
from docstead.repository.references import CHAIN_LIMIT, referenced_path
from docstead.repository.settings_file import LEGACY_SETTINGS, SETTINGS

VALUE_LIMIT = 500_000  # of all settings files
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class SettingsPart:
    """A value of the settings, with its file and position."""

    file: str
    span: JsonSpan

    @property
    def text(self) -> str | None:
        return self.span.text


class SettingsText:
    """Settings files, read on demand and written together."""

    def __init__(self, files: WorkspaceFiles) -> None:
        self._files = files
        self._texts: dict[str, str] = {}
        self._before: dict[str, str] = {}
        self._spans: dict[str, JsonSpan] = {}
        names = (name for name in (SETTINGS, LEGACY_SETTINGS) if files.kind(name) == "file")
        self.file = next(names, SETTINGS)

    @property
    def root(self) -> SettingsPart:
        return self.resolved(SettingsPart(self.file, self._span(self.file)))

    def resolved(self, part: SettingsPart) -> SettingsPart:
        """Return the target of a part that is only a `$ref`."""
        for _ in range(CHAIN_LIMIT):
            if (target := self._target(part)) is None or target.span.members is not None:
                return part
            part = target
        return part

    def get(self, part: SettingsPart, key: str) -> SettingsPart | None:
        """Return the value of a key; siblings of a `$ref` take precedence over its content."""
        for _ in range(CHAIN_LIMIT):
            if (value := part.span.get(key)) is not None:
                return self.resolved(SettingsPart(part.file, value))
            target = self._target(part)
            if target is None:
                return None
            part = target
        return None

    def items(self, part: SettingsPart) -> Iterator[SettingsPart]:
        for item in part.span.items or ():
            yield SettingsPart(part.file, item)

    def insert(self, array: SettingsPart, index: int, value: Any) -> None:
        self._put(array.file, insert_item(self._text(array.file), array.span, index, value))

    def remove(self, array: SettingsPart, *indexes: int) -> None:
        self._put(array.file, remove_items(self._text(array.file), array.span, indexes))

    def replace(self, part: SettingsPart, value: Any) -> None:
        self._put(part.file, replace_value(self._text(part.file), part.span, value))

    def replace_all(self, values: Iterable[tuple[SettingsPart, str]]) -> None:
        """Replace many strings at once, so that positions stay valid."""
        by_file: dict[str, list[tuple[JsonSpan, str]]] = defaultdict(list)
        for part, value in values:
            by_file[part.file].append((part.span, value))
        for file, changes in by_file.items():
            self._put(file, replace_texts(self._text(file), changes))

    def append_key(self, holder: SettingsPart, key: str, value: Any) -> None:
        self._put(holder.file, append_member(self._text(holder.file), holder.span, key, value))

    def source(self, part: SettingsPart) -> str:
        """Return a part as written."""
        return self._text(part.file)[part.span.start : part.span.end]

    def save(self) -> tuple[tuple[str, ...], str]:
        """Write the changes; return the paths and the unified diff."""
        changed = [file for file, text in self._texts.items() if text != self._before[file]]
        for file in changed:
            check_writable(file)
            self._files.write(file, self._texts[file])
        diff = "".join(text_diff(f, self._before[f], self._texts[f]) for f in changed)
        return tuple(sorted(changed)), diff

    def _put(self, file: str, text: str) -> None:
        self._spans.pop(file, None)
        self._texts[file] = (_BOM if self._texts[file].startswith(_BOM) else "") + text

    def _text(self, file: str) -> str:
        if file not in self._texts:
            self._texts[file] = self._before[file] = self._files.text(file)
        return self._texts[file].removeprefix(_BOM)

    def _span(self, file: str) -> JsonSpan:
        if file not in self._spans:
            text = self._text(file)
            if sum(map(most_values, self._texts.values())) > VALUE_LIMIT:
                raise PathRefused(f"{file}: the settings have over {VALUE_LIMIT:,} values")
            try:
                self._spans[file] = read(text, file)
            except JsonError as error:
                raise PathRefused(
                    f"{error.position}: {error.message}; correct that first"
                ) from None
        return self._spans[file]

    def _target(self, part: SettingsPart) -> SettingsPart | None:
        reference = part.span.get("$ref") if part.span.members is not None else None
        if reference is None:
            return None
        try:
            file = referenced_path(reference.text, part.file, FilePosition(part.file))
        except JsonError as error:
            raise PathRefused(f"{error.position}: {error.message}; correct that first") from None
        return SettingsPart(file, self._span(file))
