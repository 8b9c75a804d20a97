"""A documentation repository as plain texts and plain JSON.

Nothing here depends on how the product reads or edits a repository: expected results are
computed independently.
"""

from __future__ import annotations

import copy
import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

SETTINGS = ("docs.json", "mint.json")
_FRONTMATTER = re.compile(r"\A---\n(?P<fields>.*?)\n---\n", re.DOTALL)
_TITLE = re.compile(r"(?m)^title: .*$")
_RELATIVE = re.compile(r"""\]\((?!/|https?:|#|mailto:)|(?:href|src)=["'](?!/|https?:|#|mailto:)""")
_TARGET = re.compile(r"""(?:\]\(|(?:href|src)=["'])(/[^)"'#?\s]*)""")
_OPENERS = r"(?:\]\(|href=[\"'])"


@dataclass(frozen=True)
class PlainTexts:
    """All texts of a documentation root, by path."""

    texts: Mapping[str, str]

    @classmethod
    def of(cls, root: Path) -> PlainTexts:
        found = {}
        for path in sorted(root.rglob("*")):
            if path.is_file() and not path.is_symlink() and ".git" not in path.parts:
                try:
                    found[path.relative_to(root).as_posix()] = path.read_bytes().decode()
                except UnicodeDecodeError:
                    continue
        return cls(found)

    @cached_property
    def settings_name(self) -> str:
        return next(name for name in SETTINGS if name in self.texts)

    @cached_property
    def settings(self) -> dict[str, Any]:
        """The settings and every file that they refer to, as JSON, by path."""
        found: dict[str, Any] = {}
        waiting = [self.settings_name]
        while waiting:
            name = waiting.pop()
            if name not in found and name in self.texts:
                found[name] = json.loads(self.texts[name])
                folder = posixpath.dirname(name)
                waiting += [_beside(folder, ref) for ref in _references(found[name])]
        return found

    @cached_property
    def written(self) -> list[str]:
        """All strings in the settings."""
        return [text for value in self.settings.values() for text in _strings(value)]

    @cached_property
    def pages(self) -> dict[str, str]:
        """Files of simple pages by slug: listed once, and unaffected by a move."""
        lists = [each for value in self.settings.values() for each in _lists(value)]
        listed = dict.fromkeys(e for each in lists for e in each if isinstance(e, str))
        pages = [each for each in listed if f"{each}.mdx" in self.texts]
        once = (each for each in pages if self.written.count(each) == 1)
        return {slug: self.texts[f"{slug}.mdx"] for slug in once if self._is_simple(slug)}

    @cached_property
    def plain_links(self) -> dict[str, int]:
        """Return the number of links to each page by its full path, in all texts of pages."""
        found = dict.fromkeys(self.pages, 0)
        pattern = re.compile(_OPENERS + r"/([^)\"'#?\s]+)")
        for text in self.prose.values():
            for name in pattern.findall(text):
                if name in found:
                    found[name] += 1
        return found

    @cached_property
    def prose(self) -> dict[str, str]:
        """Texts of pages and of imported files."""
        kinds = (".mdx", ".md", ".jsx", ".tsx", ".js", ".ts")
        return {path: text for path, text in self.texts.items() if path.endswith(kinds)}

    def mentions(self, name: str) -> int:
        """Return the number of occurrences of a name in pages."""
        return sum(text.count(name) for text in self.prose.values())

    def is_linked_relatively(self, name: str) -> bool:
        """Report whether a relative link may lead to a page of this name."""
        link = re.compile(rf"{_OPENERS}(?!/|https?:)[^)\"'\s]*{re.escape(name)}(?=[)\"'#?./])")
        return any(link.search(text) for text in self.prose.values())

    def _is_there(self, target: str) -> bool:
        return any(f"{target.strip('/')}{more}" in self.texts for more in ("", ".mdx", ".md"))

    def _is_simple(self, slug: str) -> bool:
        text = self.texts[f"{slug}.mdx"]
        fields = fields_of(text)
        return bool(
            "\r" not in text
            and _TITLE.search(fields)
            and "openapi" not in fields
            and "\nimport " not in f"\n{text}"
            and all(self._is_there(target) for target in _TARGET.findall(text))
            and not _RELATIVE.search(text)
            and slug != "index"
            and not slug.endswith("/index")
        )


