"""Exports of real repositories: pages, diagnostics, size, and requests of their pages.

    python evals/runners/repositories.py /path/to/docs [/path/to/other ...] [--sample 40] [--all]
        [--seed-defect]

Each is exported by the command, with its defaults, and so many of its pages (`--all`: every
one) are opened from the folder with the network recorded; other hosts cannot be reached. A
request is the author's where a picture, a video or a frame of the page's own words names
it, and is none where the page's policy stops it. The command ends with status 1 where a
page failed, or asked somebody of itself.

`--seed-defect` tries this evaluation: each page loads a script of another host.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from selenium.webdriver import Chrome

from accessibility import chromium, site_pages
from seeded_defects import finish

_EMBEDDED = """
const named = "src srcset poster".split(" ").map((name) => `.ds-content [${name}]`).join(", ");
return [...document.querySelectorAll(named)]
  .flatMap((each) => [each.src, each.currentSrc, each.poster].filter(Boolean));
"""
_COLUMNS = (
    "repository", "pages", "rendered", "diagnostics", "undefined components", "broken links",
    "bundle MB", "seconds", "peak MB", "opened", "asked of itself", "embedded by authors",
)  # fmt: skip


@dataclass
class RequestedUrls:
    """URLs of other hosts that opened pages requested."""

    pages: int
    own: list[str] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", type=Path, nargs="+")
    parser.add_argument("--sample", type=int, default=40, help="pages to open")
    parser.add_argument("--all", action="store_true", help="open every page")
    parser.add_argument("--seed-defect", action="store_true", help="try this evaluation")
    options = parser.parse_args()
    print(f"| {' | '.join(_COLUMNS)} |\n|{'---|' * len(_COLUMNS)}", flush=True)
    is_wrong = False
    for source in options.sources:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "site"
            report = _exported(source, folder)
            if options.seed_defect:
                _add_script(folder)
            asked = _asked(folder, None if options.all else options.sample)
            _print_row(source, report, folder, asked)
            is_wrong = is_wrong or bool(asked.own) or report["failed"] > 0
    finish(not is_wrong, "script" if options.seed_defect else None)


def _add_script(folder: Path) -> None:
    """Make each page load a script of another host, before its policy applies."""
    for page in site_pages(folder):
        script = '<head><script src="https://scripts.example/a.js"></script>'
        page.write_text(page.read_text().replace("<head>", script, 1))


def _exported(source: Path, folder: Path) -> dict[str, object]:
    command = [sys.executable, "-m", "docstead.cli", "export", source, "-o", folder, "--json"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if not ended.stdout:
        sys.exit(ended.stderr)
    return json.loads(ended.stdout)


def _asked(folder: Path, sample: int | None) -> RequestedUrls:
    pages = sorted(site_pages(folder))
    if sample is not None:
        pages = random.Random(7).sample(pages, min(sample, len(pages)))
    asked = RequestedUrls(len(pages))
    with chromium(1440, records=True) as driver:
        for page in pages:
            driver.get(page.as_uri())
            embedded = set(driver.execute_script(_EMBEDDED))
            for url in _requests(driver):
                (asked.authors if url in embedded else asked.own).append(url)
    return asked


def _requests(driver: Chrome) -> Iterator[str]:
    """Yield URLs of other hosts that a page requested; its policy blocks some of them."""
    events = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    stopped = {
        event["params"]["requestId"]
        for event in events
        if event["method"] == "Network.loadingFailed" and event["params"].get("blockedReason")
    }
    for event in events:
        if event["method"] != "Network.requestWillBeSent":
            continue
        url = event["params"]["request"]["url"]
        is_outside = url.startswith(("http:", "https:", "ws:", "wss:"))
        if is_outside and event["params"]["requestId"] not in stopped:
            yield url


def _print_row(source: Path, report: dict[str, object], folder: Path, asked: RequestedUrls) -> None:
    codes = Counter(each["code"] for each in report["diagnostics"])
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    listed = ", ".join(f"{code} {count}" for code, count in codes.most_common())
    values = (
        "/".join(source.parts[-2:]), report["pages"], report["rendered"], listed,
        codes["unknown-component"], codes["broken-link"], round(size / 1e6),
        f"{report['seconds']:.1f}", round(report["peakMemoryBytes"] / 1e6), asked.pages,
        len(asked.own), len(asked.authors),
    )  # fmt: skip
    print(f"| {' | '.join(map(str, values))} |", flush=True)
    for url in sorted(set(asked.own))[:10]:
        print(f"asked of itself: {url}", file=sys.stderr)


if __name__ == "__main__":
    main()
