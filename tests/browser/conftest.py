"""A real Chromium, driven through its own driver."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

from chromium import chromium_window
from content_site import export_content, serve_api
from exported_folders import export_folder
from free_ports import free_port
from panel_docs import write_panel_docs
from running_service import Service
from socket_server import Sockets, serve_sockets

DOCS = Path(__file__).parent.parent.parent / "docs"
_SECONDS = 120  # far beyond what is waited for, on a machine that does much else
_POLL_SECONDS = 0.05


class Browser:
    """A browser window that remembers what pages asked for and complained about."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def open(self, url: str) -> None:
        self.driver.get(url)

    def open_afresh(self, url: str) -> None:
        """Open a page as on a first visit, with an empty storage of its session."""
        parts = urlsplit(url)
        self.open(f"{parts.scheme}://{parts.netloc}/robots.txt")  # sooner there than a page
        self.run("sessionStorage.clear()")
        self.open(url)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def requests(self) -> list[str]:
        """URLs requested since the last call."""
        events = [json.loads(entry["message"])["message"] for entry in self._log("performance")]
        return [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]

    def complaints(self) -> list[str]:
        """Messages of the console, of level warning and above, since the last call.

        Requests for icons are left out: text files, as in `open_afresh`, name none.
        """
        messages = [entry["message"] for entry in self._log("browser")]
        return [each for each in messages if "/favicon.ico - " not in each]

    def emulate(self, value: str, name: str = "prefers-color-scheme") -> None:
        """A preference of the reader's system, until the next test."""
        feature = {"name": name, "value": value}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    def wait(self, script: str) -> None:
        """Wait until the script returns something true."""
        WebDriverWait(self.driver, _SECONDS, _POLL_SECONDS).until(lambda _: self.run(script))

    def expect(self, expected: Any, script: str, *arguments: Any) -> None:
        """Wait until the script returns `expected`."""
        self.until(expected, lambda: self.run(script, *arguments))

    def until(self, expected: Any, look: Callable[[], Any]) -> None:
        """Wait until `look` returns `expected`."""
        end = time.monotonic() + _SECONDS
        while (seen := look()) != expected:
            assert time.monotonic() < end, f"{seen!r} is not {expected!r}"
            time.sleep(_POLL_SECONDS)

    def until_true(self, look: Callable[[], Any]) -> Any:
        """Return what `look` sees once it is true, or at the end of the time."""
        end = time.monotonic() + _SECONDS
        while not (seen := look()) and time.monotonic() < end:
            time.sleep(_POLL_SECONDS)
        return seen

    def resize(self, width: int, height: int) -> None:
        """Resize the window, and wait until its page has the new width."""
        self.driver.set_window_size(width, height)
        self.expect(self.driver.get_window_size()["width"], "return innerWidth")

    @contextmanager
    def phone(self) -> Iterator[None]:
        """Show pages as a phone does; windows of a browser are never as narrow."""
        size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def forget_files(self) -> None:
        """Clear what pages of local folders have stored, such as a chosen language."""
        stored = {"origin": "file://", "storageTypes": "local_storage"}
        self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", stored)

    def _log(self, kind: str) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = self.driver.get_log(kind)
        return entries


@pytest.fixture(scope="session")
def _window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with chromium_window(tmp_path_factory.mktemp("chromium")) as window:
        window.set_script_timeout(2 * _SECONDS)
        yield window


@pytest.fixture(scope="session")
def window_browser(_window: webdriver.Chrome) -> Browser:
    """The browser as another test has left it, for fixtures of modules."""
    return Browser(_window)


@pytest.fixture
def browser(window_browser: Browser) -> Browser:
    browser = window_browser
    browser.open("about:blank")
    browser.resize(1440, 1000)
    browser.emulate("")
    browser.forget_files()
    browser.requests()
    browser.complaints()
    return browser


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's own documentation, exported by the command."""
    target = tmp_path_factory.mktemp("bundle") / "site"
    return export_folder(DOCS, target)


@pytest.fixture(scope="session")
def panel_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with the documentation of `panel_docs`."""
    root = tmp_path_factory.mktemp("panel")
    write_panel_docs(root / "docs")
    running = Service(root / "docs", root / "data", free_port())
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def sockets() -> Iterator[Sockets]:
    with serve_sockets() as served:
        yield served


@pytest.fixture(scope="session")
def content(tmp_path_factory: pytest.TempPathFactory, sockets: Sockets) -> Iterator[Path]:
    """An exported site with diagrams, components with state and playgrounds."""
    with serve_api() as api_url:
        yield export_content(tmp_path_factory.mktemp("content"), api_url, sockets.url)
