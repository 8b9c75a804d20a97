"""Lighthouse over pages of a site, on a phone and on a desktop.

    npm install --prefix bench/lighthouse
    python bench/lighthouse.py docs [--page /] [--page /guides/export] [--runs 1] [--url URL]

Prints the four scores of each page, medians of the runs, with its layout shift, its bytes (HTML,
scripts and styles as transferred) and the audits that cost points. Ends with status 1 where
performance is below 95, another score below 100, the shift above 0.01 or the bytes of the median
page above 38 kB. `--url` asks a service that runs already.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from measure import demo, median

_LIGHTHOUSE = Path(__file__).parent / "lighthouse/node_modules/.bin/lighthouse"
_CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
_PAGES = ("/", "/guides/export", "/reference/static-export")
_FLAGS = "--headless=new --no-sandbox --disable-gpu"
_LEAST = {"performance": 95, "accessibility": 100, "best-practices": 100, "seo": 100}
_MOST_SHIFT = 0.01
_MOST_BYTES = 38_000
_COUNTED = {"Document", "Script", "Stylesheet"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("--page", action="append", default=[])
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--url")
    options = parser.parse_args()
    if not _LIGHTHOUSE.exists():
        raise SystemExit("Lighthouse is missing: npm install --prefix bench/lighthouse")
    good, sizes = True, list[float]()
    with _served(options.source, options.url) as url:
        for page in options.page or _PAGES:
            for device in ("mobile", "desktop"):
                reports = [_run(url + page, device) for _ in range(options.runs)]
                good &= _report(page, device, reports)
                sizes.append(_bytes(reports[-1]))
    print(f"median page: {median(sizes) / 1000:.1f} kB")
    sys.exit(0 if good and median(sizes) <= _MOST_BYTES else 1)


@contextmanager
def _served(source: Path, url: str | None) -> Iterator[str]:
    if url:
        yield url.rstrip("/")
        return
    with (
        tempfile.TemporaryDirectory(prefix="docstead-bench-") as name,
        demo(source, Path(name) / "demo") as running,
    ):
        yield running.facts["siteUrl"]


def _run(url: str, device: str) -> dict[str, Any]:
    command = [
        str(_LIGHTHOUSE), url, "--quiet", "--output=json", f"--chrome-flags={_FLAGS}",
        f"--only-categories={','.join(_CATEGORIES)}",
        *(["--preset=desktop"] if device == "desktop" else []),
    ]  # fmt: skip
    environment = os.environ | {"CHROME_PATH": shutil.which("chromium") or ""}
    ended = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if ended.returncode != 0:
        raise SystemExit(ended.stderr)
    report: dict[str, Any] = json.loads(ended.stdout)
    return report


def _report(page: str, device: str, reports: list[dict[str, Any]]) -> bool:
    scores = {
        name: round(median([100 * each["categories"][name]["score"] for each in reports]))
        for name in _CATEGORIES
    }
    shift = median([each["audits"]["cumulative-layout-shift"]["numericValue"] for each in reports])
    facts = [f"{name} {score}" for name, score in scores.items()]
    facts += [f"shift {shift:.4f}", f"{_bytes(reports[-1]) / 1000:.1f} kB"]
    print(f"{page} ({device}): " + ", ".join(facts), flush=True)
    for name, audit in sorted(reports[-1]["audits"].items()):
        if audit["score"] is not None and audit["score"] < 1 and _costs(name, reports[-1]):
            print(f"    {name}: {audit['score']} {audit.get('displayValue', '')}")
    return shift <= _MOST_SHIFT and all(scores[name] >= least for name, least in _LEAST.items())


def _bytes(report: dict[str, Any]) -> float:
    requests = report["audits"]["network-requests"]["details"]["items"]
    return sum(each["transferSize"] for each in requests if each.get("resourceType") in _COUNTED)


def _costs(audit: str, report: dict[str, Any]) -> bool:
    return any(
        each["id"] == audit and each["weight"] > 0
        for category in report["categories"].values()
        for each in category["auditRefs"]
    )


if __name__ == "__main__":
    main()
