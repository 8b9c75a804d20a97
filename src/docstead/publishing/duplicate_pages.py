"""Detection of identical pages in the same language, mostly in older versions of a site.

Identical pages are rendered once and stored under each of their paths.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from docstead.content.pages import Page, Repository
from docstead.content.reference_entries import entry_key
from docstead.content.slugs import PAGE_SUFFIXES
from docstead.markup.rendered import RenderedPage
from docstead.rendering.languages import PageLanguages
from docstead.repository.markdown_text import without_code

# Possible relative paths: they have other targets in another folder.
_ELSEWHERE = r"(?![a-zA-Z][a-zA-Z\d+.-]*:|[/#@])"
_FILES = r"\.(?:png|jpe?g|gif|webp|avif|svg|ico|mp[34]|webm|wav|pdf|json|ya?ml|csv|mdx?|[jt]sx?)"
_RELATIVE = re.compile(
    rf"""(?:\]\(|\]:[ \t]*)<?{_ELSEWHERE}[^\s)]"""
    rf"""|\b(?:href|src|img)\s*[=:]\s*\{{?\s*["'`]{_ELSEWHERE}[^"'`]"""
    rf"""|["'`]{_ELSEWHERE}[^\s"'`<>]*(?:/|{_FILES}["'`#?])"""
)
_IMPORTS = re.compile(r"^import\s|<Snippet\b", re.MULTILINE)
_EXPORTS = re.compile(r"^export\s", re.MULTILINE)  # islands contain the name of their source file


class DuplicatePages:
    """Finds duplicates among the pages `slugs` of a repository."""

    def __init__(self, repository: Repository, slugs: Sequence[str]) -> None:
        self._repository = repository
        self._languages = PageLanguages(repository.site)
        self._copies = dict(self._found(slugs))
        copies = {slug for found in self._copies.values() for slug in found}
        self.originals = [slug for slug in slugs if slug not in copies]

    def each(self, rendered: Iterator[RenderedPage]) -> Iterator[RenderedPage]:
        """Yield every page, duplicates after their original has been rendered."""
        for page in rendered:
            yield page
            for slug in self._copies.get(page.slug, ()):
                yield self._copied(page, slug)

    def _found(self, slugs: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
        """Yield the first page of each group of duplicates, with the others."""
        alike: dict[int, list[str]] = {}
        for slug in slugs:
            page, language = self._repository.pages[slug], self._languages.of(slug)
            alike.setdefault(_hash(page, language), []).append(slug)
        for first, *others in alike.values():
            page = self._repository.pages[first]
            if others and self._stands_anywhere(page):
                same = [slug for slug in others if self._is_same(first, slug)]
                if same:
                    yield first, same

    def _stands_anywhere(self, page: Page) -> bool:
        prose = without_code(page.body)
        if _EXPORTS.search(prose) or _RELATIVE.search(prose):
            return False
        return self._modules_stand_anywhere or _IMPORTS.search(prose) is None

    @cached_property
    def _modules_stand_anywhere(self) -> bool:
        sources = (
            without_code(module.source) if path.endswith(PAGE_SUFFIXES) else module.source
            for path, module in self._repository.modules.items()
        )
        return not any(map(_RELATIVE.search, sources))

    def _is_same(self, first: str, second: str) -> bool:
        page, other = self._repository.pages[first], self._repository.pages[second]
        has_same_words = page.body_line == other.body_line and page.body == other.body
        has_same_language = self._languages.of(first) == self._languages.of(second)
        return has_same_words and has_same_language and page.reference == other.reference

    def _copied(self, page: RenderedPage, slug: str) -> RenderedPage:
        before, after = (self._repository.pages[each].meta.file for each in (page.slug, slug))
        diagnostics = tuple(
            replace(diagnostic, file=after) if diagnostic.file == before else diagnostic
            for diagnostic in page.diagnostics
        )
        return replace(page, slug=slug, diagnostics=diagnostics)


def _hash(page: Page, language: str | None) -> int:
    """Return a hash that is equal for possible duplicates."""
    key = entry_key(page.reference) if page.reference else None
    return hash((page.body_line, page.body, key, language))
