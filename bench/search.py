"""Search over HTTP at 10,000 sections: by words and meaning, and by words only.

    python bench/search.py [--requests 500]

A service of one process is asked over one kept connection; every query is a new one, with as
many words as people write, and one of ten has a slip of the keyboard. Of the time that passes
for the client, its own part and that of the service are separated by their processor time.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from measure import DemoService, demo, percentile, processor_seconds
from sections import publish, question, repository

PAGES, SECTIONS = 1_000, 10
WARM_UP = 40
_RANDOM = random.Random(11)


@dataclass(frozen=True)
class SearchMeasurement:
    seconds: Sequence[float]  # per search, for the client
    service: float  # processor seconds of the service in total
    client: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=500)
    count = parser.parse_args().requests
    with tempfile.TemporaryDirectory(prefix="docstead-bench-") as name:
        source, data = Path(name) / "source", Path(name) / "data"
        repository(source, PAGES, SECTIONS)
        publish(source, data)
        queries = [_query(number) for number in range(count + WARM_UP)]
        print(f"{'POST /discovery/v1/search, ms':34}{'p50':>7}{'p95':>7}{'p99':>7}"
              f"{'service':>9}{'client':>8}   processor time of each")  # fmt: skip
        for label, by_meaning in (("words and meaning", "true"), ("words only", "false")):
            os.environ["DOCSTEAD_SEARCH_BY_MEANING"] = by_meaning
            with demo(source, data) as service:
                _row(label, _measured(service, queries))


def _query(number: int) -> str:
    text = question()
    if number % 10:
        return text
    slip = _RANDOM.randrange(9, len(text) - 1)
    return text[:slip] + text[slip + 1 :]


def _measured(service: DemoService, queries: Sequence[str]) -> SearchMeasurement:
    url = urlsplit(service.facts["baseUrl"])
    connection = http.client.HTTPConnection(url.hostname or "", url.port)
    for query in queries[:WARM_UP]:
        _search(connection, service, query)
    theirs, ours = processor_seconds(service.process.pid), time.process_time()
    seconds = [_search(connection, service, query) for query in queries[WARM_UP:]]
    return SearchMeasurement(
        seconds, processor_seconds(service.process.pid) - theirs, time.process_time() - ours
    )


def _search(connection: http.client.HTTPConnection, service: DemoService, query: str) -> float:
    headers = {
        "Authorization": f"Bearer {service.facts['assistantKey']}",
        "Content-Type": "application/json",
    }
    body = json.dumps({"query": query})
    started = time.perf_counter()
    connection.request("POST", f"/discovery/v1/search/{service.facts['domain']}", body, headers)
    response = connection.getresponse()
    found = json.loads(response.read())
    elapsed = time.perf_counter() - started
    if response.status != 200 or not found:
        raise SystemExit(f"{query}: {response.status} {found}")
    return elapsed


def _row(label: str, found: SearchMeasurement) -> None:
    times = "".join(f"{percentile(found.seconds, p) * 1e3:7.1f}" for p in (0.5, 0.95, 0.99))
    each = len(found.seconds) / 1e3
    print(f"{label:34}{times}{found.service / each:9.1f}{found.client / each:8.1f}"
          f"   n={len(found.seconds)}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