@dataclass
class ExpectedRepository:
    """Expected differences from the base: texts, JSON as values, None for removed files."""

    base: PlainTexts
    texts: dict[str, str | None] = field(default_factory=dict)
    settings: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.settings = copy.deepcopy(self.base.settings)

    def text(self, path: str) -> str:
        """Return the expected text so far."""
        found = self.texts.get(path, self.base.texts.get(path))
        assert found is not None, path
        return found

    def insert_entry(self, entry: str, beside: str) -> None:
        """Insert an entry after another, in the file that contains it."""
        holder = self._holder(beside)
        holder.insert(holder.index(beside) + 1, entry)

    def remove_entry(self, entry: str) -> None:
        self._holder(entry).remove(entry)

    def rename_strings(self, before: str, after: str) -> None:
        for name, value in self.settings.items():
            self.settings[name] = _renamed(value, before, after)

    def add_redirect(self, source: str, destination: str, *, first: bool = False) -> None:
        entry = {"source": source, "destination": destination}
        top = self.settings[self.base.settings_name]
        found = top.setdefault("redirects", [])
        if isinstance(found, dict):  # it is in another file
            found = self.settings[_beside("", found["$ref"])]
        found.insert(0 if first else len(found), entry)

    def relink(self, before: str, after: str) -> None:
        """Replace a page's whole path in links of pages."""
        pattern = re.compile(rf"({_OPENERS})/{re.escape(before)}(?=[)\"'#?\s])")
        for path in self.base.prose:
            text = self.texts.get(path, self.base.texts[path])
            changed = pattern.sub(rf"\g<1>/{after}", text) if text is not None else text
            if changed != text:
                self.texts[path] = changed

    def problems(self, changed: Mapping[str, str | None]) -> list[str]:
        """Return how the changed files differ from the expected ones."""
        base = self.base
        texts = {path: text for path, text in self.texts.items() if text != base.texts.get(path)}
        values = {path: v for path, v in self.settings.items() if v != base.settings[path]}
        expected: dict[str, Any] = {**texts, **values}
        found = [f"{path} was not changed" for path in expected.keys() - changed.keys()]
        found += [f"{path} was changed" for path in changed.keys() - expected.keys()]
        for path in expected.keys() & changed.keys():
            now = changed[path]
            if path in self.settings and now is not None:
                now = json.loads(now)
            if now != expected[path]:
                found.append(f"{path} is not as it should be")
        return found

    def _holder(self, entry: str) -> list[Any]:
        return next(h for value in self.settings.values() for h in _lists(value) if entry in h)


def fields_of(text: str) -> str:
    """Return the frontmatter of a page."""
    found = _FRONTMATTER.match(text)
    return found["fields"] if found else ""


def title_line(text: str) -> str:
    """Return the line of the frontmatter with the title."""
    found = _TITLE.search(fields_of(text))
    assert found is not None
    return found.group()


def _beside(folder: str, reference: str) -> str:
    return posixpath.normpath(posixpath.join(folder, reference.lstrip("/")))


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict) and isinstance(value.get("$ref"), str):
        yield value["$ref"]
    for child in _children(value):
        yield from _references(child)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for child in _children(value):
        yield from _strings(child)


def _lists(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, list):
        yield value
    for child in _children(value):
        yield from _lists(child)


def _renamed(value: Any, before: str, after: str) -> Any:
    if isinstance(value, dict):
        return {key: _renamed(each, before, after) for key, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each, before, after) for each in value]
    return after if value == before else value


def _children(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, list):
        yield from value
