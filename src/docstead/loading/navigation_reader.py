"""Reader of `navigation` in `docs.json` into a single tree.

A level with mixed kinds keeps the first one of `DIVISIONS` (groups may be mixed with pages);
entries that do not exist are reported and dropped.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

from docstead.content.config import ApiSettings
from docstead.content.navigation import DIVISIONS, LISTS, Navigation, NavNode, NodeKeys, NodeKind
from docstead.content.pages import PageMeta
from docstead.content.setting_keys import declared, key_of
from docstead.content.slugs import find_slug
from docstead.content.written_settings import SpecificationKeys
from docstead.loading.navigation_nodes import (
    divisions_of,
    file_position,
    kind_of,
    language_codes,
    page_entries,
    page_node,
    symbol_group,
)
from docstead.reference.graphql.spec import DEFAULT_DIRECTORY as SCHEMA_DIRECTORY
from docstead.reference.openapi.spec import OperationRef, SpecificationCatalog, parse_reference
from docstead.reference.pages import DEFAULT_DIRECTORY, ApiPages, TagGroup
from docstead.reference.sdk.navigating import LibraryReader
from docstead.repository.config_reader import read_settings, specification_files
from docstead.repository.json_fields import ObjectReader
from docstead.repository.json_text import JsonObject
from docstead.repository.nearest import NearestPages
from docstead.repository.positions import Diagnostics, FilePosition
from docstead.repository.sdk_settings import LibrarySource

_GLOBAL = (
    NodeKind.TAB,
    NodeKind.ANCHOR,
    NodeKind.DROPDOWN,
    NodeKind.LANGUAGE,
    NodeKind.VERSION,
    NodeKind.PRODUCT,
)
_PAGES, _GROUPS = key_of(declared(NodeKeys).pages), LISTS[NodeKind.GROUP]
_OPENAPI, _ASYNCAPI = key_of(declared(NodeKeys).openapi), key_of(declared(NodeKeys).asyncapi)
_GRAPHQL, _SDK = key_of(declared(NodeKeys).graphql), key_of(declared(NodeKeys).sdk)
_ROOT, _DIRECTORY = key_of(declared(NodeKeys).root), key_of(declared(NodeKeys).directory)
_SPECIFIED = (_OPENAPI, _ASYNCAPI)
_UNSUPPORTED = (key_of(declared(NodeKeys).source_ref),)
_URL_SCHEMES = ("http://", "https://", "mailto:")
UNTAGGED = "API Reference"


@dataclass(frozen=True, slots=True)
class _NavigationScope:
    """Inherited settings of a node: specifications and directory of generated pages."""

    files: tuple[str, ...] = ()
    directory: str = DEFAULT_DIRECTORY
    layout: str | None = None  # the node's setting `directory`
    library: LibrarySource | None = None


class NavigationReader:
    """Reads a navigation; the pages it generates are in `api.pages` afterwards."""

    def __init__(
        self,
        metas: Mapping[str, PageMeta],
        specifications: SpecificationCatalog,
        schemas: SpecificationCatalog,
        api: ApiPages,
        diagnostics: Diagnostics,
        *,
        libraries: LibraryReader,
        documented: frozenset[str],
        is_on_disk: Callable[[str], bool],
    ) -> None:
        self._metas = metas
        self._nearest = NearestPages(metas)
        self._specifications = specifications
        self._schemas = schemas  # of GraphQL
        self._api = api
        self._libraries = libraries
        self._diagnostics = diagnostics
        self._documented = documented  # slugs of pages about a reference entry
        self._languages: frozenset[str] = frozenset()
        self._is_on_disk = is_on_disk  # whether a page has a file, even if it was dropped

    def read(self, keys: ObjectReader, default_files: tuple[str, ...]) -> Navigation:
        """Read the tree; `default_files` (`api.openapi`) are searched last for `METHOD /path`."""
        self._languages = frozenset(language_codes(keys.values))
        scope = self._scope(keys, _NavigationScope(default_files))
        everywhere = keys.child(key_of(declared(NodeKeys).everywhere))
        nodes = (
            self._everywhere(item, kind)
            for kind in _GLOBAL
            for item in everywhere.objects(LISTS[kind])
        )
        roots = self._children(keys, scope) + self._generated(keys, NodeKind.TAB, scope)
        roots += tuple(self._of_library(keys, NodeKind.TAB, scope))
        return Navigation(roots, tuple(node for node in nodes if node))

    def _everywhere(self, keys: ObjectReader, kind: NodeKind) -> NavNode | None:
        node = self._division(keys, kind, _NavigationScope())
        is_product = kind is NodeKind.PRODUCT  # which may refer to the site itself
        if node and not (node.href or node.children or node.root or is_product):
            message = f"{keys.path} has neither pages nor a URL and is not shown"
            self._diagnostics.warning(
                keys.values.position(), "missing-key", message, 'Add an "href".'
            )
            return None
        return node

    def check_files(self, api: ObjectReader, files: Iterable[str]) -> None:
        """Report files of `api.openapi` that are missing or cannot be fetched."""
        for file in files:
            self._usable(api, key_of(declared(ApiSettings).openapi), file, self._specifications)

    def _children(self, keys: ObjectReader, scope: _NavigationScope) -> tuple[NavNode, ...]:
        present = [name for name in DIVISIONS if keys.values.get(name)]
        has_pages = bool(keys.values.get(_PAGES))
        chosen = present[0] if present else None
        left_out = present[1:] + ([_PAGES] if has_pages and chosen not in (None, _GROUPS) else [])
        for name in left_out:
            self._mixed(keys, name, str(chosen))
        nodes: list[NavNode] = []
        if has_pages and chosen in (None, _GROUPS):
            nodes += self._pages(keys, scope)
        if chosen is not None:
            kind = DIVISIONS[chosen]
            for item in keys.objects(chosen):
                nodes += self._divisions(item, kind, scope)
        return tuple(nodes)

    def _mixed(self, keys: ObjectReader, name: str, chosen: str) -> None:
        where = keys.path or "navigation"
        message = f"{where} has both {chosen!r} and {name!r}; {name!r} was left out"
        hint = "Keep one kind at each level."
        self._diagnostics.warning(keys.values.position(name), "mixed-navigation", message, hint)

    def _divisions(
        self, keys: ObjectReader, kind: NodeKind, scope: _NavigationScope
    ) -> tuple[NavNode, ...]:
        """Return the node of an entry; those of a group with an empty name stand without it."""
        if kind is NodeKind.GROUP and keys.values.get(kind.value) == "":
            return self._children(keys, self._scope(keys, scope))
        node = self._division(keys, kind, scope)
        return (node,) if node else ()

    def _division(
        self, keys: ObjectReader, kind: NodeKind, scope: _NavigationScope
    ) -> NavNode | None:
        label = keys.text(kind.value)
        if label is None:
            hint = f'Add "{kind.value}": "its name".'
            message = f"{keys.path} has no {kind.value!r} and was left out"
            self._diagnostics.warning(keys.values.position(), "missing-key", message, hint)
            return None
        inner = self._scope(keys, scope)
        self._unsupported(keys)
        children = self._children(keys, inner) + self._generated(keys, kind, inner)
        children += tuple(self._of_schemas(keys, kind, inner))
        children += tuple(self._of_library(keys, kind, inner))
        return NavNode(
            kind=kind,
            label=label,
            children=children,
            root=self._root(keys),
            directory=inner.layout,
            color=keys.themed_color(key_of(declared(NodeKeys).color))
            if kind is NodeKind.ANCHOR
            else None,
            **read_settings(NavNode, keys),
        )

    def _scope(self, keys: ObjectReader, scope: _NavigationScope) -> _NavigationScope:
        layout = keys.values.get(_DIRECTORY)
        if isinstance(layout, str):
            scope = replace(scope, layout=None if layout == "none" else layout)
        if _SDK in keys.values:
            scope = replace(scope, library=self._libraries.source(keys))
        kinds = [kind for kind in _SPECIFIED if kind in keys.values]
        if not kinds:
            return scope
        files = tuple(
            file
            for kind in kinds
            for file in specification_files(keys, kind)
            if self._usable(keys, kind, file, self._specifications)
        )
        objects = [keys.child(kind) for kind in kinds if isinstance(keys.values[kind], JsonObject)]
        chosen = next(
            (
                name
                for each in objects
                if (name := each.text(key_of(declared(SpecificationKeys).directory)))
            ),
            None,
        )
        return replace(scope, files=files, directory=chosen or DEFAULT_DIRECTORY)

    def _usable(
        self, keys: ObjectReader, kind: str, file: str, among: SpecificationCatalog
    ) -> bool:
        position = file_position(keys, kind, file)
        if file.startswith(_URL_SCHEMES):
            return self._usable_remote(position, file, among)
        if not among.exists(file):
            endings = ", ".join(among.suffixes)
            hint = f"Write its path from the root of the documentation; it ends in {endings}."
            self._diagnostics.warning(
                position, "openapi-missing", f"there is no file {file!r}", hint
            )
            return False
        return True

    def _usable_remote(
        self, position: FilePosition, name: str, among: SpecificationCatalog
    ) -> bool:
        if among.get(name) is not None:
            return True
        if reason := among.refusal(name):
            message = f"{name} could not be read: {reason}"
            hint = (
                "Put the file into the repository, where it needs no other host. "
                "Until then, its operations have no pages."
            )
            self._diagnostics.warning(position, "openapi-remote", message, hint)
        return False

    def _root(self, keys: ObjectReader) -> str | None:
        written = keys.text(_ROOT)
        if written is None:
            return None
        slug = find_slug(self._metas, written)
        if slug is None:
            self._missing(written, keys.values.position(_ROOT))
        return slug

    def _pages(self, keys: ObjectReader, scope: _NavigationScope) -> Iterator[NavNode]:
        entries = keys.array(_PAGES)
        for index, entry in enumerate(entries):
            position = entries.position(index)
            if isinstance(entry, str):
                if node := self._page(entry, position, scope):
                    yield node
            elif isinstance(entry, JsonObject):
                inner = ObjectReader(entry, self._diagnostics, f"{keys.name(_PAGES)}[{index}]")
                yield from self._divisions(inner, kind_of(entry), scope)
            else:
                message = f"{keys.name(_PAGES)}[{index}] must be a page or a group"
                hint = 'Write a path such as "guides/start", or an object with a "group".'
                self._diagnostics.warning(position, "wrong-type", message, hint)

    def _page(self, entry: str, position: FilePosition, scope: _NavigationScope) -> NavNode | None:
        if entry.startswith(_URL_SCHEMES):
            return NavNode(NodeKind.PAGE, entry, href=entry)
        slug = find_slug(self._metas, entry)
        if slug is not None:
            return page_node(self._libraries.page(slug, scope.library))
        if ref := parse_reference(entry):
            return self._endpoint(ref, position, scope)
        self._missing(entry, position)
        return None

    def _endpoint(
        self, ref: OperationRef, position: FilePosition, scope: _NavigationScope
    ) -> NavNode | None:
        names = (ref.file,) if ref.file else scope.files
        found = (self._specifications.find(replace(ref, file=name)) for name in names)
        operation = next((each for each in found if each), None)
        if operation is None and not names:
            operation = self._specifications.find(ref)
        if operation is None and self._specifications.may_lack(*names):
            return None  # the URL that could not be read is reported once
        if operation is None:
            message, hint = ref.missing_from(names), "Method and path must match."
            self._diagnostics.warning(position, "unknown-operation", message, hint)
            return None
        return self._node(self._api.page(operation, scope.directory))

    def _unsupported(self, keys: ObjectReader) -> None:
        for name in _UNSUPPORTED:
            if name in keys.values:
                message = f"pages cannot be generated from {name!r} yet; the entry has none"
                hint = "List its pages yourself, or remove the entry."
                self._refuse_source(keys, name, message, hint)

    def _refuse_source(self, keys: ObjectReader, name: str, message: str, hint: str) -> None:
        position = keys.values.position(name)
        self._diagnostics.warning(position, "unsupported-source", message, hint)

    def _generated(
        self, keys: ObjectReader, kind: NodeKind, scope: _NavigationScope
    ) -> tuple[NavNode, ...]:
        """Return pages of whole specifications, if the node has one and lists no operations.

        Above tabs and the like, specifications are only inherited.
        """
        is_specified = any(kind in keys.values for kind in _SPECIFIED)
        if not is_specified or divisions_of(keys) or self._lists_operations(keys):
            return ()
        nodes: list[NavNode] = []
        for file in scope.files:
            specification = self._specifications.get(file)
            if specification is not None:
                for group in self._api.groups(specification, scope.directory):
                    nodes += self._group(group, kind, scope)
        return tuple(nodes)

    def _of_schemas(
        self, keys: ObjectReader, kind: NodeKind, scope: _NavigationScope
    ) -> Iterator[NavNode]:
        """Yield pages of GraphQL schemas, which belong to a tab."""
        if _GRAPHQL not in keys.values or not self._holds_schemas(keys, kind):
            return
        is_object = isinstance(keys.values[_GRAPHQL], JsonObject)
        chosen = (
            keys.child(_GRAPHQL).text(key_of(declared(SpecificationKeys).directory))
            if is_object
            else None
        )
        directory = chosen or SCHEMA_DIRECTORY
        for file in specification_files(keys, _GRAPHQL):
            is_usable = self._usable(keys, _GRAPHQL, file, self._schemas)
            if is_usable and (schema := self._schemas.get(file)):
                for group in self._api.groups(schema, directory):
                    yield from self._group(group, kind, scope)
                self._api.link_types(schema, directory)

    def _holds_schemas(self, keys: ObjectReader, kind: NodeKind) -> bool:
        if kind is not NodeKind.TAB:
            message = f"{keys.path}: pages are generated from 'graphql' only on a tab"
            hint = "Move it to a tab, where pages and groups may be mixed."
            self._refuse_source(keys, _GRAPHQL, message, hint)
        elif others := divisions_of(keys):
            self._mixed(keys, _GRAPHQL, others[0])
        else:
            return True
        return False

    def _of_library(
        self, keys: ObjectReader, kind: NodeKind, scope: _NavigationScope
    ) -> Iterator[NavNode]:
        """Yield pages of a library's symbols, unless authors document some themselves."""
        if _SDK not in keys.values or not self._holds_library(keys, kind):
            return
        slugs = (find_slug(self._metas, entry) for entry in page_entries(keys.values))
        if scope.library is not None and not any(s in self._libraries.written for s in slugs):
            for group in self._libraries.groups(keys, scope.library):
                yield symbol_group(group, scope.layout)

    def _holds_library(self, keys: ObjectReader, kind: NodeKind) -> bool:
        beside = (name for name in (*_SPECIFIED, _GRAPHQL) if name in keys.values)
        if kind not in (NodeKind.TAB, NodeKind.GROUP):
            message = f"{keys.path}: pages are generated from 'sdk' only on a tab or a group"
            hint = "Move it to a tab or a group."
            self._refuse_source(keys, _SDK, message, hint)
        elif other := next(chain(divisions_of(keys), beside if kind is NodeKind.TAB else ()), None):
            self._mixed(keys, _SDK, other)
        else:
            return True
        return False

    def _group(
        self, group: TagGroup, kind: NodeKind, scope: _NavigationScope
    ) -> tuple[NavNode, ...]:
        nodes = tuple(self._node(slug) for slug in group.slugs)
        if group.label is None and kind is NodeKind.GROUP:
            return nodes
        return (NavNode(NodeKind.GROUP, group.label or UNTAGGED, nodes, directory=scope.layout),)

    def _node(self, slug: str) -> NavNode:
        page = self._api.pages.get(slug)
        return page_node(page.meta if page else self._metas[slug])

    def _lists_operations(self, keys: ObjectReader) -> bool:
        """Report whether this node or one below lists operations, or pages about one."""
        return any(self._names_operation(text) for text in page_entries(keys.values))

    def _names_operation(self, entry: str) -> bool:
        slug = find_slug(self._metas, entry)
        return slug in self._documented if slug else parse_reference(entry) is not None

    def _missing(self, written: str, position: FilePosition) -> None:
        near = self._nearest.find(written, self._languages)
        hint = f"Did you mean {near!r}?" if near else "Add the file or remove the entry."
        message = f"there is no page {written!r}"
        if posixpath.normpath(written.lstrip("/")).startswith(".."):
            message, hint = f"{written!r} leads out of the repository", "Remove the entry."
        elif self._is_on_disk(written):
            hint = "Its file is there and was left out: see .docsignore and other diagnostics."
        self._diagnostics.warning(position, "missing-page", message, hint)
