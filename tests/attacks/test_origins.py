"""A repository that attacks the dashboard of a signed-in owner, in a real browser.

The site is shown in two ways: at a host that it shares with the dashboard, and at a host of
its own that belongs to the same site (in the sense of cookies) as the dashboard's.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

import patient_http
from chromium import chromium_window
from docstead.agent.reviews.records import ReviewRecords
from docstead.base.clock import SystemClock
from docstead.storage.database import Database
from free_ports import free_port
from hostile_origins import ATTACKS, BASE, MARKUP, RAN, attempts, hostile_files
from review_repository import BRANCH, ReviewRepository
from running_service import Service
from sampled_cases import one_in

pytestmark = pytest.mark.browser

_SECONDS = 120
SHARED_PATHS = ("_docs/evil.js", "_docs/page", "_docs/go", "evil.svg", "page.html", "page.xml",
                "evil.webmanifest", "leave", "scripts", "nowhere")  # fmt: skip
CANARY = "canary-5f1c"
SHOWN = "return document.readyState === 'complete' ? document.body.innerText : ''"


class Away(SimpleHTTPRequestHandler):
    """A page of another host, which says its origin."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f"<!doctype html><title>away</title><script>{RAN}</script>".encode())

    def log_message(self, *_: Any) -> None:
        pass


@dataclass(frozen=True)
class Hosts:
    """URLs at which the attack is tried."""

    site: str
    dashboard: str


@pytest.fixture(scope="module")
def away() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Away, directory="/"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory, away: str) -> ReviewRepository:
    made = ReviewRepository.made(tmp_path_factory.mktemp("origins") / "evil.git")
    made.commit(hostile_files(away))
    made.git("checkout", "-q", BRANCH)
    made.git("reset", "-q", "--hard", "main")
    changed = f"---\ntitle: Changed\n---\n\n{MARKUP}\n\n<script src='{BASE}/evil.js'></script>\n"
    made.git("rm", "-q", "scripts.mdx", at=made.work)
    (made.work / "index.mdx").write_text(changed)
    made.git("add", "-A")
    made.git("commit", "-q", "-m", "A change")
    made.git("push", "-q", "-f", "origin", f"HEAD:refs/heads/{BRANCH}")
    return made


@pytest.fixture(scope="module")
def service(
    repository: ReviewRepository, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    port = free_port()
    more = {
        "DOCSTEAD_BASE_URL": f"http://dash.test.localhost:{port}",
        "DOCSTEAD_SITES_HOST": "*.test.localhost",
    }
    data = tmp_path_factory.mktemp("data")
    running = Service(
        repository.url, data, port, more=tuple(more.items())
    )  # a URL is a source, too
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="module", params=["shared", "same site"])
def hosts(request: pytest.FixtureRequest, service: Service) -> Hosts:
    if request.param == "shared":
        base = f"http://127.0.0.1:{service.port}"
        return Hosts(f"{base}/_sites/docstead", f"{base}/dashboard")
    site = f"http://docstead.test.localhost:{service.port}"
    return Hosts(site, f"http://dash.test.localhost:{service.port}/dashboard")


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with chromium_window(
        tmp_path_factory.mktemp("chromium"),
        "--disable-popup-blocking",
        "--host-resolver-rules=MAP docs_app 127.0.0.1",
    ) as opened:
        opened.set_script_timeout(_SECONDS)
        yield opened


@pytest.fixture(scope="module")
def owner(window: webdriver.Chrome, service: Service) -> webdriver.Chrome:
    """The browser, signed in at both hosts of the dashboard."""
    link = re.search(r"(/dashboard/sign-in/\S+)", service.log())
    assert link
    base = f"http://dash.test.localhost:{service.port}"
    window.get(base + link[1])
    window.find_element("css selector", "form button").click()
    _wait(window).until(lambda _: "/sign-in/" not in window.current_url)
    cookies = window.get_cookies()
    window.get(f"http://127.0.0.1:{service.port}/dashboard")
    for cookie in cookies:
        window.add_cookie({k: v for k, v in cookie.items() if k != "domain"})
    for url in (base, f"http://127.0.0.1:{service.port}"):
        window.get(f"{url}/dashboard")
        window.add_cookie({"name": "canary", "value": CANARY, "path": "/"})
        assert "docstead" in window.page_source
        assert "sign-in" not in window.current_url
    return window


def _wait(window: webdriver.Chrome) -> WebDriverWait[webdriver.Chrome]:
    return WebDriverWait(window, _SECONDS, poll_frequency=0.05)


def script(window: webdriver.Chrome, text: str) -> Any:
    return window.execute_script(text)


