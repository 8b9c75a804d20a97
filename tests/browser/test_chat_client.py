"""The chat client's last release, in a page of another origin, against the whole service."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from selenium.webdriver.support.ui import WebDriverWait

from free_ports import free_port
from running_service import Service

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parent.parent.parent
CLIENT = ROOT / "tests" / "api" / "assistant" / "client"
ESBUILD = ROOT / "engine" / "node_modules" / ".bin" / "esbuild"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def page(tmp_path: Path) -> Iterator[str]:
    """The URL of the page, on a host and port of its own."""
    folder = tmp_path / "page"
    bundle = ["--bundle", "--format=esm", f"--outfile={folder / 'page.js'}", "--log-level=error"]
    subprocess.run([ESBUILD, CLIENT / "page.mjs", *bundle], check=True)
    html = '<!doctype html><title>Chat</title><link rel="icon" href="data:,"><div id="root"></div>'
    script = '<script type="module" src="page.js"></script>'
    (folder / "index.html").write_text(html + script)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://localhost:{server.server_address[1]}/index.html"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    source = tmp_path / "docs"
    source.mkdir()
    (source / "index.mdx").write_text(
        "---\ntitle: Keys\n---\n\n"
        "## Create a key\n\nTo create a key, open Settings and press New.\n"
    )
    config = {"name": "Acme", "theme": "mint", "colors": {"primary": "#0F766E"}}
    (source / "docs.json").write_text(json.dumps({**config, "navigation": {"pages": ["index"]}}))
    running = Service(source, tmp_path / "data", free_port())
    running.start()
    yield running
    running.stop()


def test_a_page_of_another_origin_asks_and_finds_its_answer_again(
    browser: Any, page: str, service: Service
) -> None:
    facts = service.facts
    about = {
        "url": f"{facts['baseUrl']}/discovery/v2/assistant/{facts['domain']}/message",
        "key": facts["assistantKey"],
        "id": "a-chat-of-this-page",
    }
    browser.open(f"{page}#{quote(json.dumps(about))}")
    assert wait_for(browser, lambda chat: chat["status"] == "ready")["messages"] == []

    browser.run("window.chat.ask('How do I create a key?')")
    first = wait_for(browser, lambda chat: is_answered(chat, 2))
    answer = first["messages"][1]
    kinds = {part["type"] for part in answer["parts"]}
    assert {"source-url", "text"} <= kinds
    assert "press New" in said(answer)
    assert answer["metadata"]["threadId"]

    browser.driver.refresh()
    again = wait_for(browser, lambda chat: len(chat["messages"]) == 1 and chat["status"] == "ready")
    assert again["messages"][0]["id"] == answer["id"]
    assert said(again["messages"][0]) == said(answer)

    browser.run("window.chat.ask('And where do I press?')")
    second = wait_for(browser, lambda chat: is_answered(chat, 3))
    assert second["error"] is None
    assert second["messages"][2]["metadata"]["threadId"] == answer["metadata"]["threadId"]
    assert browser.complaints() == []


def is_answered(chat: dict[str, Any], count: int) -> bool:
    """Report whether the last message is whole; a resumed stream may say "ready" before."""
    messages = chat["messages"]
    if chat["status"] != "ready" or len(messages) != count:
        return False
    texts = [part for part in messages[-1]["parts"] if part["type"] == "text"]
    return bool(texts) and all(part.get("state") != "streaming" for part in texts)


def said(message: dict[str, Any]) -> str:
    return "".join(part["text"] for part in message["parts"] if part["type"] == "text")


def wait_for(browser: Any, is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The chat once it is so."""

    def look(_: object) -> dict[str, Any] | None:
        chat = json.loads(browser.run("return JSON.stringify(window.chat ?? null)"))
        return chat if chat and is_so(chat) else None

    found: dict[str, Any] = WebDriverWait(browser.driver, 120, 0.05).until(look)
    return found
