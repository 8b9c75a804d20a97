"""A key that chooses a hostname by which others reach the service within their own network."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docstead.accounts.hostname_rules import HostnameRules
from docstead.accounts.site_hosts import SiteHosts
from docstead.app.services import open_services
from docstead.base.errors import Forbidden
from docstead.publishing.publications import Destination
from docstead.publishing.sources import DocumentationSource
from docstead.settings import Settings

IP_ADDRESSES = {
    "docstead.docs": ["10.96.12.1"],  # a service and its namespace, completed by the resolver
    "docs.corp.example.com": ["93.184.216.34", "fd00::12"],
    "metadata.example.com": ["169.254.169.254"],
    "here.example.com": ["127.0.0.1"],
    "docs.example.com": ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"],
}


def _resolve(host: str, port: int) -> list[str]:
    if host not in IP_ADDRESSES:
        raise OSError("no such name")
    return IP_ADDRESSES[host]


RULES = HostnameRules(site_hosts=SiteHosts("https://docstead.example.com"), resolve=_resolve)


@pytest.mark.parametrize(
    "hostname",
    [
        "docstead",
        "docstead.docs",
        "docstead.docs.svc",
        "docstead.docs.svc.cluster.local",
        "docs.internal",
        "printer.home.arpa",
        "victim.localhost",
        "docs.corp.example.com",
        "metadata.example.com",
        "here.example.com",
    ],
)
def test_names_of_a_private_network_are_refused(hostname):
    with pytest.raises(Forbidden, match="private network, which only DOCSTEAD_ALLOWED_HOSTNAMES"):
        RULES.check(hostname)


@pytest.mark.parametrize(
    "end",
    [
        "arpa",
        "cluster",
        "corp",
        "home",
        "internal",
        "intranet",
        "invalid",
        "lan",
        "local",
        "localdomain",
        "localhost",
        "mail",
        "onion",
        "private",
        "svc",
        "test",
    ],
)
def test_names_that_are_not_in_public_dns_are_refused(end):
    with pytest.raises(Forbidden, match="private network"):
        RULES.check(f"docs.{end}")


@pytest.mark.parametrize("hostname", ["docs.example.com", "new.example.org", "local.example.net"])
def test_public_names_and_those_that_do_not_exist_yet_are_free(hostname):
    RULES.check(hostname)


def test_the_operator_may_allow_them():
    rules = replace(RULES, allowed=("docstead.docs.svc",))
    rules.check("docstead.docs.svc")
    with pytest.raises(Forbidden, match=r"choose one of docstead\.docs\.svc"):
        rules.check("docs.example.com")


def test_a_key_cannot_take_the_name_of_the_service_in_its_cluster(tmp_path):
    with open_services(Settings(data=tmp_path / "data")) as services:
        attacker = services.tenancy.create_organization("attacker")
        for hostname in ("docstead.docs.svc", "docstead"):
            with pytest.raises(Forbidden):
                services.publications.start(
                    attacker.id,
                    Destination("site", hostname),
                    DocumentationSource(str(tmp_path)),
                    "api",
                )
        assert services.tenancy.projects(attacker.id) == []
