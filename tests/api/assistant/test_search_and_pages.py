"""Search results and page contents."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from docstead.base.features import ALL_FEATURES

SEARCH = "/discovery/v1/search/parcelo"
PAGE = "/discovery/v1/page/parcelo"


def search(client: TestClient, **fields: Any) -> list[dict[str, Any]]:
    response = client.post(SEARCH, json=fields)
    assert response.status_code == 200, response.text
    return response.json()


class TestSearch:
    def test_a_bare_array_of_sections(self, client: TestClient) -> None:
        best = search(client, query="revoke a key")[0]
        assert best["path"] == "/guides/keys#revoke-a-key"
        assert best["content"].startswith("A revoked key stops working")
        assert best["metadata"] == {
            "title": "API keys",
            "headings": ["Revoke a key"],
            "url": "https://parcelo.example.com/guides/keys#revoke-a-key",
            "score": best["metadata"]["score"],
            "snippet": (
                "A revoked key stops working within five seconds. Revoking cannot be undone. "
                "See creating one for its successor."
            ),
            "highlights": [[2, 9], [10, 13], [49, 57]],
        }
        assert set(best) == {"content", "path", "metadata"}

    def test_misspelled_words_are_corrected(self, client: TestClient) -> None:
        plain, misspelled = (
            search(client, query="revoke a key"),
            search(client, query="rveoke a kye"),
        )
        searched = [each["metadata"].pop("query") for each in misspelled]
        assert set(searched) == {"revoke a key"}
        assert misspelled == plain

    def test_nothing_found(self, client: TestClient) -> None:
        assert search(client, query="xylophone") == []

    @pytest.mark.parametrize("query", ["", " ", "\x00", '"', "key" * 5000])
    def test_a_query_without_words_finds_nothing(self, client: TestClient, query: str) -> None:
        assert search(client, query=query) == []

    def test_page_size(self, client: TestClient) -> None:
        assert len(search(client, query="key webhook labels", pageSize=2)) == 2

    def test_the_threshold_is_inclusive(self, client: TestClient) -> None:
        everything = search(client, query="revoke a key", scoreThreshold=0)
        scores = [each["metadata"]["score"] for each in everything]
        assert scores == sorted(scores, reverse=True)
        assert search(client, query="revoke a key", scoreThreshold=1.0) == [
            each for each in everything if each["metadata"]["score"] == 1.0
        ]
        assert 0 < len(search(client, query="revoke a key", scoreThreshold=0.5)) < len(everything)

    def test_a_score_that_was_returned_is_a_threshold(self, client: TestClient) -> None:
        everything = search(client, query="how do I revoke a key for labels")
        for position, found in enumerate(everything, 1):
            least = found["metadata"]["score"]
            again = search(client, query="how do I revoke a key for labels", scoreThreshold=least)
            assert again[:position] == everything[:position]

    def test_filters(self, client: TestClient) -> None:
        found = search(client, query="labels printed", filter={"version": "v1"})
        assert {each["metadata"].get("version") for each in found} <= {"v1", None}
        assert found[0]["path"] == "/v1/labels"
        for chosen in ({"version": "v9"}, {"language": "fr"}, {"tag": "none"}):
            assert search(client, query="labels", filter=chosen) == []

    def test_null_filter_and_unknown_keys(self, client: TestClient) -> None:
        assert search(client, query="labels", filter=None, more=1)
        assert search(client, query="labels", filter={"groups": ["a"], "version": None})

    def test_hidden_pages_are_not_found(self, client: TestClient) -> None:
        found = search(client, query="secret plans nobody key")
        assert found
        assert not any(each["path"].startswith("/internal") for each in found)

    @pytest.mark.parametrize(
        ("fields", "field"),
        [
            ({}, "query"),
            ({"query": None}, "query"),
            ({"query": 1}, "query"),
            ({"query": "a", "pageSize": 0}, "pageSize"),
            ({"query": "a", "pageSize": 51}, "pageSize"),
            ({"query": "a", "pageSize": 1.5}, "pageSize"),
            ({"query": "a", "pageSize": "5"}, "pageSize"),
            ({"query": "a", "scoreThreshold": -0.1}, "scoreThreshold"),
            ({"query": "a", "scoreThreshold": 1.1}, "scoreThreshold"),
            ({"query": "a", "filter": []}, "filter"),
            ({"query": "a", "filter": {"tag": 1}}, "filter.tag"),
            ({"query": "a", "filter": {"groups": "x"}}, "filter.groups"),
        ],
    )
    def test_wrong_fields_are_named(
        self, client: TestClient, fields: dict[str, Any], field: str
    ) -> None:
        response = client.post(SEARCH, json=fields)
        assert response.status_code == 400
        assert field in response.json()["error"]

    def test_nothing_published_has_nothing_to_find(self, harness: Any) -> None:
        headers = {"authorization": f"Bearer {harness.key(harness.empty)}"}
        client = TestClient(harness.app(), headers=headers)
        response = client.post("/discovery/v1/search/empty", json={"query": "keys"})
        assert (response.status_code, response.json()) == (200, [])

    def test_only_searches_for_words_are_remembered(self, harness: Any) -> None:
        client = TestClient(harness.app(), headers={"authorization": f"Bearer {harness.key()}"})
        for query in ("", " \t", "nowhere to be found"):
            assert search(client, query=query) is not None
        remembered = harness.searches.most([harness.deployment.id], limit=9)
        assert [each.term for each in remembered] == ["nowhere to be found"]

    def test_a_switched_off_assistant_still_searches(self, harness: Any) -> None:
        headers = {"authorization": f"Bearer {harness.key()}"}
        features = replace(ALL_FEATURES, assistant=False)
        client = TestClient(harness.app(features=features), headers=headers)
        assert search(client, query="revoke a key")


class TestPage:
    @pytest.mark.parametrize(
        "path", ["/guides/keys", "guides/keys", "/guides/keys#revoke-a-key", "guides/keys.mdx"]
    )
    def test_the_whole_page(self, client: TestClient, path: str) -> None:
        response = client.post(PAGE, json={"path": path})
        assert response.status_code == 200
        assert response.json().keys() == {"path", "content"}
        assert response.json()["path"] == "/guides/keys"
        content = response.json()["content"]
        assert content.startswith("# API keys\n\nAPI keys let programs act")
        assert "1. Open **Settings**" in content

    def test_what_search_returns_leads_to_its_page(self, client: TestClient) -> None:
        found = search(client, query="key webhook labels limits")
        assert found
        for each in found:
            assert client.post(PAGE, json={"path": each["path"]}).status_code == 200

    @pytest.mark.parametrize(
        "path", ["/nowhere", "/docs/guides/keys", "/internal/secret", "../etc/passwd", "\x00"]
    )
    def test_a_missing_page_is_an_error(self, client: TestClient, path: str) -> None:
        response = client.post(PAGE, json={"path": path})
        assert response.status_code == 404
        assert response.json().keys() == {"error"}

    def test_nothing_published(self, harness: Any) -> None:
        headers = {"authorization": f"Bearer {harness.key(harness.empty)}"}
        client = TestClient(harness.app(), headers=headers)
        response = client.post("/discovery/v1/page/empty", json={"path": "/"})
        assert response.status_code == 404
        assert response.json().keys() == {"error"}

    @pytest.mark.parametrize(
        "fields", [{}, {"path": None}, {"path": 1}, {"path": "/", "groups": 1}]
    )
    def test_wrong_fields(self, client: TestClient, fields: dict[str, Any]) -> None:
        response = client.post(PAGE, json=fields)
        assert response.status_code == 400
        assert response.json().keys() == {"error"}


@pytest.mark.parametrize("path", [SEARCH, PAGE])
def test_a_key_is_needed(harness: Any, path: str) -> None:
    assert TestClient(harness.app()).post(path, json={"query": "a", "path": "/"}).status_code == 401


@pytest.mark.parametrize("path", [SEARCH, PAGE])
def test_the_key_of_another_deployment_finds_nothing(harness: Any, path: str) -> None:
    headers = {"authorization": f"Bearer {harness.key(harness.other)}"}
    response = TestClient(harness.app(), headers=headers).post(
        path, json={"query": "a", "path": "/"}
    )
    assert response.status_code == 404


class TestStarters:
    STARTERS = "/discovery/v2/assistant/parcelo/starters"

    def test_questions_of_the_page(self, client: TestClient) -> None:
        response = client.get(self.STARTERS, params={"currentPath": "/guides/keys"})
        assert response.status_code == 200
        assert "How do I revoke a key?" in response.json()["questions"]
        assert len(response.json()["questions"]) <= 3

    def test_nowhere_there_are_none(self, client: TestClient) -> None:
        assert client.get(self.STARTERS).json() == {"questions": []}
        assert client.get(self.STARTERS, params={"currentPath": "/no"}).json() == {"questions": []}

    def test_hidden_pages_reveal_nothing(self, client: TestClient) -> None:
        hidden = client.get(self.STARTERS, params={"currentPath": "/hidden"})
        assert hidden.json() == {"questions": []}

    def test_a_long_path(self, client: TestClient) -> None:
        response = client.get(self.STARTERS, params={"currentPath": "/" * 201})
        assert response.status_code == 400
        assert "currentPath" in response.json()["error"]
