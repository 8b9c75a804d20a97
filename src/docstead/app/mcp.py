"""Assembly of the MCP servers of sites."""

from __future__ import annotations

from docstead.accounts.tenancy import Deployment
from docstead.analytics.event_collector import EventCollector
from docstead.api.admission_by_address import Admit
from docstead.api.assistant.contents import ContentSearch
from docstead.api.client_address import ClientAddress
from docstead.api.mcp.resources import McpResources, Texts
from docstead.api.mcp.surface import McpSurface
from docstead.api.mcp.tools import McpTools
from docstead.app.services import AppServices
from docstead.assistant.streams import AnswerStreams
from docstead.hosting.site_matching import SiteMatcher


def mcp_of(
    services: AppServices,
    client_address: ClientAddress,
    streams: AnswerStreams[Deployment],
    matcher: SiteMatcher,
    *,
    readers: EventCollector[Deployment],
    texts: Texts,
    admit: Admit,
) -> McpSurface:
    """Return the MCP surface, which resolves sites as hosting does."""
    found = services.editions, services.site_url
    contents = ContentSearch(*found, services.insights.searches)
    mcp_tools = McpTools(
        contents,
        streams,
        services.rate_limits,
        readers,
        McpResources(*found, contents, texts),
        services.features.features,
    )

    def find(host: str, path: str) -> Deployment:
        return matcher.find(host, path).deployment

    return McpSurface(
        mcp_tools,
        find,
        client_address,
        services.settings.max_body_bytes,
        admit,
        knows=matcher.knows,
    )
