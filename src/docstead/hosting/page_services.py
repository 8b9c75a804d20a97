"""External services of hosted pages, cached for some seconds.

Failure rule: during an outage, pages keep the services that they had. A site without earlier pages
is shown without services, and so without its assistant, rather than not at all.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from docstead.accounts.tenancy import Deployment
from docstead.base.errors import StoreUnavailable
from docstead.base.lru_cache import LruCache
from docstead.hosting.site_matching import REMEMBERED_SECONDS
from docstead.theme.external_services import NOTHING, ExternalServices

_ENTRIES = 10_000


class PageServices:
    """Asks for the services of a deployment at most every `REMEMBERED_SECONDS`. Thread-safe."""

    def __init__(self, ask: Callable[[Deployment], ExternalServices]) -> None:
        self._ask = ask
        self._known = LruCache[tuple[str, str, int], tuple[float, ExternalServices]](_ENTRIES)

    def of(self, deployment: Deployment) -> ExternalServices:
        """Return the services of a deployment's pages."""
        key = (deployment.id, deployment.domain, deployment.site_key_number)
        now = monotonic()
        asked, known = self._known.get(key) or (float("-inf"), NOTHING)
        if now - asked < REMEMBERED_SECONDS:
            return known
        with suppress(StoreUnavailable):  # logged where it was detected, once per outage
            known = self._ask(deployment)
        self._known.put(key, (now, known))
        return known
