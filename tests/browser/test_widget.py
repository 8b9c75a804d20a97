"""The widget in a page of another origin, against the whole service."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

import patient_http
from free_ports import free_port
from running_service import Service

pytestmark = pytest.mark.browser

QUESTION = "How do I create a key?"
ANSWER = "open Settings and press New"
MOST_BYTES = 40 * 1000
# A page that would spoil whatever it could reach, with a policy that allows little.
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; script-src 'self' {service} 'unsafe-inline'; style-src 'nonce-n1';
  connect-src {service}">
<meta name="viewport" content="width=device-width">
<style nonce="n1">html {{ font-size: 62.5% }} * {{ letter-spacing: 9px; color: red }}
button, dialog, div {{ display: none }}</style>
<script>window.seen = []; window.failures = []</script>
{script}
</head><body><h1>A shop</h1></body></html>"""
# A closed tree is closed to tests too, unless they are there first.
SPY = """<script>{ const attach = Element.prototype.attachShadow
Element.prototype.attachShadow = function (how) {
  window.how = how; return (window.tree = attach.call(this, how)) } }</script>"""
LOG = "return tree.querySelector('.ds-assistant-log').innerText"
HOOKS = "hooks: {event: (e) => seen.push(e), error: (e) => failures.push(e)}"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    root = tmp_path_factory.mktemp("widget")
    source = root / "docs"
    source.mkdir()
    config = {"name": "Acme", "theme": "mint", "colors": {"primary": "#0F766E"}}
    (source / "docs.json").write_text(json.dumps({**config, "navigation": {"pages": ["index"]}}))
    (source / "index.mdx").write_text(
        "---\ntitle: Keys\n---\n\n## Create a key\n\n"
        "To create a key, open Settings and press New.\n"
    )
    running = Service(source, root / "data", free_port())
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory, service: Service) -> Iterator[str]:
    """A site of somebody else, with the widget as a classic script and as a module."""
    root = tmp_path_factory.mktemp("shop")
    base_url = service.facts["baseUrl"]
    for name, kind in (("index.html", "defer"), ("module.html", 'type="module"')):
        script = f'{SPY}<script {kind} src="{base_url}/_docs/widget.js"></script>'
        page = PAGE.format(service=base_url, script=script)
        (root / name).write_text(page)
        (root / f"french-{name}").write_text(page.replace('lang="en"', 'lang="fr-CA"'))
    handler = partial(_Quiet, directory=str(root))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


Started = Callable[..., None]


@pytest.fixture
def start(browser: Any, shop: str, service: Service) -> Started:
    """Opens the shop and calls `init` with what is given."""

    def begin(config: str = "", page: str = "index.html") -> None:
        browser.open(f"{shop}/{page}")
        browser.run("sessionStorage.clear()")
        facts = service.facts
        known = f"id: '{facts['domain']}', key: '{facts['assistantKey']}', {HOOKS}"
        browser.run(f"return DocsAssistant.init({{{known}, {config}}})")

    return begin


def log(browser: Any) -> str:
    return str(browser.run(LOG))


def wait_for_answer(browser: Any) -> None:
    browser.wait("return tree.querySelector('.ds-assistant-actions') !== null")


def events(browser: Any) -> list[str]:
    return [each["type"] for each in browser.run("return seen")]


def test_it_is_small_and_loads_anywhere(service: Service) -> None:
    answer = patient_http.get(f"{service.facts['baseUrl']}/_docs/widget.js")
    assert len(gzip.compress(answer.content, 9)) < MOST_BYTES
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("page", ["index.html", "module.html"])
def test_it_asks_across_origins(browser: Any, start: Started, page: str) -> None:
    start(page=page)
    browser.run(f"return DocsAssistant.ask({QUESTION!r}, {{source: 'banner'}})")
    wait_for_answer(browser)
    assert ANSWER in log(browser)
    sources = "return [...tree.querySelectorAll('.ds-assistant-sources a')].map((a) => a.href)"
    assert "#create-a-key:~:text=To%20create%20a%20key%2C%20open" in browser.run(sources)[0]
    assert browser.run("return how.mode") == "closed"
    browser.until(["init", "open", "ask"], lambda: events(browser))
    assert browser.run("return seen[2].source") == "banner"
    assert QUESTION not in json.dumps(browser.run("return seen"))
    assert browser.complaints() == []


@pytest.mark.parametrize("page", ["french-index.html", "french-module.html"])
def test_it_brings_the_words_of_the_page_along(browser: Any, start: Started, page: str) -> None:
    start("defaultOpen: true", page)
    shown = "return [tree.querySelector('h2').innerText, tree.querySelector('.trigger').innerText]"
    browser.expect(["Assistant", "Demander"], shown)
    browser.expect("Posez une question", "return tree.querySelector('textarea').placeholder")
    assert [each for each in browser.requests() if "/words." in each] == []


def test_the_page_does_not_reach_into_it(browser: Any, start: Started) -> None:
    start("defaultOpen: true")
    style = "const s = getComputedStyle(tree.querySelector('.trigger span')); return "
    browser.expect(["normal", "14px", "block"], f"{style} [s.letterSpacing, s.fontSize, s.display]")


def test_open_close_and_focus(browser: Any, start: Started) -> None:
    start()
    state = "return [tree.querySelector('dialog').open, tree.activeElement?.tagName ?? '']"
    browser.run("return DocsAssistant.open({focus: false})")
    browser.expect([True, ""], state)
    browser.run("return DocsAssistant.close()")
    browser.expect(False, "return tree.querySelector('dialog').open")
    browser.run("tree.querySelector('.trigger').focus(); tree.querySelector('.trigger').click()")
    browser.expect([True, "TEXTAREA"], state)
    escape = "new KeyboardEvent('keydown', {key: 'Escape', bubbles: true})"
    browser.run(f"tree.querySelector('textarea').dispatchEvent({escape})")
    browser.expect([False, "BUTTON"], state)
    browser.until(["init", "open", "close", "open", "close"], lambda: events(browser))


