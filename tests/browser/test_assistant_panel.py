"""The assistant's panel in a published site, against the whole service."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from running_service import Service, free_port

pytestmark = pytest.mark.browser

LOG = "return document.querySelector('.ds-assistant-log')?.innerText ?? ''"
IS_OPEN = "return document.querySelector('.ds-assistant')?.hidden === false"
IS_DONE = "return document.querySelector('.ds-assistant-actions') !== null"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    root = tmp_path_factory.mktemp("panel")
    source = root / "docs"
    source.mkdir()
    config = {"name": "Acme", "theme": "mint", "colors": {"primary": "#0F766E"}}
    pages = {"navigation": {"pages": ["index", "other"]}}
    (source / "docs.json").write_text(json.dumps({**config, **pages}))
    (source / "index.mdx").write_text(
        "---\ntitle: Keys\n---\n\n## Create a key\n\n"
        "To create a key, open Settings and press New.\n"
    )
    (source / "other.mdx").write_text("---\ntitle: Other\n---\n\nAnother page.\n")
    running = Service(source, root / "data", free_port())
    running.start()
    yield str(running.facts["baseUrl"])
    running.stop()


def wait(browser: Any, script: str) -> Any:
    return WebDriverWait(browser.driver, 20).until(lambda _: browser.run(script))


def ask(browser: Any, text: str) -> None:
    field = browser.driver.find_element("id", "chat-assistant-textarea")
    field.send_keys(text, Keys.ENTER)


def test_a_reader_asks_and_finds_the_answer_on_the_next_page(browser: Any, site: str) -> None:
    browser.open(site)
    wait(browser, "return document.getElementById('assistant-entry') !== null")
    browser.run("document.getElementById('assistant-entry').click()")
    ask(browser, "How do I create a key?")
    wait(browser, IS_DONE)
    assert "open Settings and press New" in browser.run(LOG)
    sources = "return [...document.querySelectorAll('.ds-assistant-sources a')].map((a) => a.href)"
    assert browser.run(sources)[0].endswith("#create-a-key")

    browser.open(f"{site}/other")
    wait(browser, IS_OPEN)
    assert "open Settings and press New" in browser.run(LOG)
    assert browser.complaints() == []


def test_the_address_asks_once_and_escape_closes(browser: Any, site: str) -> None:
    browser.open(f"{site}/other?assistant=How%20do%20I%20create%20a%20key%3F")
    wait(browser, IS_DONE)
    assert "How do I create a key?" in browser.run(LOG)
    assert "assistant=" not in browser.driver.current_url
    browser.driver.find_element("id", "chat-assistant-textarea").send_keys(Keys.ESCAPE)
    assert browser.run(IS_OPEN) is False


def test_answers_are_judged(browser: Any, site: str) -> None:
    browser.open(f"{site}/?assistant=How%20do%20I%20create%20a%20key%3F")
    wait(browser, IS_DONE)
    pressed = "document.querySelector('.ds-assistant-actions [aria-pressed]')"
    browser.run(f"{pressed}.click()")
    wait(browser, f"return {pressed}.getAttribute('aria-pressed') === 'true'")


def test_a_selection_is_what_the_question_is_about(browser: Any, site: str) -> None:
    browser.open(site)
    wait(browser, "return document.getElementById('assistant-entry') !== null")
    browser.run("getSelection().selectAllChildren(document.querySelector('.ds-content p'))")
    wait(browser, "return document.querySelector('.ds-ask-selection').hidden === false")
    browser.run("document.querySelector('.ds-ask-selection').click()")
    about = "return document.querySelector('.ds-assistant-about').innerText"
    assert "open Settings" in browser.run(about)


def test_a_bundle_has_no_panel(browser: Any, bundle: Path) -> None:
    browser.open((bundle / "index.html").as_uri())
    assert browser.run("return document.getElementById('assistant-entry')") is None
