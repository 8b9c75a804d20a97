"""Request bodies of search and page contents.

Optional fields that are null count as missing.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from docstead.api.json_body import WHOLE, BodyList, BodyModel

GROUPS = Field(
    default=None,
    description="Groups of readers; ignored unless the key has the scope `groups`.",
)
_RESULTS = 10
_MOST_RESULTS = 50


PageSize = Annotated[int, Field(ge=1, le=_MOST_RESULTS), WHOLE]


class Filter(BodyModel):
    version: str | None = None
    language: str | None = None


class SearchFilter(Filter):
    tag: str | None = None
    groups: BodyList[str] | None = GROUPS


class SearchRequest(BodyModel):
    """The body of `POST /discovery/v1/search/{domain}`."""

    query: str
    page_size: PageSize | None = _RESULTS
    score_threshold: float | None = Field(
        default=None, ge=0, le=1, description="Minimum score of results, inclusive."
    )
    filter: SearchFilter | None = None

    @property
    def groups(self) -> list[str] | None:
        """Return the requested reader groups, whether or not the key may use them."""
        return self.filter.groups if self.filter else None

    @property
    def limit(self) -> int:
        return self.page_size or _RESULTS


class PageRequest(BodyModel):
    """The body of `POST /discovery/v1/page/{domain}`."""

    path: str = Field(description="Path of a page, as returned by search.")
    groups: BodyList[str] | None = GROUPS
