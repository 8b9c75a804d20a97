"""A repository's own script at a host that it shares with the dashboard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from docstead.content.config import NotFoundPage, Redirect
from docstead.hosting.application import HostingApp
from docstead.loading.loader import load_repository
from handmade_sites import HandmadeSites
from in_process import send

EVIL = (b"document.documentElement.dataset.xss = 'RAN'", "text/javascript")
FILES = {
    "_docs/evil.js": EVIL,
    "_Docs/evil.js": EVIL,
    "_islands/evil.js": EVIL,
    "_sites/other/evil.js": EVIL,
    "evil.js": EVIL,
    "evil.mjs": (EVIL[0], "application/x-javascript"),
}
REDIRECTS = (
    Redirect("/_docs/go", "/evil.js"),
    Redirect("/_docs/:rest*", "/evil.js"),
    Redirect("/:folder/way/:rest*", "/evil.js"),
)
SHARED = ["service.test:8080", "127.0.0.1:8080", "[::1]:8080", "docs_app:8080", "unknown.test", ""]
SETTINGS = """{"name": "x", "theme": "mint", "colors": {"primary": "#0055ff"},
"navigation": {"pages": ["index"]},
"redirects": [{"source": "/_docs/go", "destination": "/evil.js"}]}"""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def hosting(sqlite_backend: Any, tmp_path: Path, clock: Any) -> HostingApp:
    sites = HandmadeSites(sqlite_backend.database, sqlite_backend.objects, tmp_path, clock)
    for domain in ("xss", "neighbour"):
        deployment = sites.deployment(domain, f"{domain}.test")
        sites.publish(
            deployment,
            ("index", "_docs/page"),
            files=FILES,
            redirects=REDIRECTS,
            not_found=NotFoundPage(redirect=False),
        )
    return sites.hosting()


async def get(hosting: HostingApp, path: str, host: str) -> httpx.Response:
    return await send(hosting, "GET", f"http://any{path}", headers={"host": host})


def runs(answer: httpx.Response) -> bool:
    return answer.is_success and "script" in answer.headers["content-type"]


@pytest.mark.anyio
@pytest.mark.parametrize("host", SHARED)
async def test_no_script_of_a_repository_runs_at_a_shared_host(
    hosting: HostingApp, host: str
) -> None:
    ways = [*FILES, "_docs/go", "_docs/way/x", "_docs/index", "_docs/page"]
    for way in ways:
        answer = await get(hosting, f"/_sites/xss/{way}", host)
        assert not answer.is_redirect, way
        assert not runs(answer), way
    page = await get(hosting, "/_sites/xss/", host)
    assert page.status_code == 200
    for way in ("_docs/evil.js", "_Docs/evil.js", "_islands/evil.js"):
        assert way not in page.text
    policy = page.headers["content-security-policy"]
    scripts = next(part for part in policy.split("; ") if part.startswith("script-src"))
    assert "/" not in scripts, "it would depend on a path"


@pytest.mark.anyio
async def test_reserved_paths_have_no_files_of_a_repository(hosting: HostingApp) -> None:
    for way in ("_docs/evil.js", "_Docs/evil.js", "_islands/evil.js", "_sites/other/evil.js",
                "_docs/go", "_docs/way/x", "_docs/page", "_docs/page.md"):  # fmt: skip
        answer = await get(hosting, f"/{way}", "xss.test")
        assert answer.status_code == 404, way
    assert runs(await get(hosting, "/evil.js", "xss.test")), "at its own host it does run"


@pytest.mark.anyio
async def test_a_host_of_a_site_shows_no_other_site(hosting: HostingApp) -> None:
    for path in ("/_sites/xss/", "/_sites/neighbour/", "/_sites/neighbour/evil.js"):
        assert (await get(hosting, path, "xss.test:8080")).status_code == 404


def test_files_and_redirects_at_reserved_paths_are_reported(tmp_path: Path) -> None:
    (tmp_path / "_docs").mkdir()
    (tmp_path / "docs.json").write_text(SETTINGS)
    (tmp_path / "index.mdx").write_text("---\ntitle: X\n---\n\nText.\n")
    for path in ("evil.js", "_docs/evil.js", "_docs/page.mdx"):
        (tmp_path / path).write_text("text")
    repository = load_repository(tmp_path)
    found = {(each.file, each.code) for each in repository.diagnostics}
    assert {
        ("_docs/evil.js", "reserved-path"),
        ("_docs/page.mdx", "reserved-path"),
        ("docs.json", "invalid-redirect"),
    } <= found
    assert repository.assets == ("evil.js",)
    assert set(repository.site.pages) == {"index"}
    assert not repository.site.config.redirects
