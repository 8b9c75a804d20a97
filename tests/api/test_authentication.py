"""Keys of requests: how they are read, and what is asked of them."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi import APIRouter, Depends
from fastapi.testclient import TestClient

from docstead.api.application import create_api
from docstead.api.authentication import Authentication
from docstead.api.client_address import ClientAddress
from docstead.base.api_keys import KeyKind
from docstead.base.errors import Unauthorized

ORIGIN = "https://shop.example"


class Keys:
    """Takes one key, and repeats what it was asked about it."""

    def authenticate(self, key: str, kind: KeyKind, **request: Any) -> dict[str, Any]:
        if key != "svc_good":
            raise Unauthorized
        return {"kind": kind, **request}


@pytest.fixture(scope="module")
def client() -> TestClient:
    auth = Authentication(Keys(), ClientAddress(["10.0.0.0/8"]))
    router, by_admin, by_assistant = APIRouter(), Depends(auth.admin), Depends(auth.assistant)

    @router.get("/admin")
    @router.post("/admin")
    def admin(asked: Any = by_admin) -> Any:
        return asked

    @router.get("/discovery/v1/assistant")
    def assistant(asked: Any = by_assistant) -> Any:
        return asked

    return TestClient(
        create_api([router], base_url="https://docs.example.com"), client=("10.1.2.3", 1)
    )


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("GET", "/admin", "admin"),
        ("POST", "/admin", "admin"),
        ("GET", "/discovery/v1/assistant", "assistant"),
    ],
)
def test_a_key_is_checked_with_kind_method_ip_address_and_origin(
    client: TestClient, method: str, path: str, kind: str
) -> None:
    headers = {"authorization": "Bearer svc_good", "x-forwarded-for": "203.0.113.9"}
    expected = {"kind": kind, "method": method, "client_ip": "203.0.113.9", "origin": None}
    assert client.request(method, path, headers=headers).json() == expected
    from_page = client.request(method, path, headers={**headers, "origin": ORIGIN})
    assert from_page.json() == {**expected, "origin": ORIGIN}


@pytest.mark.parametrize("path", ["/admin", "/discovery/v1/assistant"])
@pytest.mark.parametrize(
    ("header", "status"),
    [
        (None, 401),
        ("", 401),
        ("Bearer", 401),
        ("Bearer  ", 401),
        ("svc_good", 401),
        ("Basic svc_good", 401),
        ("Bearer svc_bad", 401),
        ("Bearer svc_good", 200),
        ("bearer svc_good", 200),
        ("  BEARER   svc_good  ", 200),
    ],
)
def test_a_key_is_sent_as_a_bearer_token(
    client: TestClient, path: str, header: str | None, status: int
) -> None:
    answer = client.get(path, headers={} if header is None else {"authorization": header})
    assert answer.status_code == status
    if header in (None, "Basic svc_good", "Bearer  "):
        expected = "send an API key in the header `Authorization: Bearer <key>`"
        assert answer.json() == {"error": expected}


def test_both_keys_are_described(client: TestClient) -> None:
    schemes = client.get("/openapi.json").json()["components"]["securitySchemes"]
    assert {name: (each["scheme"], each["bearerFormat"]) for name, each in schemes.items()} == {
        "AdminKey": ("bearer", "svc_…"),
        "AssistantKey": ("bearer", "svc_dsc_…"),
    }
