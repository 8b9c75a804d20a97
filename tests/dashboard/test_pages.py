"""Common behavior of all pages: sign-in, form token, isolation, headers."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from docstead.base.api_keys import KeyKind
from docstead.dashboard import pages

PAGES = [
    "/dashboard",
    "/dashboard/",
    "/dashboard/{organization}/acme",
    "/dashboard/keys/acme",
    "/dashboard/keys/acme/{key}/revoke",
    "/dashboard/exports/acme",
    "/dashboard/exports/acme/{export}/download",
    "/dashboard/password",
]
POLLED = [
    "/dashboard/deployments.json",
    "/dashboard/{organization}/acme/state.json",
    "/dashboard/exports/acme/state.json",
]
FORMS = [
    "/dashboard/{organization}/acme/update",
    "/dashboard/keys/acme",
    "/dashboard/keys/acme/{key}/revoke",
    "/dashboard/exports/acme",
    "/dashboard/password",
    "/dashboard/sign-out",
]
OF_ONE_SITE = [path for path in (*PAGES, *POLLED, *FORMS) if "acme" in path]


@pytest.fixture
def names(harness: Any, acme: Any) -> dict[str, str]:
    """Ids of things of acme, for URLs."""
    key = harness.services.api_keys.create(acme.organization_id, KeyKind.ADMIN, "its key").record
    export = harness.services.exports.start(acme.organization_id, acme.hostname)
    return {"organization": acme.organization_id, "key": key.id, "export": export.id}


@pytest.fixture
def stranger(harness: Any, browser: Any) -> Any:
    """Somebody of another organization, signed in."""
    other = harness.organization("other")
    return browser("198.51.100.1").sign_in(harness, other.organization_id)


@pytest.mark.parametrize("path", PAGES)
def test_strangers_are_led_to_the_sign_in(browser: Any, names: Any, path: str) -> None:
    answer = browser().get(path.format(**names))
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/dashboard/sign-in?next=/dashboard")


@pytest.mark.parametrize("path", POLLED)
def test_scripts_of_strangers_get_401(browser: Any, names: Any, path: str) -> None:
    answer = browser().get(path.format(**names))
    assert (answer.status_code, list(answer.json())) == (401, ["error"])


@pytest.mark.parametrize("path", FORMS)
def test_forms_of_strangers_do_nothing(browser: Any, names: Any, path: str) -> None:
    visitor = browser()
    visitor.get("/dashboard/sign-in")
    answer = visitor.post(path.format(**names), name="x", kind="admin", expires="7")
    assert answer.headers["location"].startswith("/dashboard/sign-in?next=")


@pytest.mark.parametrize("csrf", ["", "0" * 64, "é"])
@pytest.mark.parametrize("path", FORMS)
def test_a_form_without_its_token_is_refused(
    owner: Any, names: Any, harness: Any, path: str, csrf: str
) -> None:
    answer = owner.post(path.format(**names), csrf=csrf, name="x", kind="admin", expires="7")
    assert answer.status_code == 403
    assert "no longer valid" in answer.text
    assert owner.get("/dashboard").status_code == 200
    assert len(harness.services.api_keys.list(names["organization"])) == 1


@pytest.mark.parametrize("path", ["/dashboard/sign-in", "/dashboard/sign-in/some-token"])
def test_signing_in_needs_a_form_of_ours_too(browser: Any, path: str) -> None:
    visitor = browser()
    visitor.get("/dashboard/sign-in")
    assert visitor.post(path, csrf="0" * 64, name="owner", password="x").status_code == 403


def test_the_token_of_one_browser_is_no_use_in_another(
    harness: Any, acme: Any, owner: Any, browser: Any
) -> None:
    other = browser().sign_in(harness, acme.organization_id)
    assert owner.post("/dashboard/exports/acme", csrf=other.csrf).status_code == 403
    assert "No exports yet" in owner.get("/dashboard/exports/acme").text


@pytest.mark.parametrize("path", OF_ONE_SITE)
def test_what_belongs_to_others_is_not_there(stranger: Any, names: Any, path: str) -> None:
    send = stranger.post if path in FORMS and path not in PAGES else stranger.get
    answer = send(path.format(**names))
    assert answer.status_code == 404
    assert "its key" not in answer.text


@pytest.mark.parametrize("path", [path for path in OF_ONE_SITE if path in FORMS])
def test_forms_for_what_belongs_to_others_do_nothing(
    stranger: Any, names: Any, harness: Any, path: str
) -> None:
    answer = stranger.post(path.format(**names), name="x", kind="admin", expires="7")
    assert answer.status_code == 404
    assert len(harness.services.api_keys.list(names["organization"])) == 1


def test_others_ids_below_ones_own_site_are_not_there(
    stranger: Any, names: Any, harness: Any
) -> None:
    for path in (
        "keys/other/{key}/revoke",
        "exports/other/{export}/download",
        "{organization}/other",
    ):
        assert stranger.get("/dashboard/" + path.format(**names)).status_code == 404
    answer = stranger.post("/dashboard/keys/other/{key}/revoke".format(**names))
    assert answer.status_code == 404
    assert len(harness.services.api_keys.list(names["organization"])) == 1


def test_others_deployments_are_not_listed(stranger: Any, acme: Any) -> None:
    page = stranger.get("/dashboard").text
    assert "docs.other.test" in page
    assert "acme" not in page


@pytest.mark.parametrize(
    "path",
    [
        "/dashboard/keys/unknown",
        "/dashboard/exports/acme%00",
        "/dashboard/org_0000000000000000/acme",
        "/dashboard/nothing/here/at/all",
        "/dashboard/keys/acme/key_0000000000000000/revoke",
        "/dashboard/exports/acme/se_0000000000000000/download",
        "/dashboard/_assets/0/dashboard.css",
        "/dashboard/_assets/../application.py",
    ],
)
def test_unknown_urls_are_404(owner: Any, path: str) -> None:
    assert owner.get(path).status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/dashboard", "GET, HEAD"),
        ("DELETE", "/dashboard/keys/acme", "GET, HEAD, POST"),
        ("GET", "/dashboard/agent/acme/jobs/aj_1/cancel", "POST"),
    ],
)
def test_other_methods_are_405(owner: Any, method: str, path: str, allowed: str) -> None:
    answer = owner.send(method, path)
    assert (answer.status_code, answer.headers["allow"]) == (405, allowed)


@pytest.mark.parametrize(
    ("content", "status"),
    [(b"x" * 70_000, 413), (b"\xff=%ff", 400), (b"a=%00", 400), (b"&".join([b"a=b"] * 300), 400)],
)
def test_a_malformed_form_is_refused(owner: Any, content: bytes, status: int) -> None:
    answer = owner.send("POST", "/dashboard/exports/acme", content=content)
    assert answer.status_code == status
    assert "No exports yet" in owner.get("/dashboard/exports/acme").text


@pytest.mark.parametrize("path", [*PAGES[:6], "/dashboard/sign-in", "/dashboard/nothing"])
def test_every_page_is_locked_down(owner: Any, names: Any, path: str) -> None:
    headers = owner.get(path.format(**names)).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", [*PAGES[:6], "/dashboard/password", "/dashboard/sign-in/x"])
def test_pages_have_nothing_inline_and_label_every_field(owner: Any, names: Any, path: str) -> None:
    page = owner.get(path.format(**names)).text
    assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=", page)
    assert '<html lang="en">' in page
    labels = set(re.findall(r'<label for="([^"]+)"', page))
    for field in re.findall(r"<(?:input|select|textarea)\b[^>]*>", page):
        kind = re.search(r'type="(\w+)"', field)
        if kind and kind[1] in ("hidden", "radio", "checkbox"):
            continue
        assert re.search(r'id="([^"]+)"', field)[1] in labels


def test_every_field_has_a_type_because_styles_select_by_it() -> None:
    templates = (Path(pages.__file__).parent / "templates").glob("*.html")
    fields = [
        field for each in templates for field in re.findall(r"<input\b[^>]*", each.read_text())
    ]
    assert len(fields) > 20
    assert [field for field in fields if " type=" not in field] == []


def test_styles_and_scripts_may_be_cached_permanently(owner: Any) -> None:
    page = owner.get("/dashboard").text
    urls = re.findall(r'(?:href|src)="(/dashboard/_assets/[^"]+)"', page)
    kinds = set()
    for url in urls:
        answer = owner.get(url)
        assert "immutable" in answer.headers["cache-control"]
        kinds.add(answer.headers["content-type"].partition(";")[0])
    assert kinds == {"text/css", "text/javascript", "image/svg+xml", "font/woff2"}


def test_what_people_type_is_shown_as_text(harness: Any, browser: Any) -> None:
    evil = harness.tenancy.create_organization("<script>alert(1)</script>")
    page = browser().sign_in(harness, evil.id).get("/dashboard").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_the_unforeseen_is_a_page_and_a_log_line(
    harness: Any, owner: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with harness.database.transaction() as connection:
        connection.exec_driver_sql("DROP TABLE exports")
    answer = owner.get("/dashboard/exports/acme")
    assert answer.status_code == 500
    assert "The service&#39;s log has the details" in answer.text
    assert "GET /dashboard/exports/acme failed" in caplog.text


@pytest.mark.parametrize(
    "page",
    ["conversations", "agent", "agent/{}/webhooks", "exports", "readers", "feedback", "gaps"],
)
def test_headings_of_empty_pages_skip_no_level(owner: Any, acme: Any, page: str) -> None:
    path = page.format("acme") if "{}" in page else f"{page}/acme"
    levels = [int(level) for level in re.findall(r"<h(\d)", owner.get(f"/dashboard/{path}").text)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
