"""Violations of accessibility rules, found by axe on a page in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

_AXE = Path(__file__).parents[2] / "engine" / "node_modules" / "axe-core" / "axe.min.js"
_RUN = """
const done = arguments[arguments.length - 1];
axe.run(document, { resultTypes: ["violations"], ...arguments[0] }).then(({ violations }) =>
  done(violations.map(({ id, nodes }) => [id, nodes[0].html.slice(0, 200)])));
"""
# Elements that fade in have their final colors only at the end; scroll animations never end.
_IS_STILL = """return document.getAnimations().every((each) => each.playState !== "running"
  || each.timeline !== document.timeline || each.effect.getTiming().iterations === Infinity)"""


def violations(browser: Any, *rules: str) -> list[list[str]]:
    """Return rule and element of each violation, once all animations have ended."""
    browser.wait(_IS_STILL)
    if browser.run("return !window.axe"):
        browser.run(_AXE.read_text())
    found: list[list[str]] = browser.driver.execute_async_script(
        _RUN, {"runOnly": list(rules)} if rules else {}
    )
    return found
