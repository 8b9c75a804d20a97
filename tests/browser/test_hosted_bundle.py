"""A bundle of a service, served by `host` somewhere else, as its readers see it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from selenium.webdriver.common.keys import Keys

import patient_http
from free_ports import free_port
from running_service import Service

pytestmark = pytest.mark.browser

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30">'
    '<script>document.documentElement.setAttribute("data-ran", "1")</script>'
    '<rect width="40" height="30" fill="teal"/></svg>'
)
MORE = (("DOCSTEAD_FEATURES", "assistant=on"), ("DOCSTEAD_BUNDLE_LINK_SECONDS", "900"))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    root = tmp_path_factory.mktemp("hosted")
    source = root / "docs"
    (source / "images").mkdir(parents=True)
    config = {"name": "Acme", "theme": "mint", "colors": {"primary": "#0F766E"}}
    pages = {"navigation": {"pages": ["index"]}}
    (source / "docs.json").write_text(json.dumps({**config, **pages}))
    (source / "images" / "drawing.svg").write_text(SVG)
    (source / "index.mdx").write_text(
        "---\ntitle: Keys\n---\n\n## Create a key\n\n"
        "To create a key, open Settings and press New.\n\n![Teal](/images/drawing.svg)\n"
    )
    running = Service(source, root / "data", free_port(), more=MORE)
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def hosted(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of the host."""
    job = service.ended(service.export()["jobId"])
    assert job["status"] == "completed", job
    link = service.admin("POST", f"/v1/static-export/jobs/{job['jobId']}/bundle").json()
    folder = tmp_path_factory.mktemp("host")
    export = {"enabled": True, "bundleUrl": link["bundleUrl"], "allowedNetworks": ["127.0.0.0/8"]}
    config = {"features": {"assistant": "on"}, "staticExport": export}
    (folder / "deployment.yaml").write_text(json.dumps(config))
    port = free_port()
    command = [sys.executable, "-m", "docstead.cli", "host", "--config"]
    process = subprocess.Popen(
        [*command, str(folder / "deployment.yaml"), "--port", str(port)],
        env=os.environ | {"DOCSTEAD_DATA": str(folder / "data")},
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        _await_ready(url)
        yield url
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=120)


def _await_ready(url: str) -> None:
    report: Any = None
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        try:
            report = patient_http.get(f"{url}/readyz").json()
        except httpx.TransportError:
            report = None
        if report and report["status"] == "ready":
            return
        time.sleep(0.1)
    pytest.fail(f"nothing is served: {report}")


def test_its_panel_asks_the_service_and_nobody_else(
    browser: Any, hosted: str, service: Service
) -> None:
    browser.open(hosted)
    browser.wait("return document.getElementById('assistant-entry') !== null")
    browser.run("document.getElementById('assistant-entry').click()")
    browser.wait("return document.querySelector('.ds-assistant')?.hidden === false")
    field = browser.driver.find_element("id", "chat-assistant-textarea")
    field.send_keys("How do I create a key?", Keys.ENTER)
    browser.wait("return document.querySelector('.ds-assistant-actions') !== null")
    log = browser.run("return document.querySelector('.ds-assistant-log').innerText")
    assert "open Settings and press New" in log
    asked = {url.split("/", 3)[2] for url in browser.requests() if "//" in url}
    assert asked == {hosted.split("//")[1], f"127.0.0.1:{service.port}"}
    assert browser.complaints() == []


def test_a_query_of_the_search_is_a_few_requests(browser: Any, hosted: str) -> None:
    browser.open(hosted)
    browser.run("document.querySelector('[data-search]').click()")
    browser.wait("return document.querySelector('.ds-search-dialog')?.open === true")
    field = browser.driver.find_element("css selector", ".ds-search-dialog input")
    field.send_keys("create a new key settings press")
    dialog = "document.querySelector('.ds-search-dialog')"
    browser.expect("create a new key settings press", f"return {dialog}.dataset.answered")
    assert "Create a key" in browser.run(f"return {dialog}.innerText")
    asked = [url for url in browser.requests() if "/_docs/search" in url]
    assert any(".0-" in url for url in asked), asked  # files of one step together
    assert browser.complaints() == []


def test_its_policy_names_the_service_only(hosted: str, service: Service) -> None:
    policy = patient_http.get(hosted).headers["content-security-policy"]
    connects = next(part for part in policy.split(";") if part.strip().startswith("connect-src"))
    assert set(connects.split()[1:]) == {"'self'", f"http://127.0.0.1:{service.port}"}


def test_its_drawings_are_shown_and_run_nothing(browser: Any, hosted: str) -> None:
    browser.open(hosted)
    browser.wait("return document.querySelector('.ds-content img').naturalWidth > 0")
    assert browser.complaints() == []
    browser.open(f"{hosted}/images/drawing.svg")
    root = "document.documentElement"
    assert browser.run(f"return {root}.tagName.toLowerCase()") == "svg"
    assert browser.run(f"return {root}.getAttribute('data-ran')") is None
