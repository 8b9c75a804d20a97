"""Cost of no edit and of one edit: a warm export, and the time until readers see an edit.

    python bench/editing.py SOURCE [--pages 1000] [--runs 5]

SOURCE is grown to so many pages as in `growth.py`. An export is warm when its cache and its
output are there. An edit is published in the process that serves the site, as an update
through the HTTP interface is, and it is served when a request for the page has it.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
import urllib.request
from pathlib import Path

from growth import grow
from measure import DOCSTEAD, demo, median, run


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="docstead-bench-") as name:
        folder = Path(name)
        source = grow(options.source, folder / "source", options.pages)
        _warm_exports(source, folder, options)
        _edits(source, folder, options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5)
    return parser.parse_args()


def _warm_exports(source: Path, folder: Path, options: argparse.Namespace) -> None:
    command = [
        *DOCSTEAD, "export", str(source), "-o", str(folder / "site"),
        "--cache", str(folder / "cache"),
    ]  # fmt: skip
    cold = run(command).seconds
    warm = [run(command).seconds for _ in range(options.runs)]
    print(f"export of {options.pages} pages, cold   {cold:8.2f} s")
    print(f"warm, nothing changed      {median(warm):8.2f} s, median of {options.runs}")
    page = _some_page(source)
    edited = []
    for number in range(options.runs):
        _edit(source / f"{page}.mdx", number)
        edited.append(run(command))
    seconds, processor = (
        median([getattr(each, name) for each in edited])
        for name in ("seconds", "processor_seconds")
    )
    print(f"warm, one page edited      {seconds:8.2f} s, median of {options.runs}")
    print(f"processor time             {processor:8.2f} s")


def _edits(source: Path, folder: Path, options: argparse.Namespace) -> None:
    page = _some_page(source)
    os.environ.setdefault("DOCSTEAD_RENDER_WORKERS", "2")
    with demo(source, folder / "demo") as running:
        waits = []
        for number in range(options.runs):
            time.sleep(1)
            began = time.perf_counter()
            mark = _edit(source / f"{page}.mdx", 100 + number)
            request_update(running.facts)
            while mark not in text_of(f"{running.facts['baseUrl']}/{page}"):
                time.sleep(0.01)
            waits.append(time.perf_counter() - began)
    print(f"an edit until it is served {median(waits):8.2f} s, median of {options.runs}")


def _some_page(source: Path) -> str:
    config = json.loads((source / "docs.json").read_text())
    pages = config["navigation"]["groups"][0]["pages"]
    return next(str(page) for page in pages if not page.startswith("."))  # those are not pages


def _edit(page: Path, number: int) -> str:
    mark = f"This is edit {number}."
    page.write_text(f"{page.read_text()}\n\n{mark}\n")
    return mark


def request_update(facts: dict[str, str]) -> None:
    request = urllib.request.Request(
        f"{facts['baseUrl']}/v1/project/update/{facts['projectId']}",
        method="POST",
        headers={"Authorization": f"Bearer {facts['adminKey']}"},
    )
    urllib.request.urlopen(request).close()


def text_of(url: str) -> str:
    with urllib.request.urlopen(url) as answer:
        return str(answer.read().decode())


if __name__ == "__main__":
    main()
