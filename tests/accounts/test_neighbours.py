"""A change to one tenant's rows leaves those of others, and neighbouring rows, unchanged."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import insert, select

from docstead.accounts.api_keys import ApiKeys
from docstead.accounts.owners import Owner, OwnerRecords, RequiredProof
from docstead.accounts.plans import OrganizationPlan
from docstead.accounts.tenancy import Tenancy
from docstead.base.api_keys import KeyKind
from docstead.base.errors import Conflict, Forbidden, NotFound, Unauthorized
from docstead.publishing.update_records import UpdateRecords
from docstead.storage.schema import (
    api_keys,
    deployments,
    organizations,
    projects,
    sessions,
    sign_in_links,
    update_reports,
)
from docstead.storage.schema import owners as owners_table
from docstead.storage.vault import CredentialVault
from manual_clock import ManualClock
from neighbours import neighbours
from tenancy_changes import set_source

ADMIN, ASSISTANT = KeyKind.ADMIN, KeyKind.ASSISTANT
PASSWORD = "correct horse battery staple"


@pytest.fixture
def owners(backend, clock: ManualClock) -> OwnerRecords:
    return OwnerRecords(backend.database, clock, password_cost=2)


@pytest.fixture
def owner(owners: OwnerRecords, tenant) -> Owner:
    created = owners.create(tenant.organization.id, "ada")
    owners.set_password(created.id, PASSWORD)
    return created


def _token(link: str) -> str:
    return link.rpartition("/")[2]


def _called(keys: ApiKeys, key: str, kind: KeyKind = ADMIN) -> str:
    return keys.authenticate(key, kind, method="GET", client_ip="192.0.2.1").key_id


# --- keys ---------------------------------------------------------------------


def test_one_key_is_revoked(keys: ApiKeys, tenant, backend) -> None:
    created = keys.create(tenant.organization.id, ADMIN, "CI")
    with neighbours(backend.database, [api_keys]) as copies:
        keys.revoke(tenant.organization.id, created.record.id)
    assert [each.id for each in keys.list(tenant.organization.id)] == [
        copies.siblings[created.record.id]
    ]
    with pytest.raises(Unauthorized):
        _called(keys, created.key)


def test_each_key_is_itself(keys: ApiKeys, tenant, backend) -> None:
    first = keys.create(tenant.organization.id, ADMIN, "first")
    second = keys.create(tenant.organization.id, ADMIN, "second")
    with neighbours(backend.database, [api_keys], may_change=[]):
        pass
    assert _called(keys, second.key) == second.record.id
    assert _called(keys, first.key) == first.record.id


def test_the_use_of_one_key_is_recorded(keys: ApiKeys, tenant, backend) -> None:
    created = keys.create(tenant.organization.id, ADMIN, "CI")
    with neighbours(backend.database, [api_keys]):
        _called(keys, created.key)


def test_the_last_use_is_the_one_that_a_node_recorded_first(
    backend, clock: ManualClock, tenant
) -> None:
    pepper = b"p" * 32
    here, there = (ApiKeys(backend.database, clock, pepper) for _ in range(2))
    created = here.create(tenant.organization.id, ADMIN, "CI", allowlist=["192.0.2.0/24"])
    with pytest.raises(Forbidden):  # it is known here now, and was not used
        here.authenticate(created.key, ADMIN, method="GET", client_ip="203.0.113.1")
    clock.move_to(clock.now() + timedelta(seconds=1))
    _called(there, created.key)
    used_at = clock.now()
    clock.move_to(used_at + timedelta(seconds=1))
    _called(here, created.key)
    assert [each.last_used_at for each in here.list(tenant.organization.id)] == [used_at]


def test_the_key_of_a_site_is_made_beside_other_keys(keys: ApiKeys, tenant, backend) -> None:
    revoked = keys.create(tenant.organization.id, ADMIN, "CI")
    keys.revoke(tenant.organization.id, revoked.record.id)
    with neighbours(backend.database, [api_keys]):
        key = keys.site_key(tenant.deployment)
        assert key
        assert _called(keys, key, ASSISTANT)


def test_the_key_of_one_site_is_rotated(keys: ApiKeys, tenancy, tenant, backend) -> None:
    project_id = tenant.deployment.project_id
    second = tenancy.create_deployment(project_id, "second", "second.acme.example")
    site_keys = {each: keys.site_key(each) for each in (tenant.deployment, second)}
    with neighbours(backend.database, [deployments]):
        before = keys.rotate_site_key(second)
    assert before == _called(keys, site_keys[second], ASSISTANT)
    assert keys.site_key(tenant.deployment) == site_keys[tenant.deployment]
    fresh = keys.site_key(second)
    assert fresh != site_keys[second]
    keys.revoke(tenant.organization.id, _called(keys, fresh, ASSISTANT))
    assert keys.rotate_site_key(second) is None
    assert keys.site_key(tenant.deployment) == site_keys[tenant.deployment]


def test_a_key_needs_a_deployment_that_exists(keys: ApiKeys, tenant) -> None:
    with pytest.raises(NotFound):
        keys.create(tenant.organization.id, ASSISTANT, "Site", deployment_id="dep_unknown")


def test_the_keys_of_another_do_not_count(keys: ApiKeys, tenant, backend) -> None:
    for number in range(9):
        keys.create(tenant.organization.id, ADMIN, f"key {number}")
    with neighbours(backend.database):
        keys.create(tenant.organization.id, ADMIN, "the tenth")


def test_keys_that_had_ended_keep_their_end(keys: ApiKeys, tenant, backend, clock) -> None:
    ended, used = (keys.create(tenant.organization.id, ADMIN, name) for name in ("a", "b"))
    keys.revoke(tenant.organization.id, ended.record.id)
    end = clock.now()
    clock.move_to(end + timedelta(hours=1))
    keys.revoke_all()
    query = select(api_keys.c.id, api_keys.c.revoked_at)
    with backend.database.reading() as connection:
        ends = {row.id: row.revoked_at for row in connection.execute(query)}
    assert ends == {ended.record.id: end, used.record.id: clock.now()}


# --- organizations ------------------------------------------------------------


def test_the_plan_of_one_organization_changes(tenancy: Tenancy, tenant, backend) -> None:
    with neighbours(backend.database, [organizations]):
        tenancy.set_plan(tenant.organization.id, OrganizationPlan.PRO)
    assert tenancy.organization(tenant.organization.id).plan is OrganizationPlan.PRO


# --- owners -------------------------------------------------------------------


def test_one_link_is_used(owners: OwnerRecords, owner: Owner, backend) -> None:
    token = _token(owners.new_sign_in_link(owner.organization_id, owner.id))
    with neighbours(backend.database, [owners_table, sign_in_links]):
        assert owners.sign_in_by_link(token).owner == owner


def test_each_link_signs_its_owner_in(owners: OwnerRecords, owner: Owner) -> None:
    second = owners.create(owner.organization_id, "bob")
    tokens = {
        each: _token(owners.new_sign_in_link(owner.organization_id, each.id))
        for each in (owner, second)
    }
    for each in (second, owner):
        assert owners.sign_in_by_link(tokens[each]).owner == each


def test_a_link_needs_an_owner_that_exists(owners: OwnerRecords, owner: Owner) -> None:
    with pytest.raises(NotFound):
        owners.new_sign_in_link(owner.organization_id, "own_unknown")


def test_each_session_is_its_owners(owners: OwnerRecords, owner: Owner, backend) -> None:
    second = owners.create(owner.organization_id, "bob")
    owners.set_password(second.id, PASSWORD)
    tokens = {each: owners.sign_in(each.name, PASSWORD).token for each in (owner, second)}
    with neighbours(backend.database, [owners_table, sessions]):
        for each in (second, owner):
            assert owners.owner_of_session(tokens[each]) == each


def test_sessions_of_others_stay(owners: OwnerRecords, owner: Owner, backend) -> None:
    second = owners.create(owner.organization_id, "bob")
    owners.set_password(second.id, PASSWORD)
    other = owners.sign_in("bob", PASSWORD)
    here, elsewhere = (owners.sign_in("ada", PASSWORD) for _ in range(2))
    with neighbours(backend.database):
        owners.sign_out_elsewhere(here.token)
    assert owners.owner_of_session(other.token) == second
    assert owners.owner_of_session(here.token) == owner
    assert owners.owner_of_session(elsewhere.token) is None
    with neighbours(backend.database, [owners_table]):
        owners.sign_out(here.token)
    assert owners.owner_of_session(other.token) == second
    assert owners.owner_of_session(here.token) is None


def test_one_password_is_changed(owners: OwnerRecords, owner: Owner, backend) -> None:
    links = [owners.new_sign_in_link(owner.organization_id, owner.id) for _ in range(2)]
    owners.sign_in_by_link(_token(links[0]))
    with neighbours(backend.database, [owners_table]):
        owners.set_password(owner.id, f"another {PASSWORD}")
    with pytest.raises(Unauthorized):
        owners.sign_in_by_link(_token(links[1]))
    assert owners.sign_in(owner.name, f"another {PASSWORD}").owner == owner


def test_a_browser_is_known_for_one_owner_and_a_while(
    owners: OwnerRecords, owner: Owner, backend, clock: ManualClock
) -> None:
    second = owners.create(owner.organization_id, "bob")
    devices = {each: owners.new_device(each.id) for each in (owner, second)}
    with neighbours(backend.database):
        for name in ("ada", "bob"):
            known = [
                each.name for each, token in devices.items() if owners.knows_device(name, token)
            ]
            assert known == [name]
        assert not owners.knows_device("ada", "unknown")
        fresh = owners.new_device(owner.id)
    assert owners.knows_device("bob", devices[second])
    with neighbours(backend.database, [owners_table]):
        owners.set_password(owner.id, f"another {PASSWORD}")
    assert owners.knows_device("bob", devices[second])
    assert not owners.knows_device("ada", fresh)
    clock.move_to(clock.now() + timedelta(days=180))
    assert not owners.knows_device("bob", devices[second])


def test_each_session_needs_the_proof_of_its_owner(
    owners: OwnerRecords, owner: Owner, backend, clock: ManualClock
) -> None:
    second = owners.create(owner.organization_id, "bob")
    linked = owners.sign_in_by_link(
        _token(owners.new_sign_in_link(second.organization_id, second.id))
    )
    signed_in = owners.sign_in("ada", PASSWORD)
    with neighbours(backend.database, [owners_table, sessions]):
        assert owners.proof_needed(linked.token) is RequiredProof.NONE
        assert owners.proof_needed(signed_in.token) is RequiredProof.PASSWORD
        owners.confirm(signed_in.token, PASSWORD)
        assert owners.proof_needed("unknown") is RequiredProof.LINK
    owners.set_password(owner.id, f"another {PASSWORD}")
    assert owners.proof_needed(linked.token) is RequiredProof.NONE  # that of another
    clock.move_to(clock.now() + timedelta(hours=1))
    assert owners.proof_needed(linked.token) is RequiredProof.LINK  # bob has no password
    clock.move_to(signed_in.expires_at)
    assert owners.proof_needed(signed_in.token) is RequiredProof.LINK


# --- projects and deployments -------------------------------------------------


def test_each_deployment_is_found_by_its_own_names(tenancy: Tenancy, tenant, backend) -> None:
    project_id = tenant.deployment.project_id
    second = tenancy.create_deployment(project_id, "second", "second.acme.example")
    with neighbours(backend.database, [deployments]):
        for each in (second, tenant.deployment):
            assert tenancy.deployment(each.id) == each
            assert tenancy.deployment_of_domain(each.domain) == each
            assert tenancy.deployment_of_hostname(each.hostname) == each


@pytest.mark.parametrize("names", [("acme", "new.example.com"), ("new", "docs.acme.example")])
def test_taken_names_are_refused_before_anything_is_stored(
    tenancy: Tenancy, tenant, names: tuple[str, str]
) -> None:
    with pytest.raises(Conflict):
        tenancy.new_deployment(tenant.deployment.project_id, *names)
    assert tenancy.new_deployment(tenant.deployment.project_id, "new", "new.example.com")


def test_deployments_of_other_projects_are_not_listed(tenancy: Tenancy, tenant, backend) -> None:
    with neighbours(backend.database, [projects]):
        listed = tenancy.deployments_of_project(tenant.deployment.project_id)
    assert listed == [tenant.deployment]
    with neighbours(backend.database, [organizations]) as copies:
        assert tenancy.deployments(tenant.organization.id) == [tenant.deployment]
    assert tenancy.projects(copies.siblings[tenant.organization.id]) == []


def _sources(backend, clock: ManualClock, vault: CredentialVault | None) -> Tenancy:
    return Tenancy(backend.database, clock, vault)


def test_each_source_is_encrypted_and_forgotten_by_itself(backend, clock: ManualClock) -> None:
    plain, vault = _sources(backend, clock, None), CredentialVault(b"k" * 32)
    organization = plain.create_organization("Acme")
    first, second = "https://u:one@git.example/1.git", "https://u:two@git.example/2.git"
    names = (first, second, first, "/folder")
    ids = [plain.create_project(organization.id, "Docs", name).id for name in names]
    sealing = _sources(backend, clock, vault)
    sealing.seal_sources()
    assert [sealing.project(each).source for each in ids] == list(names)
    stored = [plain.project(each).source for each in ids]
    assert not any("one" in each or "two" in each for each in stored)
    plain.forget_credentials()
    bare = [f"https://git.example/{each}.git" for each in (1, 2, 1)] + ["/folder"]
    assert [plain.project(each).source for each in ids] == bare


def test_the_source_of_a_new_project_is_encrypted(backend, clock: ManualClock) -> None:
    sealing = _sources(backend, clock, CredentialVault(b"k" * 32))
    organization = sealing.create_organization("Acme")
    made = sealing.create_project(organization.id, "Docs", "https://u:one@git.example/1.git")
    assert sealing.project(made.id) == made
    assert "one" not in _sources(backend, clock, None).project(made.id).source


def test_a_source_that_is_set_meanwhile_stays(backend, clock: ManualClock) -> None:
    plain = _sources(backend, clock, None)
    organization = plain.create_organization("Acme")
    project = plain.create_project(organization.id, "Docs", "https://u:one@git.example/1.git")

    class ConcurrentAccounts(CredentialVault):
        def seal_url(self, source: str, row_id: str) -> str:
            set_source(plain, project.id, "https://git.example/new.git")
            return super().seal_url(source, row_id)

    _sources(backend, clock, ConcurrentAccounts(b"k" * 32)).seal_sources()
    assert plain.project(project.id).source == "https://git.example/new.git"


def test_one_unpublished_project_is_discarded(
    tenancy: Tenancy, tenant, backend, clock: ManualClock
) -> None:
    project_id = tenant.deployment.project_id
    created = UpdateRecords(backend.database, clock).create(project_id, "api")
    report = {"update_id": created.id, "pages_done": 1, "pages_total": 2}
    with backend.database.transaction() as connection:
        connection.execute(insert(update_reports).values(report))
    with neighbours(backend.database, [projects]):
        tenancy.discard_unpublished(project_id)
    with backend.database.reading() as connection:
        ids = set(connection.execute(select(projects.c.id)).scalars())
    assert project_id not in ids


def test_one_deployment_is_exported_after_each_publish(tenancy: Tenancy, tenant, backend) -> None:
    with neighbours(backend.database, [projects]):
        tenancy.set_auto_export(tenant.deployment.id, is_on=True)
    assert tenancy.deployment(tenant.deployment.id).auto_export
