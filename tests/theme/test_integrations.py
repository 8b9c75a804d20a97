"""Scripts of other hosts: where they are loaded, and what the policy of pages says of them."""

from __future__ import annotations

import json

import pytest
from lxml import html as lxml_html

from docstead.base.features import DeploymentType, Features
from docstead.content.config import Integrations, SiteConfig
from docstead.theme.document import PageShell
from docstead.theme.external_services import NOTHING, ExternalServices
from docstead.theme.integrations import ThirdPartyScripts
from docstead.theme.mode import ShellMode
from site_builders import make_site, page, rendered

GIVEN = Integrations({"ga4": {"measurementId": "G-ABC123"}}, ("consent", 'a"b<c'))
ALLOWED = ExternalServices(integrations=True)


def shell(
    kind: DeploymentType, external_services: ExternalServices = ALLOWED, **chosen: bool
) -> PageShell:
    site = make_site(page("index"), config=SiteConfig("Acme", integrations=GIVEN))
    return PageShell(
        site,
        ShellMode.bundle(),
        features=Features.of(kind, chosen),
        external_services=external_services,
    )


@pytest.mark.parametrize(
    ("icon", "loads"),
    [
        (shell(DeploymentType.CLOUD), True),
        (shell(DeploymentType.CLOUD, NOTHING), False),
        (shell(DeploymentType.CLIENT_HOSTED), False),
        (shell(DeploymentType.CLIENT_HOSTED, analytics=True), True),
        (shell(DeploymentType.AIR_GAPPED), False),
    ],
)
def test_they_are_loaded_where_analytics_are_on(icon: PageShell, loads: bool) -> None:
    document = lxml_html.document_fromstring(icon.page(rendered("index")))
    assert bool(document.cssselect("script[data-integrations]")) is loads
    assert any(b"googletagmanager" in data for data in icon.assets().values()) is loads
    policy = document.cssselect("meta[http-equiv]")[0].get("content", "")
    assert ("googletagmanager" in policy) is loads
    assert ("google-analytics" in policy) is loads


def test_what_a_page_passes_to_their_script_is_data() -> None:
    (script,) = lxml_html.document_fromstring(
        shell(DeploymentType.CLOUD).page(rendered("index"))
    ).cssselect("script[data-integrations]")
    assert json.loads(script.get("data-integrations", "")) == {
        "vendors": {"ga4": {"measurementId": "G-ABC123"}},
        "consent": ["consent", 'a"b<c'],
    }


def test_hosts_of_the_authors_choice_are_in_the_policy() -> None:
    vendors = {
        "posthog": {"apiKey": "phc_a", "apiHost": "https://eu.i.posthog.com/"},
        "plausible": {"domain": "a.example"},
    }
    third_party = ThirdPartyScripts.of(Integrations(vendors), allowed=True)
    assert third_party.scripts == (
        "https://plausible.io",
        "https://eu.i.posthog.com",
        "https://eu-assets.i.posthog.com",
    )
    assert third_party.vendors["posthog"]["apiHost"] == "eu.i.posthog.com"


@pytest.mark.parametrize(
    ("kind", "mode", "allowed"),
    [
        (DeploymentType.CLIENT_HOSTED, ShellMode.bundle(), True),
        (DeploymentType.CLIENT_HOSTED, ShellMode.hosted(is_shared=True), False),
        (DeploymentType.AIR_GAPPED, ShellMode.bundle(), False),
    ],
)
def test_hosts_of_scripts_that_the_operator_names_are_in_the_policy(
    kind: DeploymentType, mode: ShellMode, allowed: bool
) -> None:
    site, external_services = (
        make_site(page("index")),
        ExternalServices(script_hosts=("*.cdn.example",)),
    )
    shell = PageShell(site, mode, features=Features.of(kind), external_services=external_services)
    services = shell.services
    assert ("https://*.cdn.example" in services.third_party.scripts) is allowed
    assert ("https://*.cdn.example" in services.connects) is allowed
    assert services.third_party.as_json() == ""
