"""A program that receives webhooks, behind a real server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_LONGEST_SECONDS = 120


@dataclass
class WebhookListener:
    """Received requests, and the statuses of the responses; the last one is repeated."""

    statuses: list[int] = field(default_factory=lambda: [200])
    received: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    url: str = ""
    _answers: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._answers.set()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Receive requests and answer none meanwhile."""
        self._answers.clear()
        try:
            yield
        finally:
            self._answers.set()

    def wait_until_answering(self) -> None:
        self._answers.wait(_LONGEST_SECONDS)


@contextmanager
def listening() -> Iterator[WebhookListener]:
    listener = WebhookListener()

    class WebhookHandler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            listener.received.append(({k.lower(): v for k, v in self.headers.items()}, body))
            listener.wait_until_answering()
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
