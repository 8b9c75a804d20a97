"""The matcher of sites without the application: results that are remembered, and its limits."""

from __future__ import annotations

from typing import Any

import pytest

from docstead.accounts.renames import DeploymentRenames
from docstead.accounts.site_hosts import SiteHosts
from docstead.base.errors import NotFound, StoreUnavailable
from docstead.hosting import site_matching
from docstead.hosting.site_matching import SiteMatcher


class Moments:
    """A clock that a test moves, in seconds."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def moments(monkeypatch: pytest.MonkeyPatch) -> Moments:
    clock = Moments()
    monkeypatch.setattr(site_matching, "monotonic", clock)
    return clock


@pytest.fixture
def matcher(world: Any, acme: Any) -> SiteMatcher:
    return SiteMatcher(world.tenancy, ["Service.test"])


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("service.test", True),
        ("localhost:8080", True),
        ("10.1.2.3", True),
        ("docs.acme.test:80", True),
        ("acme.localhost", True),
        ("unknown.test", False),
        ("a b", False),
    ],
)
def test_known_hosts(matcher: SiteMatcher, host: str, known: bool) -> None:
    assert matcher.knows(host) is known


def test_a_host_is_remembered_for_two_seconds(
    world: Any, acme: Any, matcher: SiteMatcher, moments: Moments
) -> None:
    assert matcher.remembered_site("docs.acme.test") is None
    assert matcher.is_site("docs.acme.test") is True
    assert matcher.is_site("help.acme.test") is False
    world.tenancy.set_hostname(acme.id, "help.acme.test")
    moments.now += 1.9
    assert matcher.remembered_site("docs.acme.test") is True
    assert matcher.is_site("help.acme.test") is False
    moments.now += 0.1
    assert matcher.remembered_site("docs.acme.test") is None
    assert (matcher.is_site("docs.acme.test"), matcher.is_site("help.acme.test")) == (False, True)


def test_a_thousand_hosts_are_remembered(matcher: SiteMatcher, moments: Moments) -> None:
    for number in range(1000):
        matcher.is_site(f"h{number}.test")
    assert matcher.remembered_site("h0.test") is False
    matcher.is_site("one-more.test")
    assert matcher.remembered_site("h0.test") is None
    assert matcher.remembered_site("one-more.test") is False


def test_the_path_of_another_site_is_not_served_at_the_host_of_a_site(
    matcher: SiteMatcher,
) -> None:
    match = matcher.find("docs.acme.test", "/_sites/acme/start")
    assert (match.path, match.base_path, match.own_host) == ("/_sites/acme/start", "", True)
    match = matcher.find("service.test", "/_sites/acme/start", "/below")
    assert (match.path, match.base_path, match.own_host) == ("/start", "/below/_sites/acme", False)
    assert matcher.find("service.test", "/start").own_host is False


def test_a_site_that_kept_its_domain_does_not_move(world: Any, acme: Any) -> None:
    matcher = SiteMatcher(world.tenancy, ["service.test"], "", SiteHosts(wildcard="*.sites.test"))
    assert matcher.find("acme.sites.test:8080", "/start").moved_to == ""
    assert matcher.find("docs.acme.test", "/start").moved_to == ""
    DeploymentRenames(world.database, world.tenancy, {}).rename(acme.id, "manual")
    assert matcher.find("acme.sites.test:8080", "/a").moved_to == "//manual.sites.test:8080/a"
    assert matcher.find("docs.acme.test", "/start").moved_to == ""


@pytest.mark.parametrize("name", ["d" * 253, "d" * 254])
def test_unknown_domains_of_any_length(matcher: SiteMatcher, name: str) -> None:
    with pytest.raises(NotFound, match="there is no such deployment"):
        matcher.find("service.test", f"/_sites/{name}/")


def test_known_sites_are_found_while_the_database_is_away(
    world: Any, matcher: SiteMatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = matcher.find("docs.acme.test", "/").deployment
    with pytest.raises(NotFound):
        matcher.find("unknown.test", "/")

    def fail(_: object) -> None:
        raise StoreUnavailable("away")

    monkeypatch.setattr(world.tenancy, "deployment_of_hostname", fail)
    assert matcher.find("docs.acme.test", "/").deployment == found
    with pytest.raises(NotFound, match="No site has this hostname"):
        matcher.find("unknown.test", "/")
    with pytest.raises(StoreUnavailable):
        matcher.find("never-asked.test", "/")
