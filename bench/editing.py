"""Cost of no edit and of one edit: a warm export, a preview, and the time until readers see it.

    python bench/editing.py SOURCE [--pages 1000] [--runs 5]

SOURCE is grown to so many pages as in `growth.py`. An export is warm when its cache and its
output are there. A preview is `docstead dev`, which serves a bundle. An edit is published in the
process that serves the site, as an update through the HTTP interface is. It is served when a
request for the page has it.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

from growth import grow
from measure import DOCSTEAD, demo, family_processor_seconds, free_port, median, run


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="docstead-bench-") as name:
        folder = Path(name)
        source = grow(options.source, folder / "source", options.pages)
        _warm_exports(source, folder, options)
        _previews(source, options)
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


def _previews(source: Path, options: argparse.Namespace) -> None:
    page = _some_page(source)
    port = free_port()
    command = [*DOCSTEAD, "dev", str(source), "--port", str(port)]
    preview = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}/{page}"
    try:
        while not _is_served(url):
            time.sleep(0.1)
        edits = []
        for number in range(options.runs + 1):
            time.sleep(2)  # the next worker starts
            edits.append(_previewed(source / f"{page}.mdx", url, 200 + number, preview.pid))
    finally:
        preview.send_signal(signal.SIGINT)
        preview.wait(timeout=30)
    seconds, processor = (median(values) for values in zip(*edits[1:], strict=True))
    print(f"an edit until `dev` shows it {seconds:6.2f} s, median of {options.runs}, after a first")
    print(f"processor time             {processor:8.2f} s")


def _previewed(file: Path, url: str, number: int, pid: int) -> tuple[float, float]:
    """Edit a file; return the time until the preview has the edit, and its processor time."""
    worked, began = family_processor_seconds(pid), time.perf_counter()
    mark = _edit(file, number)
    while mark not in text_of(url):
        time.sleep(0.01)
    seconds = time.perf_counter() - began
    return seconds, family_processor_seconds(pid) - worked


def _is_served(url: str) -> bool:
    try:
        return bool(text_of(url))
    except OSError:
        return False


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
