"""Language of texts that are added to pages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from docstead.content.navigation import NavNode, NodeKind
from docstead.content.pages import Site
from docstead.markup.content_words import ENGLISH, ContentTexts

if TYPE_CHECKING:
    from docstead.content.contexts import NavigationContexts

# Imported by workers as well, which need nothing of it.


class PageLanguages:
    """Languages of a site's pages, by translation name; None is English."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def of(self, slug: str) -> str | None:
        if self._contexts is None:
            return None
        from docstead.markup.words import translation_of

        return translation_of(self._contexts.language(slug))

    def words_of(self, slug: str) -> ContentTexts:
        """Return the texts for a page in its language."""
        return self.words.get(self.of(slug) or "", ENGLISH)

    @cached_property
    def words(self) -> Mapping[str, ContentTexts]:
        """Texts of the languages in use, except English."""
        if self._contexts is None:
            return {}
        from docstead.markup.words import content_texts

        names = {self.of(slug) for slug in self._site.pages}
        return {name: content_texts(name) for name in sorted(filter(None, names))}

    @cached_property
    def _contexts(self) -> NavigationContexts | None:
        """Navigation contexts, or None if none has a language, as on most sites."""
        roots, pages = self._site.navigation.roots, self._site.pages.values()
        if not any(page.language for page in pages) and not any(map(_has_language, roots)):
            return None
        from docstead.content.contexts import NavigationContexts

        return NavigationContexts(self._site)


def _has_language(node: NavNode) -> bool:
    return node.kind is NodeKind.LANGUAGE or any(map(_has_language, node.children))
