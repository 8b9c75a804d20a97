"""Live preview of a bundle: open pages reload after each change."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from urllib.parse import parse_qs

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docstead.hosting.responses import SECURITY

_SCRIPT_PATH, _CHANGES_PATH = "/_docs/preview.js", "/_docs/preview"
_WAIT_SECONDS, _LOOK_SECONDS = 20.0, 0.05
# Responses must be complete and uncompressed, so that the script can be inserted.
_DROPPED = (b"accept-encoding", b"if-none-match", b"range")
_SCRIPT = """\
const seen = document.currentScript.dataset.number;
const pause = () => new Promise((done) => setTimeout(done, 1000));
const ask = () => fetch(`/_docs/preview?after=${seen}`).then((answer) => answer.text());
(async () => {
  for (;;) {
    const now = await ask().catch(pause);
    if (now !== undefined && now !== seen) return location.reload();
  }
})();
"""


class PreviewHosting:
    """Serves `app` with live reload. `number` changes with each version, until `is_over`."""

    def __init__(
        self, app: ASGIApp, number: Callable[[], int], is_over: Callable[[], bool]
    ) -> None:
        self._app = app
        self._number = number
        self._is_over = is_over

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # servers treat this as "lifespan is not supported"
            raise RuntimeError(f"previews are not served over {scope['type']}")
        if scope["path"] == _SCRIPT_PATH:
            await _uncached(_SCRIPT, "text/javascript")(scope, receive, send)
        elif scope["path"] == _CHANGES_PATH:
            await _uncached(await self._next(scope), "text/plain")(scope, receive, send)
        else:
            headers = [pair for pair in scope["headers"] if pair[0] not in _DROPPED]
            sending = _ScriptInjector(send, self._number())
            await self._app({**scope, "headers": headers}, receive, sending.send)

    async def _next(self, scope: Scope) -> str:
        """Return the version number when it changes, on a timeout, or at shutdown."""
        seen = parse_qs(scope["query_string"].decode("latin-1")).get("after", [""])[0]
        end = time.monotonic() + _WAIT_SECONDS
        # Another thread counts, so there is no event to wait for.
        while (now := str(self._number())) == seen and time.monotonic() < end:
            if self._is_over():
                break
            await asyncio.sleep(_LOOK_SECONDS)
        return now


class _ScriptInjector:
    """Inserts the script into HTML responses."""

    def __init__(self, send: Send, number: int) -> None:
        self._send = send
        self._script = f'<script src="{_SCRIPT_PATH}" data-number="{number}"></script>'.encode()
        self._start: Message | None = None

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_page(message):
            self._start = message
        elif self._start is None:
            await self._send(message)
        else:
            body = message.get("body", b"") + self._script
            await self._send(_of_length(self._start, len(body)))
            await self._send({**message, "body": body})
            self._start = None


def _is_page(start: Message) -> bool:
    return any(
        name == b"content-type" and value.startswith(b"text/html")
        for name, value in start["headers"]
    )


def _of_length(start: Message, length: int) -> Message:
    kept = [pair for pair in start["headers"] if pair[0] not in (b"content-length", b"etag")]
    headers = [*kept, (b"content-length", str(length).encode()), (b"cache-control", b"no-store")]
    return {**start, "headers": headers}


def _uncached(text: str, media_type: str) -> Response:
    return Response(text, headers={**SECURITY, "Cache-Control": "no-store"}, media_type=media_type)
