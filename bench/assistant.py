"""The assistant's own cost: first byte, retrieval at 5,000 sections, 200 streams at once.

    python bench/assistant.py [--requests 300]

Beside it, in the same run: the first byte of an empty streaming application on the same
server library, and SQLite's full-text search over the same sections.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from docstead.content.pages import Section
from docstead.search.documents import Document
from docstead.search.index import Index
from docstead.search.writing import build
from measure import ask, demo, free_port, percentile

PAGES, SECTIONS = 500, 10
STREAMS = 200
FLOOR = """
import sys, uvicorn
async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"f:{}\\n", "more_body": True})
    await send({"type": "http.response.body", "body": b"d:{}\\n"})
uvicorn.run(app, port=int(sys.argv[1]), log_level="error")
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=300)
    requests = parser.parse_args().requests
    with tempfile.TemporaryDirectory(prefix="docstead-bench-") as folder:
        pages = list(_pages())
        _retrieval(pages, Path(folder), requests)
        source = _repository(pages, Path(folder) / "source")
        with demo(source, Path(folder) / "data") as service, _floor() as floor:
            ours = [_first_byte(ask(service.facts, _question())) for _ in range(requests)]
            theirs = [_first_byte(urllib.request.Request(floor)) for _ in range(requests)]
            _row("first byte, assistant", ours)
            _row("first byte, empty application", theirs)
            gap = percentile(ours, 0.95) - percentile(theirs, 0.95)
            print(f"{'overhead, p95 - p95':34}{gap * 1e3:9.2f} ms")
            asyncio.run(_streams(service.facts))


def _row(name: str, seconds: list[float]) -> None:
    p50, p95 = percentile(seconds, 0.5) * 1e3, percentile(seconds, 0.95) * 1e3
    print(f"{name:34}{p50:9.2f} ms p50{p95:9.2f} ms p95   n={len(seconds)}")


# --- content -----------------------------------------------------------------

_RANDOM = random.Random(7)
_WORDS = [
    "".join(_RANDOM.choices("abcdefghilmnoprstuv", k=_RANDOM.randint(3, 9))) for _ in range(6000)
]


def _words(count: int) -> str:
    # A skewed choice, since real words are not equally frequent.
    return " ".join(_WORDS[int(_RANDOM.random() ** 3 * len(_WORDS))] for _ in range(count))


def _question() -> str:
    return f"How do I {_words(5)}?"


def _pages() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    for number in range(PAGES):
        yield f"page-{number}", [(_words(3), _words(90)) for _ in range(SECTIONS)]


def _repository(pages: list[tuple[str, list[tuple[str, str]]]], folder: Path) -> Path:
    folder.mkdir()
    for slug, sections in pages:
        body = "\n\n".join(f"## {heading}\n\n{text}" for heading, text in sections)
        (folder / f"{slug}.mdx").write_text(f"---\ntitle: {slug}\n---\n\n{body}\n")
    config = {
        "name": "Bench",
        "theme": "mint",
        "colors": {"primary": "#0F766E"},
        "navigation": {"pages": [slug for slug, _ in pages]},
    }
    (folder / "docs.json").write_text(json.dumps(config))
    return folder


# --- retrieval ---------------------------------------------------------------


def _retrieval(pages: list[tuple[str, list[tuple[str, str]]]], folder: Path, requests: int) -> None:
    documents = [
        Document(
            slug=slug,
            title=slug,
            description=None,
            keywords=(),
            language=None,
            version=None,
            boost=1.0,
            sections=tuple(Section(h, (h,), text) for h, text in sections),
        )
        for slug, sections in pages
    ]
    build(documents, folder / "index")
    index = Index(folder / "index")
    table = _full_text_table(documents)
    questions = [_question() for _ in range(requests)]
    print(f"{PAGES * SECTIONS} sections")
    _row("retrieval", [_timed(lambda q=q: index.search(q, limit=5)) for q in questions])
    _row("retrieval, SQLite FTS5", [_timed(lambda q=q: _full_text(table, q)) for q in questions])


def _full_text_table(documents: list[Document]) -> sqlite3.Connection:
    table = sqlite3.connect(":memory:")
    table.execute("CREATE VIRTUAL TABLE sections USING fts5(heading, body, tokenize='porter')")
    rows = [(s.anchor, s.markdown) for document in documents for s in document.sections]
    table.executemany("INSERT INTO sections VALUES (?, ?)", rows)
    return table


def _full_text(table: sqlite3.Connection, question: str) -> list[tuple[str]]:
    query = " OR ".join(question.rstrip("?").split())
    return table.execute(
        "SELECT heading FROM sections WHERE sections MATCH ? ORDER BY bm25(sections) LIMIT 5",
        (query,),
    ).fetchall()


def _timed(call: object) -> float:
    started = time.perf_counter()
    call()  # type: ignore[operator]
    return time.perf_counter() - started


# --- streams -----------------------------------------------------------------


def _first_byte(request: urllib.request.Request) -> float:
    started = time.perf_counter()
    with urllib.request.urlopen(request) as response:
        response.read(1)
        elapsed = time.perf_counter() - started
        response.read()
    return elapsed


@contextmanager
def _floor() -> Iterator[str]:
    port = free_port()
    process = subprocess.Popen([sys.executable, "-c", FLOOR, str(port)])
    try:
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/"
    finally:
        process.terminate()
        process.wait()


async def _streams(facts: dict[str, str]) -> None:
    limits = httpx.Limits(max_connections=STREAMS)
    async with httpx.AsyncClient(limits=limits, timeout=60) as client:
        started = time.perf_counter()
        ended = await asyncio.gather(*(_stream(client, facts) for _ in range(STREAMS)))
    seconds = time.perf_counter() - started
    print(
        f"{STREAMS} streams at once: {sum(ended)} complete, "
        f"{STREAMS - sum(ended)} lost, {seconds:.2f} s"
    )


async def _stream(client: httpx.AsyncClient, facts: dict[str, str]) -> bool:
    request = ask(facts, _question())
    response = await client.post(
        request.full_url, content=request.data, headers=dict(request.header_items())
    )
    return response.status_code == 200 and response.text.splitlines()[-1].startswith("d:")


if __name__ == "__main__":
    main()
