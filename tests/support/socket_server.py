"""A WebSocket server that echoes short texts (RFC 6455)."""

from __future__ import annotations

import base64
import hashlib
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_TEXT, _CLOSE = 0x81, 0x88
_SHORT = 126


@dataclass
class Sockets:
    """URL of the server, and the paths and protocols of its connections."""

    url: str = ""
    seen: list[tuple[str, str]] = field(default_factory=list)


class _Connection(socketserver.StreamRequestHandler):
    sockets: Sockets

    def handle(self) -> None:
        path = self.rfile.readline().split()[1].decode()
        headers = dict(self._headers())
        protocols = headers.get("sec-websocket-protocol", "")
        self.sockets.seen.append((path, protocols))
        digest = hashlib.sha1((headers["sec-websocket-key"] + _GUID).encode()).digest()
        chosen = f"Sec-WebSocket-Protocol: {protocols.split(',')[0]}\r\n" if protocols else ""
        self.wfile.write(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"{chosen}Sec-WebSocket-Accept: {base64.b64encode(digest).decode()}\r\n\r\n".encode()
        )
        while (message := self._frame()) is not None:
            self._say(_TEXT, b"heard: " + message)

    def _headers(self) -> Iterator[tuple[str, str]]:
        while line := self.rfile.readline().decode().strip():
            name, _, value = line.partition(":")
            yield name.lower(), value.strip()

    def _frame(self) -> bytes | None:
        """Return the text of the next frame, or None when the peer disconnects."""
        head = self.rfile.read(2)
        if len(head) < 2 or head[0] == _CLOSE:
            self._say(_CLOSE, b"")
            return None
        mask, data = self.rfile.read(4), self.rfile.read(head[1] & 0x7F)
        return bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))

    def _say(self, kind: int, data: bytes) -> None:
        assert len(data) < _SHORT
        self.wfile.write(bytes((kind, len(data))) + data)


@contextmanager
def serve_sockets() -> Iterator[Sockets]:
    sockets = Sockets()
    handler = type("Connection", (_Connection,), {"sockets": sockets})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        sockets.url = f"ws://127.0.0.1:{server.server_address[1]}/v1"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield sockets
        server.shutdown()
        thread.join()
