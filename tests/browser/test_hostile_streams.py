"""Answers whose every part tries to run a script, or to keep the panel from showing anything."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from running_service import Service
from script_injections import PAYLOADS, SCRIPT_URLS

pytestmark = pytest.mark.browser

# The stream of the service, replaced by one that a hostile model and hostile pages have written.
REPLACE = """
window.caught = [];
window.trap = (number) => caught.push(number);
for (const name of ["alert", "confirm", "prompt", "print", "open"])
  window[name] = () => caught.push(name);
addEventListener("securitypolicyviolation", (event) => caught.push(event.blockedURI));
const events = [{ type: "start", messageId: "m" }, ...arguments[0]], others = fetch;
const text = [...events.map((each) => JSON.stringify(each)), "[DONE]"]
  .map((each) => `data: ${each}\\n\\n`).join("");
window.fetch = async (url, options) =>
  String(url).endsWith("/message") ? new Response(text) : others(url, options);
document.getElementById("assistant-entry").click();
"""
ASK = """const field = document.getElementById("chat-assistant-textarea");
field.value = "How?"; field.form.requestSubmit()"""
LOG = "return document.querySelector('.ds-assistant-log')?.innerText ?? ''"
IS_DONE = "return document.querySelector('.ds-assistant-actions') !== null"
SCHEMES = """return [...new Set([...document.querySelectorAll(".ds-assistant a")]
  .map(({ protocol }) => protocol))].filter((each) => !/^(https?|mailto):$/.test(each))"""


def answer(browser: Any, site: str, *events: dict[str, Any]) -> None:
    browser.open_afresh(site)
    browser.wait("return document.getElementById('assistant-entry') !== null")
    browser.run(REPLACE, events)
    browser.wait("return document.getElementById('chat-assistant-textarea') !== null")
    browser.run(ASK)
    browser.wait(IS_DONE)


def test_no_part_of_an_answer_runs(browser: Any, panel_service: Service) -> None:
    links = "\n".join(f"[x]({url}) <{url}> ![y]({url}) [1]({url})" for url in SCRIPT_URLS)
    nearest = [{"url": url, "title": url} for url in SCRIPT_URLS]
    answer(
        browser,
        panel_service.site,
        {"type": "text-delta", "delta": "\n\n".join((*PAYLOADS, links))},
        *({"type": "source-url", "url": url, "title": PAYLOADS[0]} for url in SCRIPT_URLS),
        {"type": "data-nearest", "data": nearest},
        {"type": "data-contradicted", "data": {"sentence": PAYLOADS[0], "url": SCRIPT_URLS[0]}},
        {"type": "data-suggestions", "data": list(PAYLOADS[:3])},
    )
    assert browser.run("return caught") == []
    assert browser.run(SCHEMES) == []
    assert browser.run("return document.querySelector('.ds-assistant :is(img, script)')") is None
    assert browser.complaints() == []


def test_nested_quotes_leave_the_panel_usable(browser: Any, panel_service: Service) -> None:
    """An answer that cannot be shown would be kept, and break the panel for the whole visit."""
    answer(browser, panel_service.site, {"type": "text-delta", "delta": f"Hello\n\n{'>' * 10_000}"})
    assert "Hello" in browser.run(LOG)
    browser.open(f"{panel_service.site}/other")
    browser.wait(IS_DONE)
    assert "Hello" in browser.run(LOG)
    assert browser.complaints() == []


def test_a_page_that_frames_the_site_does_not_ask(
    browser: Any, panel_service: Service, tmp_path: Path
) -> None:
    """The key may be restricted to the origin of the site, and each question costs."""
    question = "How do I create a key?"
    browser.open_afresh(panel_service.site)
    url = f"{panel_service.site}/?assistant={question}"
    (tmp_path / "index.html").write_text(f"<iframe width=900 height=700 src='{url}'></iframe>")
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    browser.open(f"http://127.0.0.1:{server.server_port}")
    browser.driver.switch_to.frame(0)
    try:
        browser.wait("return document.getElementById('chat-assistant-textarea') !== null")
        browser.expect(question, "return document.getElementById('chat-assistant-textarea').value")
        assert browser.run("return document.querySelector('.ds-assistant-message')") is None
    finally:
        browser.driver.switch_to.default_content()
        server.shutdown()
        server.server_close()
