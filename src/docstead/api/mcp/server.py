"""MCP protocol, implemented by the official SDK, which is large and imported on first use."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import mcp_types as types
from mcp import MCPError
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import Receive, Scope, Send

from docstead import __version__
from docstead.accounts.tenancy import Deployment
from docstead.api.mcp.resources import MARKDOWN, McpResources
from docstead.api.mcp.tools import McpTools
from docstead.base.errors import DocsteadError
from docstead.base.unexpected import UnexpectedError

_log = logging.getLogger(__name__)
_Tool = Callable[[dict[str, Any]], Awaitable[str]]
_READING = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_WRITING = types.ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)
_OPTIONAL = ("version", "language")
_TEXT = {"type": "string"}
_TOOLS = (
    (
        "search",
        "Search the documentation. Returns sections with their URLs and paths.",
        {"query": _TEXT, "version": _TEXT, "language": _TEXT},
    ),
    (
        "read_page",
        "Read a whole page as Markdown, by a path that search returned.",
        {"path": _TEXT},
    ),
    (
        "ask",
        "Ask a question; the answer is based on the documentation only and names its sources.",
        {"question": _TEXT},
    ),
    (
        "report_problem",
        "Report to the maintainers what is wrong or missing on a page.",
        {"path": _TEXT, "problem": _TEXT},
    ),
)


async def serve(  # noqa: PLR0917 - an ASGI call, and whose site it is for
    scope: Scope,
    receive: Receive,
    send: Send,
    mcp_tools: McpTools,
    deployment: Deployment,
    client_ip: str,
) -> None:
    """Answer one stateless request."""
    server = _server(mcp_tools, deployment, client_ip)
    manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True)
    async with manager.run():
        await manager.handle_request(scope, receive, send)


def _server(mcp_tools: McpTools, deployment: Deployment, client_ip: str) -> Server[Any]:
    tools = _available(mcp_tools, deployment, client_ip)

    async def list_tools(
        _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        available = [_tool(*each) for each in _TOOLS if each[0] in tools]
        return types.ListToolsResult(tools=available)

    async def call_tool(
        _context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool = tools.get(params.name)
        if tool is None:
            return _result(f"there is no tool {params.name!r}", is_error=True)
        try:
            with _known_errors():
                return _result(await tool(params.arguments or {}))
        except DocsteadError as error:
            return _result(error.message, is_error=True)

    on_resources = _on_resources(mcp_tools.resources, deployment)
    return Server(
        f"{deployment.domain}-docs",
        version=__version__,
        instructions=f"The documentation of this site. Available tools: {', '.join(tools)}.",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        **on_resources,
    )


def _available(mcp_tools: McpTools, deployment: Deployment, client_ip: str) -> dict[str, _Tool]:
    """Return the tools that the deployment's features allow."""
    features = mcp_tools.features(deployment)
    tools: dict[str, tuple[bool, _Tool]] = {
        "search": (features.search, lambda given: mcp_tools.search(deployment, given)),
        "read_page": (True, lambda given: mcp_tools.read_page(deployment, given)),
        "ask": (features.assistant, lambda given: mcp_tools.ask(deployment, given, client_ip)),
        "report_problem": (
            features.analytics,
            lambda given: mcp_tools.report(deployment, given, client_ip),
        ),
    }
    return {name: tool for name, (is_on, tool) in tools.items() if is_on}


def _on_resources(resources: McpResources, deployment: Deployment) -> dict[str, Any]:
    async def listed(
        _context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        with _reported_errors():
            found, more = await resources.listed(deployment, params.cursor if params else None)
        shown = [
            types.Resource(
                uri=each.uri, name=each.name, description=each.text, mime_type=each.mime_type
            )
            for each in found
        ]
        return types.ListResourcesResult(resources=shown, next_cursor=more)

    async def read(
        _context: ServerRequestContext[Any], params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        with _reported_errors():
            found = await resources.read(deployment, params.uri)
        text = types.TextResourceContents(uri=found.uri, mime_type=found.mime_type, text=found.text)
        return types.ReadResourceResult(contents=[text])

    async def templates(
        _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        page = types.ResourceTemplate(
            name="page",
            uri_template=resources.template(deployment),
            description="A documentation page by path.",
            mime_type=MARKDOWN,
        )
        return types.ListResourceTemplatesResult(resource_templates=[page])

    return {
        "on_list_resources": listed,
        "on_read_resource": read,
        "on_list_resource_templates": templates,
    }


@contextmanager
def _reported_errors() -> Iterator[None]:
    """Convert errors to protocol errors, which have no code for missing resources."""
    try:
        with _known_errors():
            yield
    except DocsteadError as error:
        raise MCPError(types.INVALID_PARAMS, error.message) from error


@contextmanager
def _known_errors() -> Iterator[None]:
    """Log unexpected errors and replace their text, which the SDK would send to the client."""
    try:
        yield
    except DocsteadError:
        raise
    except Exception as error:
        failure = UnexpectedError()
        _log.exception("error %s: a request of an MCP client failed", failure.id)
        raise failure from error


def _tool(name: str, description: str, properties: dict[str, Any]) -> types.Tool:
    required = [each for each in properties if each not in _OPTIONAL]
    schema = {"type": "object", "properties": properties, "required": required}
    hints = _WRITING if name == "report_problem" else _READING
    return types.Tool(name=name, description=description, input_schema=schema, annotations=hints)


def _result(text: str, *, is_error: bool = False) -> types.CallToolResult:
    content = types.TextContent(type="text", text=text)
    return types.CallToolResult(content=[content], is_error=is_error)
