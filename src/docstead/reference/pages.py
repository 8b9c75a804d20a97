"""Generated pages of operations: URLs, titles and groups.

The URL is `directory/tag/summary`, or `method-path` without a summary; repeated URLs get "-1"
(interface of the format, "openapi").
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, replace
from typing import Any

from docstead.content.pages import Page
from docstead.content.reference_entries import GraphqlOperation, GraphqlType, ListedEntry, entry_key
from docstead.content.slugs import clean_path, path_of
from docstead.reference.common.descriptions import split_description
from docstead.reference.graphql.spec import linked
from docstead.reference.openapi.spec import URL_SCHEMES, Specification
from docstead.reference.outline import EntryOutline, outline_of
from docstead.repository.frontmatter import SourceDocument
from docstead.repository.metas import read_meta
from docstead.repository.positions import Diagnostics

DEFAULT_DIRECTORY = "api-reference"
_PARAMETER = re.compile(r"\{[^{}\n]*\}")
_DROPPED = re.compile(r"[{}(),.'\n/]")
_UNSAFE = re.compile(r'[?#%\\:*"<>|\x00-\x1f\x7f]')
_LONGEST_SEGMENT = 240  # bytes: file systems allow 255, including a number and a suffix


@dataclass(frozen=True, slots=True)
class TagGroup:
    """Visible pages of one tag; `label` is None for operations without a tag."""

    label: str | None
    slugs: tuple[str, ...]


class ApiPages:
    """Creates pages of entries, each once, by slug."""

    def __init__(self, taken: Container[str], diagnostics: Diagnostics) -> None:
        self.pages: dict[str, Page] = {}
        self._taken = taken
        self._diagnostics = diagnostics
        self._free = FreeNames()
        self._slugs: dict[tuple[tuple[str, str, str], str], str] = {}

    def page(self, entry: ListedEntry, directory: str) -> str:
        """Return the slug of an entry's page, which is created on the first call."""
        key = (entry_key(entry), directory)
        if key not in self._slugs:
            self._slugs[key] = self._make(entry, directory)
        return self._slugs[key]

    def groups(self, specification: Specification, directory: str) -> tuple[TagGroup, ...]:
        """Return pages of every entry, grouped by first tag in file order."""
        labels = _tag_labels(specification)
        groups: dict[str | None, list[str]] = {}
        for entry in specification.entries:
            outline = outline_of(entry)
            if outline.is_excluded:
                continue
            slug, tag = self.page(entry, directory), outline.tag
            if not outline.is_hidden:
                groups.setdefault(labels.get(tag, tag) if tag else None, []).append(slug)
        return tuple(TagGroup(label, tuple(slugs)) for label, slugs in groups.items())

    def link_types(self, specification: Specification, directory: str) -> None:
        """Link the pages of a GraphQL schema to the pages of its types."""
        made = [(each, self.page(each, directory)) for each in specification.entries]
        types = ((each, slug) for each, slug in made if isinstance(each, GraphqlType))
        paths = {each.name: path_of(slug) for each, slug in types}
        for _, slug in made:
            page = self.pages.get(slug)
            if page and isinstance(page.reference, GraphqlOperation | GraphqlType):
                self.pages[slug] = replace(page, reference=linked(page.reference, paths))

    def _make(self, entry: ListedEntry, directory: str) -> str:
        outline = outline_of(entry)
        page = self._page(entry, outline)
        base = page.meta.slug or _base_slug(outline, directory)
        if base in self._taken:
            return base
        slug = self._free.first(base, self.pages)
        self.pages[slug] = replace(page, meta=replace(page.meta, slug=slug))
        return slug

    def _page(self, entry: ListedEntry, outline: EntryOutline) -> Page:
        extension = outline.extension
        metadata = extension.get("metadata")
        fields = {**_fields(outline), **(metadata if isinstance(metadata, dict) else {})}
        meta = read_meta(SourceDocument(entry.spec, fields, "", ""), self._diagnostics)
        href, content = extension.get("href"), extension.get("content")
        lead, rest = split_description(outline.description)
        about = rest if meta.description == lead else entry.about
        body = content if isinstance(content, str) else ""
        # Remote text is Markdown, and never MDX, which is code.
        if entry.spec.startswith(URL_SCHEMES):
            about, body = "\n\n".join(filter(None, (about, body))), ""
        return Page(
            meta=replace(
                meta,
                slug=clean_path(href) if isinstance(href, str) and href.startswith("/") else "",
                method=outline.method or None,
                hidden=meta.hidden or outline.is_hidden,
            ),
            body=body,
            reference=replace(entry, about=about),
        )


def _fields(outline: EntryOutline) -> dict[str, Any]:
    return {
        "title": outline.summary or f"{outline.method} {outline.path}",
        "description": split_description(outline.description)[0],
        "deprecated": outline.is_deprecated,
    }


def _tag_labels(specification: Specification) -> dict[str, str]:
    tags = specification.document.get("tags")
    return {
        str(tag.get("name")): str(tag["x-group"])
        for tag in (tags if isinstance(tags, list) else ())
        if isinstance(tag, dict) and tag.get("x-group")
    }


def _base_slug(outline: EntryOutline, directory: str) -> str:
    name = _segment(outline.summary) or f"{outline.method.lower()}-{_segment(outline.path)}"
    parts = (clean_path(directory), _segment(outline.tag or ""), name.strip("-"))
    return "/".join(part for part in parts if part)


def _segment(text: str) -> str:
    """Return a URL segment in the spelling of the format."""
    text = _PARAMETER.sub("-", text.replace(" ", "-")).removeprefix("-").removesuffix("-")
    text = _UNSAFE.sub("", _DROPPED.sub("", text)).replace("--", "-").lower()
    return text.encode()[:_LONGEST_SEGMENT].decode(errors="ignore")


class FreeNames:
    """Unused names: a base, or the base with the lowest free number.

    The last number is remembered, so that many equal names take linear time. Used names must not
    become free again.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def first(self, base: str, taken: Container[str]) -> str:
        number = self._numbers.get(base, 0)
        while (name := f"{base}-{number}" if number else base) in taken:
            number += 1
        self._numbers[base] = number
        return name
