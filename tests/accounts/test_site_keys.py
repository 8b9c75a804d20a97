"""The key that the pages of a deployment carry."""

from __future__ import annotations

import pytest

from docstead.accounts.api_keys import ApiKeys
from docstead.base.api_keys import KeyKind, kind_of
from docstead.base.errors import RateLimited, Unauthorized


def who(keys: ApiKeys, key: str):
    return keys.authenticate(key, KeyKind.ASSISTANT, method="POST", client_ip="192.0.2.1")


def test_it_is_the_same_at_every_call_and_on_every_node(backend, clock, keys, tenant) -> None:
    key = keys.site_key(tenant.deployment)
    assert kind_of(key) is KeyKind.ASSISTANT
    assert keys.site_key(tenant.deployment) == key
    other = ApiKeys(backend.database, clock, keys._pepper)
    assert other.site_key(tenant.deployment) == key
    (record,) = keys.list(tenant.organization.id)
    assert keys.site_key_id(tenant.deployment) == record.id


def test_it_works_for_its_deployment_only(keys, tenant) -> None:
    caller = who(keys, keys.site_key(tenant.deployment))
    assert caller.deployment_id == tenant.deployment.id


def test_once_revoked_it_stays_so(keys, tenant) -> None:
    key = keys.site_key(tenant.deployment)
    (record,) = keys.list(tenant.organization.id)
    keys.revoke(tenant.organization.id, record.id)
    assert keys.site_key(tenant.deployment) == ""
    assert keys.site_key_id(tenant.deployment) is None
    with pytest.raises(Unauthorized):
        who(keys, key)


def test_it_can_be_rotated(backend, clock, keys, tenant) -> None:
    key = keys.site_key(tenant.deployment)
    (record,) = keys.list(tenant.organization.id)
    elsewhere = ApiKeys(backend.database, clock, keys._pepper)
    assert keys.rotate_site_key(tenant.deployment) == record.id
    renewed = elsewhere.site_key(tenant.deployment)
    assert renewed == keys.site_key(tenant.deployment) != key
    assert keys.site_key_id(tenant.deployment) not in (None, record.id)
    for each in (key, renewed):
        assert who(keys, each).deployment_id == tenant.deployment.id
    keys.revoke(tenant.organization.id, record.id)
    assert elsewhere.site_key(tenant.deployment) == renewed
    with pytest.raises(Unauthorized):
        who(elsewhere, key)


def test_rotation_gives_a_key_after_a_revocation(keys, tenant) -> None:
    key = keys.site_key(tenant.deployment)
    (record,) = keys.list(tenant.organization.id)
    keys.revoke(tenant.organization.id, record.id)
    assert keys.rotate_site_key(tenant.deployment) is None
    assert keys.site_key(tenant.deployment) not in ("", key)


def test_rotation_leaves_other_deployments_unchanged(keys, tenant, tenancy) -> None:
    project = tenant.deployment.project_id
    other = tenancy.create_deployment(project, "other", "other.acme.example")
    key = keys.site_key(other)
    keys.rotate_site_key(tenant.deployment)
    assert keys.site_key(other) == key


def test_keys_of_sites_do_not_count_against_the_limit_of_new_keys(keys, tenant) -> None:
    keys.site_key(tenant.deployment)
    keys.rotate_site_key(tenant.deployment)
    keys.site_key(tenant.deployment)
    for number in range(10):
        keys.create(tenant.organization.id, KeyKind.ADMIN, f"key {number}")
    with pytest.raises(RateLimited, match="Try again in 1 hour"):
        keys.create(tenant.organization.id, KeyKind.ADMIN, "one too many")
