"""A host of bundles, and a server that has archives."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from bundle_archives import bundle_of
from docstead.base.clock import SystemClock
from docstead.base.outbound import OutboundClient
from docstead.hosting.bundle.application import BundleHosting
from docstead.hosting.bundle.installing import Installer
from docstead.hosting.bundle.manager import BundleManager
from docstead.hosting.bundle.releases import ReleaseStore
from in_process import ask

TEXT = b"A sentence that repeats itself. " * 200
LARGE = bytes(range(256)) * 4096
FILES: Mapping[str, bytes] = {
    "index.html": b"<!doctype html><title>Home</title>" + TEXT,
    "index.md": b"# Home",
    "guides/start.html": b'<title>Start</title><a href="../index.html">home</a>',
    "guides/start.md": b"# Start",
    "guides/index.html": b"<title>Guides</title>",
    "404.html": (
        b'<!doctype html><script data-probe="_docs/site.css">find()</script>\n'
        b'<title>Gone</title><link href="_docs/site.0123456789ab.css">'
        b'<button data-search="_docs/search.0123456789ab.js"></button>'
        b'<a href="./">home</a><a href="#x">x</a><a href="https://a.example/">a</a>'
    ),
    "old.html": b"leads on",
    "_docs/site.0123456789ab.css": b"p{color:red}" * 200,
    "_docs/search/index.js": b'__docsteadSearch("index",{"d":"0123456789ab"});',
    "_docs/search/0123456789ab/0.js": b"search",
    "_docs/search/0123456789ab/0-r12.js": b"records",
    "images/logo.svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    "data.xml": b"<data/>",
    "large.bin": LARGE,
    "empty.txt": b"",
    "llms.txt": b"# Acme",
    "gr\xc3\xbc\xc3\x9fe.txt".encode("latin-1").decode(): "grüße".encode(),
}
FACTS = {
    "format": 1,
    "version": "1",
    "deploymentType": "client-hosted",
    "features": {"search": True, "playground": True, "browserSearch": True},
    "redirects": [
        {"source": "/old", "destination": "/guides/start#install", "permanent": True},
        {"source": "/moved/:rest*", "destination": "/guides/:rest*", "permanent": False},
        {"source": "/away", "destination": "https://example.org/there", "permanent": True},
    ],
    "redirectPages": ["old.html"],
}


def archive(files: Mapping[str, bytes] = FILES, **facts: Any) -> bytes:
    written = json.dumps({**FACTS, **facts}).encode()
    return bundle_of([*files.items(), ("_docs/export.json", written)])


class Host:
    """One folder with a configuration, and its server."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.config = root / "deployment.yaml"
        self.releases = ReleaseStore(root / "bundles")
        self.manager: Any = None

    def configure(self, bundle_url: str, **more: Any) -> None:
        export = {"enabled": True, "bundleUrl": bundle_url, "allowedNetworks": ["127.0.0.0/8"]}
        found = {"staticExport": {**export, **more.pop("staticExport", {})}, **more}
        self.config.write_text(json.dumps(found))

    def put(self, name: str, data: bytes) -> str:
        (self.root / name).write_bytes(data)
        return name

    def start(self, **options: Any) -> BundleManager:
        """A bundle manager as after a start of the process, having looked once."""
        installer = Installer(
            self.releases, lambda config: OutboundClient(config.allowed_networks), SystemClock()
        )
        self.manager = BundleManager(self.config, self.releases, installer, **options)
        self.manager.open()
        self.manager.poll()
        return self.manager

    def report(self) -> Any:
        return self.get("/readyz").json()

    def get(self, path: str, method: str = "GET", **options: Any) -> httpx.Response:
        hosting = BundleHosting(self.manager)
        return ask(hosting, method, path, base_url="http://docs.test", **options)


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


@pytest.fixture
def live(host: Host) -> Host:
    """A host that serves the usual bundle."""
    host.configure(host.put("one.tar.gz", archive()))
    host.start()
    assert host.report()["error"] is None
    return host


class LinkStore:
    """An object store's links: what is at each path, until it has expired."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.requests: list[str] = []
        self.status = 200
        self.url = ""


@pytest.fixture
def store() -> Iterator[LinkStore]:
    found = LinkStore()

    class StoreHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.requests.append(self.path)
            data = found.objects.get(self.path.partition("?")[0], b"")
            etag = f'"{hash(data)}"'
            known = self.headers.get("if-none-match") == etag
            status = found.status if found.status != 200 or not known else 304
            self.send_response(status)
            self.send_header("etag", etag)
            if status == 200:
                self.send_header("content-length", str(len(data)))
            self.end_headers()
            if status == 200:
                self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), StoreHandler)
    found.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield found
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def make_archive() -> Callable[..., bytes]:
    return archive
