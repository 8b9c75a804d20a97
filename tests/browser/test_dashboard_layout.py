"""The dashboard with long names, on wide and narrow screens, over a real service."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from attacked_service import attacked_service
from axe import violations
from conversations import Talks
from docstead.agent.records import AgentRecords
from docstead.agent.turn_ends import EndReason, turn_end
from docstead.analytics.conversations import ConversationReports
from docstead.analytics.page_feedback import ReaderFeedback
from docstead.app.services import open_services
from docstead.base.api_keys import KeyKind
from docstead.export.records import ExportRecords
from docstead.settings import Settings
from running_service import Service
from signed_in import sign_in
from stored_jobs import new_job

pytestmark = pytest.mark.browser

LONG = "x" * 180
PAGES = ("keys", "exports", "feedback", "conversations", "agent-settings", "gaps")
_BEYOND = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
_TAB_IS_SEEN = """
const strip = document.querySelector(".tabs").getBoundingClientRect();
const tab = document.querySelector(".tabs [aria-current]").getBoundingClientRect();
return tab.left >= strip.left - 1 && tab.right <= strip.right + 1
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = attacked_service(tmp_path_factory.mktemp("dashboard"))
    service.start()
    settings = Settings(data=service.data, base_url=service.facts["baseUrl"])
    with open_services(settings) as services:
        site = services.tenancy.deployments()[0]
        services.api_keys.create(site.organization_id, KeyKind.ADMIN, LONG)
        assert site.current_edition_id is not None
        ExportRecords(services.database, services.clock).create(
            deployment_id=site.id,
            organization_id=site.organization_id,
            edition_id=site.current_edition_id,
            version=LONG,
            paths=None,
        )
        for number, path in enumerate(("/guides/export", "/reference/configuration", f"/{LONG}")):
            services.insights.page_feedback.give(
                site.id,
                ReaderFeedback(f"{number}" * 16, path, False, "It does not say how. " * 20),
            )
    yield service
    service.stop()


@pytest.fixture(scope="module")
def views(service: Service) -> dict[str, str]:
    """Text that is only on it, for each path."""
    settings = Settings(data=service.data, base_url=service.facts["baseUrl"])
    with open_services(settings) as services:
        site = services.tenancy.deployments()[0]
        key = services.api_keys.list(site.organization_id)[0]
        thread = Talks(services.database, services.clock).ask(site.id, LONG, "> Run it.\n")
        reports = ConversationReports(services.database)
        (turn,) = reports.opened([site.id], thread.id).exchanges
        records = AgentRecords(services.database, services.clock)
        job = new_job(records, services.tenancy.project(site.project_id))
        asked = records.turns(job.id)[0]
        records.begin_next(asked.id)
        records.end_turn(asked.id, turn_end(EndReason.MODEL_FAILED, error=LONG))
        services.agent.webhooks.create(site.project_id, f"https://hooks.example.com/{LONG}")
    answer = f"{thread.id}/{turn.id}/expected-answer"
    return {
        f"/dashboard/keys/{site.domain}/{key.id}/revoke": "This cannot be undone",
        f"/dashboard/conversations/{site.domain}/{answer}": "answers.yaml",
        f"/dashboard/agent/{site.domain}/jobs/{job.id}": LONG,
        f"/dashboard/agent/{site.domain}/webhooks": LONG,
    }


@pytest.fixture(scope="module")
def signed_in(window_browser, service: Service):
    found = re.search(r"http://\S+/dashboard/sign-in/\S+", service.log())
    assert found is not None
    sign_in(window_browser, found[0])


@pytest.fixture
def dashboard(browser, signed_in):
    """A browser that has signed in."""
    return browser


def _open(dashboard, service: Service, page: str, width: int) -> None:
    dashboard.resize(width, 900)
    dashboard.open(f"{service.facts['baseUrl']}/dashboard/{page}/{service.facts['domain']}")


@pytest.mark.parametrize("page", PAGES)
def test_long_words_do_not_widen_the_page_and_its_tab_is_in_sight(
    dashboard, service, page: str
) -> None:
    _open(dashboard, service, page, 500)
    assert dashboard.run(_BEYOND) <= 0
    assert dashboard.run(_TAB_IS_SEEN)
    if page == PAGES[-1]:
        names = dashboard.run("return [...document.querySelector('.tabs').classList]")
        assert "more-before" in names
    dashboard.resize(1440, 900)
    assert dashboard.run(_BEYOND) <= 0


def test_views_of_one_thing_have_no_violations(dashboard, service, views: dict[str, str]) -> None:
    """The question before a key is revoked, an expected answer, and a failed job."""
    for width, scheme in ((500, "light"), (1440, "dark")):
        dashboard.resize(width, 900)
        dashboard.emulate(scheme)
        for view, text in views.items():
            dashboard.open(service.facts["baseUrl"] + view)
            assert text in dashboard.run("return document.querySelector('main').innerText")
            assert violations(dashboard) == [], (view, width)
            assert dashboard.run(_BEYOND) <= 0, (view, width)
    dashboard.emulate("light")


def test_paths_break_behind_slashes(dashboard, service) -> None:
    _open(dashboard, service, "feedback", 1440)
    lines = """return [...document.querySelectorAll("td.long a.mono")].map((link) =>
      [link.textContent, new Set([...link.getClientRects()].map((each) => each.top)).size])"""
    rows = dict(dashboard.run(lines))
    assert rows["/guides/export"] == 1
    assert rows["/reference/configuration"] <= 2


def test_all_feedback_is_chosen_at_once(dashboard, service) -> None:
    _open(dashboard, service, "feedback", 1440)
    dashboard.driver.find_element("css selector", "[data-choose-all]").click()
    chosen = "return document.querySelectorAll('input[name=id]:checked').length"
    assert dashboard.run(chosen) == 3


def test_a_long_hostname_does_not_widen_the_list_of_deployments(dashboard, service) -> None:
    dashboard.resize(500, 900)
    dashboard.open(f"{service.facts['baseUrl']}/dashboard")
    dashboard.run(f"document.querySelector('.deployment .facts a').textContent = '{LONG}'")
    assert dashboard.run(_BEYOND) <= 0


def test_row_headings_begin_where_their_values_do_on_phones(dashboard, service) -> None:
    _open(dashboard, service, "readers", 500)
    heading, label = dashboard.run(
        """return ["tbody th", "tbody td"].map((name) => {
          const range = document.createRange();
          range.selectNodeContents(document.querySelector(name));
          const edge = document.querySelector(name).getBoundingClientRect().left;
          return name === "tbody th" ? range.getBoundingClientRect().left : edge;
        })"""
    )
    assert heading == label
