"""Live preview of a bundle: open pages reload after each change, and show errors."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from urllib.parse import parse_qs

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docstead.hosting.responses import SECURITY

_SCRIPT_PATH, _CHANGES_PATH = "/_docs/preview.js", "/_docs/preview"
_WAIT_SECONDS, _LOOK_SECONDS = 20.0, 0.05
# Responses must be complete and uncompressed, so that the script can be inserted.
_DROPPED = (b"accept-encoding", b"if-none-match", b"range")
_SCRIPT = """\
const seen = document.currentScript.dataset.version;
const pause = () => new Promise((done) => setTimeout(done, 1000));
const ask = () => fetch(`/_docs/preview?after=${seen}`).then((answer) => answer.text());
(async () => {
  for (;;) {
    const now = await ask().catch(pause);
    if (now !== undefined && now !== seen) return location.reload();
  }
})();
"""
_ALERT = """
<div role="alert" style="position: fixed; inset: auto 0 0; z-index: 2147483647; max-height: 50vh;
overflow: auto; box-sizing: border-box; padding: 12px 16px; background: #b42318; color: #fff;
font: 14px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere">{error}
This page shows the last state without this error.</div>"""


@dataclass(frozen=True)
class PreviewState:
    """Version of what is shown, and the error of a later one, if there is one."""

    version: str
    error: str = ""


class PreviewHosting:
    """Serves `app` with live reload. `state` changes with each version, until `is_over`."""

    def __init__(
        self, app: ASGIApp, state: Callable[[], PreviewState], is_over: Callable[[], bool]
    ) -> None:
        self._app = app
        self._state = state
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
            is_head = scope["method"] == "HEAD"
            sending = _PageInjector(send, self._state(), is_head=is_head)
            await self._app({**scope, "headers": headers}, receive, sending.send)

    async def _next(self, scope: Scope) -> str:
        """Return the version when it changes, on a timeout, or at shutdown."""
        seen = parse_qs(scope["query_string"].decode("latin-1")).get("after", [""])[0]
        end = time.monotonic() + _WAIT_SECONDS
        # Another thread counts, so there is no event to wait for.
        while (now := self._state().version) == seen and time.monotonic() < end:
            if self._is_over():
                break
            await asyncio.sleep(_LOOK_SECONDS)
        return now


class _PageInjector:
    """Inserts the script, and the error if there is one, into HTML responses."""

    def __init__(self, send: Send, state: PreviewState, *, is_head: bool) -> None:
        self._send = send
        script = f'<script src="{_SCRIPT_PATH}" data-version="{state.version}"></script>'
        alert = _ALERT.format(error=escape(state.error)) if state.error else ""
        self._inserted = f"{script}{alert}".encode()
        self._is_head = is_head
        self._is_page = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_page(message):
            self._is_page = True
            await self._send(_longer(message, len(self._inserted)))
        elif self._is_page and not self._is_head:
            await self._send({**message, "body": message.get("body", b"") + self._inserted})
        else:
            await self._send(message)


def _is_page(start: Message) -> bool:
    return any(
        name == b"content-type" and value.startswith(b"text/html")
        for name, value in start["headers"]
    )


def _longer(start: Message, inserted: int) -> Message:
    kept = [pair for pair in start["headers"] if pair[0] not in (b"content-length", b"etag")]
    length = inserted + int(dict(start["headers"])[b"content-length"])
    headers = [*kept, (b"content-length", str(length).encode()), (b"cache-control", b"no-store")]
    return {**start, "headers": headers}


def _uncached(text: str, media_type: str) -> Response:
    return Response(text, headers={**SECURITY, "Cache-Control": "no-store"}, media_type=media_type)
