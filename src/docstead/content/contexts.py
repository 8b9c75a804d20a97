"""Position of each page in the navigation: choices, sidebar and neighbors.

A *context* is one sidebar: the groups and pages below one choice of language, version, product, tab
and so on. Contexts are computed once per site.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from docstead.content.navigation import NavNode, NodeKind
from docstead.content.pages import PageMeta, Site

_ENTRIES = (NodeKind.GROUP, NodeKind.PAGE)
_TRANSLATABLE = (NodeKind.LANGUAGE, NodeKind.VERSION)


@dataclass(frozen=True, slots=True)
class ContextLevel:
    """A choice on the path to a context; `chosen` is None for siblings of its entries."""

    kind: NodeKind
    siblings: tuple[NavNode, ...]
    chosen: NavNode | None


@dataclass(frozen=True, slots=True, eq=False)
class NavigationContext:
    levels: tuple[ContextLevel, ...]
    entries: tuple[NavNode, ...]

    def chosen(self, kind: NodeKind) -> NavNode | None:
        """Return the chosen node of a kind, or None."""
        found = (level.chosen for level in self.levels if level.kind is kind)
        return next((node for node in found if node), None)


@dataclass(frozen=True, slots=True)
class PagePosition:
    """The first position of a page: its context, enclosing groups, and neighbors."""

    context: NavigationContext
    groups: tuple[NavNode, ...] = ()
    previous: str | None = None
    next: str | None = None


@dataclass(slots=True)
class _ContextWalk:
    contexts: list[NavigationContext] = field(default_factory=list)
    positions: dict[str, PagePosition] = field(default_factory=dict)


class NavigationContexts:
    """Contexts of a site, and positions of its pages."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._first: dict[int, str | None] = {}
        self._slugs: dict[int, frozenset[str]] = {}
        self._folders: dict[tuple[int, int], str] = {}
        self._held: dict[int, frozenset[str]] = {}

    def position(self, slug: str) -> PagePosition:
        """Return a page's position, in the closest default context if it is not listed."""
        found = self._walked.positions.get(slug)
        return found if found is not None else PagePosition(self._nearest(slug))

    def language(self, slug: str) -> str | None:
        """Return the language of a page as in docs.json, or None."""
        node = self.position(slug).context.chosen(NodeKind.LANGUAGE)
        meta = self._site.pages.get(slug)
        return node.label if node else meta.language if meta else None

    def language_at(self, path: str) -> str | None:
        """Return the language of the pages in the deepest known folder of a path."""
        known = (each for each in reversed([*_folders(path)]) if each in self._languages)
        return self._languages.get(next(known, ""))

    @property
    def language_folders(self) -> Mapping[str, str]:
        """Languages of the folders whose language is not that of the folder around them."""
        default = self.language("")
        around = {folder: folder.rpartition("/")[0] for folder in self._languages}
        return {
            folder: language
            for folder, language in self._languages.items()
            if language and language != self._languages.get(around[folder], default)
        }

    def first_of(self, language: str) -> NavigationContext | None:
        """Return the first context of a language, in the default version if it has that."""
        found = [c for c in self.all if _has_labels(c, {NodeKind.LANGUAGE: language})]
        return next(filter(_is_of_default_version, found), next(iter(found), None))

    def home_in(self, language: str) -> str | None:
        """Return the first page in a language other than the default one, or None."""
        context = self.first_of(language) if language != self.language("") else None
        node = context.chosen(NodeKind.LANGUAGE) if context else None
        return self.first_page(node) if node else None

    def shown(self, node: NavNode) -> bool:
        """Report whether a node is shown in menus: not hidden, and with a target."""
        if node.hidden:
            return False
        if node.slug is not None:
            meta = self._site.pages.get(node.slug)
            return meta is not None and not meta.hidden
        return bool(node.href) or self.first_page(node) is not None

    def first_page(self, node: NavNode) -> str | None:
        """Return the page that a node opens, or None if all its pages are hidden."""
        key = id(node)
        if key not in self._first:
            self._first[key] = next(self._pages(node), None)
        return self._first[key]

    def first_page_like(self, node: NavNode, context: NavigationContext) -> str | None:
        """Return the first page of a node, in the version or language of a context if it can."""
        first = self.first_page(node)
        kept = {
            level.kind: level.chosen.label
            for level in context.levels
            if level.chosen and level.kind in _TRANSLATABLE and level.kind is not node.kind
        }
        if first is None or _has_labels(self.position(first).context, kept):
            return first
        alike = (
            entry
            for other in self.all
            if other.chosen(node.kind) is node and _has_labels(other, kept)
            for entry in other.entries
        )
        return next((slug for entry in alike if (slug := self.first_page(entry))), first)

    def counterpart(self, slug: str, chosen: NavNode | None, other: NavNode) -> str | None:
        """Return the equivalent page of another language or version, or None.

        First pages correspond to each other, also under different names, if they are at the same
        depth: a page of a section does not correspond to the home page.
        """
        if chosen is None or other.kind not in _TRANSLATABLE:
            return None
        if found := self.same_page(slug, chosen, other):
            return found
        first = self.first_page(other)
        if first is None or slug != self.first_page(chosen):
            return None
        depth = slug.removeprefix(self._folder(chosen, other)).count("/")
        other_depth = first.removeprefix(self._folder(other, chosen)).count("/")
        return first if depth == other_depth else None

    def same_page(self, slug: str, chosen: NavNode, other: NavNode) -> str | None:
        """Return the page with the same path relative to the other node's folder."""
        if slug in self._below(other):
            return slug
        own, folder = self._folder(chosen, other), self._folder(other, chosen)
        requested = folder + slug.removeprefix(own)
        if slug.startswith(own) and requested in self._below(other):
            return requested
        named = _named(slug, chosen.label.lower(), other.label)
        return next((each for each in named if each in self._below(other)), None)

    @property
    def all(self) -> tuple[NavigationContext, ...]:
        """All contexts of pages in the navigation."""
        return tuple(self._walked.contexts)

    @cached_property
    def home(self) -> str | None:
        """Page at the root of the site, or that the root redirects to."""
        if "index" in self._site.pages:
            return "index"
        if (context := self._default) is None:
            return next(iter(self._site.pages), None)
        nodes = (node for level in context.levels if (node := level.chosen))
        first = (self.first_page(node) for node in (*nodes, *context.entries))
        return next((slug for slug in first if slug), next(iter(self._site.pages), None))

    @property
    def default_version(self) -> str:
        """Label of the version of the home page, or ""."""
        version = self._default.chosen(NodeKind.VERSION) if self._default else None
        return version.label if version else ""

    def labels(self, kind: NodeKind) -> tuple[str, ...]:
        """Return the labels of the versions, languages or others, in the order of their menu."""
        chosen = (context.chosen(kind) for context in self.all)
        return tuple(dict.fromkeys(node.label for node in chosen if node))

    @cached_property
    def _walked(self) -> _ContextWalk:
        walk = _ContextWalk()
        self._visit(self._site.navigation.roots, (), walk)
        return walk

    def _visit(
        self, nodes: tuple[NavNode, ...], levels: tuple[ContextLevel, ...], walk: _ContextWalk
    ) -> None:
        entries = tuple(node for node in nodes if node.kind in _ENTRIES)
        divisions = tuple(node for node in nodes if node.kind not in _ENTRIES)
        kinds = tuple(dict.fromkeys(node.kind for node in divisions))
        siblings = {kind: tuple(n for n in divisions if n.kind is kind) for kind in kinds}
        if entries:
            beside = tuple(ContextLevel(kind, siblings[kind], None) for kind in kinds)
            self._add(NavigationContext((*levels, *beside), entries), walk)
        for node in divisions:
            inner = (*levels, ContextLevel(node.kind, siblings[node.kind], node))
            if node.root is not None and node.root not in walk.positions:
                walk.positions[node.root] = PagePosition(NavigationContext(inner, ()))
            self._visit(node.children, inner, walk)

    def _add(self, context: NavigationContext, walk: _ContextWalk) -> None:
        walk.contexts.append(context)
        found = list(self._sequence(context.entries, ()))
        order = [slug for slug, _ in found if (meta := self._site.pages.get(slug)) and not meta.url]
        at = {slug: index for index, slug in reversed(list(enumerate(order)))}
        for slug, groups in found:
            index = at.get(slug)
            before = order[index - 1] if index else None
            after = order[index + 1] if index is not None and index + 1 < len(order) else None
            known = walk.positions.get(slug)
            if known is None or not known.context.entries:
                walk.positions[slug] = PagePosition(context, groups, before, after)
        for slug, groups in self._hidden(context.entries, ()):
            walk.positions.setdefault(slug, PagePosition(context, groups))

    def _sequence(
        self, nodes: tuple[NavNode, ...], groups: tuple[NavNode, ...]
    ) -> Iterator[tuple[str, tuple[NavNode, ...]]]:
        for node in nodes:
            if not self.shown(node):
                continue
            inner = (*groups, node) if node.slug is None else groups
            if node.root is not None and node.root in self._site.pages:
                yield node.root, inner
            if node.slug is not None:
                yield node.slug, groups
            yield from self._sequence(node.children, inner)

    def _hidden(
        self, nodes: tuple[NavNode, ...], groups: tuple[NavNode, ...]
    ) -> Iterator[tuple[str, tuple[NavNode, ...]]]:
        for node in nodes:
            if node.slug is not None:
                yield node.slug, groups
            inner = (*groups, node) if node.slug is None else groups
            yield from self._hidden(node.children, inner)

    def _pages(self, node: NavNode) -> Iterator[str]:
        if node.hidden:
            return
        for slug in (node.slug, node.root):
            meta = self._site.pages.get(slug) if slug else None
            if meta is not None and not meta.hidden and not meta.url:
                yield meta.slug
        for child in node.children:
            yield from self._pages(child)

    def _below(self, node: NavNode) -> frozenset[str]:
        key = id(node)
        if key not in self._slugs:
            self._slugs[key] = frozenset(s for s in node.pages() if s in self._site.pages)
        return self._slugs[key]

    def _folder(self, node: NavNode, beside: NavNode) -> str:
        """Return the folder of a node's pages, ignoring what both nodes share."""
        key = (id(node), id(beside))
        if key not in self._folders:
            self._folders[key] = _common_folder(self._below(node) - self._below(beside))
        return self._folders[key]

    @cached_property
    def _languages(self) -> Mapping[str, str | None]:
        """Language of the first pages in each folder."""
        found: dict[str, str | None] = {}
        for context in (*self._defaults(), *self.all):
            node = context.chosen(NodeKind.LANGUAGE)
            for folder in self._folders_of(context):
                found.setdefault(folder, node.label if node else None)
        return found

    @cached_property
    def _default(self) -> NavigationContext | None:
        return next(iter(self._defaults()), None)

    def _defaults(self) -> list[NavigationContext]:
        """Return the contexts of the default language and version, or all."""
        kept = self._walked.contexts
        chosen = [context for context in kept if all(_is_default(lv) for lv in context.levels)]
        return chosen or kept

    def _nearest(self, slug: str) -> NavigationContext:
        meta = self._site.pages.get(slug)
        contexts = [c for c in self._walked.contexts if _fits(c, meta)] or self._defaults()
        near = self._beside(slug, contexts) or self._beside(slug, self._walked.contexts)
        return near or next(iter(contexts), NavigationContext((), ()))

    def _beside(self, slug: str, contexts: list[NavigationContext]) -> NavigationContext | None:
        """Return the first context with pages in the folder of a page."""
        folder = slug.rpartition("/")[0]
        return next((c for c in contexts if folder and folder in self._folders_of(c)), None)

    def _folders_of(self, context: NavigationContext) -> frozenset[str]:
        """Return every folder that contains pages of a context, including parents."""
        key = id(context)
        if key not in self._held:
            slugs = (slug for node in context.entries for slug in node.pages())
            self._held[key] = frozenset(folder for slug in slugs for folder in _folders(slug))
        return self._held[key]


