"""Chromium without a window, controlled by WebDriver."""

from __future__ import annotations

import shutil
from collections.abc import Mapping

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service


def headless_chromium(*arguments: str, logs: Mapping[str, str] | None = None) -> webdriver.Chrome:
    """Start a browser, which the caller quits; `logs` are the levels to record, by kind."""
    options = Options()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ("--headless=new", "--no-sandbox", *arguments):
        options.add_argument(argument)
    if logs:
        options.set_capability("goog:loggingPrefs", dict(logs))
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
