"""The pages of a change in a browser: lines, threads, marks, and no reader left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from agent_server import agent_server
from axe import violations
from chat_server import chat_server
from docstead.agent.reviews.records import Review
from docstead.app.services import AppServices
from review_repository import BRANCH, ReviewRepository
from sampled_cases import one_in
from signed_in import sign_in

pytestmark = pytest.mark.browser

BODY = "Keys were **not** explained.\n\n### Files\n\n- [ ] a diagram\n"


@dataclass(frozen=True)
class RunningReviews:
    """A running service with a change that nobody has merged."""

    services: AppServices
    url: str
    change: Review

    def page(self, part: str = "") -> str:
        return f"{self.url}/dashboard/changes/{self.change.id}{part}"

    def link(self) -> str:
        project = self.services.tenancy.project(self.change.project_id)
        return self.url + self.services.owners.new_sign_in_link(project.organization_id)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningReviews]:
    folder = tmp_path_factory.mktemp("review")
    repository = ReviewRepository.made(folder / "handbook.git")
    with chat_server() as chat, agent_server(folder / "data", chat) as running:
        tenant = running.tenant("Acme", repository.path)
        services = running.services
        services.tenancy.create_deployment(tenant.project.id, "acme", "docs.acme.test")
        change = services.forges.reviews.open(
            tenant.project.id, BRANCH, base="main", title="Explain keys", body=BODY, draft=False
        )
        yield RunningReviews(services, running.url, change)


@pytest.fixture(scope="module")
def signed_in(window_browser, service: RunningReviews):
    sign_in(window_browser, service.link())


@pytest.fixture
def reviewer(browser, signed_in):
    """A browser that has signed in."""
    return browser


@pytest.mark.parametrize(
    "part", one_in(3, ["/files", "/commits", "/pages", "", "/files?view=split"])
)
def test_pages_of_a_change_fit_and_have_no_violations(reviewer, service, part: str) -> None:
    reviewer.open(service.page(part))
    for width, scheme in ((1280, "light"), (500, "dark")):
        reviewer.resize(width, 900)
        reviewer.emulate(scheme)
        beyond = (
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert reviewer.run(beyond) <= 0
        assert violations(reviewer) == []


def test_a_narrow_window_shows_both_versions_one_below_the_other(reviewer, service) -> None:
    reviewer.resize(500, 900)
    reviewer.open(service.page("/files?view=split"))
    beyond = "const t = document.querySelector('.diff.split'); return t.scrollWidth - t.clientWidth"
    assert reviewer.run(beyond) <= 0
    blank = "return document.querySelector('.diff.split td.gap').checkVisibility()"
    assert not reviewer.run(blank)
    reviewer.resize(1280, 900)


def test_a_click_on_a_line_begins_a_thread(reviewer, service) -> None:
    reviewer.open(service.page("/files"))
    link = reviewer.driver.find_element("id", "file-2-after-5")
    link.click()
    field = reviewer.driver.switch_to.active_element
    assert field.get_attribute("name") == "text"
    assert violations(reviewer) == []
    field.send_keys("Say where they are kept.")
    reviewer.driver.find_element("css selector", ".new-comment button[value=people]").click()
    reviewer.wait("return location.hash.startsWith('#cmt_')")
    above = "return document.querySelector('.thread').closest('tr').previousElementSibling"
    assert "Keep them secret." in reviewer.run(f"{above}.textContent")
    assert violations(reviewer) == []
    (comment,) = service.services.reviews.comments(service.change)
    assert (comment.path, comment.line, comment.side) == ("guides/keys.mdx", 5, "after")


def test_escape_closes_the_form_and_returns_to_the_line(reviewer, service) -> None:
    reviewer.open(service.page("/files"))
    reviewer.driver.find_element("id", "file-2-after-5").click()
    reviewer.driver.switch_to.active_element.send_keys("\ue00c")
    assert reviewer.run("return document.activeElement.id") == "file-2-after-5"
    assert reviewer.run("return document.querySelector('.new-comment')") is None


def test_a_viewed_file_is_closed_at_once(reviewer, service) -> None:
    reviewer.open(service.page("/files"))
    reviewer.driver.find_element("css selector", "#file-3 .viewed button").click()
    reviewer.expect(False, "return document.querySelector('#file-3 details').open")
    reviewer.open(service.page("/files"))
    assert reviewer.run("return document.querySelector('#file-3 details').open") is False
