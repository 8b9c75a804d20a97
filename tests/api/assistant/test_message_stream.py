"""Arrival of the stream: headers, order, time, errors, disconnects."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import insert, select

import patient_http
from chat_server import ChatServer, Reply, Rule, held
from docstead.base.errors import Unavailable
from docstead.limits import policies
from docstead.limits.rate_limits import BucketCharge
from docstead.models.openai_compatible import OpenAICompatible
from docstead.storage.schema import rate_limits, threads, turns

PATH = "/discovery/v1/assistant/parcelo/message"
SEARCH = "/discovery/v1/search/parcelo"
Body = Callable[..., dict[str, Any]]
Serve = Callable[..., str]


def parts(text: str) -> list[tuple[str, Any]]:
    """Code and value of each line."""
    found = [line.partition(":") for line in text.removesuffix("\n").split("\n")]
    return [(code, json.loads(value)) for code, _, value in found]


def codes(text: str) -> str:
    return "".join(code for code, _ in parts(text))


class TestShape:
    def test_headers(self, client: TestClient, body: Body) -> None:
        headers = client.post(PATH, json=body()).headers
        assert headers["content-type"] == "text/plain; charset=utf-8"
        assert headers["x-vercel-ai-data-stream"] == "v1"
        assert headers["cache-control"] == "no-cache, no-transform"
        assert headers["x-accel-buffering"] == "no"
        assert headers["deprecation"] == "true"
        assert "content-length" not in headers

    def test_order(self, client: TestClient, body: Body) -> None:
        text = client.post(PATH, json=body()).text
        assert text.endswith("\n")
        assert codes(text).replace("hh", "h").replace("hh", "h").replace("00", "0") == "fh0e28d"

    def test_the_thread_is_named_everywhere(self, client: TestClient, body: Body) -> None:
        response = client.post(PATH, json=body())
        event = {"type": "finish", "threadId": response.headers["x-thread-id"]}
        said = dict(parts(response.text))
        assert said["2"] == said["8"] == [event]
        assert event.items() <= said["d"].items()
        assert said["d"]["finishReason"] == said["e"]["finishReason"] == "stop"

    def test_the_key_of_a_thread_is_sent_once(self, client: TestClient, body: Body) -> None:
        first = client.post(PATH, json=body())
        thread_id = first.headers["x-thread-id"]
        second = client.post(PATH, json=body(threadId=thread_id))
        assert first.headers["x-thread-key"]
        assert "x-thread-key" not in second.headers
        assert second.headers["x-thread-id"] == thread_id

    def test_a_thread_key_is_accepted(self, client: TestClient, body: Body) -> None:
        headers = client.post(PATH, json=body()).headers
        again = body(threadId=headers["x-thread-id"], threadKey=headers["x-thread-key"])
        assert client.post(PATH, json=again).headers["x-thread-id"] == headers["x-thread-id"]

    def test_sources_have_absolute_urls_that_lead_to_the_words(
        self, client: TestClient, body: Body
    ) -> None:
        found = [value for code, value in parts(client.post(PATH, json=body()).text) if code == "h"]
        assert found[0] == {
            "sourceType": "url",
            "id": "https://parcelo.example.com/guides/keys#create-a-key",
            "url": "https://parcelo.example.com/guides/keys#create-a-key"
            ":~:text=To%20create%20an%20API%20key%3A",
            "title": "API keys › Create a key",
        }

    def test_what_is_not_covered_has_no_sources(self, client: TestClient, body: Body) -> None:
        response = client.post(PATH, json=body("What is the capital of France?"))
        assert response.status_code == 200
        assert codes(response.text) == "f00e28d"

    @pytest.mark.parametrize(("size", "most"), [(-1, 1), (0, 1), (1, 1), (2.9, 2), (1000, 40)])
    def test_the_number_of_passages_is_brought_into_bounds(
        self, client: TestClient, body: Body, size: float, most: int
    ) -> None:
        answer = client.post(PATH, json=body(retrievalPageSize=size)).text
        assert 1 <= codes(answer).count("h") <= most


class TestCrossOrigin:
    def test_browsers_elsewhere_may_ask_and_read_the_thread(
        self, client: TestClient, body: Body
    ) -> None:
        response = client.post(PATH, json=body(), headers={"origin": "https://app.example"})
        assert response.headers["access-control-allow-origin"] == "*"
        assert "X-Thread-Id" in response.headers["access-control-expose-headers"]

    def test_they_may_ask_whether_they_may_ask(self, client: TestClient) -> None:
        headers = {
            "origin": "https://app.example",
            "access-control-request-method": "POST",
            "access-control-request-headers": "authorization, content-type",
        }
        allowed = client.options(PATH, headers=headers).headers
        assert allowed["access-control-allow-origin"] == "*"
        assert "POST" in allowed["access-control-allow-methods"]
        assert "authorization" in allowed["access-control-allow-headers"].lower()


class TestLimits:
    def test_the_organization_of_the_key(
        self, harness: Any, client: TestClient, body: Body
    ) -> None:
        use_up(
            harness, policies.assistant_message(harness.deployment.organization_id, "any", "v1")[0]
        )
        self.assert_refused(client.post(PATH, json=body()), "assistant-organization")

    def test_the_client_address_behind_the_proxy(
        self, harness: Any, client: TestClient, body: Body
    ) -> None:
        use_up(harness, policies.assistant_message("any", "203.0.113.7", "v1")[1])
        via = {"x-forwarded-for": "203.0.113.7"}
        service = TestClient(harness.app(), client=("127.0.0.1", 1), headers=client.headers)
        self.assert_refused(service.post(PATH, json=body(), headers=via), "assistant-address")
        assert service.post(PATH, json=body()).status_code == 200

    def test_search_and_pages_are_counted_by_themselves(
        self, harness: Any, client: TestClient, body: Body
    ) -> None:
        use_up(harness, policies.search(harness.deployment.organization_id))
        self.assert_refused(client.post(SEARCH, json={"query": "keys"}), "search")
        use_up(harness, policies.page_content(harness.deployment.organization_id))
        page = client.post("/discovery/v1/page/parcelo", json={"path": "/"})
        self.assert_refused(page, "page-content")
        assert client.post(PATH, json=body()).status_code == 200

    def test_a_refused_body_costs_nothing(
        self, harness: Any, client: TestClient, body: Body
    ) -> None:
        client.post(PATH, json=body(fp=...))
        with harness.database.reading() as connection:
            assert connection.execute(select(rate_limits)).all() == []

    def assert_refused(self, response: httpx.Response, policy: str) -> None:
        assert response.status_code == 429
        assert response.json().keys() == {"error"}
        assert int(response.headers["retry-after"]) > 0
        assert policy in response.headers["ratelimit-policy"]


def use_up(harness: Any, charge: BucketCharge) -> None:
    now = int(harness.clock.now().timestamp())
    row = {
        "bucket": charge.bucket,
        "window_start": now - now % charge.window_seconds,
        "n": charge.limit,
    }
    with harness.database.transaction() as connection:
        connection.execute(insert(rate_limits).values(row))


class TestTime:
    def test_the_first_line_leaves_before_the_answer_is_known(
        self, harness: Any, serve: Serve, body: Body, model_server: ChatServer
    ) -> None:
        begun = threading.Event()
        model_server.rules = [Rule(lambda _: True, held(begun, Reply("late")))]
        url = serve(harness.app(scripted(model_server))) + PATH
        with patient_http.stream("POST", url, json=body(), headers=bearer(harness)) as response:
            lines = response.iter_lines()
            assert next(lines).startswith("f:")
            begun.set()
            rest = "\n".join(lines)
        assert '0:"late"' in rest

    def test_every_write_ends_a_line_and_words_leave_together(
        self, harness: Any, serve: Serve, body: Body, model_server: ChatServer
    ) -> None:
        pieces, rest = [f"w{n} " for n in range(300)], threading.Event()
        model_server.rules = [Rule(lambda _: True, Reply(*pieces, rest=rest))]
        url = serve(harness.app(scripted(model_server))) + PATH
        with patient_http.stream("POST", url, json=body(), headers=bearer(harness)) as response:
            writes = []
            for chunk in filter(None, response.iter_raw()):
                writes.append(chunk)
                if b'0:"w0' in chunk:
                    rest.set()
        assert all(write.endswith(b"\n") for write in writes)
        said = [value for code, value in parts(b"".join(writes).decode()) if code == "0"]
        assert "".join(said) == "".join(pieces)
        assert 1 < len(said) < len(pieces) / 2

    def test_many_streams_at_once_and_none_is_lost(
        self, harness: Any, serve: Serve, body: Body
    ) -> None:
        url = serve(harness.app()) + PATH
        answers = asyncio.run(ask_together(url, body(), bearer(harness), 200))
        assert len({answer.headers["x-thread-id"] for answer in answers}) == 200
        assert {codes(answer.text)[-4:] for answer in answers} == {"e28d"}


async def ask_together(
    url: str, body: dict[str, Any], headers: dict[str, str], count: int
) -> list[httpx.Response]:
    limits = httpx.Limits(max_connections=count)
    async with httpx.AsyncClient(timeout=120, limits=limits, headers=headers) as client:
        return await asyncio.gather(*(client.post(url, json=body) for _ in range(count)))


class TestStreamFailures:
    @pytest.mark.parametrize("status", [401, 429, 500])
    def test_a_model_that_refuses_is_an_error_part(
        self, harness: Any, body: Body, model_server: ChatServer, status: int
    ) -> None:
        model_server.status = status
        response = TestClient(harness.app(scripted(model_server)), headers=bearer(harness)).post(
            PATH, json=body()
        )
        assert response.status_code == 200
        assert codes(response.text) == "fe283"
        assert "secret" not in response.text

    def test_an_unforeseen_failure_reveals_nothing(
        self, harness: Any, body: Body, published: Any, caplog: pytest.LogCaptureFixture
    ) -> None:
        broken = type(published)("ed_2", published.site, None, {})
        harness.editions.published[harness.deployment.id] = broken
        response = TestClient(harness.app(), headers=bearer(harness)).post(PATH, json=body())
        assert codes(response.text) == "fe283"
        assert "NoneType" not in response.text
        assert "NoneType" in caplog.text

    def test_the_answer_is_finished_and_kept_when_the_reader_leaves(
        self, harness: Any, serve: Serve, body: Body, model_server: ChatServer
    ) -> None:
        model_server.pieces, model_server.pause_seconds = ["word "] * 100, 0.01
        url = serve(harness.app(scripted(model_server))) + PATH
        with patient_http.stream("POST", url, json=body(), headers=bearer(harness)) as response:
            for line in response.iter_lines():
                if line.startswith("0:"):
                    break
        assert wait_for_turn(harness) == "".join(model_server.pieces)
        assert not model_server.cancelled.is_set()


def wait_for_turn(harness: Any) -> str:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        with harness.database.reading() as connection:
            answer: str | None = connection.execute(select(turns.c.answer)).scalar()
        if answer is not None:
            return answer
        time.sleep(0.02)
    raise AssertionError("the turn was not stored")


def scripted(server: ChatServer) -> OpenAICompatible:
    return OpenAICompatible(server.url, "key", "tiny")


def bearer(harness: Any) -> dict[str, str]:
    return {"authorization": f"Bearer {harness.key()}"}


def test_the_description_has_the_whole_request(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    operation = document["paths"]["/discovery/v1/assistant/{domain}/message"]["post"]
    assert operation["deprecated"] is True
    assert set(operation["responses"]) == {
        "200", "400", "401", "403", "404", "413", "415", "429", "503",
    }  # fmt: skip
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    assert schema["required"] == ["fp", "messages"]
    assert schema["properties"]["currentPath"]["anyOf"][0]["maxLength"] == 200
    message = schema["properties"]["messages"]["items"]
    assert message["required"] == ["id", "role", "content", "parts"]
    assert message["properties"]["role"]["enum"] == ["system", "assistant", "data", "user"]
    assert "$defs" not in json.dumps(schema)


class TestEditions:
    def test_an_index_that_is_being_made_is_said_before_the_stream(
        self, harness: Any, body: Body, published: Any
    ) -> None:
        harness.editions.published[harness.deployment.id] = WithoutIndex(published)
        client = TestClient(harness.app(), headers=bearer(harness))
        for path in (PATH, PATH.replace("v1", "v2")):
            response = client.post(path, json=body())
            assert response.status_code == 503
            assert response.json() == {"error": "The search index is being made again."}
        with harness.database.reading() as connection:
            assert connection.execute(select(threads)).all() == []
        harness.editions.published[harness.deployment.id] = published
        assert client.post(PATH, json=body()).status_code == 200

    def test_an_answer_stays_with_the_edition_that_it_began_with(
        self, harness: Any, serve: Serve, body: Body, model_server: ChatServer, published: Any
    ) -> None:
        rest = threading.Event()
        model_server.rules = [Rule(lambda _: True, held(rest, Reply("Keep ", "on.")))]
        url = serve(harness.app(scripted(model_server))) + PATH
        with patient_http.stream("POST", url, json=body(), headers=bearer(harness)) as response:
            lines = response.iter_lines()
            assert next(lines).startswith("f:")
            harness.editions.published[harness.deployment.id] = WithoutIndex(published)
            rest.set()
            text = "\n".join(lines)
        assert codes(text)[-2:] == "8d"
        with harness.database.reading() as connection:
            assert connection.execute(select(turns.c.edition_id)).scalar_one() == published.id


class WithoutIndex:
    """An edition whose index cannot be read for the moment."""

    id = "ed_2"

    def __init__(self, published: Any) -> None:
        self.site = published.site

    @property
    def index(self) -> Any:
        raise Unavailable("The search index is being made again.")
