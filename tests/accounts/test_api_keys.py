from __future__ import annotations

import secrets
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from docstead.accounts.api_keys import ApiKeys, KeyScope
from docstead.base.api_keys import KeyKind, new_key
from docstead.base.errors import (
    Conflict,
    DocsteadError,
    Forbidden,
    InvalidRequest,
    NotFound,
    RateLimited,
    Unauthorized,
)
from docstead.storage.schema import api_keys
from manual_clock import ManualClock

ADMIN, ASSISTANT = KeyKind.ADMIN, KeyKind.ASSISTANT


def _authenticate(
    keys: ApiKeys, key: str | None, kind=ADMIN, method="GET", client_ip="192.0.2.1", **more
):
    return keys.authenticate(key, kind, method=method, client_ip=client_ip, **more)


# --- creation ---------------------------------------------------------------


def test_an_admin_key_works_for_its_organization(keys: ApiKeys, tenant) -> None:
    created = keys.create(tenant.organization.id, ADMIN, "CI")
    caller = _authenticate(keys, created.key, method="POST")
    assert created.key.startswith("svc_")
    assert (caller.key_id, caller.kind) == (created.record.id, ADMIN)
    assert (caller.organization_id, caller.deployment_id) == (tenant.organization.id, None)


def test_an_assistant_key_works_for_its_deployment(keys: ApiKeys, tenant) -> None:
    created = keys.create(
        tenant.organization.id, ASSISTANT, "Site", deployment_id=tenant.deployment.id
    )
    caller = _authenticate(keys, created.key, ASSISTANT, "POST")
    assert created.key.startswith("svc_dsc_")
    assert caller.deployment_id == tenant.deployment.id


def test_ten_keys_may_be_made_within_an_hour(keys: ApiKeys, tenant, tenancy, clock) -> None:
    for number in range(10):
        keys.create(tenant.organization.id, ADMIN, f"key {number}")
        clock.move_to(clock.now() + timedelta(minutes=1))
    with pytest.raises(RateLimited) as refused:
        keys.create(tenant.organization.id, ADMIN, "one too many")
    assert refused.value.headers == {
        "Retry-After": "3000",
        "RateLimit": '"key-creation";r=0;t=3000',
        "RateLimit-Policy": '"key-creation";q=10;w=3600',
    }
    keys.create(tenancy.create_organization("Other").id, ADMIN, "another organization")
    clock.move_to(clock.now() + timedelta(seconds=3000))
    keys.create(tenant.organization.id, ADMIN, "after the first is an hour old")


def test_a_revoked_key_still_counts_as_made(keys: ApiKeys, tenant) -> None:
    for number in range(10):
        created = keys.create(tenant.organization.id, ADMIN, f"key {number}")
        keys.revoke(tenant.organization.id, created.record.id)
    with pytest.raises(RateLimited):
        keys.create(tenant.organization.id, ADMIN, "one too many")


def test_the_creation_limit_is_exact_among_threads(keys: ApiKeys, tenant) -> None:
    def create(number: int) -> bool:
        try:
            keys.create(tenant.organization.id, ADMIN, f"key {number}")
        except RateLimited:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(create, range(24))) == 10


def test_a_refused_creation_does_not_count(keys: ApiKeys, tenant) -> None:
    for _ in range(12):
        with pytest.raises(InvalidRequest):
            keys.create(tenant.organization.id, ADMIN, "bad", scopes=["delete"])
    keys.create(tenant.organization.id, ADMIN, "good")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"expires_at": timedelta()}, "expiresAt"),
        ({"expires_at": timedelta(seconds=-1)}, "expiresAt"),
        ({"scopes": ["admin"]}, "scopes"),
        ({"scopes": ["read", "Write"]}, "scopes"),
        ({"scopes": []}, "scopes"),
        ({"allowlist": ["0.0.0.0/0"]}, "allowlist"),
        ({"allowlist": ["::/0"]}, "allowlist"),
        ({"allowlist": ["here"]}, "allowlist"),
        ({"origins": ["https://a.example"]}, "origins"),
        ({"kind": ASSISTANT, "deployment_id": "own", "origins": []}, "origins"),
        ({"kind": ASSISTANT, "deployment_id": "own", "origins": ["a.example"]}, "origins"),
        ({"kind": ASSISTANT, "deployment_id": "own", "origins": ["https://a.b/c"]}, "origins"),
        ({"name": " "}, "name"),
        ({"kind": ASSISTANT}, "deployment"),
        ({"deployment_id": "own"}, "deployment"),
        ({"kind": ASSISTANT, "deployment_id": "own", "scopes": ["read"]}, "scopes"),
    ],
)
def test_a_bad_part_is_refused_by_name(keys, tenant, clock, arguments, field: str) -> None:
    given = {"kind": ADMIN, "name": "key", **arguments}
    if "expires_at" in given:
        given["expires_at"] = clock.now() + given["expires_at"]
    if given.get("deployment_id") == "own":
        given["deployment_id"] = tenant.deployment.id
    with pytest.raises(InvalidRequest, match=rf"^{field}:"):
        keys.create(tenant.organization.id, **given)


