"""Files of slow hosts that a repository names: a build waits for all of them within one limit."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from docstead.base.errors import Unavailable
from docstead.base.networks import parsed_networks
from docstead.base.outbound import OutboundClient
from docstead.publishing.remote_files import RemoteBudget, RemoteFiles

PAUSE_SECONDS = 0.2


class Slow(BaseHTTPRequestHandler):
    """Answers late, `/N` with a redirect to `/N-1`."""

    def do_GET(self) -> None:
        threading.Event().wait(PAUSE_SECONDS)
        left = int(self.path[1:])
        self.send_response(302 if left else 200)
        if left:
            self.send_header("Location", f"/{left - 1}")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def remote_files(seconds: float) -> RemoteFiles:
    return RemoteFiles(OutboundClient(parsed_networks(["127.0.0.0/8"]), total_seconds=seconds))


def test_files_share_the_time_of_a_build(url: str) -> None:
    read = RemoteBudget(PAUSE_SECONDS / 2).limited(remote_files(60).read)
    assert read(f"{url}/0") == ""
    with pytest.raises(Unavailable, match="files of other hosts took too long"):
        read(f"{url}/0")


def test_redirects_share_the_time_of_a_request(url: str) -> None:
    """Each of them had the whole time for itself."""
    with pytest.raises(Unavailable, match="in time"):
        remote_files(PAUSE_SECONDS * 2.5).read(f"{url}/5")