def run(window: webdriver.Chrome, hosts: Hosts) -> dict[str, str]:
    """Return the results of each attack, tried by a script of the site's home page.

    At its own host a repository could replace the policy of its pages, with a service worker
    for instance, so nothing may depend on that policy there: it is switched off.
    """
    is_own = "/_sites/" not in hosts.site
    window.execute_cdp_cmd("Page.setBypassCSP", {"enabled": is_own})
    window.get(f"{hosts.site}/")
    found: dict[str, str] = window.execute_async_script(attempts(), hosts.site, hosts.dashboard)
    for extra in window.window_handles[1:]:
        window.switch_to.window(extra)
        window.close()
    window.switch_to.window(window.window_handles[0])
    window.execute_cdp_cmd("Page.setBypassCSP", {"enabled": False})
    return found


def keys(window: webdriver.Chrome, hosts: Hosts) -> tuple[list[str], str]:
    """The names of all keys and the token of the forms, as their owner sees them."""
    window.get(f"{hosts.dashboard}/keys/docstead")
    token = re.search(r'name="csrf" value="([^"]+)"', window.page_source)
    assert token, "the owner is signed in no more"
    return re.findall(r"svc_\w+…?", window.page_source), token[1]


def test_no_attack_reaches_a_cookie_a_token_or_a_state(
    owner: webdriver.Chrome, hosts: Hosts
) -> None:
    owner.get(f"{hosts.site}/")  # the first visit makes the site's own key
    before, token = keys(owner, hosts)
    found = run(owner, hosts)
    assert found.keys() == ATTACKS.keys()
    for name, got in found.items():
        for secret in (CANARY, token, 'name="csrf"'):
            assert secret not in got, name
        if name.startswith("service worker") and "/_sites/" in hosts.site:
            assert "registered" not in got, name
    after, _ = keys(owner, hosts)
    assert after == before
    assert "stolen" not in owner.page_source


@pytest.mark.parametrize("host", ["127.0.0.1", pytest.param("docs_app", marks=pytest.mark.deep)])
def test_scripts_of_files_do_not_run_at_a_shared_host(
    owner: webdriver.Chrome, service: Service, host: str
) -> None:
    site = f"http://{host}:{service.port}/_sites/docstead"
    for path in SHARED_PATHS:
        owner.get(f"{site}/{path}")
        for element in ("link", "submit"):
            script(owner, f"document.getElementById('{element}')?.click()")
        ran = script(owner, "return document.documentElement?.dataset?.ran ?? null")
        assert ran is None, path
        assert script(owner, "return window.origin") == "null", path


def test_islands_run_at_a_shared_host_and_links_lead_out(
    owner: webdriver.Chrome, service: Service, away: str
) -> None:
    owner.get(f"http://127.0.0.1:{service.port}/_sites/docstead/")
    island = "return document.documentElement.dataset.island"
    _wait(owner).until(lambda _: script(owner, island) == "null")
    owner.get_log("browser")
    script(owner, "print()")
    script(owner, "document.getElementById('away').click()")
    _wait(owner).until(lambda window: len(window.window_handles) > 1)
    owner.switch_to.window(owner.window_handles[1])
    try:
        _wait(owner).until(lambda window: window.title == "away")
        assert script(owner, "return document.documentElement.dataset.ran") == away.rstrip("/")
    finally:
        owner.close()
        owner.switch_to.window(owner.window_handles[0])
    said = [entry["message"] for entry in owner.get_log("browser")]
    assert said == []


def test_fonts_search_panel_and_thumbs_work_in_the_sandbox(
    owner: webdriver.Chrome, service: Service
) -> None:
    def wait(text: str) -> None:
        _wait(owner).until(lambda _: script(owner, text))

    owner.get_log("browser")
    owner.get(f"http://127.0.0.1:{service.port}/_sites/docstead/")
    wait("return [...document.fonts].some((each) => each.status === 'loaded')")
    script(owner, "document.querySelector('[data-thumbs] button').click()")
    wait("return document.querySelector('[data-thumbs] [aria-pressed=true]')")
    script(owner, "document.getElementById('assistant-entry').click()")
    wait("return document.querySelector('.ds-assistant')?.hidden === false")
    owner.find_element("css selector", "[data-search]").click()
    wait("return document.activeElement?.matches('dialog input')")
    owner.switch_to.active_element.send_keys("Island")
    wait("return document.querySelector('.ds-search-option')")
    said = [entry["message"] for entry in owner.get_log("browser")]
    assert said == []