def test_a_naive_expiry_is_refused(keys: ApiKeys, tenant) -> None:
    with pytest.raises(InvalidRequest, match=r"^expiresAt:"):
        keys.create(
            tenant.organization.id,
            ADMIN,
            "key",
            expires_at=datetime(2030, 1, 1),  # noqa: DTZ001
        )


def test_a_key_needs_a_deployment_of_its_own_organization(keys, tenant, tenancy) -> None:
    other = tenancy.create_organization("Other")
    with pytest.raises(NotFound):
        keys.create(other.id, ASSISTANT, "Site", deployment_id=tenant.deployment.id)
    with pytest.raises(NotFound):
        keys.create("org_0", ADMIN, "CI")


def test_neither_the_key_nor_its_plain_hash_is_stored(keys, tenant, backend) -> None:
    created = keys.create(tenant.organization.id, ADMIN, "CI")
    with backend.database.reading() as connection:
        row = connection.execute(select(api_keys)).mappings().one()
    random_part = created.key.removeprefix("svc_")
    assert all(random_part not in str(value) for value in row.values())
    assert random_part not in repr(created)
    assert len(row["digest"]) == 64
    stranger = ApiKeys(backend.database, ManualClock(created.record.created_at), b"another pepper")
    with pytest.raises(Unauthorized):
        _authenticate(stranger, created.key)


# --- use --------------------------------------------------------------------


def _broken(key: str) -> str:
    return key[:-1] + ("0" if key[-1] != "0" else "1")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda key: None,
        lambda key: "",
        lambda key: "nonsense",
        lambda key: key[:-1],
        lambda key: key + "0",
        lambda key: key.swapcase(),
        lambda key: f" {key}",
        _broken,
        lambda key: key[:20] + "é" + key[21:],
        lambda key: new_key(ADMIN),
        lambda key: new_key(ASSISTANT),
    ],
)
def test_a_missing_malformed_or_unknown_key_is_unauthorized(keys, tenant, spoil) -> None:
    created = keys.create(tenant.organization.id, ADMIN, "CI")
    with pytest.raises(Unauthorized):
        _authenticate(keys, spoil(created.key))


def test_a_key_of_the_other_kind_is_unauthorized(keys: ApiKeys, tenant) -> None:
    admin = keys.create(tenant.organization.id, ADMIN, "CI")
    assistant = keys.create(
        tenant.organization.id, ASSISTANT, "Site", deployment_id=tenant.deployment.id
    )
    with pytest.raises(Unauthorized):
        _authenticate(keys, admin.key, ASSISTANT)
    with pytest.raises(Unauthorized):
        _authenticate(keys, assistant.key, ADMIN)


def test_a_key_is_good_until_it_expires(keys: ApiKeys, tenant, clock: ManualClock) -> None:
    expiry = clock.now() + timedelta(days=7)
    created = keys.create(tenant.organization.id, ADMIN, "CI", expires_at=expiry)
    clock.move_to(expiry - timedelta(milliseconds=1))
    _authenticate(keys, created.key)
    clock.move_to(expiry)
    with pytest.raises(Unauthorized):
        _authenticate(keys, created.key)
    assert keys.list(tenant.organization.id)[0].is_expired(clock.now())


def test_a_revoked_key_ends_at_once(keys: ApiKeys, tenant) -> None:
    created = keys.create(tenant.organization.id, ADMIN, "CI")
    _authenticate(keys, created.key)
    keys.revoke(tenant.organization.id, created.record.id)
    with pytest.raises(Unauthorized):
        _authenticate(keys, created.key)
    assert keys.list(tenant.organization.id) == []


def test_another_process_learns_of_a_revocation_at_once(backend, clock, tenant) -> None:
    pepper = secrets.token_bytes(32)
    here, there = (ApiKeys(backend.database, clock, pepper) for _ in range(2))
    created = here.create(tenant.organization.id, ADMIN, "CI")
    _authenticate(there, created.key)
    here.revoke(tenant.organization.id, created.record.id)
    with pytest.raises(Unauthorized):
        _authenticate(there, created.key)


@pytest.mark.parametrize(
    ("scopes", "method", "allowed"),
    [
        (None, "GET", True),
        (None, "DELETE", True),
        (["read"], "GET", True),
        (["read"], "HEAD", True),
        (["read"], "POST", False),
        (["read"], "PUT", False),
        (["read"], "PATCH", False),
        (["read"], "DELETE", False),
        (["read"], "OPTIONS", False),
        (["write"], "POST", True),
        (["write"], "GET", True),
        (["read", "write"], "POST", True),
    ],
)
def test_scopes_follow_the_method(keys, tenant, scopes, method: str, allowed: bool) -> None:
    created = keys.create(tenant.organization.id, ADMIN, "CI", scopes=scopes)
    if allowed:
        _authenticate(keys, created.key, method=method)
    else:
        with pytest.raises(Forbidden):
            _authenticate(keys, created.key, method=method)


