"""Pages for operations that have no page of their own: their addresses, titles and groups.

The address is `directory/tag/summary`, or `method-path` where there is no summary; a
second page of the same address gets "-1" (interface of the format, "openapi").
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, replace
from typing import Any

from docstead.content.pages import Operation, Page
from docstead.content.slugs import clean_path, path_of
from docstead.reference.common.descriptions import split_description
from docstead.reference.graphql.spec import linked
from docstead.reference.openapi.spec import Specification
from docstead.repository.frontmatter import SourceDocument
from docstead.repository.metas import read_meta
from docstead.repository.places import Faults

DEFAULT_DIRECTORY = "api-reference"
_EXTENSIONS = ("x-docs", "x-mint")
_PARAMETER = re.compile(r"\{.*?\}")
_DROPPED = re.compile(r"[{}(),.'\n/]")
_UNSAFE = re.compile(r'[?#%\\:*"<>|\x00-\x1f\x7f]')
_LONGEST_SEGMENT = 240  # bytes: file systems allow 255, with a number and a suffix


@dataclass(frozen=True, slots=True)
class TagGroup:
    """The visible pages of one tag; `label` is None for operations without a tag."""

    label: str | None
    slugs: tuple[str, ...]


class ApiPages:
    """Makes pages of operations, each once, and remembers them by slug."""

    def __init__(self, taken: Container[str], faults: Faults) -> None:
        self.pages: dict[str, Page] = {}
        self._taken = taken
        self._faults = faults
        self._free = FreeNames()
        self._slugs: dict[tuple[str, str, str, str], str] = {}

    def page(self, operation: Operation, directory: str) -> str:
        """The slug of the page of an operation, made now if it is not there yet."""
        key = (operation.spec, directory, operation.method, operation.path)
        if key not in self._slugs:
            self._slugs[key] = self._make(operation, directory)
        return self._slugs[key]

    def groups(self, specification: Specification, directory: str) -> tuple[TagGroup, ...]:
        """Pages for every operation, grouped by first tag in the order of the file."""
        labels = _tag_labels(specification)
        groups: dict[str | None, list[str]] = {}
        for operation in specification.operations:
            if operation.definition.get("x-excluded") is True:
                continue
            slug = self.page(operation, directory)
            tag = _tag(operation)
            if operation.definition.get("x-hidden") is not True:
                groups.setdefault(labels.get(tag, tag) if tag else None, []).append(slug)
        return tuple(TagGroup(label, tuple(slugs)) for label, slugs in groups.items())

    def link_types(self, specification: Specification, directory: str) -> None:
        """Gives the pages of a GraphQL schema, once they are made, the addresses of its types."""
        made = [(each, self.page(each, directory)) for each in specification.operations]
        paths = {each.path: path_of(slug) for each, slug in made if not each.method}
        for _, slug in made:
            page = self.pages.get(slug)
            if page is not None and page.operation is not None:
                self.pages[slug] = replace(page, operation=linked(page.operation, paths))

    def _make(self, operation: Operation, directory: str) -> str:
        page = self._page(operation)
        base = page.meta.slug or _base_slug(operation, directory)
        if base in self._taken:
            return base
        slug = self._free.first(base, self.pages)
        self.pages[slug] = replace(page, meta=replace(page.meta, slug=slug))
        return slug

    def _page(self, operation: Operation) -> Page:
        extension = _extension(operation)
        metadata = extension.get("metadata")
        fields = {**_fields(operation), **(metadata if isinstance(metadata, dict) else {})}
        meta = read_meta(SourceDocument(operation.spec, fields, "", ""), self._faults)
        href, content = extension.get("href"), extension.get("content")
        lead, rest = split_description(operation.definition.get("description"))
        about = rest if meta.description == lead else operation.about
        body = content if isinstance(content, str) else ""
        if operation.is_fetched:
            about, body = "\n\n".join(filter(None, (about, body))), ""
        return Page(
            meta=replace(
                meta,
                slug=clean_path(href) if isinstance(href, str) and href.startswith("/") else "",
                method=operation.method or None,
                hidden=meta.hidden or operation.definition.get("x-hidden") is True,
            ),
            body=body,
            operation=replace(operation, about=about),
        )


def _fields(operation: Operation) -> dict[str, Any]:
    definition = operation.definition
    return {
        "title": str(definition.get("summary") or "").strip() or _plain_title(operation),
        "description": split_description(definition.get("description"))[0],
        "deprecated": definition.get("deprecated") is True,
    }


def _plain_title(operation: Operation) -> str:
    return f"{operation.method} {operation.path}"


def _extension(operation: Operation) -> dict[str, Any]:
    found = (operation.definition.get(name) for name in _EXTENSIONS)
    return next((value for value in found if isinstance(value, dict)), {})


def _tag(operation: Operation) -> str | None:
    tags = operation.definition.get("tags")
    return str(tags[0]) if isinstance(tags, list) and tags and tags[0] else None


def _tag_labels(specification: Specification) -> dict[str, str]:
    tags = specification.document.get("tags")
    return {
        str(tag.get("name")): str(tag["x-group"])
        for tag in (tags if isinstance(tags, list) else ())
        if isinstance(tag, dict) and tag.get("x-group")
    }


def _base_slug(operation: Operation, directory: str) -> str:
    summary = str(operation.definition.get("summary") or "").strip()
    name = _segment(summary) or f"{operation.method.lower()}-{_segment(operation.path)}"
    parts = (clean_path(directory), _segment(_tag(operation) or ""), name.strip("-"))
    return "/".join(part for part in parts if part)


def _segment(text: str) -> str:
    """One segment of an address, spelled as the format spells it."""
    text = _PARAMETER.sub("-", text.replace(" ", "-")).removeprefix("-").removesuffix("-")
    text = _UNSAFE.sub("", _DROPPED.sub("", text)).replace("--", "-").lower()
    return text.encode()[:_LONGEST_SEGMENT].decode(errors="ignore")


class FreeNames:
    """Names that nothing has yet: a base, or else the base with the lowest free number.

    Remembers how far it counted, so that many names of one base take linear time. A name that
    was taken must not become free again.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def first(self, base: str, taken: Container[str]) -> str:
        number = self._numbers.get(base, 0)
        while (name := f"{base}-{number}" if number else base) in taken:
            number += 1
        self._numbers[base] = number
        return name
