"""Values of `docs.json` that no site has: the service renders them without a deadline."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from attacked_service import attacked_service
from running_service import Service

LONG = 100_000  # characters
MANY = 4_000  # entries
MOST_BYTES = 3_000_000  # of one answer
PATHS = (
    "", "index.md", "no-such-page", "llms.txt", "llms-full.txt", "sitemap.xml", "robots.txt",
    "skill.md", ".well-known/skills/index.json", ".well-known/agent-card.json", "rss.xml",
    ".well-known/mcp.json", "_llms/a.md", "_docs/search/index.js", "old",
)  # fmt: skip


def with_texts(text: str) -> dict[str, Any]:
    """Settings with the text in every setting that takes one."""
    link = {"label": text, "href": f"https://example.com/{text}", "icon": text}
    return {
        "name": text,
        "description": text,
        "logo": {"light": f"/{text}", "dark": f"/{text}", "href": link["href"]},
        "favicon": f"/{text}",
        "fonts": {"family": text},
        "background": {"image": f"/{text}"},
        "thumbnails": {"background": f"/{text}"},
        "navbar": {"links": [link], "primary": {"type": "button", **link}},
        "footer": {"socials": {"x": link["href"]}, "links": [{"header": text, "items": [link]}]},
        "banner": {"content": text},
        "contextual": {"options": [{"title": text, "description": text, "href": link["href"]}]},
        "redirects": [{"source": "/old", "destination": f"/{text}"}],
        "errors": {"404": {"redirect": False, "title": text, "description": text}},
        "api": {"mdx": {"server": text, "auth": {"method": "key", "name": text}}},
        "markdown": {"instructions": text},
        "seo": {"metatags": {"og:title": text}, "organization": {"name": text}},
        "search": {"prompt": text},
        "feedback": {"suggestEdit": True, "repository": link["href"]},
        "navigation": {
            "global": {"anchors": [{"anchor": text, "href": link["href"]}]},
            "tabs": [
                {"tab": text, "icon": text, "groups": [{"group": text, "pages": ["index"]}]},
            ],
        },
    }


def with_lists(count: int) -> dict[str, Any]:
    """Settings with so many entries wherever there may be several."""
    links = [{"label": f"L{n}", "href": f"https://example.com/{n}"} for n in range(count)]
    named = {f"n{n}": f"https://example.com/{n}" for n in range(count)}
    options = [{"title": f"T{n}", "description": "d", "href": "https://a.b"} for n in range(count)]
    return {
        "navbar": {"links": links},
        "footer": {"socials": named, "links": [{"header": "H", "items": links}]},
        "contextual": {"options": options},
        "variables": named,
        "seo": {"metatags": named, "organization": {"name": "x", "sameAs": list(named.values())}},
        "redirects": [{"source": f"/o{n}/*", "destination": f"/n{n}/*"} for n in range(count)],
        "navigation": {
            "global": {"anchors": [{"anchor": k, "href": v} for k, v in named.items()]},
            "tabs": [
                {"tab": "T", "pages": ["index"]},
                *({"tab": k, "href": v} for k, v in named.items()),
            ],
        },
    }


def with_pages_named_often(count: int) -> dict[str, Any]:
    return {"navigation": {"pages": ["index"] * count}}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = attacked_service(tmp_path_factory.mktemp("values"))
    service.start()
    yield service
    service.stop()


def published(service: Service, settings: dict[str, Any]) -> dict[str, Any]:
    """The update with these settings, once it has ended."""
    required = {"name": "Odd", "theme": "mint", "colors": {"primary": "#0055ff"}}
    (service.source / "docs.json").write_text(json.dumps({**required, **settings}))
    begun = service.admin("POST", f"/v1/project/update/{service.facts['projectId']}").json()
    path = f"/v1/project/update-status/{begun['statusId']}"
    while (update := service.admin("GET", path).json())["endedAt"] is None:
        time.sleep(0.1)
    found: dict[str, Any] = update
    return found


@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(lambda: with_texts("x" * LONG), id="one word"),
        pytest.param(lambda: with_texts("<b>" * (LONG // 3)), id="markup", marks=pytest.mark.deep),
        pytest.param(
            lambda: with_texts("[a](" * (LONG // 4)), id="open links", marks=pytest.mark.deep
        ),
        pytest.param(
            lambda: with_texts("**a _b `" * (LONG // 8)), id="open marks", marks=pytest.mark.deep
        ),
        pytest.param(lambda: with_lists(MANY), id="long lists"),
    ],
)
def test_every_file_of_the_site_stays_small(
    service: Service, settings: Callable[[], dict[str, Any]]
) -> None:
    update = published(service, settings())
    assert update["status"] == "success", update
    for path in PATHS:
        answer = service.get(f"/_sites/{service.facts['domain']}/{path}", timeout=120)
        assert answer.status_code < 500, path
        assert len(answer.content) < MOST_BYTES, path


@pytest.mark.timeout(120)
def test_a_navigation_of_more_entries_than_pages_can_have_is_refused(service: Service) -> None:
    update = published(service, with_pages_named_often(50_000))
    assert update["status"] == "failure"
    assert "50,000 entries" in update["summary"]