@pytest.mark.parametrize("host", one_in(2, ["docstead.test.localhost", "docstead.localhost"]))
def test_author_scripts_run_at_the_sites_own_host(
    owner: webdriver.Chrome, service: Service, host: str
) -> None:
    site = f"http://{host}:{service.port}"
    owner.get(f"{site}/")
    ran = "return document.documentElement.dataset.ran"
    _wait(owner).until(lambda _: script(owner, ran) == site)
    assert script(owner, "return document.cookie") == ""
    owner.get(f"{site}/page.xml")  # not the site's own script
    assert script(owner, "return [window.origin, document.documentElement.dataset.ran]") == [
        "null", None]  # fmt: skip
    for path in ("/_sites/docstead/", "/dashboard", "/_docs/evil.js", "/_docs/go"):
        answer = patient_http.get(f"http://127.0.0.1:{service.port}{path}", headers={"Host": host})
        assert answer.status_code in (404, 307), path


def test_the_preview_of_a_change_runs_nothing(
    owner: webdriver.Chrome, service: Service, repository: ReviewRepository
) -> None:
    with closing(Database(f"sqlite:///{service.data / 'docstead.sqlite'}")) as database:
        reviews = ReviewRecords(database, SystemClock())
        made = reviews.open(service.facts["projectId"], BRANCH, base="main", title="A change",
                            body=MARKUP, draft=False)  # fmt: skip
    pages = f"http://127.0.0.1:{service.port}/dashboard/changes/{made.id}/pages"

    def frames(window: webdriver.Chrome) -> list[WebElement]:
        window.get(pages)  # says "reload in a moment" while the list of pages is made
        return window.find_elements("css selector", "iframe.page-frame")

    before, after = _wait(owner).until(frames)
    script(owner, "document.querySelectorAll('iframe').forEach((f) => (f.loading = 'eager'))")
    for frame, text in ((before, "Island"), (after, "Changed")):
        owner.switch_to.frame(frame)
        wait = WebDriverWait(owner, _SECONDS, 0.05, (WebDriverException,))  # while it navigates
        wait.until(partial(_shows, text))
        seen = script(owner, "return [window.origin, document.documentElement.dataset.ran]")
        assert seen == ["null", None]
        owner.switch_to.default_content()
    assert script(owner, "return document.documentElement.dataset.ran ?? null") is None


def _shows(text: str, window: webdriver.Chrome) -> bool:
    return text in script(window, SHOWN)


def test_every_response_of_a_shared_host_is_sandboxed(service: Service) -> None:
    base = f"http://127.0.0.1:{service.port}"
    paths = ["", "scripts", "evil.svg", "evil.js", "page.html", "paper.pdf", "nowhere", "llms.txt",
             "index.md", "evil.webmanifest"]  # fmt: skip
    for path in (*(f"/_sites/docstead/{each}" for each in paths), "/", "/_sites/unknown/", "/a//b"):
        answer = patient_http.get(base + path, follow_redirects=True)
        policy = answer.headers["content-security-policy"]
        assert re.search(r"(^|; )sandbox( |;|$)", policy), path
        assert "allow-same-origin" not in policy, path
        assert "access-control-allow-origin" not in answer.headers, path
    paper = patient_http.get(f"{base}/_sites/docstead/paper.pdf")
    assert paper.headers["content-disposition"] == "attachment"
    page = patient_http.get(f"{base}/_sites/docstead/").text
    style = re.search(r'href="(/[^"]*_docs/[^"]+\.css)"', page)
    assert style
    assert patient_http.get(base + style[1]).headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("origin", ["null", "http://other.test", None])
def test_the_proxy_of_a_playground_takes_no_foreign_origin(
    service: Service, origin: str | None
) -> None:
    headers = {"Origin": origin} if origin else {}
    for site in ("/_sites/docstead", ""):
        url = f"http://127.0.0.1:{service.port}{site}/_docs/api/request"
        body = {"page": "/", "method": "GET", "url": "http://127.0.0.1/"}
        answer = patient_http.post(url, json=body, headers=headers)
        assert answer.status_code == 403
        assert "access-control-allow-origin" not in answer.headers


def test_views_and_thumbs_are_counted_from_a_shared_host(service: Service) -> None:
    view = {"event": "view", "path": "/"}
    for host, origin, status in (
        (f"127.0.0.1:{service.port}", "null", 204),
        (f"127.0.0.1:{service.port}", "http://other.test", 403),
        ("docstead.localhost", "null", 403),
        ("docstead.localhost", "http://docstead.localhost", 204),
    ):
        path = "/_sites/docstead/_docs/api/v1/e" if origin in ("null", "http://other.test") and (
            host != "docstead.localhost") else "/_docs/api/v1/e"  # fmt: skip
        answer = patient_http.post(
            f"http://127.0.0.1:{service.port}{path}",
            content=json.dumps(view),
            headers={"Host": host, "Origin": origin},
        )
        assert answer.status_code == status, (host, origin)
