"""The MCP server of a site, through the SDK's own client."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from sqlalchemy import insert

from docstead.analytics.feedback_entries import FeedbackOrigin
from docstead.base.errors import Unavailable
from docstead.limits import policies
from docstead.storage.schema import rate_limits
from handmade_sites import HandmadeSites

BELOW = "/_sites/acme/mcp"
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
HEADERS = {"accept": "application/json, text/event-stream"}


@pytest.fixture
def site(service: Any, tmp_path: Any) -> Any:
    services = service.services
    sites = HandmadeSites(services.database, services.objects, tmp_path, services.clock)
    deployment = sites.deployment("acme", "docs.acme.test")
    sites.publish(deployment, ("index", "guides/start"))
    wait_for_index(services, deployment.id)
    return deployment


def wait_for_index(services: Any, deployment_id: str) -> None:
    """Editions written by hand have none at first."""
    for _ in range(2400):
        edition = services.editions.current(services.tenancy.deployment(deployment_id))
        with suppress(Unavailable):
            assert edition.index
            return
        time.sleep(0.05)
    raise AssertionError("there is no index")


def with_client(
    service: Any, url: str, use: Callable[[Client], Coroutine[Any, Any, Any]], mode: Any = "auto"
) -> Any:
    async def run() -> Any:
        transport = httpx2.ASGITransport(service.app)
        async with (
            httpx2.AsyncClient(transport=transport) as http,
            Client(streamable_http_client(url, http_client=http), mode=mode) as client,
        ):
            return await use(client)

    return asyncio.run(run())


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("url", [f"http://service.test{BELOW}", "http://docs.acme.test/mcp"])
def test_its_tools_find_read_and_answer(service: Any, site: Any, url: str, mode: str) -> None:
    async def use(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == ["search", "read_page", "ask", "report_problem"]
        only_read = [tool.annotations and tool.annotations.read_only_hint for tool in tools]
        assert only_read == [True, True, True, False]
        found = await client.call_tool("search", {"query": "start"})
        assert "https://docs.acme.test/" in found.content[0].text
        missed = await client.call_tool("search", {"query": "start", "version": "v7"})
        assert missed.content[0].text.startswith("No results with version 'v7'.")
        page = await client.call_tool("read_page", {"path": "/guides/start"})
        assert page.content[0].text.startswith("# Guides/Start")
        answer = await client.call_tool("ask", {"question": "How do I start?"})
        assert not answer.is_error
        assert answer.content[0].text

    with_client(service, url, use, mode)
    conversations = service.services.insights.conversations
    assert conversations.exchanges([site.id], limit=9)[0].channel == "mcp"
    assert service.services.insights.searches.most([site.id], limit=1)[0].term == "start"


def test_pages_skills_and_the_index_are_resources(service: Any, tmp_path: Any) -> None:
    services = service.services
    sites = HandmadeSites(services.database, services.objects, tmp_path, services.clock)
    deployment = sites.deployment("acme", "docs.acme.test")
    pages = ("index", "guides/start", "guides/team")
    sites.publish(deployment, pages, groups={"guides/team": ("staff",)})
    wait_for_index(services, deployment.id)
    root = "https://docs.acme.test"

    async def use(client: Client) -> None:
        listed = (await client.list_resources()).resources
        named = {each.uri.removeprefix(root): each.mime_type for each in listed}
        markdown = dict.fromkeys(("/skill.md", "/index.md", "/guides/start.md"), "text/markdown")
        assert named == {"/llms.txt": "text/plain", **markdown}
        for each in listed:
            (content,) = (await client.read_resource(each.uri)).contents
            assert (content.uri, content.mime_type) == (each.uri, each.mime_type)
            assert "Start" in content.text
        (template,) = (await client.list_resource_templates()).resource_templates
        assert template.uri_template == f"{root}/{{+path}}.md"
        for wrong in ("/guides/team.md", "/nowhere.md", "/docs.json"):
            with pytest.raises(MCPError, match="no such page"):
                await client.read_resource(root + wrong)
        with pytest.raises(MCPError, match="no resource"):
            await client.read_resource("https://elsewhere.test/index.md")
        for wrong in ("much", "9" * 5_000, "-1", "²"):
            with pytest.raises(MCPError, match=r"^cursor: must be the cursor"):
                await client.list_resources(cursor=wrong)

    with_client(service, f"http://service.test{BELOW}", use)


def test_the_card_of_the_server_names_what_it_can(service: Any, site: Any) -> None:
    card = service("GET", "/_sites/acme/.well-known/mcp/server-card.json").json()

    async def use(client: Client) -> set[str]:
        return set(client.server_capabilities.model_dump(exclude_none=True))

    capabilities = with_client(service, f"http://service.test{BELOW}", use)
    assert set(card["capabilities"]) == capabilities == {"tools", "resources"}


def test_many_pages_are_listed_in_parts(service: Any, tmp_path: Any) -> None:
    services = service.services
    sites = HandmadeSites(services.database, services.objects, tmp_path, services.clock)
    deployment = sites.deployment("acme", "docs.acme.test")
    sites.publish(deployment, tuple(f"p{number}" for number in range(250)))
    wait_for_index(services, deployment.id)

    async def use(client: Client) -> list[str]:
        first = await client.list_resources()
        rest = await client.list_resources(cursor=first.next_cursor)
        assert rest.next_cursor is None
        return [each.uri for each in (*first.resources, *rest.resources)]

    listed = with_client(service, f"http://service.test{BELOW}", use)
    assert len(listed) == len(set(listed)) == 250 + 2


def test_problems_are_reported(service: Any, site: Any) -> None:
    async def use(client: Client) -> list[Any]:
        said = {"path": "/guides/start", "problem": "The command in step 2 is gone."}
        return [
            await client.call_tool("report_problem", said),
            await client.call_tool("report_problem", said | {"path": "/nowhere"}),
            await client.call_tool("report_problem", said | {"problem": " "}),
        ]

    results = with_client(service, f"http://service.test{BELOW}", use)
    assert [result.is_error for result in results] == [False, True, True]
    (feedback,) = service.services.insights.feedback.newest([site.id], limit=9)
    assert (feedback.path, feedback.origin, feedback.helpful) == (
        "/guides/start",
        FeedbackOrigin.AGENT,
        False,
    )
    assert feedback.comment == "The command in step 2 is gone."


def test_what_is_wrong_is_said_to_the_model(service: Any, site: Any) -> None:
    async def use(client: Client) -> list[Any]:
        return [
            await client.call_tool("read_page", {"path": "/nowhere"}),
            await client.call_tool("search", {}),
            await client.call_tool("search", {"query": 7}),
            await client.call_tool("ask", {"question": "why? " * 1000}),
            await client.call_tool("delete", {}),
        ]

    results = with_client(service, f"http://service.test{BELOW}", use)
    assert all(result.is_error for result in results)
    assert "query: must not be empty" in results[1].content[0].text
    assert "query: must be a string" in results[2].content[0].text


def test_sites_that_are_not_there(service: Any, site: Any) -> None:
    answer = service("POST", "/_sites/other/mcp", json=INITIALIZE, headers=HEADERS)
    assert answer.status_code == 404
    assert list(answer.json()) == ["error"]


def test_nothing_to_listen_to_and_no_page_is_hidden(service: Any, site: Any) -> None:
    listening = service("GET", BELOW, headers={"accept": "text/event-stream"})
    assert (listening.status_code, listening.headers["allow"]) == (405, "POST")
    browser = service("GET", BELOW, headers={"accept": "text/html"})
    assert (browser.status_code, browser.headers["location"]) == (307, "/_sites/acme/")


def test_an_ip_address_has_a_limit(service: Any, site: Any) -> None:
    charge = policies.mcp_request("192.0.2.1")
    now = int(service.services.clock.now().timestamp())
    full = {
        "bucket": charge.bucket,
        "window_start": now - now % charge.window_seconds,
        "n": charge.limit,
    }
    with service.services.database.transaction() as connection:
        connection.execute(insert(rate_limits).values(full))
    answer = service("POST", BELOW, json=INITIALIZE, headers=HEADERS)
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0
