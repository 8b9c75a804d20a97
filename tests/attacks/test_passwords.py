"""Passwords changed without the present one, weak ones, links that outlive them, and lock-outs."""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest

from dashboard_browser import PASSWORD, SIGN_IN, Dashboard, dashboard

OTHER = "seven quiet otters juggle"
KEYS = "/dashboard/keys/acme"
ADMIN = {"kind": "admin", "name": "mine", "expires": "never"}


@pytest.fixture
def harness(tmp_path: Path) -> Iterator[Dashboard]:
    with dashboard(tmp_path / "data") as opened:
        yield opened


def test_a_password_is_changed_with_the_present_one_only(harness: Dashboard) -> None:
    owner = harness.owner()
    assert "Current password" in owner.get("/dashboard/password").text
    for current in ({}, {"current": ""}, {"current": OTHER}):
        answer = owner.choose(OTHER, **current)
        assert (answer.status_code, "This is not your password" in answer.text) == (403, True)
    assert harness.browser().sign_in(password=OTHER).status_code == 401
    assert owner.choose(OTHER, current=PASSWORD).status_code == 303
    assert harness.browser().sign_in(password=OTHER).status_code == 303


def test_the_present_password_cannot_be_guessed(harness: Dashboard) -> None:
    owner = harness.owner()
    tries = [owner.choose(OTHER, current=f"guess {number}").status_code for number in range(21)]
    assert tries == [403] * 20 + [429]


def test_an_admin_key_asks_for_the_password(harness: Dashboard) -> None:
    owner = harness.owner()
    owner.get(KEYS)
    for current in ({}, {"current": OTHER}):
        answer = owner.post(KEYS, **ADMIN, **current)
        assert (answer.status_code, "This is not your password" in answer.text) == (403, True)
    assert harness.services.api_keys.list(harness.organization.id) == []
    assert 'id="new-key"' in owner.post(KEYS, **ADMIN, current=PASSWORD).text
    assert 'id="new-key"' in owner.post(KEYS, **ADMIN | {"kind": "assistant"}).text


def test_a_fresh_link_stands_for_the_password(harness: Dashboard) -> None:
    owner = harness.browser()
    owner.use(harness.link())
    owner.get(KEYS)
    assert 'id="new-key"' in owner.post(KEYS, **ADMIN).text


@pytest.mark.parametrize("has_password", [True, False])
def test_an_old_link_does_not(harness: Dashboard, has_password: bool) -> None:
    if has_password:
        harness.owner()
    owner = harness.browser()
    owner.use(harness.link())
    with harness.services.database.transaction() as connection:
        connection.exec_driver_sql(
            "UPDATE sessions SET link_at = datetime(link_at, '-16 minutes') WHERE link_at NOTNULL"
        )
    said = "Current password" if has_password else "new one-time link"
    assert said in owner.get("/dashboard/password").text
    assert owner.choose(OTHER).status_code == 403
    owner.get(KEYS)
    assert owner.post(KEYS, **ADMIN).status_code == 403


def test_links_end_with_a_change_of_password(harness: Dashboard) -> None:
    link, second = harness.link(), harness.link()
    owner = harness.browser()
    owner.use(link)
    assert owner.choose(PASSWORD).status_code == 303
    assert harness.browser().use(second).status_code == 403
    third = harness.link()
    owner.get("/dashboard/password")
    assert owner.choose(OTHER, current=PASSWORD).status_code == 303
    assert harness.browser().use(third).status_code == 403
    assert harness.browser().use(harness.link()).status_code == 303


def test_passwords_that_are_easy_to_guess_are_refused(harness: Dashboard) -> None:
    owner = harness.browser()
    owner.use(harness.link())
    for password in ("1234567890", "aaaaaaaaaa", " " * 10, "qwertyuiop", "Passw0rd2026!",
                     "docstead123", "x1" * 36):  # fmt: skip
        answer = owner.choose(password)
        assert (answer.status_code, "Use several words" in answer.text) == (400, True), password
        assert harness.browser().sign_in(password=password).status_code == 401
    assert owner.choose(f"{PASSWORD} " * 40).status_code == 303


def test_wrong_guesses_lock_no_owner_out(harness: Dashboard) -> None:
    owner = harness.owner()
    for number in range(5):
        guesser = harness.browser(f"203.0.113.{number}")
        for _ in range(20):
            assert guesser.sign_in(password="wrong").status_code == 401
    assert harness.browser("203.0.113.9").sign_in(password="wrong").status_code == 429
    owner.get("/dashboard")
    owner.post("/dashboard/sign-out")
    assert owner.sign_in().status_code == 303  # in a browser where the owner was before
    assert (
        harness.browser("203.0.113.10").use(harness.link()).status_code == 303
    )  # and in any other


def test_the_neighbours_of_an_owner_lock_nobody_out(harness: Dashboard) -> None:
    owner = harness.owner()
    guesser = harness.browser()  # of the same IP address
    for _ in range(20):
        guesser.sign_in(password="wrong")
    assert guesser.sign_in().status_code == 429
    owner.get("/dashboard")
    owner.post("/dashboard/sign-out")
    assert owner.sign_in().status_code == 303
    assert harness.browser().use(harness.link()).status_code == 303


def test_a_known_browser_guesses_no_quicker(harness: Dashboard) -> None:
    owner = harness.owner()
    owner.get("/dashboard")
    owner.post("/dashboard/sign-out")
    tries = [owner.sign_in(password="wrong").status_code for _ in range(21)]
    assert tries == [401] * 20 + [429]
    # It is known for its owner only: other names count as they do for everybody.
    assert owner.sign_in(name="somebody").status_code == 401


def test_ip_addresses_of_one_network_are_counted_together(harness: Dashboard) -> None:
    harness.owner()
    tried = [
        harness.browser(f"2001:db8::{number:x}").sign_in(name=f"name {number}").status_code
        for number in range(201)
    ]
    assert tried == [401] * 200 + [429]
    assert harness.browser("2001:db8:0:1::1").sign_in(name="another").status_code == 401
    link = f"{SIGN_IN}/unknown"
    guesser = harness.browser("2001:db8::ffff")
    guesser.get(link)
    assert guesser.post(link).status_code == 429


def test_guesses_from_many_hosts_take_few_threads_and_little_memory(
    harness: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """40 attempts at once took 1.4 GB and every thread of requests."""
    harness.owner()
    released, computing, most = threading.Event(), Counter[str](), Counter[str]()
    counting = threading.Lock()

    def scrypt(*_: object, **__: object) -> bytes:
        with counting:
            computing["now"] += 1
            most["now"] = max(most["now"], computing["now"])
        released.wait(30)
        with counting:
            computing["now"] -= 1
        return bytes(64)

    monkeypatch.setattr(hashlib, "scrypt", scrypt)
    guessers = [harness.browser(f"192.0.2.{number}") for number in range(1, 13)]
    for each in guessers:
        each.get(SIGN_IN)
    with ThreadPoolExecutor(len(guessers)) as pool:
        waiting = [
            pool.submit(each.post, SIGN_IN, name=f"n{number}", password="guess")
            for number, each in enumerate(guessers)
        ]
        refused, _ = wait(waiting, timeout=2), released.set()
        answers = Counter(each.result().status_code for each in waiting)
    assert answers == {401: 8, 429: 4}
    assert len(refused.done) == 4
    assert most["now"] == 4
