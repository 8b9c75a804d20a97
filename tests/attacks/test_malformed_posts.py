"""Bodies and attributes that no page of ours writes: nested deeply, not UTF-8, of other types."""

from __future__ import annotations

from html import escape
from typing import Any

import pytest

import patient_http
from handmade_sites import HandmadeSites
from in_process import ask
from running_service import Service

NESTED = b"[" * 10_000
VIEW = b'{"event":"view","path":"/"'


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/_docs/api/v1/e", VIEW + b',"more":' + NESTED),
        ("/_docs/api/v1/e", b'{"event":"view","path":"/\xff"}'),
        ("/_docs/api/feedback", b'{"id":"a long enough id","path":"/","more":' + NESTED),
        ("/_docs/api/request", b'{"page":"/","more":' + NESTED),
        ("/_docs/api/request", b'{"page":"/\xff"}'),
    ],
    ids=["nested view", "view", "nested feedback", "nested request", "request"],
)
def test_posts_that_cannot_be_read_are_refused(
    small_service: Service, path: str, body: bytes
) -> None:
    before = small_service.log()
    base_url = small_service.facts["baseUrl"]
    headers = {"Origin": base_url}
    answer = patient_http.post(base_url + path, content=body, headers=headers)
    assert (answer.status_code, answer.json()) == (400, {"error": "the body is not valid JSON"})
    assert "Traceback" not in small_service.log().removeprefix(before)


@pytest.mark.parametrize(
    "description",
    ["[" * 5_000, "[]", "5", '{"servers": 5}', '{"servers": [{}], "path": "/"}', '{"path": [1]}'],
    ids=lambda text: text[:40],
)
def test_a_description_by_hand_is_no_operation(
    sqlite_backend: Any, tmp_path: Any, clock: Any, description: str
) -> None:
    sites = HandmadeSites(sqlite_backend.database, sqlite_backend.objects, tmp_path, clock)
    deployment = sites.deployment("odd", "odd.test")
    sites.publish(deployment, ("index",), title=f'<b data-playground="{escape(description)}"></b>')
    hosting = sites.hosting()

    requested = {"page": "/", "method": "GET", "url": "https://api.test/"}
    url, origin = "http://odd.test/_docs/api/request", {"Origin": "http://odd.test"}
    answer = ask(hosting, "POST", url, json=requested, headers=origin)
    assert answer.status_code == 404
    assert answer.json() == {"error": "page: has no operation"}
