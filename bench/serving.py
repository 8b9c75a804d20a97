"""Requests per second for a published page, answered by one process.

    python bench/serving.py SOURCE [--seconds 5] [--connections 16]

The page is asked for by `wrk` where it is installed, over kept connections, with gzip: first
from `docstead serve`, then from `docstead host` with the same site as a bundle. The service
computes no vectors meanwhile: that job begins after an edition is published and then ends.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from measure import DOCSTEAD, demo, free_port, median

RUNS = 3


def main() -> None:
    options = _options()
    if shutil.which("wrk") is None:
        raise SystemExit("wrk is not installed; Debian has it as the package of that name")
    os.environ["DOCSTEAD_SEARCH_BY_MEANING"] = "false"
    with tempfile.TemporaryDirectory(prefix="docstead-bench-") as name:
        folder = Path(name)
        with demo(options.source, folder / "demo") as running:
            _report("docstead serve", running.facts["baseUrl"] + options.page, options)
        with _hosted(options.source, folder) as url:
            _report("docstead host", url + options.page, options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("--page", default="/")
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=16)
    return parser.parse_args()


def _report(name: str, url: str, options: argparse.Namespace) -> None:
    with urllib.request.urlopen(url) as answer:
        page = answer.geturl()  # the root of many sites redirects to their first page
    rates = [_rate(page, options) for _ in range(RUNS)]
    shown = ", ".join(f"{rate:.0f}" for rate in rates)
    print(f"{name:16} {median(rates):8.0f} requests/s, median of {shown}")


def _rate(url: str, options: argparse.Namespace) -> float:
    command = [
        "wrk", "-t1", f"-c{options.connections}", f"-d{options.seconds}s",
        "-H", "Accept-Encoding: gzip", url,
    ]  # fmt: skip
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in output:
        raise SystemExit(output)
    found = re.search(r"Requests/sec:\s*([\d.]+)", output)
    assert found is not None, output
    return float(found[1])


@contextmanager
def _hosted(source: Path, folder: Path) -> Iterator[str]:
    archive, config, port = folder / "site.tar.gz", folder / "deployment.yaml", free_port()
    export = [*DOCSTEAD, "export", str(source), "-o", str(archive)]
    subprocess.run(export, capture_output=True, check=False)
    config.write_text(json.dumps({"staticExport": {"enabled": True, "bundleUrl": str(archive)}}))
    process = subprocess.Popen(
        [*DOCSTEAD, "host", "--config", str(config), "--port", str(port)],
        env=os.environ | {"DOCSTEAD_DATA": str(folder / "host")},
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        while not _is_ready(f"{url}/readyz"):
            time.sleep(0.1)
        yield url
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=30)


def _is_ready(url: str) -> bool:
    try:
        with urllib.request.urlopen(url) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


if __name__ == "__main__":
    main()
