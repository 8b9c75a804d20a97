"""A chat model that plays a script, behind a real server of the providers' protocols.

`server.url` speaks OpenAI's chat completions and its Responses API, `server.anthropic_url`
Anthropic's messages.
`server.strict_url` refuses what a provider refuses (`strict_providers`).
What it says is `server.pieces`; or, where rules are given, the reply of the first rule that
matches the conversation so far:

    server.rules = [
        Rule("rename the page", Reply(calls=(Call("move", {"from": "a", "to": "b"}),))),
        Rule(lambda said: said.last.role == "tool", Reply("Done.")),
    ]
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import chat_wires
import strict_providers
from chat_wires import Call, ChatRequest, Reply, Spoken
from responses_wire import Responses

__all__ = ["Call", "ChatRequest", "ChatServer", "Reply", "Rule", "Spoken", "chat_server", "held"]

Matcher = str | Callable[[ChatRequest], bool]


@dataclass
class Rule:
    """A reply to conversations that match, at most `times` times.

    A string is a regular expression for the text of the latest message.
    """

    when: Matcher
    reply: Reply | Callable[[ChatRequest], Reply]
    times: int | None = None

    def matches(self, said: ChatRequest) -> bool:
        if self.times == 0:
            return False
        if callable(self.when):
            return self.when(said)
        return re.search(self.when, said.last.text, re.IGNORECASE | re.DOTALL) is not None


@dataclass
class ChatServer:
    """Scripted chat model: its next replies, and the requests that it received."""

    pieces: Sequence[str] = ("Hello",)
    status: int = 200
    pause_seconds: float = 0.0  # before each piece
    breaks_after: int | None = None  # pieces, then the connection is cut
    rules: Sequence[Rule] = ()
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    conversations: list[ChatRequest] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)  # by rules of providers
    cancelled: threading.Event = field(default_factory=threading.Event)
    _choosing: threading.Lock = field(default_factory=threading.Lock)

    @property
    def anthropic_url(self) -> str:
        return self.url.removesuffix("/v1")

    def strict_url(self, provider: str) -> str:
        """Return the base URL that refuses what the provider refuses."""
        version = "" if provider == "anthropic" else "/v1"
        return f"{self.anthropic_url}/{provider}-strict{version}"

    @property
    def last_messages(self) -> list[dict[str, Any]]:
        request = self.requests[-1]
        return request.get("messages") or request["input"]

    def reply_to(self, said: ChatRequest) -> Reply:
        reply = self._chosen(said)
        return reply(said) if callable(reply) else reply  # others may be answered meanwhile

    def _chosen(self, said: ChatRequest) -> Reply | Callable[[ChatRequest], Reply]:
        with self._choosing:
            self.conversations.append(said)
            for rule in self.rules:
                if rule.matches(said):
                    rule.times = rule.times - 1 if rule.times is not None else None
                    return rule.reply
        return Reply(
            *self.pieces,
            status=self.status,
            pause_seconds=self.pause_seconds,
            breaks_after=self.breaks_after,
        )


def held(
    release: threading.Event, reply: Reply, asked: threading.Event | None = None
) -> Callable[[ChatRequest], Reply]:
    """Return a reply that is given once `release` is set; `asked` is set when it is due."""

    def wait(_: ChatRequest) -> Reply:
        if asked is not None:
            asked.set()
        assert release.wait(120)
        return reply

    return wait


@contextmanager
def chat_server() -> Iterator[ChatServer]:
    """Yield a running server."""
    script = ChatServer()
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), type("Handler", (_ChatHandler,), {"script": script})
    )
    script.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield script
    finally:
        script.cancelled.set()
        server.shutdown()
        thread.join()
        server.server_close()


def _wire_of(path: str) -> Any:
    if path.endswith("/chat/completions"):
        return chat_wires.OpenAI()
    return Responses() if path.endswith("/responses") else chat_wires.Anthropic()


class _ChatHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    script: ChatServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        wire = _wire_of(self.path)
        self.script.requests.append({"path": self.path, **body})
        self.script.keys.append(self.headers["authorization"] or self.headers["x-api-key"])
        if refusal := strict_providers.refusal(self.path, body):
            self.script.refusals.append(refusal)
            is_gemini = strict_providers.provider_of(self.path) == "gemini"
            reply = Reply(status=400, error=refusal, is_list=is_gemini)
            self._refuse(reply, wire.refusal(reply))
            return
        reply = self.script.reply_to(wire.conversation(body))
        if reply.status != 200:
            self._refuse(reply, wire.refusal(reply))
            return
        self._begin()
        try:
            self._say(wire, reply)
        except OSError:
            self.script.cancelled.set()

    def _begin(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()

    def _refuse(self, reply: Reply, refusal: Any) -> None:
        body = json.dumps(refusal).encode()
        self.send_response(reply.status)
        self.send_header("connection", "close")  # event loops of clients end without closing theirs
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _say(self, wire: Any, reply: Reply) -> None:
        if reply.hangs:
            self.script.cancelled.wait(600)
            return
        if reply.garbage:
            self.wfile.write(reply.garbage)
            return
        for number, event in enumerate(wire.events(reply)):
            if reply.breaks_after is not None and number > reply.breaks_after:
                self.wfile.write(event[: len(event) // 2])
                return
            if number:
                time.sleep(reply.pause_seconds)
            if reply.rest is not None and number == len(reply.pieces) // 2 + 1:
                assert reply.rest.wait(120)
            self.wfile.write(event)
            self.wfile.flush()

    def log_message(self, *_: object) -> None:
        pass
