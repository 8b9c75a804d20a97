"""The assistant's panel in a published site, against the whole service."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from exported_folders import export_folder
from running_service import Service

pytestmark = pytest.mark.browser

LOG = "return document.querySelector('.ds-assistant-log')?.innerText ?? ''"
IS_OPEN = "return document.querySelector('.ds-assistant')?.hidden === false"
AXE = Path(__file__).parent.parent.parent / "engine/node_modules/axe-core/axe.min.js"
VIOLATIONS = """const done = arguments[0]
axe.run(".ds-assistant", { resultTypes: ["violations"] }).then(({ violations }) =>
  done(violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join(" ")}`)))"""
PANEL_SCRIPTS = """return performance.getEntriesByType("resource")
  .filter(({ name }) => name.includes("/assistant-panel."))
  .map(({ renderBlockingStatus }) => renderBlockingStatus)"""
IS_DONE = "return document.querySelector('.ds-assistant-actions') !== null"


@pytest.fixture
def site(panel_service: Service) -> str:
    return panel_service.site


def open_panel(browser: Any) -> None:
    browser.wait("return document.getElementById('assistant-entry') !== null")
    browser.run("document.getElementById('assistant-entry').click()")
    browser.wait(IS_OPEN)


def says(text: str) -> str:
    return f"return document.querySelector('.ds-assistant-log')?.innerText.includes({text!r})"


def ask(browser: Any, text: str) -> None:
    field = browser.driver.find_element("id", "chat-assistant-textarea")
    field.send_keys(text, Keys.ENTER)


def test_a_reader_asks_and_finds_the_answer_on_the_next_page(browser: Any, site: str) -> None:
    browser.open(site)
    open_panel(browser)
    ask(browser, "How do I create a key?")
    browser.wait(IS_DONE)
    assert "open Settings and press New" in browser.run(LOG)
    sources = "return [...document.querySelectorAll('.ds-assistant-sources a')].map((a) => a.href)"
    assert "#create-a-key:~:text=To%20create%20a%20key%2C%20open" in browser.run(sources)[0]

    browser.open(f"{site}/other")
    browser.wait(IS_OPEN)
    browser.wait(says("open Settings and press New"))
    assert browser.complaints() == []


def test_the_panel_is_loaded_when_it_is_first_used(browser: Any, site: str) -> None:
    browser.open_afresh(site)
    browser.wait("return document.getElementById('assistant-entry') !== null")
    assert browser.run(PANEL_SCRIPTS) == []
    browser.run(
        "document.getElementById('assistant-entry').click();"
        " for (const key of 'a key') document.body.dispatchEvent("
        "   new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))"
    )
    browser.wait(IS_OPEN)
    browser.expect("a key", "return document.activeElement.value")
    assert browser.run(PANEL_SCRIPTS) == ["non-blocking"]

    browser.open(f"{site}/other")
    browser.wait(IS_OPEN)
    assert browser.run(PANEL_SCRIPTS) == ["blocking"]  # it is there when the page is painted
    browser.run("document.getElementById('assistant-entry').click()")
    browser.expect(False, IS_OPEN)


@pytest.mark.parametrize("width", [500, 1440])
def test_a_panel_that_does_not_load_is_said_until_the_next_click(
    browser: Any, site: str, width: int
) -> None:
    browser.resize(width, 900)
    browser.open_afresh(site)
    click = "document.getElementById('assistant-entry').click()"
    said = "return document.querySelector('.ds-failure[role=alert]')?.innerText"
    browser.wait("return document.getElementById('assistant-entry') !== null")
    browser.run(
        "const { dataset } = document.querySelector('[data-panel]');"
        f"window.panel = dataset.panel; dataset.panel = '/missing.js'; {click}"
    )
    browser.expect("The assistant could not be loaded.", said)
    left, right, below = browser.run(
        """const box = (name) => document.querySelector(name).getBoundingClientRect();
        const said = box(".ds-failure");
        return [said.left, innerWidth - said.right, said.top - box("#assistant-entry").bottom]"""
    )
    assert left >= 8
    assert right >= 8
    assert 0 < below < 10

    browser.run(f"document.querySelector('[data-panel]').dataset.panel = window.panel; {click}")
    browser.wait(IS_OPEN)
    assert browser.run(said) is None


def test_the_focus_of_the_button_loads_the_panel(browser: Any, site: str) -> None:
    browser.open_afresh(site)
    browser.wait("return document.getElementById('assistant-entry') !== null")
    browser.run("document.getElementById('assistant-entry').focus()")
    browser.wait("return document.querySelector('.ds-assistant') !== null")
    browser.expect(False, IS_OPEN)
    assert browser.run(PANEL_SCRIPTS) == ["non-blocking"]


def test_the_url_asks_once_and_escape_closes(browser: Any, site: str) -> None:
    browser.open(f"{site}/other?assistant=How%20do%20I%20create%20a%20key%3F")
    browser.wait(IS_DONE)
    assert "How do I create a key?" in browser.run(LOG)
    assert "assistant=" not in browser.driver.current_url
    browser.driver.find_element("id", "chat-assistant-textarea").send_keys(Keys.ESCAPE)
    browser.expect(False, IS_OPEN)


def test_without_an_answer_the_nearest_pages_are_shown(browser: Any, site: str) -> None:
    browser.open_afresh(site)
    open_panel(browser)
    ask(browser, "How do I rotate keys with Terraform?")
    browser.wait(IS_DONE)
    named = "return document.querySelector('.ds-assistant-sources')?.getAttribute('aria-label')"
    browser.expect("Nearest pages", named)


def test_code_of_answers_keeps_its_title(browser: Any, site: str) -> None:
    browser.open_afresh(site)
    open_panel(browser)
    ask(browser, "How do I create a key?")
    browser.wait(IS_DONE)
    titles = "return [...document.querySelectorAll('.ds-answer-title')].map((e) => e.innerText)"
    assert browser.run(titles) == ["Terminal"]
    assert browser.run("return document.querySelector('.ds-answer-copy').title") == "Copy"


def test_a_source_shows_its_first_words(browser: Any, site: str) -> None:
    browser.open_afresh(site)
    browser.open(f"{site}/other")
    open_panel(browser)
    ask(browser, "How do I create a key?")
    browser.wait(IS_DONE)
    link = "document.querySelector('.ds-assistant-sources a')"
    preview = "document.querySelector('.ds-assistant-preview')?.textContent"
    height = "return document.querySelector('.ds-assistant-message:last-child').offsetHeight"
    before = browser.run(height)
    browser.expect(
        "To create a key, open Settings and press New.", f"{link}.focus(); return {preview}"
    )
    assert browser.run(height) == before  # nothing moves for it
    browser.run("document.activeElement.blur()")
    assert browser.run(f"return {preview}") is None


def test_what_has_not_changed_in_an_answer_stays_when_it_is_rated(browser: Any, site: str) -> None:
    browser.open_afresh(site)
    open_panel(browser)
    ask(browser, "How do I create a key?")
    browser.wait(IS_DONE)
    browser.run(
        """window.code = document.querySelector('.ds-answer-code');
        const text = document.querySelector('.ds-assistant-message blockquote p');
        getSelection().selectAllChildren(text);
        document.querySelector('.ds-assistant-actions [aria-pressed]').click()"""
    )
    browser.wait("return !!document.querySelector('.ds-assistant-actions [aria-pressed=true]')")
    assert browser.run("return window.code.isConnected")
    assert "open Settings" in browser.run("return String(getSelection())")


def test_the_width_of_the_panel_is_kept(browser: Any, site: str) -> None:
    browser.open_afresh(site)
    open_panel(browser)
    edge = browser.driver.find_element("css selector", ".ds-assistant-edge")
    ActionChains(browser.driver).drag_and_drop_by_offset(edge, -150, 0).perform()
    width = "return document.querySelector('.ds-assistant').offsetWidth"
    wider = browser.run(width)
    browser.open(f"{site}/other")
    browser.wait(IS_OPEN)
    assert browser.run(width) == wider > 500
    browser.run("localStorage.removeItem('ds-assistant-width')")


@pytest.mark.deep
def test_tables_of_answers_are_tables(browser: Any, site: str) -> None:
    browser.open_afresh(site)
    open_panel(browser)
    ask(browser, "What is the limit of attachments?")
    browser.wait(IS_DONE)
    cells = "return [...document.querySelectorAll('.ds-assistant-log td')].map((e) => e.innerText)"
    assert browser.run(cells)[:2] == ["Attachments", "8 MB, a|b too"]
    browser.run(AXE.read_text())
    found = browser.driver.execute_async_script(VIOLATIONS)
    assert found == []


def test_on_a_phone_the_focus_stays_in_the_panel(browser: Any, site: str) -> None:
    browser.resize(500, 800)  # as narrow as a window can be
    browser.open_afresh(site)
    open_panel(browser)
    inside = "return document.querySelector('.ds-assistant').contains(document.activeElement)"
    browser.wait(inside)
    kind = "const e = document.querySelector('.ds-assistant'); return [e.role, e.ariaModal]"
    browser.expect(["dialog", "true"], kind)
    for _ in range(9):
        browser.driver.switch_to.active_element.send_keys(Keys.TAB)
        assert browser.run(inside)
    browser.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    browser.expect("assistant-entry", "return document.activeElement.id")


def test_beside_the_page_tab_leaves_the_panel(browser: Any, site: str) -> None:
    """The wide panel is a landmark without a focus trap, so keyboards reach the page."""
    browser.resize(1400, 900)
    browser.open_afresh(site)
    open_panel(browser)
    inside = "return document.querySelector('.ds-assistant').contains(document.activeElement)"
    browser.wait(inside)
    browser.expect(None, "return document.querySelector('.ds-assistant').getAttribute('role')")
    for _ in range(9):
        browser.driver.switch_to.active_element.send_keys(Keys.SHIFT, Keys.TAB)
    browser.expect(False, inside)


def test_where_lines_run_from_the_right_it_stands_at_the_left(browser: Any, site: str) -> None:
    browser.open_afresh(site)
    browser.run("document.documentElement.dir = 'rtl'; document.documentElement.lang = 'ar'")
    open_panel(browser)
    bounds = (
        "const {left, right} = document.querySelector('.ds-assistant').getBoundingClientRect();"
    )
    assert browser.run(bounds + "return [left, right < innerWidth]") == [0, True]
    # It covers nothing of the page, which has moved aside.
    assert browser.run(
        bounds + "return document.querySelector('main').getBoundingClientRect().left >= right"
    )


def test_answers_get_feedback(browser: Any, site: str) -> None:
    browser.open(f"{site}/?assistant=How%20do%20I%20create%20a%20key%3F")
    browser.wait(IS_DONE)
    pressed = "document.querySelector('.ds-assistant-actions [aria-pressed]')"
    browser.run(f"{pressed}.click()")
    browser.wait(f"return {pressed}.getAttribute('aria-pressed') === 'true'")


def test_a_selection_is_what_the_question_is_about(browser: Any, site: str) -> None:
    browser.open(site)
    browser.wait("return document.getElementById('assistant-entry') !== null")
    browser.run("getSelection().selectAllChildren(document.querySelector('.ds-content p'))")
    browser.wait("return document.querySelector('.ds-ask-selection').hidden === false")
    browser.run("document.querySelector('.ds-ask-selection').click()")
    about = "return document.querySelector('.ds-assistant-about')?.innerText"
    browser.wait(f"{about}.includes('open Settings')")


def test_a_bundle_has_no_panel(browser: Any, bundle: Path) -> None:
    browser.open((bundle / "index.html").as_uri())
    assert browser.run("return document.getElementById('assistant-entry')") is None


def test_code_is_what_the_question_is_about(browser: Any, site: str) -> None:
    browser.open(site)
    browser.wait("return document.querySelector('.ds-ask-code') !== null")
    browser.run("document.querySelector('.ds-ask-code').click()")
    about = "return document.querySelector('.ds-assistant-about')?.innerText"
    browser.wait(f"{about}.includes('acme keys create')")


def test_a_title_of_code_ends_before_its_buttons(browser: Any, site: str) -> None:
    browser.open(site)
    browser.wait("return document.querySelector('.ds-ask-code') !== null")
    clear = """const head = document.querySelector('.ds-code:has(> .ds-ask-code) > .ds-code-head');
        const button = head.parentElement.querySelector('.ds-ask-code');
        const end = head.getBoundingClientRect().right
            - parseFloat(getComputedStyle(head).paddingInlineEnd);
        return button.getBoundingClientRect().left - end"""
    assert browser.run(clear) >= 0


def test_code_of_a_group_is_asked_about_from_its_bar(browser: Any, site: str) -> None:
    browser.open(f"{site}/builds")
    browser.wait("return document.querySelector('.ds-code-bar .ds-ask-code') !== null")
    assert browser.run("return document.querySelector('.ds-code-group .ds-code > button')") is None
    clear = """const code = document.querySelector('.ds-code:has(> .ds-ask-code) code');
        const button = code.closest('.ds-code').querySelector('.ds-ask-code');
        const end = code.parentElement.getBoundingClientRect().right
            - parseFloat(getComputedStyle(code.parentElement).paddingInlineEnd)
            - parseFloat(getComputedStyle(code).paddingInlineEnd);
        return button.getBoundingClientRect().left - end"""
    assert browser.run(clear) >= 0  # a line that scrolls ends before both buttons
    browser.run("document.querySelectorAll('.ds-code-bar [role=tab]')[1].click()")
    browser.run("document.querySelector('.ds-code-bar .ds-ask-code').click()")
    about = "return document.querySelector('.ds-assistant-about')?.innerText"
    browser.wait(f"{about}.includes('build()')")


def test_a_page_offers_questions_to_begin_with(browser: Any, site: str) -> None:
    browser.open_afresh(f"{site}/?assistant")
    suggestions = "document.querySelector('.ds-assistant-suggestions button')"
    browser.wait(f"return {suggestions} !== null")
    browser.run(f"{suggestions}.click()")
    browser.wait(IS_DONE)
    assert "open Settings and press New" in browser.run(LOG)


def test_an_answer_that_was_stopped_is_not_lost(browser: Any, site: str) -> None:
    """The reader stops at once, and has the rest afterwards."""
    browser.open_afresh(site)
    browser.wait("return document.getElementById('assistant-entry') !== null")
    browser.run(
        "const listen = fetch; window.fetch = (address, how) => {"
        " const answer = listen(address, how); if (address.endsWith('/message'))"
        " answer.then(() => document.querySelector('.ds-assistant form > button').click());"
        " return answer }"
    )
    open_panel(browser)
    ask(browser, "How do I create a key?")
    browser.wait(IS_DONE)
    assert "open Settings and press New" not in browser.run(LOG)
    browser.run(
        "[...document.querySelectorAll('.ds-assistant-actions button')]"
        ".find((each) => each.innerText === 'Show the rest').click()"
    )
    browser.wait(f"{LOG}.includes('open Settings and press New')")


def test_a_contradicted_sentence_is_marked_with_its_passage(browser: Any, site: str) -> None:
    """The stream of an answer, with a note of the kind that a late judgment adds."""
    browser.open_afresh(site)
    browser.wait("return document.getElementById('assistant-entry') !== null")
    browser.run(
        "const listen = fetch; window.fetch = async (address, how) => {"
        " const answer = await listen(address, how);"
        " if (!address.endsWith('/message')) return answer;"
        " const note = { sentence: 'To create a key, open *Settings* and press New.',"
        "  title: 'Other', url: location.origin + '/other' };"
        " const part = 'data: ' + JSON.stringify({ type: 'data-contradicted', data: note });"
        " const text = await answer.text();"
        ' return new Response(text.replace(/data: {"type":"finish"/, part + \'\\n\\n$&\')) }'
    )
    open_panel(browser)
    ask(browser, "How do I create a key?")
    browser.wait(IS_DONE)
    links = "[...document.querySelectorAll('.ds-assistant-log strong a')]"
    mark = f"return {links}.find((each) => each.pathname === '/other').innerText"
    assert browser.run(mark) == "The documentation says otherwise"
    assert "press New. ⚠ The documentation says otherwise" in browser.run(LOG)
    assert browser.complaints() == []


def test_a_bundle_asks_the_service_that_it_was_exported_for(
    browser: Any, panel_service: Service, tmp_path: Path
) -> None:
    facts = panel_service.facts
    options = ["--feature", "assistant=on", "--feature", "analytics=on"]
    options += ["--service-url", facts["baseUrl"], "--service-domain", facts["domain"]]
    options += ["--service-key", facts["assistantKey"]]
    export_folder(panel_service.source, tmp_path / "site", *options)
    browser.open((tmp_path / "site" / "other.html").as_uri())
    open_panel(browser)
    ask(browser, "How do I create a key?")
    browser.wait(IS_DONE)
    assert "open Settings and press New" in browser.run(LOG)
    asked: set[str] = set()

    def has_reported() -> bool:
        asked.update(e for e in browser.requests() if not e.startswith(("file:", "data:")))
        return f"{facts['baseUrl']}/discovery/v1/events/{facts['domain']}" in asked

    browser.until(True, has_reported)
    assert all(each.startswith(f"{facts['baseUrl']}/discovery/") for each in asked)
    assert browser.complaints() == []
