"""Lighthouse over pages of the demo site, on a phone and on a desktop.

    npm install --prefix bench/lighthouse
    python bench/lighthouse.py docs [--page /] [--page /guides/export] [--runs 1] [--url URL]

Prints the four scores of each page, medians of the runs, with the audits that cost points.
Ends with status 1 where a score is below 95. `--url` asks a service that runs already.
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
_LEAST = 95


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("--page", action="append", default=[])
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--url")
    options = parser.parse_args()
    if not _LIGHTHOUSE.exists():
        raise SystemExit("Lighthouse is missing: npm install --prefix bench/lighthouse")
    good = True
    with _served(options.source, options.url) as url:
        for page in options.page or _PAGES:
            for device in ("mobile", "desktop"):
                good &= _report(
                    page, device, [_run(url + page, device) for _ in range(options.runs)]
                )
    sys.exit(0 if good else 1)


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
    print(f"{page} ({device}): " + ", ".join(f"{name} {score}" for name, score in scores.items()))
    for name, audit in sorted(reports[-1]["audits"].items()):
        if audit["score"] is not None and audit["score"] < 1 and _costs(name, reports[-1]):
            print(f"    {name}: {audit['score']} {audit.get('displayValue', '')}")
    return min(scores.values()) >= _LEAST


def _costs(audit: str, report: dict[str, Any]) -> bool:
    return any(
        each["id"] == audit and each["weight"] > 0
        for category in report["categories"].values()
        for each in category["auditRefs"]
    )


if __name__ == "__main__":
    main()
