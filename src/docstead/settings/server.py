"""Settings of the HTTP server and its limits."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, SecretStr
from pydantic_settings import NoDecode

from docstead.base.units import KIB, MIB
from docstead.settings.values import (
    SPLIT_COMMAS,
    CommaSeparated,
    Hostnames,
    Networks,
    WebUrl,
)

_SCRIPT_HOST = r"^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$"
_SITES_HOST = r"^(\*(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+)?$"


class ServerSettings(BaseModel, defer_build=True):
    """Settings of the HTTP server and its limits."""

    host: str = "127.0.0.1"
    """IP address that the service listens on."""

    port: int = Field(default=8080, ge=1, le=65535)
    """Port that the service listens on."""

    base_url: WebUrl = ""
    """URL at which clients reach the service; by default `http://{host}:{port}`."""

    server: WebUrl = ""
    """URL of a service on another machine, to which `docstead publish` sends folders."""

    admin_key: SecretStr = SecretStr("")
    """Admin key that `docstead publish` sends to that service."""

    hsts_seconds: int = Field(default=0, ge=0)
    """Time for which browsers use https only, in seconds (`Strict-Transport-Security`); 0 sends no
    such header."""

    node_id: str = ""
    """Stable, unique name of this node; empty makes one in the data folder."""

    trusted_proxies: CommaSeparated = ()
    """Networks (CIDR, comma-separated) whose `X-Forwarded-For` is believed."""

    default_domain: str = ""
    """Deployment shown at the service's own URL; by default, the only deployment."""

    script_hosts: Annotated[
        tuple[Annotated[str, Field(pattern=_SCRIPT_HOST)], ...], NoDecode, SPLIT_COMMAS
    ] = ()
    """Hosts whose scripts pages may load over https, and which these may call, such as
    `cdn.example.com` or `*.example.com`. Not for air-gapped sites and pages of shared hosts."""

    allowed_hostnames: Hostnames = ()
    """Hostnames, separated by commas, that admin keys may choose for new deployments; `*.` stands
    for any labels. Empty allows every free hostname."""

    sites_host: str = Field(default="", pattern=_SITES_HOST)
    """Wildcard host of sites, such as `*.docs.example.org`: each site is shown at its domain below
    it. Use another registrable domain than the dashboard's."""

    max_body_bytes: int = Field(default=MIB, ge=1024)
    """Largest request body accepted; a larger one gets 413. Assistant messages have limits of their
    own."""

    max_header_bytes: int = Field(default=64 * KIB, ge=4 * KIB)
    """Largest request line and headers, in bytes; larger ones get 431."""

    receive_seconds: float = Field(default=10.0, gt=0)
    """Longest time for the headers of a request; bodies must bring 240 bytes a second."""

    max_connections: int = Field(default=10_000, ge=16)
    """Most open connections; kept below the limit of open files. Further ones get 503."""

    address_requests_per_hour: int = Field(default=100_000, ge=1)
    """Public calls of one IP address (IPv6: of its /64) that this process answers in an hour, in
    addition to the limits of the interface."""

    limits: dict[str, Annotated[int, Field(ge=1)]] = {}
    """Other limits than the documented ones, by their names (JSON in the environment)."""

    playground_requests_per_minute: int = Field(default=60, ge=1)
    """Requests that API playgrounds send for one IP address in a minute."""

    playground_networks: Networks = ()
    """Networks (CIDR, comma-separated) that requests of API playgrounds may reach although they are
    private."""

    webhook_networks: Networks = ()
    """Networks (CIDR, comma-separated) that webhooks may reach although they are private."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Least severe level of messages on standard error."""
