"""Documentation lookup for a model: search, pages, operations.

It finds only what the reader's own search would find.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docstead.assistant.conversation import Question, ReadableEdition
from docstead.assistant.extractive.evidence import Excerpt
from docstead.assistant.links import AbsoluteLinks
from docstead.assistant.reader_location import page_at, preference_of_answers
from docstead.base.errors import NotFound
from docstead.content.pages import PageMeta
from docstead.search.chunks import split_section
from docstead.search.documents import Passage
from docstead.search.index import Index

_MOST_PASSAGES = 10
_PAGE_WORDS = 3_000
_OPERATION_CANDIDATES = 50
_LEAST_SHARE = 0.08  # of the score that a nearest page could have at most
_LEAST_RELATED = 0.25  # minimum similarity of such a page, if it is known
_LEAST_COSINE = 0.35  # or this similarity


class DocumentationLookup:
    """An edition within the filters of a question."""

    def __init__(self, edition: ReadableEdition, links: AbsoluteLinks, question: Question) -> None:
        self._edition = edition
        self._links = links
        self._question = question

    def search(self, query: str, limit: int | None = None) -> list[Excerpt]:
        limit = min(max(limit or self._question.page_size, 1), _MOST_PASSAGES)
        return [self._excerpt(each) for each in self._found(query, limit)]

    def page(self, path: str) -> list[Excerpt]:
        """Return a whole page by section.

        Raises:
            NotFound: there is no page at this path, or it is excluded from search and answers.
        """
        slug = page_at(self._edition.site, path)
        if slug is None or not self._edition.index.knows(slug, self._question.groups):
            raise NotFound(f"there is no page at {path!r}; search for it")
        return list(self._sections(slug))

    def operation(self, name: str) -> list[Excerpt]:
        """Return the page of an API operation, by method and path or by description.

        Raises:
            NotFound: no operation matches.
        """
        pages = self._edition.site.pages
        found = self._found(name, _OPERATION_CANDIDATES)
        slugs = [each.slug for each in found if _is_operation(pages.get(each.slug))]
        if not slugs:
            raise NotFound(f"there is no operation like {name!r}; search for it")
        return list(self._sections(slugs[0]))

    def nearest(self, query: str, limit: int) -> list[tuple[str, str]]:
        """Return titles and URLs of the closest pages, without those that match by chance."""
        passages = filter(_is_near, self._found(query, _MOST_PASSAGES))
        found = {each.slug: each.title for each in passages}
        return [(title, self._links.to(slug)) for slug, title in list(found.items())[:limit]]

    def url(self, path: str) -> str | None:
        """Return the full URL of a page that may be linked to, or None."""
        slug = page_at(self._edition.site, path)
        return self._links.to(slug) if slug is not None else None

    @property
    def index(self) -> Index:
        return self._edition.index

    def _found(self, query: str, limit: int) -> Sequence[Passage]:
        question, site = self._question, self._edition.site
        return self._edition.index.search(
            query,
            limit=limit,
            language=question.language,
            version=question.version,
            groups=question.groups,
            prefer=preference_of_answers(site, None),
        )

    def _sections(self, slug: str) -> Iterator[Excerpt]:
        page = self._edition.page(slug)
        title = self._edition.site.pages[slug].title
        words = 0
        for section in page.sections if page else ():
            for markdown in split_section(section.markdown):
                words += len(markdown.split())
                if words > _PAGE_WORDS:
                    return
                yield Excerpt(
                    link=self._links.to(slug, section.anchor),
                    title=title,
                    heading_path=section.heading_path,
                    markdown=self._links.absolute(markdown, slug),
                    score=1.0,
                )

    def _excerpt(self, passage: Passage) -> Excerpt:
        return Excerpt(
            link=self._links.to(passage.slug, passage.anchor),
            title=passage.title,
            heading_path=passage.heading_path,
            markdown=self._links.absolute(passage.markdown, passage.slug),
            score=passage.score,
        )


def _is_operation(meta: PageMeta | None) -> bool:
    return meta is not None and meta.method is not None


def _is_near(passage: Passage) -> bool:
    if passage.cosine is None:
        return passage.share >= _LEAST_SHARE
    has_words = passage.share >= _LEAST_SHARE and passage.cosine >= _LEAST_RELATED
    return has_words or passage.cosine >= _LEAST_COSINE
