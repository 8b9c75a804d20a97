"""A chat model that says what it is told to, behind a real server of OpenAI's protocol."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class ChatServer:
    """What the model says next, and what it was asked."""

    pieces: Sequence[str] = ("Hello",)
    status: int = 200
    pause_seconds: float = 0.0  # before each piece
    breaks_after: int | None = None  # pieces, then the connection is cut
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    cancelled: threading.Event = field(default_factory=threading.Event)

    @property
    def last_messages(self) -> list[dict[str, str]]:
        return self.requests[-1]["messages"]  # type: ignore[no-any-return]


@contextmanager
def chat_server() -> Iterator[ChatServer]:
    """A running server."""
    script = ChatServer()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(script))
    script.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield script
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _handler(script: ChatServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            script.requests.append({"path": self.path, **json.loads(body)})
            script.keys.append(self.headers["authorization"])
            if script.status != 200:
                self._refuse()
                return
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("connection", "close")
            self.end_headers()
            try:
                self._say()
            except OSError:
                script.cancelled.set()
            self.close_connection = True

        def _refuse(self) -> None:
            body = b'{"error": {"message": "secret detail of the provider"}}'
            self.send_response(script.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.send_header("x-should-retry", "false")
            self.end_headers()
            self.wfile.write(body)

        def _say(self) -> None:
            self._send({"role": "assistant", "content": ""})
            for number, piece in enumerate(script.pieces):
                if number == script.breaks_after:
                    self.wfile.write(b'data: {"choices": [{"del')
                    return
                time.sleep(script.pause_seconds)
                self._send({"content": piece})
            self._send({}, finish_reason="stop")
            self.wfile.write(b"data: [DONE]\n\n")

        def _send(self, delta: dict[str, str], finish_reason: str | None = None) -> None:
            chunk = {
                "id": "c1",
                "object": "chat.completion.chunk",
                "created": 1,
                "model": "scripted",
                "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}],
            }
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            self.wfile.flush()

        def log_message(self, *_: object) -> None:
            pass

    return Handler
