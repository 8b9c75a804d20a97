"""Feedback controls below a page."""

from __future__ import annotations

from dataclasses import dataclass

from docstead.content.config import FeedbackControls
from docstead.content.pages import PageMeta
from docstead.theme.external_services import ForgeRepository
from docstead.theme.links import SiteLinks


@dataclass(frozen=True, slots=True)
class FeedbackView:
    """`edit` and `issue` are URLs, or ""."""

    thumbs: bool
    edit: str
    issue: str


class FeedbackViews:
    """Creates feedback controls; `has_collector` means that ratings are collected."""

    def __init__(
        self,
        asked: FeedbackControls,
        links: SiteLinks,
        repository: ForgeRepository | None,
        *,
        has_collector: bool,
    ) -> None:
        own = ForgeRepository.of(asked.repository) if asked.repository else None
        self._asked = asked
        self._links = links
        self._repository = own or repository
        self._has_thumbs = asked.thumbs and has_collector

    def of(self, meta: PageMeta) -> FeedbackView | None:
        repository, page = self._repository, self._links.public(meta.slug)
        edit = issue = ""
        if repository is not None and self._asked.suggest_edit and meta.file and not meta.symbol:
            edit = repository.edit(meta.file)
        if repository is not None and self._asked.raise_issue:
            issue = repository.issue(f"Page: {meta.title}", page or meta.slug)
        is_empty = not (self._has_thumbs or edit or issue)
        return None if is_empty else FeedbackView(self._has_thumbs, edit, issue)
