"""Options of hosted sites, and of requests to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from docstead.accounts.tenancy import Deployment
from docstead.base.features import ALL_FEATURES, Features
from docstead.hosting.requests import no_prefix, peer_of
from docstead.theme.external_services import NOTHING, ExternalServices


def _everyone(_: HTTPConnection) -> None:
    """Accept every request."""


@dataclass(frozen=True, slots=True)
class SiteOptions:
    """Options of a deployment's site.

    Attributes:
        url: returns the canonical URL of a deployment, without a trailing slash.
        external_services: services that its pages use, such as the assistant.
        features: features that its pages offer and that are served for them.
    """

    url: Callable[[Deployment], str]
    external_services: Callable[[Deployment], ExternalServices] = lambda _: NOTHING
    features: Callable[[Deployment], Features] = lambda _: ALL_FEATURES


@dataclass(frozen=True, slots=True)
class ClientPolicy:
    """Identification of clients, and limits on their requests.

    Attributes:
        ip: returns the IP address of a client.
        shown_below: returns the path under which a trusted proxy serves the site.
        admit: raises RateLimited for IP addresses that post too often.
        admit_playground: the same for requests of API playgrounds.
    """

    ip: Callable[[HTTPConnection], str] = peer_of
    shown_below: Callable[[HTTPConnection], str] = no_prefix
    admit: Callable[[HTTPConnection], None] = _everyone
    admit_playground: Callable[[HTTPConnection], None] = _everyone
