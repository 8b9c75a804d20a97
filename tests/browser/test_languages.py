"""Texts of scripts in a site of several languages: from a folder, and with a service."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from exported_folders import export_folder
from free_ports import free_port
from running_service import Service

pytestmark = pytest.mark.browser

LANGUAGES = ("en", "fr", "pt-BR", "zh-TW", "ar")
SPECIFICATION = {
    "openapi": "3.1.0",
    "info": {"title": "Users", "version": "1"},
    "servers": [{"url": "http://127.0.0.1:9"}],
    "paths": {"/users": {"get": {"responses": {"200": {"description": "done"}}}}},
}
PAGE = """---
title: Keys
---

To create a *key*, open Settings.

```bash
acme keys create
```

```mermaid
flowchart TD
  one --> two --> three --> four
```

## First CODE

## Second CODE

"""
LABEL = "return document.querySelector({!r})?.ariaLabel"
FIELD = "return document.querySelector('.ds-search-dialog input')?.placeholder"
MENU = "[data-menu=language]"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("languages")
    for code in LANGUAGES:
        (root / code).mkdir()
        page = PAGE.replace("CODE", code) + "More.\n\n" * 40
        if code == "zh-TW":
            page = page.replace("To create", "您可以在設定中建立新的密鑰。\n\nTo create")
        (root / code / "index.mdx").write_text(page)
        operation = "---\ntitle: Users\nopenapi: GET /users\n---\n"
        (root / code / "users.mdx").write_text(operation)
    pages = [{"language": c, "pages": [f"{c}/index", f"{c}/users"]} for c in LANGUAGES]
    config = {"name": "Acme", "theme": "mint", "colors": {"primary": "#0F766E"}}
    more = {
        "navigation": {"languages": pages},
        "api": {"openapi": "openapi.json"},
        "interaction": {"detectLanguage": True},
    }
    (root / "docs.json").write_text(json.dumps({**config, **more}))
    (root / "openapi.json").write_text(json.dumps(SPECIFICATION))
    return root


@pytest.fixture(scope="module")
def exported(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("exported") / "site"
    return export_folder(source, target)


@pytest.fixture(scope="module")
def site(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of the site at a service, which has the assistant's panel too."""
    running = Service(source, tmp_path_factory.mktemp("data"), free_port())
    running.start()
    yield running.site
    running.stop()


def words_asked(browser: Any) -> list[str]:
    """The languages whose words were asked for since the last call."""
    names = (re.search(r"/words\.([\w-]+)\.\w+\.js$", each) for each in browser.requests())
    return [name[1] for name in names if name]


@pytest.mark.parametrize(
    ("code", "asked", "labels"),
    [
        ("en", [], ("Copy code", "Zoom in")),
        ("fr", ["fr"], ("Copier le code", "Zoom avant")),
        ("pt-BR", ["pt"], ("Copiar código", "Ampliar")),
        ("zh-TW", ["zh-Hant"], ("複製程式碼", "放大")),
        ("ar", ["ar"], ("نسخ الشيفرة", "تكبير")),
    ],
)
def test_components_and_diagrams_speak_the_language_of_the_page(
    browser: Any, exported: Path, code: str, asked: list[str], labels: tuple[str, str]
) -> None:
    browser.open((exported / code / "index.html").as_uri())
    browser.expect(labels[0], LABEL.format(".ds-code .ds-copy"))
    browser.expect(labels[1], LABEL.format(".ds-mermaid button"))
    assert words_asked(browser) == asked
    assert browser.complaints() == []


def test_a_bundle_has_words_for_its_languages_only(exported: Path) -> None:
    found = sorted(path.name.split(".")[1] for path in exported.glob("_docs/words.*.js"))
    assert found == ["ar", "fr", "pt", "zh-Hant"]


def test_another_language_is_chosen_and_brings_its_words(browser: Any, exported: Path) -> None:
    browser.open((exported / "fr" / "index.html").as_uri())
    browser.expect("Copier le code", LABEL.format(".ds-code .ds-copy"))
    words_asked(browser)
    link = f"[...document.querySelectorAll('{MENU} a')].find((a) => a.href.includes('/zh-TW/'))"
    browser.run(f"{link}.click()")
    browser.expect("複製程式碼", LABEL.format(".ds-code .ds-copy"))
    assert words_asked(browser) == ["zh-Hant"]
    emphasis = "getComputedStyle(document.querySelector('.ds-content em')).fontStyle"
    assert browser.run(f"return {emphasis}") == "normal"  # Han is never slanted


