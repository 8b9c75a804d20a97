"""Cache of rendered pages that are sent without looking up the current edition."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

from docstead.hosting.prepared_response import PreparedResponse
from docstead.hosting.site_matching import REMEMBERED_SECONDS
from docstead.publishing.editions import EditionStore


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A page of an edition at a URL.

    The URL is resolved again after a while, because its host may have moved to another site.
    """

    ready: PreparedResponse
    deployment_id: str
    edition_id: str
    page: str  # path within the site; "" for content that is not counted
    until: float

    @classmethod
    def now(
        cls, ready: PreparedResponse, deployment_id: str, edition_id: str, page: str
    ) -> CachedPage:
        return cls(ready, deployment_id, edition_id, page, monotonic() + REMEMBERED_SECONDS)

    @property
    def is_markdown(self) -> bool:
        return self.ready.content_type.startswith("text/markdown")

    @property
    def size_bytes(self) -> int:
        return self.ready.size_bytes

    def is_good(self, editions: EditionStore) -> bool:
        is_current = editions.is_known_current(self.deployment_id, self.edition_id)
        return is_current and monotonic() < self.until