def _folders(slug: str) -> Iterator[str]:
    return (slug[:position] for position, char in enumerate(slug) if char == "/")


def _named(slug: str, own: str, other: str) -> Iterator[str]:
    """Yield slugs in which the folder `own` is replaced by `other`, or `other` is inserted."""
    parts = slug.split("/")
    for at, part in enumerate(parts):
        if part.lower() == own:
            yield "/".join((*parts[:at], other, *parts[at + 1 :]))
            yield "/".join((*parts[:at], *parts[at + 1 :]))
    for at in range(len(parts)):
        yield "/".join((*parts[:at], other, *parts[at:]))


def _is_default(level: ContextLevel) -> bool:
    if level.kind not in _TRANSLATABLE:
        return True
    preferred = next((node for node in level.siblings if node.default), level.siblings[0])
    return level.chosen is preferred


def _is_of_default_version(context: NavigationContext) -> bool:
    versions = (level for level in context.levels if level.kind is NodeKind.VERSION)
    return all(map(_is_default, versions))


def _has_labels(context: NavigationContext, labels: Mapping[NodeKind, str]) -> bool:
    chosen = {kind: context.chosen(kind) for kind in labels}
    return all(node and node.label == labels[kind] for kind, node in chosen.items())


def _fits(context: NavigationContext, meta: PageMeta | None) -> bool:
    requested: Mapping[NodeKind, str | None] = {
        NodeKind.LANGUAGE: meta.language if meta else None,
        NodeKind.VERSION: meta.version if meta else None,
    }
    if not any(requested.values()):
        return all(_is_default(level) for level in context.levels)
    return _has_labels(context, {kind: label for kind, label in requested.items() if label})


def _common_folder(slugs: frozenset[str]) -> str:
    """Return the common folder of the pages, with a slash, or ""."""
    if not slugs:
        return ""
    low, high = min(slugs), max(slugs)
    shared = 0
    while shared < min(len(low), len(high)) and low[shared] == high[shared]:
        shared += 1
    return low[: low.rfind("/", 0, shared) + 1]
