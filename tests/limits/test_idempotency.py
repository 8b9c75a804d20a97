from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import select

from docstead.base.errors import InvalidRequest, NotFound
from docstead.limits.idempotency import IdempotencyKeys, IdempotentRequest, fingerprint
from docstead.storage.schema import idempotency_keys
from manual_clock import ManualClock


@pytest.fixture
def keys(backend, clock: ManualClock) -> IdempotencyKeys:
    return IdempotencyKeys(backend.database, clock)


def test_a_repeated_request_gets_the_first_id(keys: IdempotencyKeys) -> None:
    assert keys.claim(IdempotentRequest("org_1", "key", "f"), "se_1") == "se_1"
    assert keys.claim(IdempotentRequest("org_1", "key", "f"), "se_2") == "se_1"
    assert keys.claim(IdempotentRequest("org_1", "k", "f"), "se_3") == "se_3"


def test_the_id_under_a_key_is_known_without_a_claim(
    keys: IdempotencyKeys, clock: ManualClock
) -> None:
    with pytest.raises(NotFound):
        keys.claimed(IdempotentRequest("org_1", "key", "f"))
    keys.claim(IdempotentRequest("org_1", "key", "f"), "se_1")
    assert keys.claimed(IdempotentRequest("org_1", "key", "f")) == "se_1"
    with pytest.raises(InvalidRequest, match="different request"):
        keys.claimed(IdempotentRequest("org_1", "key", "g"))
    with pytest.raises(NotFound):
        keys.claimed(IdempotentRequest("org_1", "key", "f", scope="prj_1"))
    clock.move_to(clock.now() + timedelta(hours=24))
    with pytest.raises(NotFound):
        keys.claimed(IdempotentRequest("org_1", "key", "f"))


def test_organizations_have_keys_of_their_own(keys: IdempotencyKeys) -> None:
    assert keys.claim(IdempotentRequest("org_1", "key", "f"), "se_1") == "se_1"
    assert keys.claim(IdempotentRequest("org_2", "key", "f"), "se_2") == "se_2"


def test_a_key_is_for_one_request(keys: IdempotencyKeys) -> None:
    keys.claim(IdempotentRequest("org_1", "key", "f"), "se_1")
    with pytest.raises(InvalidRequest, match="different request"):
        keys.claim(IdempotentRequest("org_1", "key", "g"), "se_2")


def test_a_key_is_remembered_for_a_day(keys: IdempotencyKeys, clock: ManualClock) -> None:
    start = clock.now()
    keys.claim(IdempotentRequest("org_1", "key", "f"), "se_1")
    clock.move_to(start + timedelta(hours=24) - timedelta(milliseconds=1))
    assert keys.claim(IdempotentRequest("org_1", "key", "f"), "se_2") == "se_1"
    clock.move_to(start + timedelta(hours=24))
    assert keys.claim(IdempotentRequest("org_1", "key", "g"), "se_3") == "se_3"
    assert keys.claim(IdempotentRequest("org_1", "key", "g"), "se_4") == "se_3"


def test_old_keys_are_forgotten(keys: IdempotencyKeys, backend, clock: ManualClock) -> None:
    def remembered() -> set[str]:
        with backend.database.reading() as connection:
            return set(connection.execute(select(idempotency_keys.c.key)).scalars())

    keys.claim(IdempotentRequest("org_1", "old", "f"), "se_1")
    clock.move_to(clock.now() + timedelta(hours=23))
    keys.claim(IdempotentRequest("org_1", "new", "f"), "se_2")
    assert remembered() == {"old", "new"}
    clock.move_to(clock.now() + timedelta(hours=1.5))
    keys.claim(IdempotentRequest("org_1", "newest", "f"), "se_3")
    assert remembered() == {"new", "newest"}


def test_one_of_many_wins(keys: IdempotencyKeys) -> None:
    with ThreadPoolExecutor(8) as pool:
        won = set(
            pool.map(
                lambda n: keys.claim(IdempotentRequest("org_1", "key", "f"), f"se_{n}"), range(32)
            )
        )
    assert len(won) == 1


@pytest.mark.parametrize("key", ["", "k" * 256, "ä", "two\nlines", "\x00"])
def test_a_malformed_key_is_refused(keys: IdempotencyKeys, key: str) -> None:
    with pytest.raises(InvalidRequest, match=r"^Idempotency-Key:"):
        keys.claim(IdempotentRequest("org_1", key, "f"), "se_1")


def test_a_request_without_a_key_is_never_the_same(keys: IdempotencyKeys) -> None:
    request = IdempotentRequest("org_1", None, "f")
    assert keys.claim(request, "se_1") == "se_1"
    assert keys.claim(request, "se_2") == "se_2"
    with pytest.raises(NotFound):
        keys.claimed(request)
    assert request.count_once is None


def test_repetitions_count_once() -> None:
    first = IdempotentRequest("org_1", "key", "f")
    assert first.count_once == IdempotentRequest("org_1", "key", "f").count_once
    others = [
        IdempotentRequest("org_2", "key", "f"),
        IdempotentRequest("org_1", "other", "f"),
        IdempotentRequest("org_1", "key", "g"),
        IdempotentRequest("org_1", "key", "f", scope="prj_1"),
    ]
    assert len({each.count_once for each in (first, *others)}) == 5


def test_fingerprints_distinguish_requests() -> None:
    assert fingerprint("/jobs", {"a": 1, "b": 2}) == fingerprint("/jobs", {"b": 2, "a": 1})
    assert fingerprint("/jobs", {"a": 1}) != fingerprint("/jobs", {"a": 2})
    assert fingerprint("ab", "c") != fingerprint("a", "bc")
