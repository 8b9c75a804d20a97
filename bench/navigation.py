"""The next page after a click: pages that the browser prepared against others.

    python bench/navigation.py [--pages 1000] [--clicks 30]

A site at a host of its own, in Chromium. The time is from the click to the first contentful
paint of the next page. Half of the clicks follow a hover, during which the page is prerendered.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from selenium import webdriver

from headless_browser import headless_chromium
from measure import demo, median, percentile

_HOVER_SECONDS = 0.5  # prerendering starts after 0.2 seconds
_PAINT_SECONDS = 20.0
_PREPARED = ("navigational-prefetch", "prerendered")
_NOTE_CLICK = """
addEventListener("click", (event) => {
  sessionStorage.clicked = performance.timeOrigin + event.timeStamp;
}, true);
const box = document.querySelector(arguments[0]).getBoundingClientRect();
return [box.x + box.width / 2, box.y + box.height / 2];
"""
_CLICK = "setTimeout((selector) => document.querySelector(selector).click(), 0, arguments[0])"
_PAINTED = """
const [paint] = performance.getEntriesByName("first-contentful-paint");
const [entry] = performance.getEntriesByType("navigation");
if (location.pathname !== arguments[0] || !paint) return null;
// A prerendered page was begun before the click.
const begun = entry.activationStart;
const start = performance.timeOrigin + begun - Number(sessionStorage.clicked);
const kind = begun ? "prerendered" : entry.deliveryType;
return { ms: start + Math.max(paint.startTime, begun) - begun, start, kind };
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=1_000)
    parser.add_argument("--clicks", type=int, default=30, help="of each kind")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="docstead-bench-") as name:
        folder = Path(name)
        _write_site(folder / "site", options.pages)
        with demo(folder / "site", folder / "demo") as running:
            _report(_measured(_own_host(running.facts), options.clicks))


def _write_site(folder: Path, pages: int) -> None:
    slugs = [f"page-{number}" for number in range(pages)]
    config = {
        "name": "Handbook",
        "theme": "mint",
        "colors": {"primary": "#0F766E"},
        "navigation": {"pages": slugs},
    }
    folder.mkdir()
    (folder / "docs.json").write_text(json.dumps(config))
    for number, slug in enumerate(slugs):
        links = " ".join(f"[Page {near}](/page-{near})" for near in range(number, number + 3))
        text = "\n\n".join(
            f"## Part {part}\n\nStep {part} of page {number}. {'It has more to say. ' * 30}\n\n"
            f"```python\nprint({part}, {number})\n```"
            for part in range(8)
        )
        (folder / f"{slug}.mdx").write_text(
            f"---\ntitle: Page {number}\n---\n\n{links}\n\n{text}\n"
        )


def _own_host(facts: Mapping[str, str]) -> str:
    port = facts["baseUrl"].rpartition(":")[2]
    return f"http://{facts['domain']}.localhost:{port}"


def _measured(site: str, clicks: int) -> list[dict[str, Any]]:
    """Click from page to page, with a hover before every other click; return timings."""
    driver = headless_chromium("--window-size=1440,1000")
    try:
        driver.get(f"{site}/page-0")
        return [
            {**_click(driver, f"/page-{number}", hovers=number % 2 == 0), "hover": number % 2 == 0}
            for number in range(1, 2 * clicks + 1)
        ]
    finally:
        driver.quit()


def _click(driver: webdriver.Chrome, path: str, *, hovers: bool) -> dict[str, Any]:
    selector = f".ds-prose a[href='{path}']"
    x, y = driver.execute_script(_NOTE_CLICK, selector)
    if hovers:
        _mouse(driver, "mouseMoved", x, y)
        time.sleep(_HOVER_SECONDS)
        _mouse(driver, "mousePressed", x, y)
        _mouse(driver, "mouseReleased", x, y)
    else:  # the browser also prefetches when the button is pressed
        driver.execute_script(_CLICK, selector)
    deadline = time.monotonic() + _PAINT_SECONDS
    while (found := driver.execute_script(_PAINTED, path)) is None:
        if time.monotonic() > deadline:
            raise SystemExit(f"{path} was not painted within {_PAINT_SECONDS:g} seconds")
        time.sleep(0.05)
    result: dict[str, Any] = found
    _mouse(driver, "mouseMoved", 1, 1)
    return result


def _mouse(driver: webdriver.Chrome, kind: str, x: float, y: float) -> None:
    button = "none" if kind == "mouseMoved" else "left"
    event = {"type": kind, "x": x, "y": y, "button": button, "clickCount": 1}
    driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)


def _report(clicks: list[dict[str, Any]]) -> None:
    for hover in (True, False):
        found = [each for each in clicks if each["hover"] is hover]
        times = [each["ms"] for each in found]
        prepared = sum(each["kind"] in _PREPARED for each in found)
        print(
            f"{'after a hover' if hover else 'at once':14} p50 {median(times):6.1f} ms"
            f"  p75 {percentile(times, 0.75):6.1f} ms  p95 {percentile(times, 0.95):6.1f} ms"
            f"  (navigation begins at {median([each['start'] for each in found]):.0f} ms)"
            f"  prepared {prepared} of {len(found)}"
        )


if __name__ == "__main__":
    main()
