"""Matching of URLs to sites."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from docstead.accounts.renames import DeploymentRenames
from docstead.accounts.site_hosts import SiteHosts
from docstead.base.errors import StoreUnavailable
from docstead.hosting.options import ClientPolicy
from docstead.hosting.requests import host_of
from docstead.theme.external_services import AssistantLink, ExternalServices


@pytest.mark.parametrize(
    ("header", "host"),
    [
        ("docs.acme.test", "docs.acme.test"),
        ("DOCS.Acme.Test:8080", "docs.acme.test"),
        ("docs.acme.test.", "docs.acme.test"),
        ("[::1]:8080", "[::1]"),
        ("", ""),
        ("a b", ""),
        ("evil/../x", ""),
        ("host:port", ""),
    ],
)
def test_the_name_in_a_host_header(header: str, host: str) -> None:
    assert host_of(header) == host


@pytest.mark.parametrize("host", ["docs.acme.test", "Docs.ACME.test", "docs.acme.test:8080"])
def test_a_site_is_found_by_its_host_name(world: Any, acme: Any, host: str) -> None:
    answer = world.get("http://any/", headers={"host": host})
    assert answer.status_code == 200
    assert "Start index" in answer.text


@pytest.mark.parametrize("host", ["service.test", "unknown.test", "10.1.2.3:80"])
def test_a_site_is_found_by_its_domain_on_shared_hosts(world: Any, acme: Any, host: str) -> None:
    answer = world.get("http://any/_sites/acme/guides/start", headers={"host": host})
    assert "Start guides/start" in answer.text
    assert 'href="/_sites/acme/guides/start"' in answer.text


@pytest.mark.parametrize(
    "host", ["service.test", "localhost:8080", "127.0.0.1:8080", "[::1]:8080", "192.168.7.7"]
)
def test_the_only_site_is_shown_at_the_service(world: Any, acme: Any, host: str) -> None:
    assert "Start index" in world.get("http://any/", headers={"host": host}).text


def test_the_default_of_several_sites_is_shown_at_the_service(world: Any, acme: Any) -> None:
    world.publish_site(world.deployment("other", "docs.other.test"), title="Other")
    assert world.get("http://service.test/").status_code == 404
    chosen = world.hosting(default_domain="other")
    assert "Other index" in world.get("http://service.test/", hosting=chosen).text


def test_a_site_may_have_the_host_name_of_the_service(world: Any, acme: Any) -> None:
    world.publish_site(world.deployment("own", "service.test"), title="Own")
    assert "Own index" in world.get("http://service.test/").text


@pytest.mark.parametrize(
    "url", ["http://unknown.test/", "http://service.test/_sites/unknown/", "http://x/_sites/"]
)
def test_an_unknown_site_is_a_page_with_status_404(world: Any, acme: Any, url: str) -> None:
    answer = world.get(url)
    assert answer.status_code == 404
    assert "Site not found" in answer.text
    assert answer.headers["cache-control"] == "no-store"


def test_a_site_is_found_at_its_new_hostname_only(world: Any, acme: Any) -> None:
    assert "Start index" in world.get("http://docs.acme.test/").text
    world.tenancy.set_hostname(acme.id, "help.acme.test")
    assert "Start index" in world.get("http://help.acme.test/").text
    assert world.get("http://docs.acme.test/").status_code == 404


def test_sites_do_not_mix(world: Any, acme: Any) -> None:
    world.publish_site(world.deployment("other", "docs.other.test"), title="Other")
    assert "Other guides/start" in world.get("http://docs.other.test/guides/start").text
    assert "Start guides/start" in world.get("http://docs.acme.test/guides/start").text


def test_before_anything_is_published_the_page_says_so(world: Any) -> None:
    world.deployment("new", "docs.new.test")
    answer = world.get("http://docs.new.test/guides/start")
    assert answer.status_code == 503
    assert "Nothing is published yet" in answer.text


def test_a_store_that_is_away_is_named_as_the_cause(world: Any, acme: Any) -> None:
    def away(_: Any) -> None:
        raise StoreUnavailable("the store is away")

    answer = world.get("http://docs.acme.test/", hosting=world.hosting(features=away))
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert "Something it needs cannot be reached. Try again in a moment." in answer.text


def test_a_new_edition_is_shown_at_once(world: Any, acme: Any) -> None:
    assert "Start index" in world.get("http://docs.acme.test/").text
    world.publish_site(acme, title="Newer")
    assert "Newer index" in world.get("http://docs.acme.test/").text


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("docs.acme.test", True),
        ("DOCS.acme.test:8080", True),
        ("service.test:80", False),
        ("127.0.0.1:8080", False),
        ("name-inside-a-cluster:8080", False),
        ("", False),
    ],
)
def test_a_site_has_its_own_host_to_itself(
    world: Any, acme: Any, host: str, expected: bool
) -> None:
    assert asyncio.run(world.usual_hosting.has_host_to_itself(host)) is expected


def test_a_site_may_share_the_host_of_the_service(world: Any, acme: Any) -> None:
    world.deployment("own", "service.test")
    assert asyncio.run(world.usual_hosting.has_host_to_itself("service.test")) is False


def test_a_site_below_a_path_of_a_proxy_has_all_its_urls_there(world: Any, acme: Any) -> None:
    clients = ClientPolicy(shown_below=lambda connection: connection.headers.get("x-below", ""))
    hosting = world.hosting(clients=clients)
    seen = {"x-below": "/docs", "x-forwarded-host": "www.acme.test"}

    def get(url: str) -> Any:
        return world.get(url, hosting=hosting, headers=seen)

    page = get("http://docs.acme.test/guides/start")
    assert 'href="/docs/quickstart"' in page.text
    assert 'href="/quickstart"' not in page.text
    assert get("http://docs.acme.test/old").headers["location"] == "/docs/guides/start#install"
    shared = get("http://service.test/_sites/acme/guides/start")
    assert 'href="/docs/_sites/acme/quickstart"' in shared.text
    policy = shared.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "sandbox allow-scripts" in policy
    plain = world.get("http://docs.acme.test/guides/start", hosting=hosting)
    assert 'href="/quickstart"' in plain.text


@pytest.fixture
def manual(world: Any, acme: Any) -> Any:
    """The site, which had the domain `acme` before."""
    return DeploymentRenames(world.database, world.tenancy, {}).rename(acme.id, "manual")


@pytest.mark.parametrize(
    ("url", "location"),
    [
        ("http://any/_sites/acme/guides/start?a=b", "/_sites/manual/guides/start?a=b"),
        ("http://any/_sites/acme", "/_sites/manual"),
        ("http://acme.localhost:8080/guides/start", "//manual.localhost:8080/guides/start"),
        ("http://acme.sites.test/", "//manual.sites.test/"),
    ],
)
def test_a_former_domain_redirects(world: Any, manual: Any, url: str, location: str) -> None:
    hosting = world.hosting(site_hosts=SiteHosts(wildcard="*.sites.test"))
    answer = world.get(url, hosting=hosting)
    assert (answer.status_code, answer.headers["location"]) == (308, location)
    assert answer.headers["cache-control"] == "public, no-cache"
    assert world.get("http://any/_sites/manual/guides/start", hosting=hosting).status_code == 200
    assert world.get("http://docs.acme.test/", hosting=hosting).status_code == 200


def test_pages_name_the_present_domain(world: Any, acme: Any) -> None:
    def external_services(deployment: Any) -> ExternalServices:
        return ExternalServices(
            AssistantLink("https://service.test/discovery", deployment.domain, "key")
        )

    hosting = world.hosting(external_services=external_services)
    # Finished responses are kept for a moment, by their encoding.
    for domain, encoding in (("acme", "gzip"), ("manual", "identity")):
        if domain != acme.domain:
            DeploymentRenames(world.database, world.tenancy, {}).rename(acme.id, domain)
        headers = {"accept-encoding": encoding}
        page = world.get("http://docs.acme.test/", hosting=hosting, headers=headers).text
        assert f"&#34;domain&#34;: &#34;{domain}&#34;" in page


def test_a_former_domain_that_somebody_takes_shows_their_site(world: Any, manual: Any) -> None:
    world.publish_site(world.deployment("acme", "docs.other.test"), title="Other")
    assert "Other index" in world.get("http://any/_sites/acme/").text
    assert "Start index" in world.get("http://any/_sites/manual/").text


def test_a_hostname_beats_a_former_domain(world: Any, manual: Any) -> None:
    hosting = world.hosting(site_hosts=SiteHosts(wildcard="*.sites.test"))
    world.publish_site(world.deployment("other", "acme.sites.test"), title="Other")
    assert "Other index" in world.get("http://acme.sites.test/", hosting=hosting).text


def test_a_former_default_domain_is_shown_at_the_service(world: Any, manual: Any) -> None:
    world.publish_site(world.deployment("other", "docs.other.test"), title="Other")
    chosen = world.hosting(default_domain="acme")
    assert "Start index" in world.get("http://service.test/", hosting=chosen).text
