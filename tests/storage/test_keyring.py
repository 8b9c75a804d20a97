"""Keys that open, sign and stay."""

from __future__ import annotations

import hashlib
import hmac
from base64 import b64decode
from collections.abc import Sequence
from datetime import timedelta

import pytest
from sqlalchemy import RowMapping, select

from docstead.base.errors import InvalidRequest
from docstead.storage.keyring import KeyPurpose, Keyring, secret_id
from docstead.storage.schema import keyring
from manual_clock import ManualClock

OLD, NEW = "o" * 32, "n" * 32


class Secrets:
    """Root secrets, newest first, that a test changes."""

    location = "the test"

    def __init__(self, *secrets: str) -> None:
        self.secrets: Sequence[str] = secrets

    def read(self) -> Sequence[str]:
        return self.secrets

    def create(self) -> str:
        raise AssertionError("there is one")


@pytest.fixture
def secrets() -> Secrets:
    return Secrets(OLD)


@pytest.fixture
def ring(sqlite_backend, clock: ManualClock, secrets: Secrets) -> Keyring:
    made = Keyring(sqlite_backend.database, clock, secrets)
    made.open()
    return made


def _rotated(ring: Keyring, secrets: Secrets, clock: ManualClock) -> None:
    clock.move_to(clock.now() + timedelta(hours=1))
    secrets.secrets = (NEW, OLD)
    ring.open()


def test_links_are_signed_with_link_keys_only(ring: Keyring, secrets, clock) -> None:
    (first,) = ring.link_keys().values()
    _rotated(ring, secrets, clock)
    newest, older = ring.link_keys().values()
    assert older == first != newest
    assert ring.pepper not in {newest, older}


def test_the_newest_keys_stay_when_the_others_retire(
    ring: Keyring, secrets: Secrets, clock: ManualClock, sqlite_backend
) -> None:
    pepper, sealed = ring.pepper, ring.vault.seal("words", "row")
    _rotated(ring, secrets, clock)
    newest = next(iter(ring.link_keys().values()))
    secrets.secrets = (NEW,)
    ring.retire()
    assert list(ring.link_keys().values()) == [newest]
    again = Keyring(sqlite_backend.database, clock, secrets)
    again.open()
    assert again.pepper == pepper
    assert again.vault.open(sealed, "row") == "words"
    assert list(again.link_keys().values()) == [newest]


def test_keys_of_different_purposes_are_independent(ring: Keyring) -> None:
    keys = [ring.pepper, ring.commands_key, ring.hooks_key, *ring.link_keys().values()]
    assert [len(key) for key in keys] == [32] * 4
    assert len(set(keys)) == 4
    assert ring.commands_key == hmac.digest(ring.pepper, b"local commands", hashlib.sha256)
    assert ring.hooks_key == hmac.digest(ring.pepper, b"forge hooks", hashlib.sha256)


def test_a_link_key_of_another_node_is_read(
    ring: Keyring, secrets: Secrets, clock: ManualClock, sqlite_backend
) -> None:
    clock.move_to(clock.now() + timedelta(hours=1))
    others = Secrets(NEW, OLD)
    Keyring(sqlite_backend.database, clock, others).open()
    secrets.secrets = others.secrets
    assert len(ring.link_keys()) == 2


def test_opening_again_writes_nothing(ring: Keyring, sqlite_backend) -> None:
    before = _stored(sqlite_backend)
    ring.open()
    assert _stored(sqlite_backend) == before


def test_reset_replaces_every_key(ring: Keyring, sqlite_backend) -> None:
    before, pepper = _stored(sqlite_backend), ring.pepper
    ring.reset()
    after = _stored(sqlite_backend)
    assert [row["purpose"] for row in after] == [row["purpose"] for row in before]
    assert not {row["id"] for row in before} & {row["id"] for row in after}
    assert ring.pepper != pepper


def test_reset_refuses_a_short_secret(ring: Keyring, secrets: Secrets, sqlite_backend) -> None:
    before = _stored(sqlite_backend)
    secrets.secrets = (NEW, "short")
    with pytest.raises(InvalidRequest, match="at least 32 characters, and one has 5"):
        ring.reset()
    assert _stored(sqlite_backend) == before


def test_ids_of_secrets_stay_the_same_between_versions(ring: Keyring, sqlite_backend) -> None:
    expected = hmac.digest(OLD.encode(), b"id", hashlib.sha256).hex()[:16]
    assert secret_id(OLD) == expected
    assert {row["secret_id"] for row in _stored(sqlite_backend)} == {expected}


def test_keys_are_sealed_with_a_fresh_nonce(ring: Keyring, sqlite_backend) -> None:
    sealed = [b64decode(row["wrapped"]) for row in _stored(sqlite_backend)]
    assert {len(each) for each in sealed} == {12 + 32 + 16}
    assert len({each[:12] for each in sealed}) == len(sealed)
    assert repr(ring.pepper) not in repr(ring._newest(KeyPurpose.API_KEYS))


def _stored(backend) -> list[RowMapping]:
    with backend.database.reading() as connection:
        rows = connection.execute(select(keyring).order_by(keyring.c.purpose)).mappings()
        return list(rows)
