"""Cookies that somebody else chose before a person signs in give no access afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboard_browser import PASSWORD, SIGN_IN, Dashboard, DashboardBrowser, dashboard
from docstead.dashboard.forms import csrf_token

CHOSEN = "chosen-by-somebody-else"
KEYS = "/dashboard/keys/acme"


@pytest.fixture
def harness(tmp_path: Path) -> Iterator[Dashboard]:
    with dashboard(tmp_path / "data") as opened:
        yield opened


def _prepared(harness: Dashboard) -> DashboardBrowser:
    """Return a browser with cookies that an attacker planted."""
    browser = harness.browser()
    for name in ("session", "visitor", "device"):
        browser.cookies.set(f"docstead_{name}", CHOSEN, path="/dashboard")
    return browser


@pytest.mark.parametrize("by_link", [True, False], ids=["link", "password"])
def test_a_session_gets_a_new_secret(harness: Dashboard, by_link: bool) -> None:
    harness.owner()
    victim = _prepared(harness)
    answer = victim.use(harness.link()) if by_link else victim.sign_in()
    assert answer.status_code == 303
    given = dict(each.split("=", 1) for each in answer.headers.get_list("set-cookie"))
    assert not any(CHOSEN in given[f"docstead_{name}"] for name in ("session", "device"))
    attacker = _prepared(harness)
    assert attacker.get("/dashboard").headers["location"].startswith(SIGN_IN)
    victim.csrf = csrf_token(CHOSEN)
    fields = {"kind": "assistant", "name": "mine", "expires": "never"}
    assert victim.post(KEYS, **fields).status_code == 403


def test_a_planted_session_of_another_owner_ends_at_the_sign_in(harness: Dashboard) -> None:
    harness.owner()
    other = harness.services.tenancy.create_organization("Other")
    attacker = harness.browser()
    attacker.use(harness.services.owners.new_sign_in_link(other.id))
    planted = attacker.cookies["docstead_session"]
    victim = harness.browser()
    victim.cookies.set("docstead_session", planted, domain="docstead.test", path="/dashboard")
    victim.get(SIGN_IN)
    victim.use(harness.link())
    assert victim.cookies["docstead_session"] != planted
    assert victim.get(KEYS).status_code == 200
    assert attacker.get(KEYS).headers["location"].startswith(SIGN_IN)


def test_a_password_is_asked_of_a_browser_that_claims_to_be_known(harness: Dashboard) -> None:
    harness.owner()
    guesser = _prepared(harness)
    guesser.get(SIGN_IN)
    assert guesser.post(SIGN_IN, name="owner", password=f"{PASSWORD}x").status_code == 401


@pytest.mark.parametrize("by_link", [True, False], ids=["link", "password"])
def test_a_sign_in_ends_the_former_session_of_the_browser(
    harness: Dashboard, by_link: bool
) -> None:
    harness.owner()
    browser = harness.browser()
    browser.use(harness.link())
    former = harness.browser()
    former.cookies.update(dict(browser.cookies))
    assert former.get(KEYS).status_code == 200
    answer = browser.use(harness.link()) if by_link else browser.sign_in()
    assert answer.status_code == 303
    assert browser.get(KEYS).status_code == 200
    assert former.get(KEYS).headers["location"].startswith(SIGN_IN)
