"""Forms from other origins, cookies without a prefix, HTTP next to HTTPS, and odd URLs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import patient_http
from dashboard_browser import PASSWORD, SIGN_IN, Dashboard, dashboard
from served import served

HTTPS = "https://docstead.test"
OWN, LAN = "http://docstead.test", "http://127.0.0.1:8080"


@pytest.fixture(params=[OWN, HTTPS])
def harness(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Dashboard]:
    with dashboard(tmp_path / "data", request.param) as opened:
        yield opened


FOREIGN: tuple[dict[str, str], ...] = (
    {},
    {"Origin": "null"},
    {"Origin": "https://sites.docstead.test"},
    {"Origin": "http://docstead.test:81"},
    {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
    {"Origin": "https://sites.docstead.test", "Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Site": "cross-site", "Origin": HTTPS},
)


def test_a_form_of_another_origin_changes_nothing(harness: Dashboard) -> None:
    owner, fields = harness.owner(), {"kind": "assistant", "name": "mine", "expires": "never"}
    owner.get("/dashboard/keys/acme")
    for headers in FOREIGN:
        assert owner.post("/dashboard/keys/acme", headers, **fields).status_code == 403, headers
        assert harness.services.api_keys.list(harness.organization.id) == []


def test_nobody_is_signed_in_by_a_form_of_another_origin(harness: Dashboard) -> None:
    harness.owner()
    visitor = harness.browser()
    for headers in FOREIGN:
        visitor.get(SIGN_IN)
        answer = visitor.post(SIGN_IN, headers, name="owner", password=PASSWORD)
        assert (answer.status_code, "different origin" in answer.text) == (403, True), headers
        link = harness.link()
        visitor.get(link)
        assert visitor.post(link, headers).status_code == 403, headers
    assert visitor.use(link).status_code == 303


def test_forms_of_the_dashboard_itself(harness: Dashboard) -> None:
    owner = harness.owner()
    for name, headers in (
        ("one", {"Origin": harness.base_url}),
        ("two", {"Sec-Fetch-Site": "same-origin"}),
    ):
        owner.get("/dashboard/keys/acme")
        fields = {"kind": "assistant", "name": name, "expires": "never"}
        assert owner.post("/dashboard/keys/acme", headers, **fields).status_code == 200
        assert f">{name}<" in owner.get("/dashboard/keys/acme").text


def test_a_dashboard_at_a_url_that_no_setting_names(tmp_path: Path) -> None:
    with dashboard(tmp_path / "data", LAN) as harness:
        visitor = harness.browser()
        for scheme in ("http", "https"):  # a proxy may speak https for it
            link = harness.link()
            visitor.get(link)
            headers = {"Origin": f"{scheme}://docs.lan", "Host": "docs.lan"}
            assert visitor.post(link, headers).status_code == 303


def test_cookies_are_bound_to_their_host(tmp_path: Path) -> None:
    with dashboard(tmp_path / "data", HTTPS) as harness:
        owner = harness.browser()
        link = harness.link()
        set_cookies = owner.get(link).headers.get_list("set-cookie")
        set_cookies += owner.post(link).headers.get_list("set-cookie")
        names = {each.partition("=")[0] for each in set_cookies}
        assert names == {f"__Host-docstead_{name}" for name in ("visitor", "session", "device")}
        for each in set_cookies:
            name, *attributes = each.split("; ")
            assert name.startswith("__Host-docstead_")
            assert {"Secure", "HttpOnly", "Path=/", "SameSite=lax"} <= set(attributes)
            assert not any(attribute.startswith("Domain") for attribute in attributes)
        # One that another host of the site could set is nobody's.
        session = owner.cookies["__Host-docstead_session"]
        other = harness.browser()
        other.cookies.set("docstead_session", session)
        assert other.get("/dashboard").status_code == 303


@pytest.mark.parametrize("seconds", [0, 31_536_000])
def test_browsers_are_asked_to_stay_with_https(tmp_path: Path, seconds: int) -> None:
    with served("serve", tmp_path, {"DOCSTEAD_HSTS_SECONDS": str(seconds)}) as service:
        found = [
            patient_http.get(f"http://127.0.0.1:{service.port}{path}").headers.get(
                "strict-transport-security"
            )
            for path in ("/healthz", "/dashboard/sign-in", "/nowhere", "/v1/analytics/prj_1/views")
        ]
    assert found == [f"max-age={seconds}" if seconds else None] * 4


def test_nobody_is_led_to_an_odd_url(harness: Dashboard) -> None:
    harness.owner()
    for url in ("/dashboard/..//x", "/dashboard/../x", "/dashboard//x"):
        visitor = harness.browser()
        visitor.get(SIGN_IN)
        answer = visitor.post(SIGN_IN, name="owner", password=PASSWORD, next=url)
        assert answer.headers["location"] == "/dashboard"
