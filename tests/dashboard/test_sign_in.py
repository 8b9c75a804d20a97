"""Sign-in to the dashboard."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

PASSWORD = "a long password"
SIGN_IN = "/dashboard/sign-in"


def set_password(harness: Any, acme: Any, browser: Any, password: str = PASSWORD) -> None:
    browser().sign_in(harness, acme.organization_id).post(
        "/dashboard/password", password=password, again=password
    )


def test_a_link_signs_in_once_and_asks_for_a_password(
    harness: Any, acme: Any, browser: Any
) -> None:
    link = harness.services.owners.new_sign_in_link(acme.organization_id)
    first = browser()
    assert "Sign in" in first.get(link).text
    answer = first.post(link)
    assert (answer.status_code, answer.headers["location"]) == (303, "/dashboard/password?welcome")
    page = first.get("/dashboard/password?welcome").text
    assert "Choose a password" in page
    assert 'value="owner"' in page
    again = first.post("/dashboard/password", password=PASSWORD, again=PASSWORD)
    assert again.headers["location"] == "/dashboard"
    assert "acme" in first.get("/dashboard").text


def test_a_used_link_is_used_up(harness: Any, acme: Any, browser: Any) -> None:
    link = harness.services.owners.new_sign_in_link(acme.organization_id)
    first, second = browser(), browser()
    first.get(link)
    second.get(link)
    assert first.post(link).status_code == 303
    answer = second.post(link)
    assert answer.status_code == 403
    assert "already been used" in answer.text
    assert second.get("/dashboard").status_code == 303


def test_looking_at_a_link_does_not_use_it_up(harness: Any, acme: Any, browser: Any) -> None:
    link = harness.services.owners.new_sign_in_link(acme.organization_id)
    browser().get(link)
    browser().send("HEAD", link)
    first = browser()
    first.get(link)
    assert first.post(link).headers["location"].startswith("/dashboard/password")


def test_a_link_ends_with_its_day(harness: Any, acme: Any, browser: Any, clock: Any) -> None:
    link = harness.services.owners.new_sign_in_link(acme.organization_id)
    clock.move_to(clock.now() + timedelta(days=1, seconds=1))
    late = browser()
    late.get(link)
    assert late.post(link).status_code == 403


def test_name_and_password_sign_in(harness: Any, acme: Any, browser: Any) -> None:
    set_password(harness, acme, browser)
    fresh = browser()
    fresh.get(SIGN_IN)
    answer = fresh.post(SIGN_IN, name="owner", password=PASSWORD)
    assert (answer.status_code, answer.headers["location"]) == (303, "/dashboard")
    assert "acme" in fresh.get("/dashboard").text


@pytest.mark.parametrize(
    ("name", "password"),
    [("owner", "another password"), ("nobody", PASSWORD), ("", ""), ("owner", PASSWORD + " ")],
)
def test_wrong_ones_do_not(harness: Any, acme: Any, browser: Any, name: str, password: str) -> None:
    set_password(harness, acme, browser)
    fresh = browser()
    fresh.get(SIGN_IN)
    answer = fresh.post(SIGN_IN, name=name, password=password)
    assert answer.status_code == 401
    assert "The name or the password is wrong" in answer.text
    assert "docstead_session" not in fresh.cookies


def test_the_session_cookie_is_out_of_reach(harness: Any, acme: Any, browser: Any) -> None:
    link = harness.services.owners.new_sign_in_link(acme.organization_id)
    first = browser()
    first.get(link)
    cookie = first.post(link).headers["set-cookie"]
    assert cookie.startswith("docstead_session=")
    for attribute in ("HttpOnly", "SameSite=lax", "Path=/dashboard"):
        assert attribute in cookie
    assert "Secure" not in cookie


def test_behind_https_cookies_are_secure(harness: Any, acme: Any, browser: Any) -> None:
    link = harness.services.owners.new_sign_in_link(acme.organization_id)
    first = browser(of=harness.at("https://docstead.test"))
    for answer in (first.get(link), first.post(link)):
        assert "Secure" in answer.headers["set-cookie"]


def test_signing_out_ends_the_session(owner: Any) -> None:
    stolen = owner.cookies["docstead_session"]
    owner.get("/dashboard")
    assert owner.post("/dashboard/sign-out").headers["location"] == SIGN_IN
    owner.cookies["docstead_session"] = stolen
    assert owner.get("/dashboard").status_code == 303


def test_a_session_ends_by_itself(owner: Any, clock: Any) -> None:
    clock.move_to(clock.now() + timedelta(days=14, seconds=1))
    assert owner.get("/dashboard").status_code == 303


def test_a_new_password_ends_the_other_sessions(harness: Any, acme: Any, browser: Any) -> None:
    first = browser().sign_in(harness, acme.organization_id)
    second = browser().sign_in(harness, acme.organization_id)
    second.post("/dashboard/password", password=PASSWORD, again=PASSWORD)
    assert second.get("/dashboard").status_code == 200
    assert first.get("/dashboard").status_code == 303


@pytest.mark.parametrize(
    ("password", "again", "words"),
    [("short", "short", "at least 10"), (PASSWORD, PASSWORD + "x", "not the same"), ("", "", "10")],
)
def test_a_password_that_will_not_do(owner: Any, password: str, again: str, words: str) -> None:
    answer = owner.post("/dashboard/password", password=password, again=again, is_new="yes")
    assert answer.status_code == 400
    assert words in answer.text
    assert "Choose a password" in answer.text


def test_guessing_from_one_ip_address_is_stopped(harness: Any, acme: Any, browser: Any) -> None:
    set_password(harness, acme, browser)
    guesser = browser("203.0.113.66")
    guesser.get(SIGN_IN)
    # Links and passwords count together; links are the quicker ones to try.
    guesses = [guesser.post(f"{SIGN_IN}/{number}").status_code for number in range(20)]
    assert guesses == [403] * 20
    limited = guesser.post(SIGN_IN, name="owner", password=PASSWORD)
    assert limited.status_code == 429
    assert re.search(r"Too many attempts\. Try again in \d+ (second|minute)s?\.", limited.text)
    assert int(limited.headers["retry-after"]) > 0
    assert guesser.post(f"{SIGN_IN}/21").status_code == 429
    elsewhere = browser("203.0.113.67")
    elsewhere.get(SIGN_IN)
    assert elsewhere.post(SIGN_IN, name="owner", password=PASSWORD).status_code == 303


def test_signing_in_leads_to_the_requested_page(harness: Any, acme: Any, browser: Any) -> None:
    set_password(harness, acme, browser)
    fresh = browser()
    sent_away = fresh.get("/dashboard/keys/acme").headers["location"]
    assert sent_away == "/dashboard/sign-in?next=/dashboard/keys/acme"
    assert 'value="/dashboard/keys/acme"' in fresh.get(sent_away).text
    answer = fresh.post(SIGN_IN, name="owner", password=PASSWORD, next="/dashboard/keys/acme")
    assert answer.headers["location"] == "/dashboard/keys/acme"
    assert fresh.get(sent_away).headers["location"] == "/dashboard/keys/acme"


@pytest.mark.parametrize(
    "next_",
    [
        "https://evil.test",
        "//evil.test",
        "/dashboardevil",
        "/dashboard/\\evil",
        "/dashboard/a\nb",
        "x",
    ],
)
def test_nobody_is_led_out_of_the_dashboard(
    harness: Any, acme: Any, browser: Any, next_: str
) -> None:
    set_password(harness, acme, browser)
    fresh = browser()
    fresh.get(SIGN_IN)
    answer = fresh.post(SIGN_IN, name="owner", password=PASSWORD, next=next_)
    assert answer.headers["location"] == "/dashboard"
