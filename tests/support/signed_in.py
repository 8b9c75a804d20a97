"""Browsers that have signed in to a dashboard."""

from __future__ import annotations

from typing import Any


def sign_in(browser: Any, link: str) -> None:
    """Open a sign-in link and confirm it."""
    browser.open(link)
    browser.driver.find_element("css selector", "main button[type=submit]").click()
    browser.wait("return !location.pathname.includes('/sign-in/')")
