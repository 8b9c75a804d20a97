"""DevTools protocol over pipes: commands, results and events.

Messages are JSON objects, each terminated by a zero byte (Chromium, `--remote-debugging-pipe`).
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable
from typing import Any

import msgspec

from docstead.base.decoders import json_decoder
from docstead.base.errors import DocsteadError

_BLOCK = 1 << 20
_MESSAGE = json_decoder(dict[str, Any])

Event = dict[str, Any]


class BrowserGone(DocsteadError):
    """Chromium ended or did not respond."""


class DevTools:
    """Connection to a browser by two pipes. `on_event` handles events while a caller waits."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands = commands
        self._answers = answers
        self._unread = bytearray()
        self._last = 0
        self.deadline = float("inf")  # on the monotonic clock
        self.on_event: Callable[[Event], None] = lambda _: None

    def send(self, method: str, session: str | None = None, **params: Any) -> int:
        """Send a command without waiting for its result; return its number."""
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        self._write(msgspec.json.encode(message) + b"\0")
        return self._last

    def call(self, method: str, session: str | None = None, **params: Any) -> Any:
        """Send a command and return its result.

        Raises:
            BrowserGone: the browser rejected it, ended, or exceeded the deadline.
        """
        number = self.send(method, session, **params)
        while (message := self._receive()).get("id") != number:
            self._dispatch(message)
        if error := message.get("error"):
            raise BrowserGone(f"Chromium failed at {method}: {error.get('message')}")
        return message["result"]

    def _dispatch(self, message: Event) -> None:
        if "method" in message:
            self.on_event(message)

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        try:
            while rest:
                self._wait(writing=True)
                rest = rest[os.write(self._commands, rest[:_BLOCK]) :]
        except BrokenPipeError as error:
            raise BrowserGone from error

    def _receive(self) -> Event:
        searched = 0
        while (end := self._unread.find(0, searched)) < 0:
            searched = len(self._unread)
            self._wait(writing=False)
            if not (block := os.read(self._answers, _BLOCK)):
                raise BrowserGone
            self._unread += block
        message = bytes(self._unread[:end])
        del self._unread[: end + 1]
        return _MESSAGE.decode(message)

    def _wait(self, *, writing: bool) -> None:
        left = self.deadline - time.monotonic()
        pipes = ([], [self._commands]) if writing else ([self._answers], [])
        if left <= 0 or not any(select.select(*pipes, [], min(left, 1e6))):
            raise BrowserGone("Chromium did not answer in time")
