"""Requests of a site's API playground, sent on by its host."""

from __future__ import annotations

import base64
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest

from docstead.accounts.tenancy import Deployment
from docstead.base.networks import parsed_networks
from docstead.base.outbound import OutboundClient
from docstead.reference.common.playground import field as input_field
from docstead.reference.common.playground import playground_button

SITE = "http://docs.acme.test"


@dataclass
class RecordingApi:
    """A server that remembers what it was asked, and answers with it."""

    url: str = ""
    seen: list[tuple[str, str, str | None, bytes]] = field(default_factory=list)
    size: int = 0


@pytest.fixture
def api() -> Iterator[RecordingApi]:
    recorder = RecordingApi()

    class PlaygroundHandler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            authorization = self.headers.get("Authorization")
            recorder.seen.append((self.command, self.path, authorization, self.rfile.read(length)))
            moved = self.path.endswith("/moved")
            self.send_response(302 if moved else 201)
            if moved:
                self.send_header("Location", "http://127.0.0.1:1/inside")
            self.send_header("Content-Type", "application/json")
            self.send_header("Set-Cookie", "a=b")
            self.end_headers()
            self.wfile.write(b"x" * recorder.size or b'{"ok":true}')

        do_GET = do_POST = do_DELETE = _answer  # noqa: N815 - the names are the library's

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), PlaygroundHandler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    recorder.url = f"http://127.0.0.1:{server.server_port}/v1"
    yield recorder
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def site(world: Any, api: RecordingApi) -> Deployment:
    """A page with an operation of that server."""
    deployment: Deployment = world.deployment("acme", "docs.acme.test")
    oauth = {"kind": "clientCredentials", "tokenUrl": f"{api.url}/token"}
    token = {**input_field("Authorization", "header", required=True), "oauth": [oauth]}
    fields = [input_field("id", "path", required=True), token]
    button = playground_button("POST", "/users/{id}", [api.url], fields, [], label="Try it")
    world.publish(deployment, ("index", "api"), title=button)
    return deployment


def ask(
    world: Any, requested: dict[str, Any], origin: str = SITE, **settings: Any
) -> httpx.Response:
    allowed = OutboundClient(parsed_networks(["127.0.0.0/8"]))
    hosting = world.hosting(**{"outbound": allowed, **settings})
    sent = {"page": "/api", "method": "POST", "headers": [], "body": "", **requested}
    url, headers = f"{SITE}/_docs/api/request", {"Origin": origin}
    answer: httpx.Response = world.get(url, "POST", hosting, json=sent, headers=headers)
    return answer


def test_a_request_is_sent_as_it_is_and_its_answer_returned(
    world: Any, site: Any, api: RecordingApi
) -> None:
    headers = [["Authorization", " Bearer key\t"], ["Content-Type", "application/json"]]
    requested = {"url": f"{api.url}/users/7?all=1", "headers": headers, "body": '{"a": "ü"}'}
    answer = ask(world, requested)
    assert answer.status_code == 200
    assert api.seen == [("POST", "/v1/users/7?all=1", "Bearer key", '{"a": "ü"}'.encode())]
    answered = answer.json()
    assert answered["status"] == 201
    assert base64.b64decode(answered["body"]) == b'{"ok":true}'
    assert ["content-type", "application/json"] in answered["headers"]
    assert "set-cookie" not in {name for name, _ in answered["headers"]}


def test_bytes_of_files_are_sent(world: Any, site: Any, api: RecordingApi) -> None:
    encoded = base64.b64encode(b"\x00\xff").decode()
    ask(world, {"url": f"{api.url}/users/7", "body": encoded, "base64": True})
    assert [body for *_, body in api.seen] == [b"\x00\xff"]


@pytest.mark.parametrize(
    ("requested", "status"),
    [
        ({"url": "{api}/users/7", "body": "no!", "base64": True}, 400),
        ({"url": "https://example.com/users"}, 403),
        ({"url": "{api}.evil.test/users"}, 403),
        ({"url": "{api}x"}, 403),
        ({"url": "{api}/users"}, 403),
        ({"url": "{api}/users/../admin"}, 403),
        ({"url": "{api}/users/%2e%2e"}, 403),
        ({"url": "{api}/users/%252e%252e%252fadmin"}, 403),
        ({"url": "{api}/users/7/keys"}, 403),
        ({"url": "{api}/users/7", "headers": [["X-A", "\u0161"]]}, 400),
        ({"url": "{api}/users", "page": "/index/none"}, 404),
        ({"url": "{api}/users", "method": "CONNECT"}, 400),
        ({"url": "{api}/users/7", "method": "PO\u017fT"}, 400),
        ({"url": "{api}/users", "headers": [["Host", "other"]]}, 400),
        ({"url": "{api}/users", "headers": [["X-A", "b\r\nX-C: d"]]}, 400),
        ({"url": "{api}/users", "headers": [["Bad Name", "b"]]}, 400),
        ({"url": "{api}/users", "headers": "none"}, 400),
        ({"url": "{api}/users", "body": "x" * 600_000}, 400),
    ],
)
def test_nothing_else_is_asked(
    world: Any, site: Any, api: RecordingApi, requested: dict[str, Any], status: int
) -> None:
    answer = ask(world, {**requested, "url": requested["url"].replace("{api}", api.url)})
    assert (answer.status_code, list(answer.json())) == (status, ["error"])
    assert api.seen == []


def test_tokens_come_from_the_url_of_the_specification(
    world: Any, site: Any, api: RecordingApi
) -> None:
    answer = ask(world, {"url": f"{api.url}/token", "body": "grant_type=client_credentials"})
    assert (answer.status_code, answer.json()["status"]) == (200, 201)
    assert api.seen == [("POST", "/v1/token", None, b"grant_type=client_credentials")]
    for requested in ({"method": "GET"}, {"url": f"{api.url}/token?more"}):
        refused = ask(world, {"url": f"{api.url}/token", **requested})
        assert refused.status_code == 403, requested
    assert len(api.seen) == 1


def test_only_pages_of_the_site_may_ask(world: Any, site: Any, api: RecordingApi) -> None:
    answer = ask(world, {"url": f"{api.url}/users/7"}, origin="http://evil.test")
    assert answer.status_code == 403
    assert api.seen == []


def test_private_ip_addresses_are_not_connected_to_unless_allowed(
    world: Any, site: Any, api: RecordingApi
) -> None:
    answer = ask(world, {"url": f"{api.url}/users/7"}, outbound=OutboundClient())
    assert answer.status_code == 400
    assert "public" in answer.json()["error"]
    assert api.seen == []


def test_a_redirect_is_reported_and_not_followed(world: Any, site: Any, api: RecordingApi) -> None:
    answer = ask(world, {"url": f"{api.url}/users/moved"})
    assert answer.json()["status"] == 302
    assert len(api.seen) == 1


def test_an_answer_that_is_too_large_is_refused(world: Any, site: Any, api: RecordingApi) -> None:
    api.size = 6 * 1024 * 1024
    answer = ask(world, {"url": f"{api.url}/users/7"})
    assert (answer.status_code, answer.json()) == (
        400,
        {"error": "The response is larger than 5 MB."},
    )
