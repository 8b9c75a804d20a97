"""The pages of an export as readers get them: their sizes, and requests to other hosts.

    docstead export /path/to/docs -o site
    python bench/reading.py site [--sample 50] [--sizes]

Every page is opened from the folder, in Chromium with the network recorded. Media that
authors embed from elsewhere (pictures, videos, frames) are separated from what the pages
themselves ask for: of the latter there must be none.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import statistics
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from selenium import webdriver

from headless_browser import headless_chromium

_SCRIPT = re.compile(r'<script[^>]* src="([^"]+)"')
_EMBEDDED = ("Image", "Media", "Document")  # embedded by authors from other hosts
_ARGUMENTS = (
    "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--host-resolver-rules=MAP * ~NOTFOUND",
    "--window-size=1440,1000",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sample", type=int, default=0, help="so many pages, always the same")
    parser.add_argument("--sizes", action="store_true", help="only sizes, without a browser")
    arguments = parser.parse_args()
    pages = sorted(_pages(arguments.folder))
    _print_sizes(arguments.folder, pages)
    if arguments.sizes:
        return
    if arguments.sample:
        pages = sorted(random.Random(7).sample(pages, min(arguments.sample, len(pages))))
    sys.exit(_open_all(pages))


def _pages(folder: Path) -> Iterator[Path]:
    """Yield the documentation's pages; the repository may contain other HTML files."""
    for path in folder.resolve().rglob("*.html"):
        if b'content="Docstead"' in path.read_bytes()[:4000]:
            yield path


def _print_sizes(folder: Path, pages: list[Path]) -> None:
    packed = sorted(len(gzip.compress(page.read_bytes(), 6)) for page in pages)
    scripts: dict[Path, int] = {}
    loaded = []
    for page in pages:
        names = {(page.parent / name).resolve() for name in _SCRIPT.findall(page.read_text())}
        ours = [name for name in names if "_docs" in name.parts and name.is_file()]
        for name in ours:
            scripts.setdefault(name, len(gzip.compress(name.read_bytes(), 6)))
        loaded.append(sum(scripts[name] for name in ours))
    print(
        f"{folder.name}: {len(pages)} pages; gzip, median: "
        f"HTML {statistics.median(packed) / 1000:.1f} kB "
        f"(nine of ten at most {packed[int(len(packed) * 0.9)] / 1000:.1f}), "
        f"JavaScript {statistics.median(loaded) / 1000:.1f} kB"
    )


def _open_all(pages: list[Path]) -> int:
    driver = headless_chromium(*_ARGUMENTS, logs={"performance": "ALL"})
    outside: Counter[str] = Counter()
    embedded = 0
    try:
        driver.get_log("performance")  # type: ignore[no-untyped-call]
        for page in pages:
            driver.get(page.as_uri())
            for kind, url in _asked(driver):
                if kind in _EMBEDDED:
                    embedded += 1
                else:
                    outside[f"{kind} {url}"] += 1
    finally:
        driver.quit()
    for name, count in outside.most_common(10):
        print(f"  asked another host: {name} on {count} pages")
    print(
        f"  {len(pages)} pages opened: {sum(outside.values())} requests to other hosts, "
        f"{embedded} media that authors embed"
    )
    return 1 if outside else 0


def _asked(driver: webdriver.Chrome) -> list[tuple[str, str]]:
    """Return kind and URL of each request to another host since the last call.

    Requests that the page's policy blocked are logged too, but never left the browser.
    """
    entries: list[dict[str, Any]] = driver.get_log("performance")  # type: ignore[no-untyped-call]
    asked: dict[str, tuple[str, str]] = {}
    for entry in entries:
        event = json.loads(entry["message"])["message"]
        facts = event["params"]
        if event["method"] == "Network.requestWillBeSent":
            url = facts["request"]["url"]
            if urlsplit(url).scheme in ("http", "https", "ws", "wss"):
                asked[facts["requestId"]] = facts.get("type", ""), url
        elif event["method"] == "Network.loadingFailed" and facts.get("blockedReason") == "csp":
            asked.pop(facts["requestId"], None)
    return list(asked.values())


if __name__ == "__main__":
    main()