def test_another_language_shows_the_section_that_was_read(browser: Any, exported: Path) -> None:
    browser.open((exported / "fr" / "index.html").as_uri() + "#second-fr")
    browser.wait("return document.querySelector('.ds-contents [aria-current]')?.hash")
    browser.wait("return scrollY > 0 && document.readyState === 'complete'")
    link = f"[...document.querySelectorAll('{MENU} a')].find((a) => a.href.includes('/ar/'))"
    browser.run(f"{link}.click()")
    browser.expect("#second-ar", "return location.hash")


def test_the_search_speaks_the_language_of_the_page(browser: Any, exported: Path) -> None:
    browser.open((exported / "fr" / "index.html").as_uri())
    ActionChains(browser.driver).key_down(Keys.CONTROL).send_keys("k").key_up(
        Keys.CONTROL
    ).perform()
    browser.expect("Rechercher dans la documentation", FIELD)


def test_only_the_characters_of_a_query_are_marked_in_chinese(browser: Any, exported: Path) -> None:
    browser.open((exported / "zh-TW" / "index.html").as_uri())
    browser.wait("return document.readyState === 'complete'")
    browser.run("document.getElementById('search-bar-entry').click()")
    browser.wait("return document.activeElement?.matches('.ds-search-dialog input')")
    ActionChains(browser.driver).send_keys("密鑰").perform()
    marks = (
        "return [...document.querySelectorAll('.ds-search-dialog mark')].map((m) => m.textContent)"
    )
    assert set(browser.until_true(lambda: browser.run(marks))) == {"密鑰"}


def test_the_playground_speaks_the_language_of_the_page(browser: Any, exported: Path) -> None:
    browser.open((exported / "pt-BR" / "users.html").as_uri() + "?playground=open")
    browser.expect("Enviar", "return document.querySelector('.ds-playground-send')?.textContent")
    browser.expect("Fechar", LABEL.format(".ds-playground-close"))
    assert words_asked(browser) == ["pt"]


def test_a_page_that_is_copied_says_so(browser: Any, exported: Path) -> None:
    browser.open((exported / "fr" / "index.html").as_uri())
    browser.driver.find_element("css selector", "[data-page-action=copy]").click()
    browser.expect("Copié", "return document.getElementById('ds-announcer')?.textContent")


def test_the_panel_of_a_service_speaks_the_language_of_the_page(browser: Any, site: str) -> None:
    browser.open(f"{site}/fr")
    browser.wait("return document.getElementById('assistant-entry') !== null")
    browser.run("document.getElementById('assistant-entry').click()")
    field = "return document.getElementById('chat-assistant-textarea')?.placeholder"
    browser.expect("Posez une question", field)
    browser.expect("Copier le code", LABEL.format(".ds-code .ds-copy"))
    assert words_asked(browser) == ["fr"]
    browser.open(f"{site}/en")
    browser.expect("Ask a question", field)
    assert words_asked(browser) == []
    assert browser.complaints() == []


def test_the_first_visit_leads_to_a_language_of_the_browser(browser: Any, exported: Path) -> None:
    agent = browser.run("return navigator.userAgent")
    prefers = {"userAgent": agent, "acceptLanguage": "de,pt,fr"}
    browser.driver.execute_cdp_cmd("Network.setUserAgentOverride", prefers)
    home = (exported / "en/index.html").as_uri()
    browser.open(home)
    browser.run("localStorage.removeItem('ds-language')")
    browser.open(home)
    browser.expect("pt-BR", "return document.documentElement.lang")
    browser.open(home)  # chosen by the reader
    browser.wait("return document.readyState === 'complete'")
    assert browser.run("return document.documentElement.lang") == "en"
    default = {"userAgent": agent, "acceptLanguage": "en"}
    browser.driver.execute_cdp_cmd("Network.setUserAgentOverride", default)
