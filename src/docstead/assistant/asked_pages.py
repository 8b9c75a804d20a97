"""The page or section that a question asks for by its role or its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from docstead.assistant.conversation import Question
from docstead.assistant.extractive.definitions import is_prose
from docstead.assistant.extractive.evidence import Stems
from docstead.assistant.page_names import AskedName, NameFit
from docstead.assistant.page_roles import RolePages, is_other
from docstead.assistant.reader_location import preference_of_answers
from docstead.content.pages import Site
from docstead.search.chunks import blocks
from docstead.search.documents import Passage
from docstead.search.index import Index

_MOST_OF_PAGE = 30  # passages
_OPENING = 2  # passages


@dataclass(frozen=True, slots=True)
class NamedPage:
    """A page or section that a question names; its passages are in reading order.

    `is_whole` means that its beginning answers, otherwise its best part.
    """

    slug: str
    passages: Sequence[Passage] = ()
    is_whole: bool = False
    is_section: bool = False


class AskedPages:
    """Finds what one question asks for, among pages that the reader may see."""

    def __init__(
        self, index: Index, site: Site, stems: Stems, question: Question, near: str | None
    ) -> None:
        self._index = index
        self._site = site
        self._stems = stems
        self._groups = question.groups
        preferred = preference_of_answers(site, near)
        self._prefer = replace(
            preferred,
            language=question.language or preferred.language,
            version=question.version or preferred.version,
        )

    def with_role(
        self, question: str, found: Sequence[Passage], *, first: bool
    ) -> Sequence[Passage]:
        """Return the page with the role that the `first` or another question asks for."""
        roles = RolePages(self._site, self._opening)
        asked = roles.asked(question, first=first)
        slugs = (each.slug for each in found)
        slug = roles.page(asked, self._prefer, slugs) if asked else None
        return self._page(slug) if slug is not None else ()

    def named(self, question: str, found: Sequence[Passage]) -> NamedPage | None:
        """Return the page or section whose name is all that a question says, or None."""
        asked = AskedName(question, self._site.config.name, self._stems)
        if not asked:
            return None
        fits = self._fits(asked, found)
        fit, _, slug = max(fits, key=itemgetter(0, 1), default=(NameFit.NONE, False, ""))
        if fit is NameFit.NONE:
            return self._section(asked, found)
        if self._site.pages[slug].method or not (fit >= NameFit.OF_PATH or asked.walks):
            return NamedPage(slug)
        return NamedPage(slug, self._page(slug), is_whole=True)

    def _section(self, asked: AskedName, found: Sequence[Passage]) -> NamedPage | None:
        if not asked.may_be_heading:
            return None
        for each in found:
            path = each.heading_path
            is_operation = self._site.pages[each.slug].method is not None
            if path and not is_operation and asked.fit(path[-1]) is NameFit.EXACT:
                own = [p for p in self._page(each.slug) if p.heading_path[: len(path)] == path]
                return NamedPage(each.slug, own, is_section=True)
        return None

    def _fits(
        self, asked: AskedName, found: Sequence[Passage]
    ) -> Iterator[tuple[NameFit, bool, str]]:
        """Yield how a question fits pages, found ones first, and whether those are preferred."""
        slugs = dict.fromkeys(each.slug for each in found)
        for slug in slugs:
            meta = self._site.pages[slug]
            yield asked.fit_of_page(meta), not is_other(meta, self._prefer), slug
        for slug, meta in self._site.pages.items():
            if slug not in slugs and asked.may_fit(meta) and not is_other(meta, self._prefer):
                fit = asked.fit_of_page(meta)
                is_asked = fit >= NameFit.OF_PATH or (fit is NameFit.NEARLY and asked.walks)
                if is_asked and self._index.knows(slug, self._groups):
                    yield fit, True, slug

    def _page(self, slug: str) -> list[Passage]:
        return self._index.passages_of(slug, _MOST_OF_PAGE)

    def _opening(self, slug: str) -> str:
        """Return the prose at the start of a page that the reader may see, or ""."""
        if not self._index.knows(slug, self._groups):
            return ""
        passages = self._index.passages_of(slug, _OPENING)
        said = (block for each in passages for block in blocks(each.markdown))
        return "\n\n".join(each for each in said if is_prose(each))
