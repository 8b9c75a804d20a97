"""Containment of page code. Every attack is real and runs in a real worker."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from docstead.base.units import MIB
from docstead.rendering import EngineLimits, RenderingEngine
from sampled_cases import one_in

LIMITS = EngineLimits(page_seconds=1.0)
NEIGHBOURS = {f"page-{number}": f"# Page {number}\n\nText *{number}*." for number in range(20)}

ENDLESS = {
    "loop": "export const X = () => { while (true) {} }\n\n<X />",
    "at once": "export const x = (() => { for (;;) {} })()\n\nText.",
    "nested catch": (
        "export const X = () => { while (true) { try { while (true) {} } "
        "catch (e) {} finally { while (true) {} } } }\n\n<X />"
    ),
    "regular expression": (
        "export const X = () => String(/^(a+)+$/.test('a'.repeat(40) + 'b'))\n\n<X />"
    ),
}
GREEDY = {
    "heap": (
        "export const X = () => { const all = []; "
        "while (true) all.push({ x: new Array(1000).fill(1.5) }) }\n\n<X />"
    ),
    "buffers": (
        "export const X = () => { const all = []; for (let n = 0; n < 300; n += 1) "
        "all.push(new Uint8Array(10_000_000).fill(1)); return all.length }\n\n<X />"
    ),
    "one buffer": ("export const X = () => new Uint8Array(3_000_000_000).fill(1).length\n\n<X />"),
    "lists": (
        "export const X = () => { const all = []; while (true) all.push(Array(1e6).fill(1)) }"
        "\n\n<X />"
    ),
    "text": "export const X = () => <p>{'x'.repeat(2 ** 28)}</p>\n\n<X />",
    "elements": "export const X = () => [...Array(5_000_000)].map((_, n) => <i>{n}</i>)\n\n<X />",
    "depth": "export const X = () => <div><X /></div>\n\n<X />",
}


@pytest.mark.parametrize("attack", one_in(2, [*ENDLESS, *GREEDY]))
def test_only_a_page_that_runs_away_fails(render_pages, attack):
    bodies = {**NEIGHBOURS, "attack": {**ENDLESS, **GREEDY}[attack]}
    with peak_memory() as peak:
        pages = render_pages(bodies, limits=LIMITS)
    assert pages["attack"].failed
    assert pages["attack"].diagnostics[0].file == "attack.mdx"
    assert "null" not in pages["attack"].diagnostics[0].message
    for slug in NEIGHBOURS:
        assert not pages[slug].failed
        assert pages[slug].html.startswith("<h1")
    assert peak() < 700 * MIB


@pytest.mark.deep
def test_all_pages_of_a_batch_may_run_away(render_pages):
    bodies = {f"attack-{number}": ENDLESS["loop"] for number in range(3)}
    pages = render_pages({**bodies, **NEIGHBOURS}, limits=LIMITS, workers=2)
    assert [slug for slug, page in pages.items() if page.failed] == list(bodies)
    message = pages["attack-0"].diagnostics[0].message
    assert "more than 1 seconds of processor time" in message or "within 6 seconds" in message


def test_no_file_network_or_environment_is_within_reach(render_pages):
    names = "process fetch XMLHttpRequest WebSocket Deno Bun importScripts Worker navigator"
    checks = "\n\n".join(f"{{typeof {name}}}" for name in names.split())
    page = render_pages({"a": checks})["a"]
    assert page.html.split() == ["undefined"] * len(names.split())


def test_files_of_the_machine_cannot_be_imported(render_pages):
    body = (
        "import fs from 'fs'\nimport secret from '../../../../etc/passwd'\n\n"
        "<fs /> <secret /> {typeof require}"
    )
    page = render_pages({"a": body})["a"]
    assert "root:" not in page.html
    assert page.diagnostics[0].code == "unknown-import"


def test_nothing_is_imported_from_the_folder_around(render_pages, tmp_path, monkeypatch):
    (tmp_path / "msgspec.py").write_text("raise SystemExit('content was run')")
    monkeypatch.chdir(tmp_path)
    assert not render_pages({"a": "Text."})["a"].failed


def test_sites_never_share_a_context(render_pages):
    modules = {"/snippets/box.jsx": "export const box = []"}
    start = "import { box } from '/snippets/box.jsx'\n\n"
    first = {"a": f"{start}{{box.push('secret') && box[0]}}"}
    assert "secret" in render_pages(first, modules)["a"].html
    assert render_pages({"a": f"{start}{{box.length}}"}, modules)["a"].html == "0"


def test_breaking_the_language_breaks_no_other_page(render_pages):
    bodies = {"attack": "export const x = (Array.prototype.map = () => { throw 1 })\n\nText."}
    pages = render_pages({**bodies, **NEIGHBOURS}, limits=LIMITS)
    assert not [slug for slug in NEIGHBOURS if pages[slug].failed]


def test_workers_are_gone_when_the_reader_stops_listening(make_repository):
    before = set(children())
    repository = make_repository({**NEIGHBOURS, **{f"x{n}": "Text." for n in range(60)}})
    with RenderingEngine(2) as engine:
        pages = engine.render(repository, list(repository.pages))
        next(pages)
        assert set(children()) - before
        pages.close()  # type: ignore[attr-defined]
    assert set(children()) == before


def test_prepared_workers_take_one_site_and_are_gone_when_there_is_none(make_repository):
    before = set(children())
    with RenderingEngine(2) as engine:
        engine.prepare(2)
        prepared = set(children()) - before
        for number in range(2):
            repository = make_repository({"page": f"Text {number}."})
            (page,) = engine.render(repository, ["page"])
            assert f"Text {number}." in page.html
        engine.prepare(2)
        assert len(prepared) == len(set(children()) - before - prepared) == 2
    assert set(children()) == before


@pytest.mark.parametrize(("workers", "prepared"), [(1, 1), (2, 1), (4, 3)])
def test_whoever_reads_the_pages_has_a_processor_meanwhile(workers: int, prepared: int) -> None:
    before = set(children())
    with RenderingEngine(workers) as engine:
        engine.prepare()
        assert len(set(children()) - before) == prepared


def test_a_worker_that_is_killed_is_replaced(make_repository):
    bodies = {f"page-{number}": f"Text {number}." for number in range(64)}
    repository = make_repository(bodies)
    before = set(children())
    with RenderingEngine(1) as engine:
        pages = engine.render(repository, list(bodies))
        done = [next(pages)]
        for worker in set(children()) - before:
            os.kill(worker, 9)
        done.extend(pages)
    assert sorted(page.slug for page in done) == sorted(bodies)
    assert not [page.slug for page in done if page.failed]


def test_progress_counts_every_page(make_repository):
    observed: list[int] = []
    repository = make_repository({"a": "A", "b": "B"})
    with RenderingEngine(2) as engine:
        list(engine.render(repository, ["b", "a"], progress=observed.append))
    assert observed == [1, 2]


def children() -> list[int]:
    found = []
    for task in Path("/proc/self/task").iterdir():
        with suppress(OSError):
            found.extend(int(name) for name in (task / "children").read_text().split())
    return found


@contextmanager
def peak_memory() -> Iterator:
    """The most that the workers held at once, in bytes."""
    highest, stop = [0], threading.Event()

    def watch() -> None:
        while not stop.wait(0.02):
            highest[0] = max(highest[0], sum(resident(child) for child in children()))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield lambda: highest[0]
    finally:
        stop.set()
        thread.join()


def resident(process: int) -> int:
    """Return a worker's resident bytes, or 0 for other processes, such as servers and browsers."""
    try:
        if b"docstead.rendering.worker" not in Path(f"/proc/{process}/cmdline").read_bytes():
            return 0
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    found = [line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")]
    return int(found[0]) * 1024 if found else 0


BUFFER = "export const X = () => new Uint8Array({size}).length\n\n<X />\n\n"


def test_memory_and_time_of_a_page_grow_with_its_size_up_to_a_limit(render_pages):
    limits = EngineLimits()
    assert limits.of_page(100_000) == limits
    grown, most = limits.of_page(380_000), limits.of_page(50_000_000)
    assert limits.data_bytes < grown.data_bytes < most.data_bytes < limits.most_data_bytes
    assert limits.page_seconds < grown.page_seconds < most.page_seconds
    text = "word " * 80_000
    needed, too_much = (BUFFER.format(size=size * MIB) for size in (300, 600))
    pages = render_pages({"small": needed, "large": needed + text, "hostile": too_much + text})
    assert [slug for slug, page in pages.items() if page.failed] == ["small", "hostile"]
    assert "word word" in pages["hostile"].html
