"""Chromium prints hostile pages without a file, a request or a script of theirs."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from docstead.base.sandbox import SandboxMode
from docstead.rendering.chromium import ChromiumBrowser, OfflineDocument
from docstead.rendering.devtools import BrowserGone
from printed import PrintedFile, chromium_program, make_pdf

pytestmark = pytest.mark.browser

HOSTILE = """
<script>document.body.append("SCRIPT RAN"); fetch("{url}/fetch")</script>
<script src="{url}/script.js"></script>
<img src="x" onerror="document.body.append('SCRIPT RAN')">
<img src="file://{secret}" alt="local picture"><img src="{url}/picture.png" alt="remote">
<picture><source srcset="{url}/source.png"><img src="{url}/fallback.png" alt=""></picture>
<iframe src="file://{secret}" width="600" height="200"></iframe>
<iframe src="{url}/frame"></iframe><iframe srcdoc="<img src='{url}/srcdoc'>"></iframe>
<object data="file://{secret}" type="text/plain"></object><embed src="{url}/embed">
<video src="{url}/video.mp4" poster="{url}/poster.png" autoplay></video>
<link rel="stylesheet" href="{url}/style.css"><link rel="preload" as="image" href="{url}/pre">
<link rel="prefetch" href="{url}/prefetch"><link rel="preconnect" href="{url}">
<style>@import "{url}/import.css"; .evil {{ background: url({url}/background.png) }}
@font-face {{ font-family: Evil; src: url({url}/font.woff2) }}</style>
<p class="evil" style="font-family: Evil">Visible words.</p>
<svg width="50" height="50"><image href="{url}/svg.png" width="50" height="50"/>
<use href="file://{secret}#x"/><foreignObject><img src="{url}/foreign"></foreignObject></svg>
<meta http-equiv="refresh" content="0"><meta http-equiv="refresh" content="0;url={url}/refresh">
<img name="readyState" alt=""><img name="fonts" alt="">
<form name="documentElement"><input name="scrollHeight"></form>
<form action="{url}/form"><input autofocus onfocus="document.body.append('SCRIPT RAN')"></form>
"""


@contextmanager
def _server() -> Iterator[tuple[str, list[str]]]:
    """URL of a server, and the requests that it got."""
    seen: list[str] = []

    class CountingHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), CountingHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", seen
        server.shutdown()


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    file = tmp_path / "secret.txt"
    file.write_text("CONTENT OF THE MACHINE\n")
    return file


def test_the_browser_itself_gives_a_document_nothing(
    tmp_path: Path, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    long = tmp_path / ("temporary-files-" * 8)  # the path of a socket has at most 107 characters
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))

    def files(path: str) -> None:
        asked.append(path)

    with (
        _server() as (url, seen),
        ChromiumBrowser(chromium_program(), sandbox=SandboxMode.AUTO, seconds=300) as browser,
    ):
        body = HOSTILE.format(url=url, secret=secret)
        document = OfflineDocument(f"<!doctype html><body>{body}</body>", files)
        pdf = browser.print(document)
        assert browser.photograph(document, 1, (400, 300), 400_000).parts > 1
        (tmp_path / "made.pdf").write_bytes(pdf)
        texts = " ".join(PrintedFile(tmp_path / "made.pdf").texts)
    assert "Visible words." in texts
    assert "SCRIPT RAN" not in texts
    assert "CONTENT OF THE MACHINE" not in texts
    assert seen == []
    assert set(asked) <= {"x", "favicon.ico"}


def test_a_repository_brings_nothing_of_the_machine(tmp_path: Path, secret: Path) -> None:
    chromium_program()
    root = tmp_path / "docs"
    root.mkdir()
    (root / "docs.json").write_text(
        '{"name": "Evil", "theme": "mint", "colors": {"primary": "#0F766E"},'
        ' "navigation": {"pages": ["index"]}}'
    )
    with _server() as (url, seen):
        body = HOSTILE.format(url=url, secret=secret)
        (root / "index.md").write_text(f"---\ntitle: Evil\n---\n\nFirst words.\n\n{body}")
        (root / "site.css").write_text(f'@import "{url}/own.css"; body {{ --x: url({url}/own) }}')
        (root / "site.js").write_text('document.body.append("SCRIPT RAN")')
        ended = make_pdf(root, tmp_path / "made.pdf")
    pdf = PrintedFile(tmp_path / "made.pdf")
    texts = " ".join(pdf.texts)
    assert "First words." in texts, ended.stderr
    assert "SCRIPT RAN" not in texts
    assert "CONTENT OF THE MACHINE" not in texts
    assert all(link.url.startswith("http") for link in pdf.links)
    assert seen == []


def test_a_document_that_takes_too_long_ends_with_its_browser() -> None:
    program = chromium_program()
    with ChromiumBrowser(program, sandbox=SandboxMode.AUTO, seconds=0.2) as browser:
        with pytest.raises(BrowserGone, match="in time"):
            browser.print(OfflineDocument("<p>Never</p>", lambda _: None, until="false"))
        assert browser.is_running is False
