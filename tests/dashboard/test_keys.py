"""The page of API keys."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from docstead.base.api_keys import KeyKind, kind_of

KEYS = "/dashboard/keys/acme"
GOOD = {"kind": "admin", "name": "nightly export", "expires": "90"}


@pytest.fixture
def keys(harness: Any) -> Any:
    return harness.services.api_keys


def shown_key(page: str) -> str:
    return re.search(r'id="new-key"[^>]*value="(svc_\w+)"', page)[1]


def test_it_shows_what_the_interface_asks_for(owner: Any, acme: Any) -> None:
    page = owner.get(KEYS).text
    assert f'value="{acme.project_id}"' in page
    assert 'value="acme"' in page
    assert "No keys yet" in page


def test_a_new_key_is_shown_once(owner: Any, acme: Any, keys: Any, clock: Any) -> None:
    owner.get(KEYS)
    key = shown_key(owner.post(KEYS, **GOOD).text)
    assert kind_of(key) is KeyKind.ADMIN
    caller = keys.authenticate(key, KeyKind.ADMIN, method="POST", client_ip="192.0.2.9")
    assert caller.organization_id == acme.organization_id
    page = owner.get(KEYS).text
    assert key not in page
    assert "nightly export" in page
    assert keys.list(acme.organization_id)[0].expires_at == clock.now() + timedelta(days=90)


def test_an_assistant_key_belongs_to_the_deployment(owner: Any, acme: Any, keys: Any) -> None:
    owner.get(KEYS)
    answer = owner.post(KEYS, kind="assistant", name="chat", expires="never", scopes="read")
    key = shown_key(answer.text)
    caller = keys.authenticate(key, KeyKind.ASSISTANT, method="POST", client_ip="192.0.2.9")
    assert caller.deployment_id == acme.id
    assert keys.list(acme.organization_id)[0].expires_at is None


def test_scopes_and_ip_addresses_of_an_admin_key(owner: Any, acme: Any, keys: Any) -> None:
    owner.get(KEYS)
    owner.post(KEYS, **GOOD, scopes="read", allowlist="203.0.113.7,\n 10.0.0.0/8")
    record = keys.list(acme.organization_id)[0]
    assert record.scopes == ("read",)
    assert record.allowlist == ("203.0.113.7/32", "10.0.0.0/8")
    page = owner.get(KEYS).text
    assert "Read only" in page
    assert "and 1 more" in page


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": " "}, "Must not be empty"),
        ({"name": "x" * 201}, "Must have at most 200"),
        ({"kind": "root"}, "Must be admin or assistant"),
        ({"expires": "1000"}, "Choose one of the listed periods"),
        ({"scopes": "everything"}, "Only read and write"),
        ({"allowlist": "0.0.0.0/0"}, "Must not allow every IP address"),
        ({"allowlist": "somewhere"}, "Not an IP address or network"),
    ],
)
def test_a_wrong_form_says_what_is_wrong_and_keeps_the_rest(
    owner: Any, acme: Any, keys: Any, change: dict[str, str], words: str
) -> None:
    owner.get(KEYS)
    answer = owner.post(KEYS, **{**GOOD, "allowlist": "10.0.0.1", **change})
    assert answer.status_code == 400
    assert words in answer.text
    assert "new-key" not in answer.text
    if "allowlist" not in change:
        assert ">10.0.0.1</textarea>" in answer.text
    assert keys.list(acme.organization_id) == []


def test_ten_keys_an_hour(owner: Any, acme: Any, keys: Any) -> None:
    owner.get(KEYS)
    for number in range(10):
        assert owner.post(KEYS, **{**GOOD, "name": f"key {number}"}).status_code == 200
    answer = owner.post(KEYS, **GOOD)
    assert answer.status_code == 429
    assert "at most 10 keys" in answer.text.lower()
    assert int(answer.headers["retry-after"]) > 0
    assert len(keys.list(acme.organization_id)) == 10


@pytest.mark.parametrize(
    ("left", "badge"),
    [
        (timedelta(days=6), "expires in 6 days"),
        (timedelta(days=7), "expires in 7 days"),
        (timedelta(hours=1), "expires in 1 hour"),
    ],
)
def test_a_key_that_ends_soon_says_so(
    owner: Any, acme: Any, harness: Any, left: timedelta, badge: str
) -> None:
    end = harness.clock.now() + left
    harness.services.api_keys.create(acme.organization_id, KeyKind.ADMIN, "soon", expires_at=end)
    assert badge in owner.get(KEYS).text


def test_badges_of_other_keys(owner: Any, acme: Any, keys: Any, clock: Any) -> None:
    for name, days in (("later", 8), ("over", 1)):
        end = clock.now() + timedelta(days=days)
        keys.create(acme.organization_id, KeyKind.ADMIN, name, expires_at=end)
    keys.create(acme.organization_id, KeyKind.ADMIN, "ever")
    clock.move_to(clock.now() + timedelta(days=1))
    rows = dict(re.findall(r"<strong>(\w+)</strong>(.*?)</tr>", owner.get(KEYS).text, re.DOTALL))
    assert "expired" in rows["over"]
    assert "expires in 7 days" in rows["later"]
    assert "Never" in rows["ever"]


def test_revoking_asks_first_and_works_at_once(owner: Any, acme: Any, keys: Any) -> None:
    created = keys.create(acme.organization_id, KeyKind.ADMIN, "old one")
    url = f"{KEYS}/{created.record.id}/revoke"
    assert url in owner.get(KEYS).text
    assert "Revoke “old one”?" in owner.get(url).text
    assert keys.list(acme.organization_id)
    assert owner.post(url).headers["location"] == KEYS
    assert keys.list(acme.organization_id) == []
    assert "old one" not in owner.get(KEYS).text
    again = owner.post(url)
    assert (again.status_code, "key is already revoked" in again.text) == (409, True)


def test_the_key_of_the_pages_is_named_and_rotated(owner: Any, acme: Any, keys: Any) -> None:
    keys.site_key(acme)
    (before,) = keys.list(acme.organization_id)
    assert owner.get(KEYS).text.count("used by the pages") == 1
    url = f"{KEYS}/{before.id}/revoke"
    assert "their assistant panel disappears" in owner.get(url).text
    assert owner.post(f"{KEYS}/rotate-site").headers["location"] == KEYS
    assert len(keys.list(acme.organization_id)) == 2
    assert owner.get(KEYS).text.count("used by the pages") == 1
    assert "their assistant panel disappears" not in owner.get(url).text


def test_assistant_keys_of_other_deployments_are_not_listed(
    harness: Any, owner: Any, acme: Any, keys: Any
) -> None:
    project = harness.tenancy.create_project(acme.organization_id, "second", "/nowhere")
    second = harness.tenancy.create_deployment(project.id, "second", "docs.second.test")
    record = keys.create(
        acme.organization_id, KeyKind.ASSISTANT, "elsewhere", deployment_id=second.id
    ).record
    assert "elsewhere" not in owner.get(KEYS).text
    assert owner.get(f"{KEYS}/{record.id}/revoke").status_code == 404
    assert "elsewhere" in owner.get("/dashboard/keys/second").text
