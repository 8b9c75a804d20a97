"""A Chromium window controlled by WebDriver."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

_ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1440,1000",
)


@contextmanager
def chromium_window(profile: Path, *arguments: str) -> Iterator[webdriver.Chrome]:
    """Yield a window with a separate profile. Skips the test if Chromium is missing."""
    chromium, driver = _chromium()
    options = Options()
    options.binary_location = chromium
    for argument in (*_ARGUMENTS, *arguments):
        options.add_argument(argument)
    options.add_argument(f"--user-data-dir={profile}")
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "WARNING"})
    window = webdriver.Chrome(options=options, service=Service(driver))
    try:
        yield window
    finally:
        window.quit()


def _chromium() -> tuple[str, str]:
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium and driver:
        return chromium, driver
    if os.environ.get("CI"):
        pytest.fail("Chromium and chromedriver are needed in CI and were not found")
    pytest.skip("browser test: Chromium or chromedriver is not installed")
