"""Sites of the editions that hosting serves."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from docstead.hosting.documents import SiteDocuments
from docstead.hosting.edition_site import EditionSite
from docstead.hosting.options import SiteOptions
from docstead.hosting.page_services import PageServices
from docstead.hosting.served_document import RecentDocuments
from docstead.hosting.site_matching import SiteMatch
from docstead.publishing.edition import Edition
from docstead.publishing.editions import EditionStore
from docstead.theme.external_services import ExternalServices

# Edition, base path, URL, whether the host is the site's own, and services of the pages.
_SiteKey = tuple[str, str, str, bool, ExternalServices]

_SITES_KEPT = 16


class EditionSites:
    """Sites of the current editions, created once per base path."""

    def __init__(
        self,
        editions: EditionStore,
        options: SiteOptions,
        recent_bytes: int,
    ) -> None:
        self._editions = editions
        self._options = options
        self._services = PageServices(options.external_services)
        self._recent = RecentDocuments(recent_bytes)
        self._sites: OrderedDict[_SiteKey, EditionSite] = OrderedDict()
        self._lock = Lock()

    def current(self, match: SiteMatch) -> EditionSite | None:
        """Return the current site at a URL, or None before the first publish."""
        edition = self._editions.current(match.deployment)
        if edition is None:
            return None
        url = self._options.url(match.deployment)
        services = self._services.of(match.deployment)
        key = (edition.id, match.base_path, url, match.own_host, services)
        with self._lock:
            site = self._sites.pop(key, None)
            if site is None or not site.is_of(edition):
                site = self._new_site(edition, match, url, services)
            self._sites[key] = site
            while len(self._sites) > _SITES_KEPT:
                self._sites.popitem(last=False)
            return site

    def _new_site(
        self, edition: Edition, match: SiteMatch, url: str, services: ExternalServices
    ) -> EditionSite:
        """Create a site that replaces those of earlier editions, whose files are closed."""
        here = match.base_path, url, match.own_host
        earlier = [self._sites.pop(key) for key in list(self._sites) if key[1:4] == here]
        before = earlier[-1].documents if earlier else None
        documents = SiteDocuments(
            edition,
            match.base_path,
            url,
            self._recent,
            services,
            features=self._options.features(match.deployment),
            is_shared=not match.own_host,
            before=before,
        )
        return EditionSite(edition, match.base_path, documents)
