"""Keys of the message endpoint, and the deployments and threads that they open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

from docstead.base.features import ALL_FEATURES

PATH = "/discovery/v1/assistant/parcelo/message"
Body = Callable[..., dict[str, Any]]


class TestKeys:
    @pytest.mark.parametrize(
        "header", [None, "", "Bearer", "Bearer nonsense", "Basic abc", "Bearer svc_dsc_" + "x" * 38]
    )
    def test_no_good_key(self, harness: Any, body: Body, header: str | None) -> None:
        headers = {"authorization": header} if header is not None else {}
        response = TestClient(harness.app()).post(PATH, json=body(), headers=headers)
        assert response.status_code == 401
        assert response.json().keys() == {"error"}

    @pytest.mark.parametrize("scheme", ["Basic", "Token", "Bearer:", ""])
    def test_a_good_key_in_another_scheme(self, harness: Any, body: Body, scheme: str) -> None:
        headers = {"authorization": f"{scheme} {harness.key()}"}
        response = TestClient(harness.app()).post(PATH, json=body(), headers=headers)
        assert response.status_code == 401

    def test_a_key_is_asked_for_before_the_body_is_read(self, harness: Any) -> None:
        assert TestClient(harness.app()).post(PATH, content=b"{").status_code == 401

    def test_an_admin_key_is_of_the_wrong_kind(self, harness: Any, body: Body) -> None:
        assert self.status(harness, body, harness.admin_key()) == 401

    def test_an_expired_key(self, harness: Any, body: Body) -> None:
        key = harness.key(expires_at=harness.clock.now() + timedelta(days=1))
        assert self.status(harness, body, key) == 200
        harness.clock.move_to(harness.clock.now() + timedelta(days=2))
        assert self.status(harness, body, key) == 401

    def test_a_key_from_the_wrong_ip_address(self, harness: Any, body: Body) -> None:
        key = harness.key(allowlist=["203.0.113.0/24"])
        assert self.status(harness, body, key) == 403

    def test_the_key_of_another_deployment(self, harness: Any, body: Body) -> None:
        assert self.status(harness, body, harness.key(harness.other)) == 404

    def status(self, harness: Any, body: Body, key: str) -> int:
        client = TestClient(harness.app(), headers={"authorization": f"Bearer {key}"})
        response = client.post(PATH, json=body())
        if response.status_code != 200:
            assert response.json().keys() == {"error"}
        return response.status_code


class TestDomains:
    @pytest.mark.parametrize("domain", ["nowhere", "PARCELO", "parcelo.example.com", "%00", "a b"])
    def test_an_unknown_domain(self, client: TestClient, body: Body, domain: str) -> None:
        response = client.post(f"/discovery/v1/assistant/{domain}/message", json=body())
        assert response.status_code == 404
        assert response.json().keys() == {"error"}

    def test_others_are_not_distinguished_from_unknown_ones(
        self, client: TestClient, body: Body
    ) -> None:
        answers = {
            client.post(f"/discovery/v1/assistant/{domain}/message", json=body()).text
            for domain in ("other", "nowhere")
        }
        assert len(answers) == 1

    @pytest.mark.parametrize("thread_id", ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "\x00", "x" * 3000])
    def test_an_unknown_thread(
        self, harness: Any, client: TestClient, body: Body, thread_id: str
    ) -> None:
        response = client.post(PATH, json=body(threadId=thread_id))
        assert response.status_code == 200
        begun = response.headers["x-thread-id"]
        assert begun != thread_id
        assert f'"threadId":"{begun}"' in response.text
        headers = {"authorization": f"Bearer {harness.key()}"}
        strict = TestClient(harness.app(thread_must_exist=True), headers=headers)
        refused = strict.post(PATH, json=body(threadId=thread_id))
        assert refused.status_code == 404
        assert "threadId" in refused.json()["error"]

    def test_a_thread_of_another_deployment(
        self, harness: Any, client: TestClient, body: Body
    ) -> None:
        theirs = TestClient(
            harness.app(), headers={"authorization": f"Bearer {harness.key(harness.other)}"}
        )
        response = theirs.post("/discovery/v1/assistant/other/message", json=body())
        thread_id = response.headers["x-thread-id"]
        answered = client.post(PATH, json=body(threadId=thread_id))
        assert answered.status_code == 200
        assert answered.headers["x-thread-id"] != thread_id

    def test_nothing_published(self, harness: Any, body: Body) -> None:
        key = harness.key(harness.empty)
        client = TestClient(harness.app(), headers={"authorization": f"Bearer {key}"})
        response = client.post("/discovery/v1/assistant/empty/message", json=body())
        assert response.status_code == 503
        assert response.json().keys() == {"error"}

    def test_switched_off(self, harness: Any, body: Body) -> None:
        headers = {"authorization": f"Bearer {harness.key()}"}
        client = TestClient(
            harness.app(features=replace(ALL_FEATURES, assistant=False)), headers=headers
        )
        assert client.post(PATH, json=body()).status_code == 503

    @pytest.mark.parametrize("method", ["PUT", "DELETE"])
    def test_another_method(self, client: TestClient, method: str) -> None:
        response = client.request(method, PATH)
        assert response.status_code == 405
        assert response.json().keys() == {"error"}
