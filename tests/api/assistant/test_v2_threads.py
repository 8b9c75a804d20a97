"""Threads of the second version: their keys, and answers that are resumed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from docstead.storage.schema import threads
from ui_messages import FIRST_PATH, KEYS, PATH, answer_parts, body, message


def test_a_thread_goes_on_over_the_versions(client: TestClient) -> None:
    thread = client.post(PATH, json=body()).headers["x-thread-id"]
    old = {**body(), "messages": [message(content=KEYS)], "threadId": thread}
    assert client.post(FIRST_PATH, json=old).headers["x-thread-id"] == thread


class TestThreadKeys:
    def test_are_not_needed(self, client: TestClient) -> None:
        first = client.post(PATH, json=body()).headers
        again = client.post(PATH, json=body(threadId=first["x-thread-id"]))
        assert again.status_code == 200
        assert "x-thread-key" not in again.headers

    def test_are_needed_where_the_setting_says_so(self, harness: Any) -> None:
        headers = {"authorization": f"Bearer {harness.key()}"}
        client = TestClient(harness.app(thread_key_required=True), headers=headers)
        first = client.post(PATH, json=body(id="a-chat-of-its-own")).headers
        thread, key = first["x-thread-id"], first["x-thread-key"]
        for wrong in (None, "", "wrong"):
            sent = body(threadId=thread, threadKey=wrong)
            assert client.post(PATH, json=sent).status_code == 404
        answered = client.post(PATH, json=body(threadId=thread, threadKey=key))
        assert answered.headers["x-thread-id"] == thread
        stream = f"{PATH}/a-chat-of-its-own/stream"
        assert client.get(stream).status_code == 404
        assert client.get(stream, headers={"x-thread-key": key}).status_code == 200

    def test_a_thread_of_another_deployment_is_not_continued(self, harness: Any) -> None:
        app = harness.app()
        key = harness.key(harness.other)
        thread = (
            TestClient(app, headers={"authorization": f"Bearer {key}"})
            .post(PATH.replace("parcelo", "other"), json=body())
            .headers["x-thread-id"]
        )
        client = TestClient(app, headers={"authorization": f"Bearer {harness.key()}"})
        answered = client.post(PATH, json=body(threadId=thread))
        assert answered.status_code == 200
        assert answered.headers["x-thread-id"] != thread
        assert client.get(f"{PATH}/{thread}/stream").status_code == 204

    def test_fp_is_recorded_and_proves_nothing(self, client: TestClient, harness: Any) -> None:
        thread = client.post(PATH, json=body(fp="one")).headers["x-thread-id"]
        assert client.post(PATH, json=body(fp="two", threadId=thread)).status_code == 200
        with harness.database.reading() as connection:
            assert connection.execute(select(threads.c.fp)).scalar_one() == "one"


class TestResuming:
    @pytest.mark.parametrize("chat", ["a-chat-of-its-own", "7"])
    def test_the_whole_answer_again(self, client: TestClient, chat: str) -> None:
        first = client.post(PATH, json=body(id=chat))
        again = client.get(f"{PATH}/{chat}/stream")
        assert again.status_code == 200
        assert again.headers["content-type"] == "text/event-stream"
        assert again.headers["x-thread-id"] == first.headers["x-thread-id"]
        assert "x-thread-key" not in again.headers
        assert answer_parts(again.text) == answer_parts(first.text)

    def test_by_the_first_version_too(self, client: TestClient) -> None:
        chat = "a-chat-of-its-own"
        first = client.post(PATH, json=body(id=chat))
        again = client.get(FIRST_PATH, params={"chatId": chat})
        assert again.headers["content-type"] == "text/plain; charset=utf-8"
        lines = [line for line in again.text.splitlines() if line.startswith("0:")]
        assert "".join(json.loads(line[2:]) for line in lines) == answer_parts(first.text)[1]

    def test_by_the_thread(self, client: TestClient) -> None:
        first = client.post(PATH, json=body())
        again = client.get(f"{PATH}/{first.headers['x-thread-id']}/stream")
        assert answer_parts(again.text) == answer_parts(first.text)

    @pytest.mark.parametrize("chat", ["unknown", "%00", "x" * 3000, "é ü"])
    def test_nothing(self, client: TestClient, chat: str) -> None:
        response = client.get(f"{PATH}/{chat}/stream")
        assert (response.status_code, response.content) == (204, b"")

    def test_browsers_elsewhere_may_ask_for_it(self, client: TestClient) -> None:
        headers = {
            "origin": "https://app.example",
            "access-control-request-method": "GET",
            "access-control-request-headers": "authorization",
        }
        allowed = client.options(f"{PATH}/1/stream", headers=headers).headers
        assert allowed["access-control-allow-origin"] == "*"
        assert "GET" in allowed["access-control-allow-methods"]
        assert "authorization" in allowed["access-control-allow-headers"].lower()
