"""ASGI application that serves published sites.

Errors are shown as pages, never as stack traces: 404 if the site or path does not exist, 503 if
nothing is published yet or storage is unavailable.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from operator import attrgetter
from threading import Lock

from anyio import CapacityLimiter, to_thread
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from docstead.accounts.site_hosts import SiteHosts
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.analytics.event_collector import EventCollector
from docstead.base.conditions import accepted_coding
from docstead.base.errors import NotFound, RateLimited, StoreUnavailable, Unavailable
from docstead.base.features import ALL_FEATURES, Features
from docstead.base.lru_cache import LruCache
from docstead.base.outbound import OutboundClient
from docstead.base.texts import logged_path
from docstead.base.unexpected import UnexpectedError
from docstead.base.units import MIB
from docstead.hosting.documents import SiteDocuments
from docstead.hosting.edition_site import EditionSite
from docstead.hosting.notices import notice
from docstead.hosting.page_services import PageServices
from docstead.hosting.playground import PATH as PLAYGROUND_PATH
from docstead.hosting.playground import PlaygroundProxy
from docstead.hosting.prepared_response import PreparedResponse
from docstead.hosting.reader_posts import FEEDBACK_PATH, VIEWS_PATH, ReaderPosts
from docstead.hosting.requests import (
    below,
    combined,
    is_plain,
    no_prefix,
    peer_of,
    prefix_of,
    wants_markdown,
)
from docstead.hosting.response_cache import CachedPage
from docstead.hosting.responses import (
    REVALIDATE,
    ResponseBuilder,
    document_response,
    moved_response,
    page_policy,
    without_content,
)
from docstead.hosting.served_document import RecentDocuments, Redirection, ServedDocument
from docstead.hosting.shared_hosts import sandboxed
from docstead.hosting.site_matching import SiteMatch, SiteMatcher, host_of
from docstead.publishing.edition import Edition
from docstead.publishing.editions import EditionStore
from docstead.storage.objects import ObjectStore
from docstead.theme.external_services import NOTHING, ExternalServices

_log = logging.getLogger(__name__)

# Edition, base path, URL, whether the host is the site's own, and services of the pages.
_SiteKey = tuple[str, str, str, bool, ExternalServices]

_RECENT_BYTES = 32 * MIB
_SITES_KEPT = 16
_THREADS = 40
_METHODS = ("GET", "HEAD")
_OK = 200
_RETRY_SECONDS = 5
_SORRY = "Something it needs cannot be reached. Try again in a moment."
_UNPUBLISHED = "This site has not been published yet. Try again in a moment."


def _everyone(_: HTTPConnection) -> None:
    """Accept every request."""


def create_hosting(
    tenancy: Tenancy,
    editions: EditionStore,
    objects: ObjectStore,
    *,
    site_url: Callable[[Deployment], str],
    service_hosts: Iterable[str],
    default_domain: str = "",
    site_hosts: SiteHosts | None = None,
    outbound: OutboundClient | None = None,
    external_services: Callable[[Deployment], ExternalServices] = lambda _: NOTHING,
    features: Callable[[Deployment], Features] = lambda _: ALL_FEATURES,
    collector: EventCollector[Deployment] | None = None,
    client_ip: Callable[[HTTPConnection], str] = peer_of,
    shown_below: Callable[[HTTPConnection], str] = no_prefix,
    recent_bytes: int = _RECENT_BYTES,
    admit: Callable[[HTTPConnection], None] = _everyone,
    admit_playground: Callable[[HTTPConnection], None] = _everyone,
) -> HostingApp:
    """Create the ASGI application for all deployments.

    Args:
        site_url: returns the canonical URL of a deployment, without a trailing slash.
        service_hosts: hostnames of the service itself, in addition to `localhost` and IP addresses.
        default_domain: deployment shown at these hosts; empty means the only one, if there is one.
        site_hosts: names that are reserved for deployments.
        external_services: services that pages of a deployment use, such as the assistant.
        features: features that a deployment's pages offer and that are served for them.
        collector: receives reader events of pages; None if they are not counted.
        client_ip: returns the IP address of a client.
        shown_below: returns the path under which a trusted proxy serves the site.
        outbound: client for requests of API playgrounds; public addresses only by default.
        recent_bytes: memory limit of the cache of rendered pages.
        admit: raises RateLimited for IP addresses that post too often; `admit_playground` for those
            that send too many playground requests.
    """
    matcher = SiteMatcher(tenancy, service_hosts, default_domain, site_hosts)
    sites = EditionSites(editions, site_url, external_services, recent_bytes, features)
    sender = PlaygroundProxy(
        matcher, editions, outbound or OutboundClient(), admit_playground, features
    )
    return HostingApp(
        matcher,
        sites,
        responses=ResponseBuilder(objects),
        editions=editions,
        playground=sender,
        readers=ReaderPosts(matcher, collector, client_ip, features) if collector else None,
        features=features,
        shown_below=shown_below,
        kept_bytes=recent_bytes,
        admit=admit,
    )


class EditionSites:
    """Sites of the current editions, created once per base path."""

    def __init__(
        self,
        editions: EditionStore,
        site_url: Callable[[Deployment], str],
        external_services: Callable[[Deployment], ExternalServices],
        recent_bytes: int,
        features: Callable[[Deployment], Features] = lambda _: ALL_FEATURES,
    ) -> None:
        self._features = features
        self._editions = editions
        self._services = PageServices(external_services)
        self._site_url = site_url
        self._recent = RecentDocuments(recent_bytes)
        self._sites: OrderedDict[_SiteKey, EditionSite] = OrderedDict()
        self._lock = Lock()

    def current(self, match: SiteMatch) -> EditionSite | None:
        """Return the current site at a URL, or None before the first publish."""
        edition = self._editions.current(match.deployment)
        if edition is None:
            return None
        url = self._site_url(match.deployment)
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
            features=self._features(match.deployment),
            is_shared=not match.own_host,
            before=before,
        )
        return EditionSite(edition, match.base_path, documents)


class HostingApp:
    """ASGI application that serves sites. See `create_hosting`."""

    def __init__(
        self,
        matcher: SiteMatcher,
        sites: EditionSites,
        *,
        responses: ResponseBuilder,
        editions: EditionStore,
        playground: PlaygroundProxy,
        readers: ReaderPosts | None,
        features: Callable[[Deployment], Features],
        shown_below: Callable[[HTTPConnection], str],
        kept_bytes: int,
        admit: Callable[[HTTPConnection], None],
    ) -> None:
        self._matcher = matcher
        self._sites = sites
        self._responses = responses
        self._editions = editions
        self._playground = playground
        self._readers = readers
        self._features = features
        self._shown_below = shown_below
        self._kept = LruCache[tuple[object, ...], CachedPage](kept_bytes, attrgetter("size_bytes"))
        self._admit = admit
        # The threads of other surfaces may all be waiting for a locked database.
        self._threads = CapacityLimiter(_THREADS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise RuntimeError(f"sites are not served over {scope['type']}")
        scope = combined(scope)
        scope = below(scope, self._shown_below(HTTPConnection(scope)))
        if scope["method"] == "POST" and (answer := self._post_handler(scope["path"])):
            response = await self._handle_post(answer, Request(scope, receive))
            await response(scope, receive, send)
            return
        key, known = _key_of(scope)
        kept = self._kept.get(key)
        if kept is None or not kept.is_good(self._editions):
            found = await to_thread.run_sync(self._respond, Request(scope), limiter=self._threads)
            if isinstance(found, Response):
                response = without_content(found) if scope["method"] == "HEAD" else found
                await response(scope, receive, send)
                return
            kept = found
            self._kept.put(key, kept)
        await kept.ready.send(send, known, is_head=scope["method"] == "HEAD")
        if kept.page and self._readers is not None and scope["method"] == "GET":
            self._readers.sent(scope, kept.deployment_id, kept.page, as_markdown=kept.is_markdown)

    async def _handle_post(
        self, answer: Callable[[Request], Awaitable[Response]], request: Request
    ) -> Response:
        try:
            self._admit(request)
        except RateLimited as error:
            return JSONResponse({"error": error.message}, error.status, error.headers)
        return await answer(request)

    def text(self, deployment: Deployment, name: str) -> str:
        """Return a site-wide text file such as `llms.txt`, or "" if there is none. Blocking."""
        site = self._sites.current(SiteMatch(deployment, "", f"/{name}", own_host=True))
        return site.text(name) if site else ""

    def _post_handler(self, path: str) -> Callable[[Request], Awaitable[Response]] | None:
        """Return the handler of POST requests to this path."""
        if path.endswith(PLAYGROUND_PATH):
            return self._playground.answer
        if path.endswith((VIEWS_PATH, FEEDBACK_PATH)) and self._readers is not None:
            return self._readers.answer
        return None

    async def has_host_to_itself(self, host_header: str) -> bool:
        """Report whether a host serves only a site, without the service's other routes.

        The service may be reached by names that it does not know, for instance inside a cluster.
        Hosts of no deployment are therefore treated as the service's own.
        """
        host = host_of(host_header)
        if self._matcher.is_service(host):
            return False
        remembered = self._matcher.remembered_site(host)
        if remembered is not None:
            return remembered
        try:
            return await to_thread.run_sync(self._matcher.is_site, host, limiter=self._threads)
        except StoreUnavailable:  # `hosting` then answers 503
            return True

    def _respond(self, request: Request) -> Response | CachedPage:
        if request.method not in _METHODS:
            response = _notice_response(request, "Method not allowed", "Use GET.", 405)
            response.headers["Allow"] = ", ".join(_METHODS)
            return response
        try:
            return self._answer(request)
        except Unavailable as error:  # logged where it was detected, once per outage
            response = _notice_response(request, "This page cannot be shown now", _SORRY, 503)
            response.headers.update({"Retry-After": str(_RETRY_SECONDS), **error.headers})
            return response
        except Exception:
            failure = UnexpectedError()
            path = logged_path(request.url.path)
            _log.exception("error %s: %s %s failed", failure.id, request.method, path)
            return _notice_response(request, "This page cannot be shown", failure.message, 503)

    def _answer(self, request: Request) -> Response | CachedPage:
        path = request.scope["path"]
        if not is_plain(path):
            return _notice_response(request, "Page not found", "Check the URL.", 404)
        host = request.headers.get("host", "")
        try:
            match = self._matcher.find(host, path, prefix_of(request.scope))
        except NotFound as error:
            return _notice_response(request, "Site not found", error.message, 404)
        if match.moved_to:
            response = moved_response(Redirection(match.moved_to, 308), request.url.query)
            response.headers["Cache-Control"] = REVALIDATE  # the name may be claimed later
            return response
        site = self._sites.current(match)
        if site is None:
            return _notice_response(request, "Nothing is published yet", _UNPUBLISHED, 503)
        answer = site.at(
            match.path, wants_markdown=wants_markdown(request.headers.get("accept", ""))
        )
        policy = page_policy(" ".join(("'self'", *site.scripts)), site.connects)
        if not match.own_host:
            policy = sandboxed(policy)
        if isinstance(answer, ServedDocument) and answer.status == _OK and answer.is_cacheable:
            ready = PreparedResponse.of(answer, policy, accepted_coding(request.headers))
            is_counted = self._features(match.deployment).analytics
            page = site.page_at(match.path) if is_counted else ""
            return CachedPage.now(ready, match.deployment.id, site.edition_id, page)
        query = request.url.query
        return self._responses.of(
            answer, request.headers, query, policy, is_shared=not match.own_host
        )


def _key_of(scope: Scope) -> tuple[tuple[object, ...], str | None]:
    """Return the request properties that a cached page depends on, and the validator sent."""
    headers = dict(scope["headers"])
    accept = headers.get(b"accept", b"").decode("latin-1")
    coding = {"accept-encoding": headers.get(b"accept-encoding", b"").decode("latin-1")}
    known = headers.get(b"if-none-match")
    key = (
        scope["method"] in _METHODS,
        host_of(headers.get(b"host", b"").decode("latin-1")),
        scope["path"],
        prefix_of(scope) and (prefix_of(scope), headers.get(b"x-forwarded-host")),
        wants_markdown(accept),
        accepted_coding(coding),
    )
    return key, known and known.decode("latin-1")


def _notice_response(request: Request, title: str, text: str, status: int) -> Response:
    shown = notice(title, text, status)
    response = document_response(shown, request.headers, sandboxed(page_policy("'none'")))
    response.headers["Cache-Control"] = "no-store"
    return response
