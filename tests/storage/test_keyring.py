"""Keys that open, sign and stay."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from docstead.base.clock import ManualClock
from docstead.storage.keyring import Keyring

OLD, NEW = "o" * 32, "n" * 32


class Secrets:
    """Root secrets, newest first, that a test changes."""

    place = "the test"

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
