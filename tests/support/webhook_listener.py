"""A program that receives webhooks, behind a real server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class WebhookListener:
    """Received requests, and the statuses of the responses; the last one is repeated."""

    statuses: list[int] = field(default_factory=lambda: [200])
    received: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    url: str = ""


@contextmanager
def listening() -> Iterator[WebhookListener]:
    listener = WebhookListener()

    class WebhookHandler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            listener.received.append(({k.lower(): v for k, v in self.headers.items()}, body))
            statuses = listener.statuses
            self.send_response(statuses.pop(0) if len(statuses) > 1 else statuses[0])
            self.send_header("location", "http://127.0.0.1:9/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), WebhookHandler)
    listener.url = f"http://127.0.0.1:{server.server_address[1]}/hook"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield listener
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
