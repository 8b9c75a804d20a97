"""External services of pages, and questions to their readers."""

from __future__ import annotations

import pytest
from lxml import html as lxml_html

from docstead.base.features import DeploymentType, Features
from docstead.content.config import FeedbackControls, SiteConfig
from docstead.theme.document import PageShell
from docstead.theme.external_services import (
    AssistantLink,
    ExternalServices,
    ForgeRepository,
    ReadersLink,
)
from docstead.theme.mode import ShellMode
from site_builders import make_site, page, rendered

LINK = AssistantLink("https://service.example/discovery", "acme", "svc_dsc_1")
SERVICES = ExternalServices(
    LINK, ReadersLink.of_service(LINK), ForgeRepository("https://github.com/acme/docs")
)
ALL = FeedbackControls(thumbs=True, suggest_edit=True, raise_issue=True)


def icon(
    kind: DeploymentType,
    chosen: dict[str, bool],
    external_services: ExternalServices = SERVICES,
    asked: FeedbackControls = ALL,
) -> lxml_html.HtmlElement:
    site = make_site(page("index"), config=SiteConfig("Acme", feedback=asked))
    features = Features.of(kind, chosen)
    shell = PageShell(
        site, ShellMode.bundle(), features=features, external_services=external_services
    )
    return lxml_html.document_fromstring(shell.page(rendered("index", "<p>Hello</p>")))


def asks(document: lxml_html.HtmlElement) -> tuple[bool, bool]:
    """Report whether a page has the assistant, and whether it counts readers."""
    (script,) = document.cssselect("script[src*='/page.']")
    return "data-assistant" in script.attrib, "data-events" in script.attrib


@pytest.mark.parametrize(
    ("kind", "chosen", "expected"),
    [
        (DeploymentType.CLOUD, {}, (True, True)),
        (DeploymentType.CLIENT_HOSTED, {}, (False, False)),
        (DeploymentType.CLIENT_HOSTED, {"assistant": True}, (True, False)),
        (DeploymentType.CLIENT_HOSTED, {"analytics": True}, (False, True)),
        (DeploymentType.AIR_GAPPED, {}, (False, False)),
    ],
)
def test_a_bundle_asks_for_what_its_features_allow(
    kind: DeploymentType, chosen: dict[str, bool], expected: tuple[bool, bool]
) -> None:
    document = icon(kind, chosen)
    assert asks(document) == expected
    policy = document.cssselect("meta[http-equiv]")[0].get("content", "")
    assert ("https://service.example" in policy) is any(expected)
    assert bool(document.cssselect("[data-thumbs]")) is expected[1]


def test_telemetry_switched_off_counts_nobody_and_asks_for_no_thumbs() -> None:
    site = make_site(page("index"), config=SiteConfig("Acme", feedback=ALL, telemetry=False))
    document = lxml_html.document_fromstring(
        PageShell(site, ShellMode.bundle(), external_services=SERVICES).page(rendered("index"))
    )
    assert asks(document) == (True, False)
    assert document.cssselect("[data-thumbs]") == []


def test_without_a_service_it_asks_nobody() -> None:
    document = icon(DeploymentType.CLOUD, {}, ExternalServices())
    assert asks(document) == (False, False)
    assert document.cssselect(".ds-feedback") == []


def test_visits_are_reported_to_the_service_with_its_key() -> None:
    (script,) = icon(DeploymentType.CLOUD, {}).cssselect("script[data-events]")
    assert dict(script.attrib)["data-events"] == "https://service.example/discovery/v1/events/acme"
    assert script.get("data-key") == "svc_dsc_1"


def test_readers_are_asked_for_what_the_settings_say() -> None:
    document = icon(DeploymentType.CLOUD, {})
    links = [link.get("href") for link in document.cssselect(".ds-feedback a")]
    assert links == [
        "https://github.com/acme/docs/blob/HEAD/index.mdx",
        "https://github.com/acme/docs/issues/new?title=Page%3A+Index&body=index",
    ]
    assert icon(DeploymentType.CLOUD, {}, asked=FeedbackControls()).cssselect(".ds-feedback") == []


@pytest.mark.parametrize(
    ("source", "url"),
    [
        ("https://github.com/acme/docs.git", "https://github.com/acme/docs"),
        ("https://user:secret@github.com/acme/docs", "https://github.com/acme/docs"),
        ("git@gitlab.com:team/sub/docs.git", "https://gitlab.com/team/sub/docs"),
        ("ssh://git@github.acme.test/acme/docs", "https://github.acme.test/acme/docs"),
        ("https://notgithub.com/acme/docs", None),
        ("https://github.com/acme", None),
        ("/srv/docs", None),
        ("./github.com/acme/docs", None),
    ],
)
def test_repositories_that_have_pages(source: str, url: str | None) -> None:
    found = ForgeRepository.of(source)
    assert (found.url if found else None) == url


def test_where_a_page_is_changed() -> None:
    named = ForgeRepository("https://github.com/acme/docs", "main", "site")
    assert named.edit("a b.mdx") == "https://github.com/acme/docs/edit/main/site/a%20b.mdx"
    lab = ForgeRepository("https://gitlab.com/acme/docs", "main")
    assert lab.edit("a.mdx") == "https://gitlab.com/acme/docs/-/edit/main/a.mdx"
    assert lab.issue("T", "/p").startswith(
        "https://gitlab.com/acme/docs/-/issues/new?issue%5Btitle"
    )


def test_a_page_loads_the_panel_on_demand() -> None:
    document = icon(DeploymentType.CLOUD, {})
    assert document.cssselect("script[data-panel*='/assistant-panel.']")
    assert not document.cssselect("[src*='assistant-panel'], link[href*='assistant']")
    assert not icon(DeploymentType.CLIENT_HOSTED, {}).cssselect("[data-panel]")
