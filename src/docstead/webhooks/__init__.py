"""Webhooks that notify other programs of the ends of agent jobs, updates and exports."""

from docstead.webhooks.events import EventGroup, RecordEvent, WebhookEvent, no_webhooks
from docstead.webhooks.records import (
    DeliveryAttempt,
    DeliveryStatus,
    Webhook,
    WebhookDelivery,
)
from docstead.webhooks.webhooks import WebhookService

__all__ = [
    "DeliveryAttempt",
    "DeliveryStatus",
    "EventGroup",
    "RecordEvent",
    "Webhook",
    "WebhookDelivery",
    "WebhookEvent",
    "WebhookService",
    "no_webhooks",
]
