"""Assembly of webhooks."""

from __future__ import annotations

from docstead.app.shared import SharedServices
from docstead.base.networks import parsed_networks
from docstead.base.outbound import OutboundClient
from docstead.webhooks import WebhookService
from docstead.webhooks.records import WebhookRecords

_SECONDS = 30.0  # per delivery


def webhooks_of(shared: SharedServices) -> WebhookService:
    """Return the webhooks, and encrypt secrets that earlier versions stored in plain text."""
    records = WebhookRecords(shared.database, shared.clock, shared.keyring.vault)
    records.seal_secrets()
    settings = shared.settings
    outbound = OutboundClient(
        parsed_networks((*settings.webhook_networks, *settings.agent_webhook_networks)),
        setting="DOCSTEAD_WEBHOOK_NETWORKS",
        total_seconds=_SECONDS,
    )
    return WebhookService(records, outbound, shared.clock)
