from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import select

from docstead.accounts.owners import Owner, OwnerRecords
from docstead.base.errors import Conflict, InvalidRequest, NotFound, Unauthorized
from docstead.storage.schema import owners as owners_table
from docstead.storage.schema import sessions, sign_in_links
from manual_clock import ManualClock

PASSWORD = "correct horse battery"


@pytest.fixture
def owners(backend, clock: ManualClock) -> OwnerRecords:
    return OwnerRecords(backend.database, clock, password_cost=2)


@pytest.fixture
def owner(owners: OwnerRecords, tenant) -> Owner:
    return owners.create(tenant.organization.id, "ada")


def _token(link: str) -> str:
    assert link.startswith("/dashboard/sign-in/")
    return link.rpartition("/")[2]


def test_a_link_signs_in_once(owners: OwnerRecords, owner: Owner) -> None:
    token = _token(owners.new_sign_in_link(owner.organization_id, owner.id))
    session = owners.sign_in_by_link(token)
    assert session.owner == owner
    assert owners.owner_of_session(session.token) == owner
    with pytest.raises(Unauthorized):
        owners.sign_in_by_link(token)


def test_a_link_is_used_by_one_of_many(owners: OwnerRecords, owner: Owner) -> None:
    token = _token(owners.new_sign_in_link(owner.organization_id, owner.id))

    def use(_: int) -> bool:
        try:
            owners.sign_in_by_link(token)
        except Unauthorized:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(use, range(16))) == 1


def test_a_link_lives_for_a_day(owners: OwnerRecords, owner: Owner, clock: ManualClock) -> None:
    token = _token(owners.new_sign_in_link(owner.organization_id, owner.id))
    clock.move_to(clock.now() + timedelta(days=1))
    with pytest.raises(Unauthorized):
        owners.sign_in_by_link(token)


@pytest.mark.parametrize("token", ["", "unknown", "\x00", "\ud800", "é" * 1000])
def test_unknown_tokens_are_nobodys(owners: OwnerRecords, owner: Owner, token: str) -> None:
    with pytest.raises(Unauthorized):
        owners.sign_in_by_link(token)
    assert owners.owner_of_session(token) is None
    owners.sign_out(token)


def test_an_organization_without_owners_gets_one(owners: OwnerRecords, tenant, tenancy) -> None:
    organization_id = tenant.organization.id
    first = owners.sign_in_by_link(_token(owners.new_sign_in_link(organization_id)))
    again = owners.sign_in_by_link(_token(owners.new_sign_in_link(organization_id)))
    other = tenancy.create_organization("Other")
    third = owners.sign_in_by_link(_token(owners.new_sign_in_link(other.id)))
    assert first.owner == again.owner == owners.list(organization_id)[0]
    assert (first.owner.name, third.owner.name) == ("owner", "owner-2")


def test_a_password_signs_in(owners: OwnerRecords, owner: Owner) -> None:
    owners.set_password(owner.id, PASSWORD)
    session = owners.sign_in("ada", PASSWORD)
    assert owners.owner_of_session(session.token) == owner
    owners.set_password(owner.id, "another password")
    with pytest.raises(Unauthorized):
        owners.sign_in("ada", PASSWORD)


@pytest.mark.parametrize(
    ("name", "password"),
    [("ada", "wrong password"), ("ada", ""), ("Ada", PASSWORD), ("eve", PASSWORD), ("", "")],
)
def test_a_wrong_name_or_password_is_unauthorized(owners, owner, name, password) -> None:
    owners.set_password(owner.id, PASSWORD)
    with pytest.raises(Unauthorized, match="the name or the password is wrong"):
        owners.sign_in(name, password)


def test_an_owner_without_a_password_cannot_use_one(owners: OwnerRecords, owner: Owner) -> None:
    with pytest.raises(Unauthorized):
        owners.sign_in("ada", "")


@pytest.mark.parametrize("password", ["", "too short", "x" * 1025])
def test_bad_passwords_are_refused(owners: OwnerRecords, owner: Owner, password: str) -> None:
    with pytest.raises(InvalidRequest, match=r"^password:"):
        owners.set_password(owner.id, password)


def test_a_session_ends(owners: OwnerRecords, owner: Owner, clock: ManualClock) -> None:
    owners.set_password(owner.id, PASSWORD)
    signed_out, expired = (owners.sign_in("ada", PASSWORD) for _ in range(2))
    owners.sign_out(signed_out.token)
    assert owners.owner_of_session(signed_out.token) is None
    assert owners.owner_of_session(expired.token) == owner
    clock.move_to(expired.expires_at)
    assert owners.owner_of_session(expired.token) is None


def test_other_sessions_can_be_ended(owners: OwnerRecords, owner: Owner, tenant) -> None:
    owners.create(tenant.organization.id, "bob")
    for person in owners.list(tenant.organization.id):
        owners.set_password(person.id, PASSWORD)
    here, there, bob = (owners.sign_in(name, PASSWORD) for name in ("ada", "ada", "bob"))
    owners.sign_out_elsewhere(here.token)
    assert owners.owner_of_session(here.token) == owner
    assert owners.owner_of_session(there.token) is None
    assert owners.owner_of_session(bob.token) is not None


def test_old_sessions_are_forgotten(owners, owner, clock, backend) -> None:
    owners.set_password(owner.id, PASSWORD)
    clock.move_to(owners.sign_in("ada", PASSWORD).expires_at)
    owners.sign_in("ada", PASSWORD)
    with backend.database.reading() as connection:
        assert len(connection.execute(select(sessions)).all()) == 1


def test_no_secret_is_stored(owners: OwnerRecords, owner: Owner, backend) -> None:
    token = _token(owners.new_sign_in_link(owner.organization_id, owner.id))
    session = owners.sign_in_by_link(token)
    owners.set_password(owner.id, PASSWORD)
    with backend.database.reading() as connection:
        stored = "".join(
            str(connection.execute(select(table)).all())
            for table in (owners_table, sign_in_links, sessions)
        )
    assert "scrypt$" in stored
    for secret in (token, session.token, PASSWORD):
        assert secret not in stored
        assert secret not in repr(session)


def test_passwords_are_costly_by_default_and_their_cost_may_change(
    owners: OwnerRecords, owner: Owner, backend, clock: ManualClock
) -> None:
    OwnerRecords(backend.database, clock).set_password(owner.id, PASSWORD)
    with backend.database.reading() as connection:
        stored = connection.execute(select(owners_table.c.password_hash)).scalar_one()
    assert stored.startswith("scrypt$32768$8$3$")
    assert owners.sign_in("ada", PASSWORD).owner == owner
    with pytest.raises(Unauthorized):
        owners.sign_in("ada", "wrong password")


def test_names_are_unique(owners: OwnerRecords, owner: Owner, tenancy) -> None:
    other = tenancy.create_organization("Other")
    with pytest.raises(Conflict):
        owners.create(other.id, "ada")


def test_unknown_organizations_and_owners_are_not_found(owners, owner, tenancy) -> None:
    other = tenancy.create_organization("Other")
    for use in (
        lambda: owners.create("org_0", "eve"),
        lambda: owners.new_sign_in_link("org_0"),
        lambda: owners.new_sign_in_link(other.id, owner.id),
        lambda: owners.set_password("own_0", PASSWORD),
    ):
        with pytest.raises(NotFound):
            use()
