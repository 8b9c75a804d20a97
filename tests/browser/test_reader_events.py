"""Events of readers: pages of a published site report them to the service."""

from __future__ import annotations

from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains

from running_service import Service

pytestmark = pytest.mark.browser

IS_STORED = """return fetch(arguments[0], { cache: "only-if-cached", mode: "same-origin" })
  .then((answer) => answer.ok, () => false)"""


def test_a_page_reports_views_and_feedback(browser: Any, panel_service: Service) -> None:
    browser.open(f"{panel_service.site}/other")
    browser.wait("return document.querySelector('[data-thumbs] button') !== null")
    browser.run("document.querySelector('#feedback-thumbs-down').click()")
    browser.wait("return document.querySelector('.contextual-feedback-form') !== null")
    browser.driver.find_element("css selector", "textarea.contextual-feedback-input").send_keys(
        "Too short."
    )
    browser.run("document.querySelector('.contextual-feedback-form-submit-button').click()")
    browser.wait("return document.querySelector('.ds-feedback form') === null")
    assert browser.driver.get_cookies() == []
    analytics = f"/v1/analytics/{panel_service.facts['projectId']}"

    def given() -> list[tuple[object, ...]]:
        found = panel_service.admin("GET", f"{analytics}/feedback?source=contextual").json()[
            "feedback"
        ]
        return [(each["path"], each["comment"], each["helpful"]) for each in found]

    def is_seen() -> bool:
        views = panel_service.admin("GET", f"{analytics}/views").json()["views"]
        return any(each["human"] >= 1 for each in views if each["path"] == "/other")

    browser.until([("/other", "Too short.", False)], given)
    browser.until(True, is_seen)


def test_a_hovered_page_is_prerendered_and_counts_once_it_is_shown(
    browser: Any, panel_service: Service
) -> None:
    def views(path: str) -> int:
        found = panel_service.admin(
            "GET", f"/v1/analytics/{panel_service.facts['projectId']}/views"
        ).json()
        return sum(each["human"] for each in found["views"] if each["path"] == path)

    page = "/hovered"
    browser.open(panel_service.site)
    link = browser.driver.find_element("css selector", f".ds-nav a[href='{page}']")
    ActionChains(browser.driver).move_to_element(link).perform()
    browser.expect(True, IS_STORED, "/dot.svg")  # by the page that nobody sees
    assert views(page) == 0
    link.click()
    browser.expect(page, "return location.pathname")
    browser.until(1, lambda: views(page))
    assert browser.run("return performance.getEntriesByType('navigation')[0].activationStart") > 0


def test_a_page_reports_searches(browser: Any, panel_service: Service) -> None:
    browser.open_afresh(f"{panel_service.site}/other")
    browser.wait("return document.querySelector('[data-search]') !== null")
    browser.run("document.querySelector('[data-search]').click()")
    browser.wait("return document.querySelector('.ds-search-dialog')?.open === true")
    browser.driver.find_element("css selector", ".ds-search-dialog input").send_keys("settings")
    browser.wait("return document.querySelector('.ds-search-option') !== null")
    browser.wait("return document.querySelector('.ds-search-dialog').dataset.answered")
    browser.driver.find_element("css selector", ".ds-search-option").click()
    searches = f"/v1/analytics/{panel_service.facts['projectId']}/searches"

    def terms() -> list[tuple[object, ...]]:
        found = panel_service.admin("GET", searches).json()["searches"]
        return [
            (each["searchQuery"], each["ctr"], each["topClickedPage"] in ("/", "/index"))
            for each in found
        ]

    browser.until([("settings", 1.0, True)], terms)
    assert panel_service.admin("GET", searches).json()["totalSearches"] == 1
