"""An S3 server without buckets, which responds like Amazon's."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_NO_BUCKET = (
    b'<?xml version="1.0" encoding="UTF-8"?><Error><Code>NoSuchBucket</Code>'
    b"<Message>The specified bucket does not exist</Message></Error>"
)


class _EmptyStoreHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def _answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(404)
        self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Length", str(len(_NO_BUCKET)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(_NO_BUCKET)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = _answer  # noqa: N815 - the base's names

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
        return


@contextmanager
def s3_without_buckets() -> Iterator[str]:
    """Yield its URL."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _EmptyStoreHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
