"""The 404 page of a bundle without a configured base path, shown at any path."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from exported_folders import export_folder
from sampled_cases import one_in

pytestmark = pytest.mark.browser

FOUND = """
const header = document.querySelector("header");
return getComputedStyle(header).position === "sticky" && document.documentElement.dataset.theme
"""


class RunningHost(SimpleHTTPRequestHandler):
    """A static host: unknown URLs are the 404 page of the bundle, which is at `mounts`."""

    mounts: tuple[str, ...] = ("/",)

    def translate_path(self, path: str) -> str:
        bare = urlsplit(path).path
        mount = next(each for each in self.mounts if bare.startswith(each))
        return super().translate_path(f"/{bare.removeprefix(mount)}")

    def send_error(self, code: int, *_: object, **__: object) -> None:
        page = (Path(self.directory) / "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(page)

    def send_head(self):
        if not self.path.startswith(self.mounts):
            self.send_error(404)
            return None
        return super().send_head()

    def log_message(self, *_: object) -> None:
        """Hosts of tests say nothing."""


@pytest.fixture
def hosted(bundle: Path) -> Iterator[Callable[..., str]]:
    """Serves the bundle below paths; its URL at the first."""
    servers = []

    def serve(*mounts: str, folder: Path = bundle) -> str:
        handler = type("Mounted", (RunningHost,), {"mounts": mounts})
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}{mounts[0]}"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("mount", ["/", "/team/docs/"])
@pytest.mark.parametrize("path", one_in(3, ["a/b/c/nowhere?x=1", "guides/nowhere", "nowhere"]))
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_looks_and_leads_the_same_at_any_depth(
    browser, hosted: Callable[..., str], mount: str, path: str, scheme: str
) -> None:
    root = hosted(mount)
    browser.emulate(scheme)
    browser.open(root + path)
    browser.expect(scheme, FOUND)
    assert browser.run("return document.querySelector('.ds-button').href") == f"{root}index.html"
    assert browser.run("return document.querySelector('.ds-skip').href") == f"{root}{path}#content"
    host = urlsplit(root).netloc
    assert {urlsplit(each).netloc for each in browser.requests()} <= {host, ""}
    assert not [each for each in browser.complaints() if "404" not in each]


def test_it_knows_near_pages_there(browser, hosted: Callable[..., str]) -> None:
    root = hosted("/docs/")
    browser.open(f"{root}guides/deep/exporting")
    browser.wait("return !document.querySelector('[data-near]').hidden")
    links = browser.run("return [...document.querySelectorAll('[data-near] a')].map(a => a.href)")
    assert f"{root}guides/export.html" in {link.partition("#")[0] for link in links}
    browser.run("document.querySelector('.ds-not-found-search').click()")
    browser.wait("return document.querySelector('.ds-search-dialog')?.open === true")


def test_a_version_below_another_is_its_own_site(browser, hosted: Callable[..., str]) -> None:
    root = hosted("/v2/", "/")
    browser.open(f"{root}guides/nowhere")
    browser.expect(f"{root}index.html", "return document.querySelector('.ds-button').href")


def test_it_has_the_language_of_its_path(
    browser, hosted: Callable[..., str], tmp_path: Path
) -> None:
    source = tmp_path / "source"
    pages = {"en": ["index", "guides/start"], "fr": ["fr/index", "fr/guides/start"]}
    languages = [{"language": of, "pages": slugs} for of, slugs in pages.items()]
    settings = {"name": "Both", "navigation": {"languages": languages}}
    (source / "fr" / "guides").mkdir(parents=True)
    (source / "guides").mkdir()
    (source / "docs.json").write_text(json.dumps(settings))
    for slug in (*pages["en"], *pages["fr"]):
        (source / f"{slug}.mdx").write_text("---\ntitle: Page\n---\nText.\n")
    root = hosted("/docs/", folder=export_folder(source, tmp_path / "out"))
    title = "return document.querySelector('h1').textContent + document.querySelector('main').lang"
    shown_at = {
        "fr/none/at/all": ("Page introuvablefr", "fr/index.html"),
        "guides/none": ("Page not found", "index.html"),
    }
    for path, (shown, home) in shown_at.items():
        browser.open(root + path)
        browser.expect(shown, title)
        assert browser.run("return document.querySelector('.ds-button').href") == root + home
    assert not [each for each in browser.complaints() if "404" not in each]


def test_it_opens_from_a_folder(browser, bundle: Path) -> None:
    browser.open((bundle / "404.html").as_uri())
    browser.wait(FOUND)
    assert browser.complaints() == []
