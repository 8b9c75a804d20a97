"""ASGI application that serves published sites.

Errors are shown as pages, never as stack traces: 404 if the site or path does not exist, 503 if
nothing is published yet or storage is unavailable.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from operator import attrgetter

from anyio import CapacityLimiter, to_thread
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from docstead.accounts.tenancy import Deployment
from docstead.analytics.event_collector import EventCollector
from docstead.base.conditions import accepted_coding
from docstead.base.errors import NotFound, RateLimited, StoreUnavailable, Unavailable
from docstead.base.features import Features
from docstead.base.lru_cache import LruCache
from docstead.base.outbound import OutboundClient
from docstead.base.unexpected import request_failure
from docstead.base.units import MIB
from docstead.hosting.edition_sites import EditionSites
from docstead.hosting.notices import notice
from docstead.hosting.options import ClientPolicy, SiteOptions
from docstead.hosting.playground import PATH as PLAYGROUND_PATH
from docstead.hosting.playground import PlaygroundProxy
from docstead.hosting.prepared_response import PreparedResponse
from docstead.hosting.reader_posts import FEEDBACK_PATH, VIEWS_PATH, ReaderPosts
from docstead.hosting.requests import (
    below,
    combined,
    host_of,
    is_plain,
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
from docstead.hosting.served_document import Redirection, ServedDocument
from docstead.hosting.shared_hosts import sandboxed
from docstead.hosting.site_matching import SiteMatch, SiteMatcher
from docstead.publishing.editions import EditionStore
from docstead.storage.objects import ObjectStore

_log = logging.getLogger(__name__)

_RECENT_BYTES = 32 * MIB
_THREADS = 40
_METHODS = ("GET", "HEAD")
_OK = 200
_RETRY_SECONDS = 5
_SORRY = "Something it needs cannot be reached. Try again in a moment."
_UNPUBLISHED = "This site has not been published yet. Try again in a moment."


def create_hosting(
    matcher: SiteMatcher,
    editions: EditionStore,
    objects: ObjectStore,
    options: SiteOptions,
    *,
    clients: ClientPolicy | None = None,
    collector: EventCollector[Deployment] | None = None,
    outbound: OutboundClient | None = None,
) -> HostingApp:
    """Create the ASGI application for all deployments.

    Args:
        collector: receives reader events of pages; None if they are not counted.
        outbound: client for requests of API playgrounds; public addresses only by default.
    """
    clients, features = clients or ClientPolicy(), options.features
    playground = PlaygroundProxy(
        matcher, editions, outbound or OutboundClient(), clients.admit_playground, features
    )
    return HostingApp(
        matcher,
        EditionSites(editions, options, _RECENT_BYTES),
        responses=ResponseBuilder(objects),
        editions=editions,
        playground=playground,
        readers=ReaderPosts(matcher, collector, clients.ip, features) if collector else None,
        features=features,
        clients=clients,
        kept_bytes=_RECENT_BYTES,
    )


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
        clients: ClientPolicy,
        kept_bytes: int,
    ) -> None:
        self._matcher = matcher
        self._sites = sites
        self._responses = responses
        self._editions = editions
        self._playground = playground
        self._readers = readers
        self._features = features
        self._clients = clients
        self._kept = LruCache[tuple[object, ...], CachedPage](kept_bytes, attrgetter("size_bytes"))
        # The threads of other surfaces may all be waiting for a locked database.
        self._threads = CapacityLimiter(_THREADS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise RuntimeError(f"sites are not served over {scope['type']}")
        scope = combined(scope)
        scope = below(scope, self._clients.shown_below(HTTPConnection(scope)))
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
            self._clients.admit(request)
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
            failure = request_failure(_log, request.method, request.url.path)
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
