"""The browser's search on a large site: what a first query fetches, and how long it takes.

    python bench/browser_search.py /path/to/docs [--pages 10000] [--plain]

The pages of the repository are copied, with words of their own, until there are enough;
then Chromium asks over HTTP, uncompressed, with an empty cache for every query. They are
hosted as `docstead host` does, and with `--plain` by a server that only knows files. What is
found is measured on the original pages: a section is looked for by its heading.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import uvicorn
from selenium import webdriver
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docstead.content.pages import PageMeta, Section, Site
from docstead.content.public_pages import is_searchable
from docstead.hosting.bundle.application import BundleHosting
from docstead.hosting.bundle.config import parsed_config
from docstead.hosting.bundle.files import BundleFiles
from docstead.hosting.bundle.site import BundleSite
from docstead.markup.rendered import RenderedPage
from docstead.publishing.assets import FolderContents
from docstead.publishing.browser_search import search_files
from docstead.publishing.build import build_edition
from docstead.publishing.edition import Edition
from docstead.publishing.sources import DocumentationSource, checkout
from docstead.rendering import RenderingEngine
from docstead.theme.document import PageShell
from docstead.theme.mode import ShellMode
from headless_browser import headless_chromium

_CONFIG = b"staticExport: {enabled: true, bundleUrl: site.tar.gz}"
_ASK = """
const [query, done] = arguments;
const input = document.querySelector(".ds-search-dialog input");
const dialog = document.querySelector(".ds-search-dialog");
const options = () => [...dialog.querySelectorAll("[role=option]")].map((each) => each.href);
const started = performance.now();
input.value = query;
input.dispatchEvent(new Event("input"));
let first;
const wait = () => {
  const now = performance.now() - started; // a frame has been painted with what was found
  if (options().length > 0) first ??= now;
  if (dialog.dataset.answered !== query) return requestAnimationFrame(wait);
  done({ first: first ?? now, all: now, options: options() });
};
requestAnimationFrame(wait);
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=40)
    parser.add_argument("--plain", action="store_true", help="a server that only knows files")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="docstead-bench-") as name:
        folder = Path(name)
        edition = _edition(arguments.source, folder)
        pages = [page for slug in edition.slugs() if (page := edition.page(slug))]
        site, many = _copied(edition.site, pages, arguments.pages)
        _write(site, many, folder / "site")
        queries = _headings(edition.site, pages, arguments.queries)
        _measure(_hosting(folder / "site", is_plain=arguments.plain), queries)


def _edition(source: Path, folder: Path) -> Edition:
    with RenderingEngine(2) as engine:
        found = checkout(DocumentationSource(str(source)), folder / "sources")
        build_edition(found, engine, None, folder / "edition.sqlite", indexed=False)
    return Edition("bench", folder / "edition.sqlite", FolderContents(found.path), folder)


def _copied(site: Site, pages: list[RenderedPage], count: int) -> tuple[Site, list[RenderedPage]]:
    """Return a site of `count` pages: the originals, then copies with other URLs."""
    found = [page for page in pages if is_searchable(site, site.pages[page.slug])]
    metas: dict[str, PageMeta] = dict(site.pages)
    many = list(found)
    chance = random.Random(1)
    while len(many) < count:
        page = found[len(many) % len(found)]
        slug = f"copies/{len(many)}/{page.slug}"
        meta = metas[page.slug]
        metas[slug] = replace(meta, slug=slug, title=f"{meta.title} {_word(chance)}")
        many.append(replace(page, slug=slug, sections=tuple(_changed(page, chance))))
    return replace(site, pages=metas), many


def _changed(page: RenderedPage, chance: random.Random) -> Iterator[Section]:
    for section in page.sections:
        *above, own = section.heading_path or ("",)
        path = (*above, f"{own} {_word(chance)}") if own else ()
        text = f"{section.markdown}\n{' '.join(_word(chance) for _ in range(6))}"
        yield replace(section, heading_path=path, markdown=text)


def _word(chance: random.Random) -> str:
    return "".join(chance.choice(["ba", "ko", "ti", "ru", "me", "so", "ni"]) for _ in range(4))