@pytest.mark.parametrize("client_ip", ["203.0.113.9", None, ""])
@pytest.mark.parametrize("kind", [ADMIN, ASSISTANT])
def test_a_strange_ip_address_is_forbidden(keys, tenant, kind: KeyKind, client_ip) -> None:
    deployment_id = tenant.deployment.id if kind is ASSISTANT else None
    created = keys.create(
        tenant.organization.id,
        kind,
        "CI",
        deployment_id=deployment_id,
        allowlist=["192.0.2.0/24", "2001:db8::/32"],
    )
    _authenticate(keys, created.key, kind, client_ip="192.0.2.77")
    _authenticate(keys, created.key, kind, client_ip="2001:db8::77")
    with pytest.raises(Forbidden):
        _authenticate(keys, created.key, kind, client_ip=client_ip)


def test_a_strange_page_is_forbidden(keys, tenant) -> None:
    created = keys.create(
        tenant.organization.id,
        ASSISTANT,
        "Shop",
        deployment_id=tenant.deployment.id,
        origins=["https://Shop.example:443/", "http://localhost:3000"],
    )
    assert created.record.origins == ("https://shop.example", "http://localhost:3000")
    for origin in created.record.origins:
        _authenticate(keys, created.key, ASSISTANT, origin=origin)
    for origin in ("https://shop.example.test", "http://shop.example", "null", "", None):
        with pytest.raises(Forbidden):
            _authenticate(keys, created.key, ASSISTANT, origin=origin)


def test_an_expired_key_is_unauthorized_even_from_a_strange_ip_address(keys, tenant, clock) -> None:
    expiry = clock.now() + timedelta(hours=1)
    created = keys.create(
        tenant.organization.id, ADMIN, "CI", expires_at=expiry, allowlist=["192.0.2.1"]
    )
    clock.move_to(expiry)
    with pytest.raises(Unauthorized):
        _authenticate(keys, created.key, client_ip="203.0.113.9")


# --- lists and upkeep -------------------------------------------------------


def test_a_list_shows_all_but_the_key(keys: ApiKeys, tenant, clock: ManualClock) -> None:
    expiry = clock.now() + timedelta(days=30)
    created = keys.create(
        tenant.organization.id,
        ADMIN,
        "CI",
        scopes=["write", "read"],
        allowlist=["192.0.2.1"],
        expires_at=expiry,
    )
    (listed,) = keys.list(tenant.organization.id)
    assert listed == created.record
    assert listed.hint == f"svc_…{created.key[-4:]}"
    assert listed.scopes == (KeyScope.READ, KeyScope.WRITE)
    assert listed.allowlist == ("192.0.2.1/32",)
    assert listed.expires_at == expiry


def test_lists_and_revocation_keep_organizations_apart(keys, tenant, tenancy) -> None:
    created = keys.create(tenant.organization.id, ADMIN, "CI")
    other = tenancy.create_organization("Other")
    assert keys.list(other.id) == []
    with pytest.raises(NotFound):
        keys.revoke(other.id, created.record.id)
    _authenticate(keys, created.key)
    keys.revoke(tenant.organization.id, created.record.id)
    with pytest.raises(NotFound):
        keys.revoke(other.id, created.record.id)


def test_a_key_is_revoked_once(keys: ApiKeys, tenant) -> None:
    created = keys.create(tenant.organization.id, ADMIN, "CI")
    keys.revoke(tenant.organization.id, created.record.id)
    with pytest.raises(Conflict, match="already revoked"):
        keys.revoke(tenant.organization.id, created.record.id)


def test_last_use_is_written_once_a_minute(keys, tenant, clock, backend) -> None:
    created = keys.create(tenant.organization.id, ADMIN, "CI")
    start = clock.now()
    for second in range(0, 61, 2):
        clock.move_to(start + timedelta(seconds=second))
        _authenticate(keys, created.key)
        expected = start if second < 60 else start + timedelta(minutes=1)
        assert keys.list(tenant.organization.id)[0].last_used_at == expected


def test_a_refused_use_is_not_a_use(keys: ApiKeys, tenant) -> None:
    created = keys.create(tenant.organization.id, ADMIN, "CI", scopes=["read"])
    with pytest.raises(Forbidden):
        _authenticate(keys, created.key, method="POST")
    assert keys.list(tenant.organization.id)[0].last_used_at is None


def test_every_refusal_is_of_our_own_kind(keys: ApiKeys) -> None:
    for text in ("\x00", "svc_\x00", "svc_" + "a" * 10_000, "\ud800"):
        with pytest.raises(DocsteadError):
            _authenticate(keys, text)
