"""Titles that say nothing without the group of their page, such as "Overview".

Search finds such a page by the name of the group, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from docstead.content.navigation import NavNode, NodeKind
from docstead.content.pages import Site

_TITLES = frozenset(
    {
        "overview", "introduction", "intro", "welcome", "getting started", "get started",
        "übersicht", "überblick", "einführung", "vue d’ensemble", "vue d'ensemble", "aperçu",
        "présentation", "introducción", "introdução", "visão geral", "resumen", "概述", "概要",
        "简介", "はじめに", "개요", "소개",
    }
)  # fmt: skip
_UNNAMED = (NodeKind.LANGUAGE, NodeKind.VERSION)  # divisions that name no topic


def is_generic(title: str) -> bool:
    return title.lower() in _TITLES


def groups_of_generic_titles(site: Site) -> Mapping[str, str]:
    """Return the innermost group of each page with such a title, by slug."""
    groups: dict[str, str] = {}
    for slug, label in _pages(site.navigation.roots, ""):
        if slug in site.pages and is_generic(site.pages[slug].title):
            groups.setdefault(slug, label)
    return groups


def _pages(nodes: Iterable[NavNode], label: str) -> Iterator[tuple[str, str]]:
    for node in nodes:
        if node.slug is not None:
            yield node.slug, label
            continue
        inner = label if node.kind in _UNNAMED else node.label
        if node.root is not None:
            yield node.root, inner
        yield from _pages(node.children, inner)
