"""The script of the widget, as any page loads it."""

from __future__ import annotations

from fastapi.testclient import TestClient

from docstead.api.application import create_api
from docstead.api.widget import PATH, widget_routes

SCRIPT = b"window.DocsAssistant = 1;" * 100
client = TestClient(create_api([widget_routes(SCRIPT)], base_url="http://service"))


def test_a_module_of_another_origin_may_load_it() -> None:
    answer = client.get(PATH, headers={"Origin": "https://shop.example"})
    assert answer.content == SCRIPT
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["content-encoding"] == "gzip"


def test_without_compression_and_without_change() -> None:
    plain = client.get(PATH, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == SCRIPT
    again = client.get(PATH, headers={"If-None-Match": f"W/{plain.headers['etag']}"})
    assert (again.status_code, again.content) == (304, b"")


def test_it_is_no_part_of_the_described_interface() -> None:
    assert PATH not in client.get("/openapi.json").json()["paths"]
