"""Names that belong to one deployment, and links to them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from docstead.accounts.site_hosts import SiteHosts, SiteLink
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.base.errors import Conflict, InvalidRequest

LOCAL = "http://127.0.0.1:8080"
PUBLIC = "https://service.example.com"
WILDCARD = "*.docs.example.org"


def deployment(hostname: str = "acme.localhost") -> Deployment:
    return Deployment("dep_1", "prj_1", "org_1", "acme", hostname, None, datetime.now(UTC))


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("acme.localhost", "acme"),
        ("acme.docs.example.org", "acme"),
        ("a.b.localhost", None),
        ("a.b.docs.example.org", None),
        ("docs.example.org", None),
        ("localhost", None),
        (".localhost", None),
        ("acmelocalhost", None),
        ("", None),
    ],
)
def test_names_reserved_for_a_domain(host: str, domain: str | None) -> None:
    assert SiteHosts(PUBLIC, WILDCARD).domain_of(host) == domain


def test_names_of_the_service_itself() -> None:
    hosts = SiteHosts("https://docs.example.org:8443", "*.sites.example.org")
    own = ["docs.example.org", "localhost", "127.0.0.1", "10.0.0.7", "::1", "[::1]"]
    others = ["a.docs.example.org", "sites.example.org", "a.localhost", "example.org", ""]
    assert [host for host in (*own, *others) if hosts.is_service(host)] == own


@pytest.mark.parametrize(
    ("base_url", "host", "hostname", "wildcard", "link"),
    [
        (LOCAL, None, "acme.localhost", "", "http://acme.localhost:8080"),
        (LOCAL, None, "docs.acme.test", "", "http://acme.localhost:8080"),
        (LOCAL, "localhost:9090", "acme.localhost", "", "http://acme.localhost:9090"),
        (LOCAL, "[::1]:9090", "acme.localhost", "", "http://acme.localhost:9090"),
        (LOCAL, "192.168.1.2:8080", "acme.localhost", "", "/_sites/acme"),
        (PUBLIC, "127.0.0.1:8080", "docs.acme.test", "", "http://acme.localhost:8080"),
        (PUBLIC, "service.example.com", "docs.acme.test", WILDCARD, "https://docs.acme.test"),
        (PUBLIC, None, "acme.localhost", WILDCARD, "https://acme.docs.example.org"),
        (f"{PUBLIC}:8443", None, "acme.localhost", WILDCARD, "https://acme.docs.example.org:8443"),
        (PUBLIC, None, "acme.localhost", "", f"{PUBLIC}/_sites/acme"),
        (PUBLIC, "x:99999", "acme.localhost", "", f"{PUBLIC}/_sites/acme"),
        (PUBLIC, "[::1", "acme.localhost", "", f"{PUBLIC}/_sites/acme"),
    ],
)
def test_links_for_browsers_lead_to_the_sites_own_host(
    base_url: str, host: str | None, hostname: str, wildcard: str, link: str
) -> None:
    found = SiteHosts(base_url, wildcard).link(deployment(hostname), host)
    assert found == SiteLink(link, is_shared="/_sites/" in link)


def test_urls_for_programs_avoid_names_that_they_may_not_resolve() -> None:
    local = deployment()
    assert SiteHosts(LOCAL).url(local) == f"{LOCAL}/_sites/acme"
    assert SiteHosts(LOCAL, default_domain="acme").url(local) == LOCAL
    assert SiteHosts(LOCAL).url(deployment("docs.acme.test")) == "https://docs.acme.test"
    assert SiteHosts(PUBLIC, WILDCARD, "acme").url(local) == "https://acme.docs.example.org"


def test_nobody_takes_the_local_name_of_another_deployment(tenancy: Tenancy, tenant: Any) -> None:
    project = tenancy.create_project(tenant.organization.id, "Docs", "/docs")
    create = tenancy.create_deployment
    with pytest.raises(InvalidRequest, match="reserved"):
        create(project.id, "evil", "own.localhost")
    create(project.id, "deep", "a.own.localhost")
    create(project.id, "own", "own.localhost")
    with pytest.raises(Conflict):
        create(project.id, "own", "other.example.com")