def test_update_patches_deeply_and_null_is_the_default(browser: Any, start: Started) -> None:
    start("labels: {title: 'Helper', trigger: 'Help'}, appearance: {variant: 'panel'}")
    shown = "return [tree.querySelector('h2').innerText, tree.querySelector('.trigger').innerText]"
    browser.run("return DocsAssistant.open()")
    browser.run("return DocsAssistant.update({labels: {title: null}, appearance: {theme: 'dark'}})")
    browser.expect(["Assistant", "Help"], shown)
    look = "const {variant, theme} = tree.querySelector('.root').dataset; return [variant, theme]"
    browser.expect(["panel", "dark"], look)
    assert browser.run("return tree.querySelector('dialog').open") is True


@pytest.mark.parametrize(
    ("color", "theme"), [("#222", "light"), ("#eee", "system"), ("CanvasText", "light")]
)
def test_it_is_light_on_a_page_that_stays_light_in_a_dark_system(
    browser: Any, start: Started, color: str, theme: str
) -> None:
    browser.emulate("dark")
    start()
    shown = "return tree.querySelector('.root').dataset.theme"
    browser.run("document.body.style.setProperty('color', arguments[0], 'important')", color)
    browser.run("return DocsAssistant.open()")
    assert browser.run(shown) == theme


def test_reset_and_destroy(browser: Any, start: Started) -> None:
    start("starterQuestions: ['One?', 'Two?', 'Three?', 'Four?']")
    browser.run(f"return DocsAssistant.ask({QUESTION!r})")
    wait_for_answer(browser)
    browser.run("return DocsAssistant.reset()")
    suggestions = "return [...tree.querySelectorAll('.ds-assistant-suggestions button')].length"
    browser.wait(f"{suggestions} === 3")
    browser.until(False, lambda: ANSWER in log(browser))
    browser.run("return DocsAssistant.destroy()")
    browser.expect(None, "return document.querySelector('docs-assistant')")
    browser.until(["reset", "destroy"], lambda: events(browser)[-2:])


def test_a_conversation_goes_on_after_a_page_change_unless_the_reader_does(
    browser: Any, start: Started, shop: str, service: Service
) -> None:
    start()
    browser.run(f"return DocsAssistant.ask({QUESTION!r})")
    wait_for_answer(browser)
    browser.open(f"{shop}/module.html")
    known = f"id: '{service.facts['domain']}', key: '{service.facts['assistantKey']}'"
    browser.run(f"return DocsAssistant.init({{{known}}})")
    browser.run("return DocsAssistant.open()")
    browser.wait(f"{LOG}.includes({ANSWER!r})")
    browser.run("return DocsAssistant.update({identity: 'somebody else'})")
    browser.until(False, lambda: ANSWER in log(browser))


def test_what_is_wrong_is_said(browser: Any, start: Started) -> None:
    start("supportEmail: 'help@example.com'")
    for wrong in ("side: 'middle'", "accent: 'reddish'"):
        update = f"DocsAssistant.update({{appearance: {{{wrong}}}}})"
        message = browser.run(f"return {update}.catch((e) => e.message)")
        assert message.startswith(f"appearance.{wrong.partition(':')[0]}: must be ")
    for name in ("constructor", "toString", "__proto__"):
        update = f"""DocsAssistant.update(JSON.parse('{{"{name}": {{"toString": null}}}}'))"""
        message = browser.run(f"return {update}.catch((e) => e.message)")
        assert message == f"{name}: unknown option"
    browser.run("failures.length = 2")
    browser.run("return DocsAssistant.update({key: 'svc_dsc_wrong'})")
    browser.run(f"return DocsAssistant.ask({QUESTION!r})")
    browser.wait("return failures.length === 3")
    browser.wait(f"{LOG}.includes('a valid assistant API key. Contact support')")
    assert "The question could not be answered: " in log(browser)  # nothing was interrupted
    assert browser.run("return failures") == [
        {"code": "invalid_config", "retryable": False},
        {"code": "invalid_config", "retryable": False},
        {"code": "rejected", "retryable": False, "status": 401},
    ]


@pytest.mark.parametrize("variant", ["widget", "modal", "panel"])
def test_it_fits_narrow_screens(browser: Any, start: Started, variant: str) -> None:
    browser.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 360, "height": 640, "deviceScaleFactor": 1, "mobile": False},
    )
    try:
        start(f"defaultOpen: true, appearance: {{variant: '{variant}'}}")
        box = "const b = tree.querySelector('dialog').getBoundingClientRect(); return "
        browser.expect([0, 360, True], f"{box}[b.left, b.right, b.bottom <= 640]")
    finally:
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_key_of_another_page_is_refused(browser: Any, start: Started, service: Service) -> None:
    command = [sys.executable, "-m", "docstead.cli", "keys", "create", "assistant", "--json"]
    environment = {**os.environ, "DOCSTEAD_DATA": str(service.data)}
    made = subprocess.run(
        [*command, "--origin", "https://shop.example"],
        check=True,
        capture_output=True,
        env=environment,
        timeout=120,
    )
    start()
    browser.run(f"return DocsAssistant.update({{key: '{json.loads(made.stdout)['key']}'}})")
    browser.run(f"return DocsAssistant.ask({QUESTION!r})")
    browser.wait("return failures.length === 1")
    assert browser.run("return failures") == [
        {"code": "rejected", "retryable": False, "status": 403}
    ]