def _write(site: Site, pages: list[RenderedPage], target: Path) -> None:
    shell = PageShell(site, ShellMode.bundle())
    started = time.process_time()
    files = dict(search_files(shell, site, pages))
    seconds = time.process_time() - started
    home = next(page for page in pages if page.slug in site.pages)
    files |= shell.assets() | {"index.html": shell.page(replace(home)).encode()}
    for path, data in files.items():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_bytes(data)
    size = sum(len(data) for path, data in files.items() if "/search/" in path)
    print(
        f"{len(pages)} pages indexed in {seconds:.1f} s of processor time, "
        f"{1000 * seconds / len(pages):.2f} ms a page; {len(files)} files, {size / 1e6:.1f} MB"
    )


def _headings(site: Site, pages: list[RenderedPage], count: int) -> list[tuple[str, str]]:
    """Return headings of several words, and the URLs of their sections."""
    found = [
        (section.heading_path[-1], f"{page.slug}.html#{section.anchor}")
        for page in pages
        for section in page.sections
        if section.anchor
        and len(section.heading_path[-1].split()) > 1
        and is_searchable(site, site.pages[page.slug])
    ]
    return random.Random(2).sample(found, min(count, len(found)))


def _hosting(folder: Path, *, is_plain: bool) -> ASGIApp:
    if is_plain:
        return Starlette(routes=[Mount("/", StaticFiles(directory=folder))])
    config = parsed_config(_CONFIG, folder)
    return BundleHosting(_BenchBundle(BundleSite(BundleFiles(folder, "bench"), config)))


@dataclass(frozen=True)
class _BenchBundle:
    site: BundleSite

    def report(self) -> Mapping[str, Any]:
        return {"status": "ready"}


class _RequestCounter:
    """An application that counts its responses and their uncompressed bytes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.requests = self.bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def counted(message: Message) -> None:
            self.bytes += len(message.get("body", b""))
            await send(message)

        self.requests += 1
        headers = [each for each in scope["headers"] if each[0] != b"accept-encoding"]
        await self._app({**scope, "headers": headers}, receive, counted)


@contextmanager
def _served(app: ASGIApp) -> Iterator[str]:
    """Yield the URL at which an application is served."""
    config = uvicorn.Config(app, port=0, log_level="warning", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


def _measure(app: ASGIApp, queries: list[tuple[str, str]]) -> None:
    counted = _RequestCounter(app)
    driver = headless_chromium("--disable-gpu")
    requests, fetched, first, spent, ranks = [], [], [], [], []
    with _served(counted) as url:
        for query, count in queries:
            driver.execute_cdp_cmd("Network.clearBrowserCache", {})
            driver.get(f"{url}/index.html")
            counted.requests = counted.bytes = 0
            driver.execute_script("document.querySelector('[data-search]').click()")
            _until(driver, "return !!document.querySelector('.ds-search-dialog[open]')")
            time.sleep(0.3)  # a reader's first keystroke
            answer = driver.execute_async_script(_ASK, query)
            requests.append(counted.requests)
            fetched.append(counted.bytes / 1000)
            first.append(answer["first"])
            spent.append(answer["all"])
            ranks.append(
                next(
                    (
                        n
                        for n, href in enumerate(answer["options"], 1)
                        if href.partition("/index.html")[0].endswith(count)
                    ),
                    0,
                )
            )
    driver.quit()
    found = [rank for rank in ranks if rank]
    print(
        json.dumps(
            {
                "queries": len(queries),
                "first query, requests, median": round(statistics.median(requests)),
                "first query, requests, most": max(requests),
                "first query, kB, median": round(statistics.median(fetched)),
                "first query, kB, most": round(max(fetched)),
                "first result, ms, median": round(statistics.median(first)),
                "first result, ms, 95th percentile": round(sorted(first)[int(len(first) * 0.95)]),
                "all results, ms, median": round(statistics.median(spent)),
                "all results, ms, 95th percentile": round(sorted(spent)[int(len(spent) * 0.95)]),
                "section found first": f"{sum(rank == 1 for rank in ranks) / len(ranks):.0%}",
                "section found": f"{len(found) / len(ranks):.0%}",
            },
            indent=2,
        )
    )


def _until(driver: webdriver.Chrome, script: str) -> None:
    for _ in range(200):
        if driver.execute_script(script):
            return
        time.sleep(0.02)
    raise SystemExit("the search did not open")


if __name__ == "__main__":
    main()
