"""Reader of `answers.yaml`, at the root of the documentation or in `.docs/`.

The file is a list of entries with `question`, `facts` and `pages`; the last two may be a string or
a list. Links out of the repository are not followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from docstead.repository.assistant_notes_reader import FOLDER
from docstead.repository.positions import Diagnostics, FilePosition
from docstead.repository.sources import EXPECTED_ANSWERS, plain_lines
from docstead.repository.yaml_text import YamlError, compose

FILES = (EXPECTED_ANSWERS, f"{FOLDER}/{EXPECTED_ANSWERS}")
MOST_ENTRIES = 500
MOST_TEXTS = 20  # facts or pages per entry
MOST_CHARACTERS = 1_000  # characters per string
_LARGEST_BYTES = 1_000_000
_KEYS = ("question", "facts", "pages")
_FORM = "Write a list of entries with `question`, `facts` and `pages`."


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A string of the file with its position."""

    text: str
    position: FilePosition


@dataclass(frozen=True, slots=True)
class ExpectedAnswer:
    """An entry: facts that a good answer contains, and its source pages."""

    question: PlacedText
    facts: tuple[PlacedText, ...]
    pages: tuple[PlacedText, ...]


def read_expected_answers(root: Path, diagnostics: Diagnostics) -> tuple[ExpectedAnswer, ...]:
    """Return the valid entries of the file; invalid ones become diagnostics."""
    root = root.resolve()
    for name in FILES:
        path = root / name
        if path.is_file() and path.resolve().is_relative_to(root):
            return tuple(_AnswersFileReader(name, diagnostics).read(path))
    return ()


class _AnswersFileReader:
    def __init__(self, file: str, diagnostics: Diagnostics) -> None:
        self._file = file
        self._diagnostics = diagnostics

    def read(self, path: Path) -> Iterator[ExpectedAnswer]:
        with path.open("rb") as stream:
            data = stream.read(_LARGEST_BYTES + 1)
        if len(data) > _LARGEST_BYTES:
            self._limit(
                FilePosition(self._file, 1, 1), "the file is larger than 1 MB and is not read"
            )
            return
        entries = self._entries(plain_lines(data.decode("utf-8-sig", errors="replace")))
        for node in self._first(entries, MOST_ENTRIES, "entries"):
            if entry := self._entry(node):
                yield entry

    def _entries(self, text: str) -> list[yaml.Node]:
        try:
            node = compose(text)
        except YamlError as error:
            position = FilePosition(self._file, error.line, error.column)
            self._wrong(position, f"not YAML: {error.message}")
            return []
        if isinstance(node, yaml.SequenceNode):
            return list(node.value)
        if node is not None:
            self._wrong(self._position(node), "the file must be a list of entries")
        return []

    def _entry(self, node: yaml.Node) -> ExpectedAnswer | None:
        if not isinstance(node, yaml.MappingNode):
            self._wrong(self._position(node), "an entry must have keys and values")
            return None
        values = dict(self._members(node))
        question, facts, pages = (list(self._texts(values.get(key))) for key in _KEYS)
        if len(question) == 1 and pages:
            return ExpectedAnswer(question[0], tuple(facts), tuple(pages))
        if all(key.value in _KEYS for key, _ in node.value):  # already reported
            self._wrong(
                self._position(node), "an entry needs a `question` and at least one of `pages`"
            )
        return None

    def _members(self, node: yaml.MappingNode) -> Iterator[tuple[str, yaml.Node]]:
        if len(node.value) > MOST_TEXTS:
            message = f"only the first {MOST_TEXTS} keys of an entry are read"
            self._limit(self._position(node), message)
        for key, value in node.value[:MOST_TEXTS]:
            if key.value in _KEYS:
                yield key.value, value
            else:
                self._wrong(self._position(key), _unknown_key(key))

    def _texts(self, node: yaml.Node | None) -> Iterator[PlacedText]:
        nodes = node.value if isinstance(node, yaml.SequenceNode) else [node] if node else []
        for each in self._first(nodes, MOST_TEXTS, "texts"):
            if not isinstance(each, yaml.ScalarNode):
                self._wrong(self._position(each), "this must be text")
            elif len(text := each.value.strip()) > MOST_CHARACTERS:
                message = f"a text has at most {MOST_CHARACTERS:,} characters"
                self._limit(self._position(each), f"{message}; it is not checked")
            elif text:
                yield PlacedText(text, self._position(each))

    def _first(self, nodes: list[yaml.Node], most: int, what: str) -> list[yaml.Node]:
        if len(nodes) > most:
            self._limit(self._position(nodes[most]), f"only the first {most} {what} are checked")
        return nodes[:most]

    def _position(self, node: yaml.Node) -> FilePosition:
        return FilePosition(self._file, node.start_mark.line + 1, node.start_mark.column + 1)

    def _wrong(self, position: FilePosition, message: str) -> None:
        self._diagnostics.warning(position, "answers-syntax", message, _FORM)

    def _limit(self, position: FilePosition, message: str) -> None:
        self._diagnostics.warning(position, "answers-limit", message, "Shorten it.")


def _unknown_key(key: yaml.Node) -> str:
    named = f"`{key.value}`" if isinstance(key, yaml.ScalarNode) else "this"
    return f"{named} is not a key of an entry"
