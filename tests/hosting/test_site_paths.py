"""Contents of one site at each path."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import unquote

import pytest

from docstead.content.assistant_notes import Skill
from docstead.content.config import ApiSettings, Integrations, NotFoundPage
from docstead.content.navigation import Navigation, NodeKind
from docstead.hosting.speculation import speculation_header, speculation_rules
from docstead.theme.external_services import ExternalServices
from site_builders import node, page

HOST = "http://docs.acme.test"
SHARED = "http://service.test"
pytestmark = pytest.mark.usefixtures("acme")


@pytest.mark.parametrize(
    ("path", "slug"),
    [
        ("/", "index"),
        ("/quickstart", "quickstart"),
        ("/guides/start", "guides/start"),
        ("/guides", "guides/index"),
    ],
)
def test_a_page_has_one_url(world: Any, path: str, slug: str) -> None:
    answer = world.get(HOST + path)
    assert answer.status_code == 200
    assert f"Start {slug}" in answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/index", "/"),
        ("/index.html", "/"),
        ("/guides/start/", "/guides/start"),
        ("/guides/start.html", "/guides/start"),
        ("/guides/start.mdx", "/guides/start"),
        ("/guides/", "/guides"),
        ("/guides/index", "/guides"),
        ("/guides/index.html", "/guides"),
        ("/guides/start/?a=1&b=%20", "/guides/start?a=1&b=%20"),
        ("/old", "/guides/start#install"),
        ("/old/", "/guides/start#install"),
        ("/old?utm=1", "/guides/start?utm=1#install"),
        ("/away", "https://example.org/there"),
        ("/_sites/acme", "/_sites/acme/"),
        ("/_sites/acme/guides/start/", "/_sites/acme/guides/start"),
        ("/_sites/acme/old", "/_sites/acme/guides/start#install"),
    ],
)
def test_other_spellings_and_old_urls_lead_there(world: Any, path: str, location: str) -> None:
    answer = world.get((SHARED if path.startswith("/_sites/") else HOST) + path)
    assert (answer.status_code, answer.headers["location"]) == (308, location)


def test_a_redirect_that_is_not_permanent_is_temporary(world: Any) -> None:
    answer = world.get(HOST + "/moved/start")
    assert (answer.status_code, answer.headers["location"]) == (307, "/guides/start")


@pytest.mark.parametrize("path", ["/moved//evil.test", "/moved/%2F%2Fevil.test"])
def test_a_redirect_never_leads_to_a_host_of_the_readers_choice(world: Any, path: str) -> None:
    location = world.get(HOST + path).headers.get("location", "/")
    assert location.startswith("/")
    assert not location.startswith("//")


@pytest.mark.parametrize(
    ("path", "accept"),
    [
        ("/guides/start.md", "*/*"),
        ("/guides/start", "text/markdown"),
        ("/guides/start", "text/markdown;q=0.9, */*;q=0.1"),
        ("/guides/start", "text/plain"),
    ],
)
def test_the_markdown_of_a_page(world: Any, path: str, accept: str) -> None:
    answer = world.get(HOST + path, headers={"accept": accept})
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert "Start guides/start as text" in answer.text
    assert "<html" not in answer.text
    assert "Accept" in answer.headers["vary"]


def test_the_home_page_has_a_markdown_version(world: Any) -> None:
    assert "Start index as text" in world.get(HOST + "/index.md").text


@pytest.mark.parametrize("accept", ["*/*", "text/html,application/xhtml+xml,*/*;q=0.8", ""])
def test_browsers_get_html(world: Any, accept: str) -> None:
    assert "<html" in world.get(HOST + "/guides/start", headers={"accept": accept}).text


@pytest.mark.parametrize(
    ("path", "kind", "text"),
    [
        ("/sitemap.xml", "xml", "https://docs.acme.test/guides/start"),
        ("/robots.txt", "text/plain", "Sitemap: https://docs.acme.test/sitemap.xml"),
        ("/llms.txt", "text/plain", "# Acme"),
        ("/llms-full.txt", "text/plain", "Start guides/start as text"),
        ("/.well-known/llms.txt", "text/plain", "# Acme"),
        ("/.well-known/llms-full.txt", "text/plain", "Start guides/start as text"),
    ],
)
def test_texts_for_programs(world: Any, path: str, kind: str, text: str) -> None:
    answer = world.get(HOST + path)
    assert answer.status_code == 200
    assert kind in answer.headers["content-type"]
    assert text in answer.text


def test_a_file_of_the_repository_wins_over_a_generated_one(world: Any) -> None:
    own = world.deployment("own", "docs.own.test")
    world.publish_site(own, files={"robots.txt": (b"User-agent: none", "text/plain")})
    assert world.get("http://docs.own.test/robots.txt").text == "User-agent: none"


def test_pages_link_what_programs_read(world: Any) -> None:
    headers = world.get(SHARED + "/_sites/acme/guides/start").headers
    assert '</_sites/acme/llms.txt>; rel="llms-txt"' in headers["link"]
    assert '</_sites/acme/guides/start.md>; rel="alternate"' in headers["link"]
    assert headers["x-llms-txt"] == "/_sites/acme/llms.txt"


def test_pages_with_names_in_any_script_are_served(world: Any) -> None:
    """Headers are ASCII, so their URLs are percent-encoded."""
    arabic = world.deployment("arabic", "docs.arabic.test")
    world.publish_site(arabic, pages=("index", "دليل/größe"), redirects=())
    for path in ("/دليل/größe", "/%D8%AF%D9%84%D9%8A%D9%84/gr%C3%B6%C3%9Fe"):
        answer = world.get(f"http://docs.arabic.test{path}")
        assert answer.status_code == 200
        assert answer.headers["link"].startswith("</%D8%AF%D9%84%D9%8A%D9%84/gr%C3%B6%C3%9Fe.md>")


def test_an_unknown_url_is_the_404_page(world: Any) -> None:
    answer = world.get(HOST + "/nowhere/at/all")
    assert answer.status_code == 404
    assert "<html" in answer.text
    assert 'href="/"' in answer.text


def test_the_404_page_has_the_language_of_its_path(world: Any) -> None:
    languages = {"en": ("index", "guides/start"), "fr": ("fr/index", "fr/guides/start")}
    roots = (node(NodeKind.LANGUAGE, of, *map(page, slugs)) for of, slugs in languages.items())
    world.publish_site(
        world.deployment("both", "docs.both.test"),
        pages=(*languages["en"], *languages["fr"]),
        navigation=Navigation(tuple(roots)),
    )
    paths = {"/none": "en", "/fr/none": "fr", "/fr/guides/none/at/all": "fr", "/guides/none": "en"}
    for path, language in paths.items():
        text = world.get(f"http://docs.both.test{path}").text
        assert f'<html lang="{language}"' in text
        assert ("Page introuvable" in text) is (language == "fr")
        home = "/fr" if language == "fr" else "/"
        assert f'not-found-go-back-button" href="{home}"' in text


def test_an_unknown_url_leads_home_where_the_site_wants_that(world: Any) -> None:
    lenient = world.deployment("lenient", "docs.lenient.test")
    world.publish_site(lenient, not_found=NotFoundPage(redirect=True))
    answer = world.get(SHARED + "/_sites/lenient/nowhere")
    assert (answer.status_code, answer.headers["location"]) == (307, "/_sites/lenient/")
    assert world.get("http://docs.lenient.test/missing.png").status_code == 404


def test_an_unknown_url_leads_to_the_home_page_of_its_language(world: Any) -> None:
    languages = {"ja": ("index", "guide"), "en": ("en/index", "en/guide")}
    roots = (node(NodeKind.LANGUAGE, of, *map(page, slugs)) for of, slugs in languages.items())
    world.publish_site(
        world.deployment("two", "docs.two.test"),
        pages=(*languages["ja"], *languages["en"]),
        navigation=Navigation(tuple(roots)),
        not_found=NotFoundPage(redirect=True),
    )
    for path, home in {"/none": "/", "/en/none": "/en", "/en/none/at/all": "/en"}.items():
        assert world.get(f"http://docs.two.test{path}").headers["location"] == home


def test_a_site_without_an_index_begins_with_its_first_page(world: Any) -> None:
    headless = world.deployment("headless", "docs.headless.test")
    world.publish_site(headless, pages=("intro", "more"))
    answer = world.get("http://docs.headless.test/")
    assert (answer.status_code, answer.headers["location"]) == (307, "/intro")


def test_a_site_without_pages_ends_nowhere_in_circles(world: Any) -> None:
    world.publish_site(world.deployment("bare", "docs.bare.test"), pages=())
    for path in ("/", "/nowhere"):
        assert world.get("http://docs.bare.test" + path).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/guides/..%2f..%2fetc/passwd",
        "/%252e%252e/etc/passwd",
        "/images/%5c..%5clogo.svg",
        "//evil.test/guides/start",
        "/guides//start",
        "/guides/start%00.md",
        "/guides/%0d%0aset-cookie:a",
        "/./guides/start",
        "/_sites/../acme/",
        "/_sites/acme/../other/",
        "/_docs/../images/logo.svg",
        "/%ff%fe",
    ],
)
def test_path_tricks_lead_nowhere(world: Any, path: str) -> None:
    assert raw_get(world, path) == 404


def raw_get(world: Any, path: str) -> int:
    """The status for a path exactly as it is written, which clients would normalize."""
    statuses: list[int] = []

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    async def receive() -> Any:
        return {"type": "http.request"}

    scope = {
        "type": "http",
        "method": "GET",
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", b"docs.acme.test")],
    }
    asyncio.run(world.usual_hosting(scope, receive, send))
    return statuses[0]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_sites_are_only_read(world: Any, method: str) -> None:
    answer = world.get(HOST + "/guides/start", method)
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


def test_the_thumbnail_of_a_page_is_rendered_on_request(world: Any) -> None:
    assert "/_docs/preview/guides/start.jpg" in world.get(HOST + "/guides/start").text
    picture = world.get(HOST + "/_docs/preview/guides/start.jpg")
    assert picture.headers["content-type"] == "image/jpeg"
    assert picture.content.startswith(b"\xff\xd8\xff")
    assert world.get(HOST + "/_docs/preview/nothing.jpg").status_code == 404


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/.well-known/agent-card.json", "application/json"),
        ("/.well-known/mcp", "application/json"),
        ("/.well-known/mcp.json", "application/json"),
        ("/.well-known/mcp/server-card.json", "application/json"),
        ("/.well-known/mcp/server-cards.json", "application/json"),
        ("/.well-known/agent-skills/index.json", "application/json"),
        ("/_llms/guides.md", "text/markdown"),
    ],
)
def test_programs_find_what_a_site_offers(world: Any, path: str, kind: str) -> None:
    answer = world.get(HOST + path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(kind)
    assert "https://docs.acme.test" in answer.text


def test_pages_name_only_what_there_is(world: Any) -> None:
    link = world.get(HOST + "/guides/start").headers["link"]
    assert '</.well-known/mcp/server-card.json>; rel="mcp-server-card"' in link
    assert '</.well-known/agent-card.json>; rel="agent-card"' in link
    assert "api-catalog" not in link
    assert world.get(HOST + "/.well-known/api-catalog").status_code == 404


def test_a_site_that_describes_an_interface_has_a_catalog(world: Any) -> None:
    described = world.deployment("described", "docs.described.test")
    world.publish_site(described, api=ApiSettings(openapi=("/api/openapi.yaml",)))
    host = "http://docs.described.test"
    answer = world.get(f"{host}/.well-known/api-catalog")
    assert answer.headers["content-type"] == "application/linkset+json"
    (linkset,) = answer.json()["linkset"]
    assert linkset["service-desc"] == [
        {"href": "https://docs.described.test/api/openapi.yaml", "type": "application/yaml"}
    ]
    assert 'rel="api-catalog"' in world.get(f"{host}/quickstart").headers["link"]


def test_one_of_several_skills_is_chosen_from_their_index(world: Any) -> None:
    skills = tuple(Skill(name, name, "How.", f"# {name}") for name in ("build", "ship"))
    world.publish_site(world.deployment("skilled", "docs.skilled.test"), skills=skills)
    host = "http://docs.skilled.test"
    answer = world.get(f"{host}/skill.md")
    assert (answer.status_code, answer.headers["location"]) == (
        307,
        "/.well-known/skills/index.json",
    )
    assert world.get(f"{host}/.well-known/skills/ship/SKILL.md").text == "# ship"


def test_pages_connect_to_channels_only_where_a_page_has_one(world: Any) -> None:
    def connects(host: str) -> str:
        policy = world.get(f"http://{host}/quickstart").headers["content-security-policy"]
        return str(next(part for part in policy.split("; ") if part.startswith("connect-src")))

    live = world.deployment("live", "docs.live.test")
    world.publish_site(live, features=("playground", "socket"))
    assert connects("docs.acme.test") == "connect-src 'self'"
    assert connects("docs.live.test") == "connect-src 'self' wss: ws:"


def test_a_page_for_groups_is_at_no_url(world: Any, acme: Any) -> None:
    world.publish_site(acme, groups={"api": ("partners",)})
    for path in ("/api", "/api.md", "/api.html"):
        assert world.get(HOST + path).status_code == 404
    for path in ("/", "/guides/start", "/llms.txt", "/llms-full.txt", "/sitemap.xml"):
        assert "api" not in world.get(HOST + path).text.lower().replace("/_docs/api", "")


def test_scripts_of_vendors_are_allowed_only_at_the_hosts_of_sites(world: Any, acme: Any) -> None:
    given = Integrations({"ga4": {"measurementId": "G-ABC123"}})
    world.publish_site(acme, integrations=given)
    hosting = world.hosting(external_services=lambda _: ExternalServices(integrations=True))
    own = world.get(HOST + "/api", hosting=hosting).headers["content-security-policy"]
    shared = world.get("http://service.test/_sites/acme/api", hosting=hosting)
    assert "script-src 'self' https://*.googletagmanager.com;" in own
    assert "https://*.google-analytics.com" in own
    assert "script-src 'self';" in shared.headers["content-security-policy"]
    assert "googletagmanager" not in world.get(HOST + "/api").headers["content-security-policy"]


def test_scripts_of_trusted_hosts_are_allowed_only_at_the_hosts_of_sites(world: Any) -> None:
    hosting = world.hosting(
        external_services=lambda _: ExternalServices(script_hosts=("cdn.example",))
    )
    own = world.get(HOST + "/api", hosting=hosting).headers["content-security-policy"]
    shared = world.get("http://service.test/_sites/acme/api", hosting=hosting)
    assert "script-src 'self' https://cdn.example;" in own
    assert "connect-src 'self' https://cdn.example;" in own
    assert "cdn.example" not in shared.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        (("logo.svg", "_docs/shell.1.js", "_islands/a.1.js"), "prerender"),
        (("site.js",), "prefetch"),
        (("/parts/a.js", "logo.svg"), "prefetch"),
    ],
)
def test_scripts_of_a_site_run_only_for_pages_that_are_opened(
    files: tuple[str, ...], kind: str
) -> None:
    name, path = speculation_header("/docs", files)
    rules = speculation_rules(path.strip('"').removeprefix("/docs/"), "/docs")
    assert name == "Speculation-Rules"
    assert rules is not None
    assert list(json.loads(rules.body)) == [kind]


def test_browsers_prerender_pages_of_a_site_at_its_own_host(world: Any) -> None:
    """Prerendering needs an origin, which pages of shared hosts do not have."""
    page = world.get(HOST + "/api")
    path = page.headers["speculation-rules"].strip('"')
    answer = world.get(HOST + path)
    assert answer.headers["content-type"] == "application/speculationrules+json"
    assert "immutable" in answer.headers["cache-control"]
    (rule,) = answer.json()["prerender"]
    assert rule["eagerness"] == "moderate"
    assert rule["where"]["and"][0] == {"href_matches": "/*"}
    assert "/_docs/*" in rule["where"]["and"][1]["not"]["href_matches"]
    shared = world.get("http://service.test/_sites/acme/api")
    assert "speculation-rules" not in shared.headers
    assert "speculation-rules" not in world.get(HOST + "/api.md").headers
    assert world.get(HOST + "/_docs/speculation.000000000000.json").status_code == 404
