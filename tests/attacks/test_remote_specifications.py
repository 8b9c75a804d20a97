"""A specification of another host is text: nothing in it is executed or becomes markup."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ready_processes import ReadyProcesses

_CONTENT = (
    "Sum: {40 + 2}\n\nexport const x = 1\n\n<script>alert(1)</script>\n\n"
    '<form action="/steal"><input name="password" onfocus="alert(1)" /></form>\n\n'
    "[A link](javascript:alert(1)) and **strong** words.\n"
)
_SPECIFICATION = {
    "openapi": "3.1.0",
    "info": {"title": "Pets", "version": "1"},
    "paths": {
        "/pets": {
            "get": {
                "summary": "List pets",
                "description": "All pets.\n\n<script>alert(2)</script> {1 + 1}",
                "x-mint": {"content": _CONTENT},
                "responses": {"200": {"description": "Done."}},
            }
        }
    },
}


@pytest.fixture
def url() -> Iterator[str]:
    class PrivateServerHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            data = json.dumps(_SPECIFICATION).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), PrivateServerHandler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/pets.json"
    server.shutdown()
    thread.join()
    server.server_close()


def test_content_of_another_host_is_not_executed(
    ready: ReadyProcesses, tmp_path: Path, url: str
) -> None:
    source = tmp_path / "source"
    source.mkdir()
    settings = {
        "name": "Pets",
        "theme": "mint",
        "colors": {"primary": "#0055ff"},
        "navigation": {"groups": [{"group": "API", "openapi": url, "pages": ["GET /pets"]}]},
    }
    (source / "docs.json").write_text(json.dumps(settings))
    command = ["docstead.cli", "export", source, "-o", tmp_path / "out"]
    environment = {"DOCSTEAD_SPECIFICATION_NETWORKS": "127.0.0.0/8"}
    made = ready.run(command, environment, folder=tmp_path, timeout=120)
    assert made.returncode == 0, made.stderr

    (page,) = (each for each in (tmp_path / "out").rglob("*.html") if "list-pets" in str(each))
    html = page.read_text()
    assert "All pets." in html
    assert "Sum: {40 + 2}" in html
    assert "<strong>strong</strong>" in html
    assert "Sum: 42" not in html
    assert "<script>alert" not in html
    assert 'action="/steal"' not in html
    assert 'href="javascript:' not in html
