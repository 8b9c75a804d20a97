"""Exports contain the logos of other hosts that `docs.json` names."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

LOGO = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>'
NETWORKS = {"DOCSTEAD_SPECIFICATION_NETWORKS": "127.0.0.0/8"}


class LogoHandler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(LOGO)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def logo() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), LogoHandler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/logo"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.deep
def test_an_export_contains_a_remote_logo_where_the_network_may_be_used(
    docstead, source: Path, tmp_path: Path, logo: str
) -> None:
    config = json.loads((source / "docs.json").read_text())
    (source / "docs.json").write_text(json.dumps({**config, "logo": logo}))
    target, cache = tmp_path / "site", ("--cache", tmp_path / "cache")

    ended = docstead("export", source, "-o", target, "--json", *cache)
    (found,) = reported(ended.stdout)
    assert "not a public address" in found["message"]
    assert 'class="ds-logo-text">Handbook' in (target / "index.html").read_text()

    ended = docstead("export", source, "-o", target, "--json", *cache, **NETWORKS)
    assert reported(ended.stdout) == []
    (file,) = (target / "_fetched").iterdir()
    assert file.read_bytes() == LOGO
    assert f'src="_fetched/{file.name}"' in (target / "index.html").read_text()
    assert f'src="../_fetched/{file.name}"' in (target / "guides" / "keys.html").read_text()

    other, air_gapped = tmp_path / "other", ("--deployment-type", "air-gapped")
    ended = docstead("export", source, "-o", other, "--json", *air_gapped, **NETWORKS)
    assert reported(ended.stdout) != []
    assert not (other / "_fetched").exists()


def reported(output: str) -> list[dict[str, str]]:
    found = json.loads(output)["diagnostics"]
    return [each for each in found if each["code"] == "logo-elsewhere"]
