"""Rate limits of the interface (docs/reference/errors-and-limits.mdx).

The name of each policy, the last argument of its charge, is its name in `DOCSTEAD_LIMITS`.
"""

from __future__ import annotations

from collections.abc import Mapping

from docstead.base.errors import InvalidRequest
from docstead.base.units import DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS
from docstead.limits.address_limits import AddressPolicy, counted_as
from docstead.limits.rate_limits import BucketCharge


def assistant_message(
    organization_id: str, client_ip: str | None, endpoint: str
) -> tuple[BucketCharge, ...]:
    """Return the charges of an assistant message: 10,000 per hour for the organization, and
    10,000 per day for the IP address.

    Each `endpoint` (`v1`, `v2`, `mcp`) counts separately, and uses the IP address unchanged.
    Clients without a known IP address share one limit.
    """
    organization, client = f"{endpoint}:{organization_id}", f"{endpoint}:{client_ip or ''}"
    return (
        BucketCharge(f"assistant:{organization}", 10_000, HOUR_SECONDS, "assistant-organization"),
        BucketCharge(f"assistant-ip:{client}", 10_000, DAY_SECONDS, "assistant-address"),
    )


#: Names of configurable limits.
NAMES = frozenset(
    {
        "agent-job",
        "agent-message",
        "analytics",
        "archive-publish",
        "archive-status",
        "assistant-address",
        "assistant-feedback",
        "assistant-organization",
        "assistant-resume",
        "export-bundle",
        "export-start",
        "export-status",
        "key-creation",
        "mcp-address",
        "page-content",
        "page-feedback",
        "page-view",
        "project-update",
        "search",
    }
)


def checked(limits: Mapping[str, int]) -> Mapping[str, int]:
    """Validate the limits of a setting.

    Raises:
        InvalidRequest: a name is unknown.
    """
    if unknown := sorted(set(limits) - NAMES):
        known = ", ".join(sorted(NAMES))
        raise InvalidRequest(f"DOCSTEAD_LIMITS: there is no limit {unknown[0]!r}, only: {known}")
    return limits


def public_call(per_hour: int) -> AddressPolicy:
    """Return the policy of calls without secrets, far above the limits of the interface."""
    return AddressPolicy("address", per_hour, HOUR_SECONDS)


def playground_request(per_minute: int) -> AddressPolicy:
    """Return the policy of requests through the API playground."""
    return AddressPolicy("playground-address", per_minute, MINUTE_SECONDS)


def mcp_request(client_ip: str) -> BucketCharge:
    """Return the charge of an MCP request; questions are also charged like messages."""
    return BucketCharge(f"mcp-ip:{client_ip}", 10_000, DAY_SECONDS, "mcp-address")


def assistant_resume(organization_id: str) -> BucketCharge:
    return BucketCharge(f"resume:{organization_id}", 10_000, HOUR_SECONDS, "assistant-resume")


def assistant_feedback(organization_id: str) -> BucketCharge:
    return BucketCharge(f"feedback:{organization_id}", 10_000, HOUR_SECONDS, "assistant-feedback")


def search(organization_id: str) -> BucketCharge:
    return BucketCharge(f"search:{organization_id}", 10_000, HOUR_SECONDS, "search")


def page_content(organization_id: str) -> BucketCharge:
    return BucketCharge(f"page:{organization_id}", 10_000, HOUR_SECONDS, "page-content")


def page_view(client_ip: str) -> BucketCharge:
    """Return the charge of a page view. Offices share an IP address or an IPv6 network."""
    return BucketCharge(f"view-ip:{counted_as(client_ip)}", 10_000, HOUR_SECONDS, "page-view")


def page_feedback(client_ip: str) -> BucketCharge:
    """Return the charge of page feedback, counted by IPv6 network because it is stored."""
    return BucketCharge(
        f"page-feedback-ip:{counted_as(client_ip)}", 200, HOUR_SECONDS, "page-feedback"
    )


def agent_job(project_id: str) -> BucketCharge:
    """Return the charge of a new agent job."""
    return BucketCharge(f"agent-job:{project_id}", 100, HOUR_SECONDS, "agent-job")


def agent_message(project_id: str) -> BucketCharge:
    """Return the charge of a follow-up, counted separately from new jobs."""
    return BucketCharge(f"agent-message:{project_id}", 100, HOUR_SECONDS, "agent-message")


def export_start(organization_id: str) -> BucketCharge:
    return BucketCharge(f"export-start:{organization_id}", 10, HOUR_SECONDS, "export-start")


def export_status(organization_id: str) -> BucketCharge:
    return BucketCharge(f"export-status:{organization_id}", 120, MINUTE_SECONDS, "export-status")


def export_bundle(organization_id: str) -> BucketCharge:
    return BucketCharge(f"export-bundle:{organization_id}", 30, HOUR_SECONDS, "export-bundle")


def analytics(organization_id: str) -> BucketCharge:
    """Return the charge of a request to any analytics endpoint."""
    return BucketCharge(f"analytics:{organization_id}", 100, HOUR_SECONDS, "analytics")


def archive_publish(organization_id: str) -> BucketCharge:
    """Return the charge of publishing an archive."""
    return BucketCharge(f"archive:{organization_id}", 60, HOUR_SECONDS, "archive-publish")


def archive_status(organization_id: str) -> BucketCharge:
    return BucketCharge(f"archive-status:{organization_id}", 600, MINUTE_SECONDS, "archive-status")


def project_update(organization_id: str) -> BucketCharge:
    return BucketCharge(f"update:{organization_id}", 10, 10, "project-update")
