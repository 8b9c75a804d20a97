"""Webhooks that notify other programs when a job has completed or failed."""

from docstead.agent.webhooks.records import (
    DeliveryAttempt,
    DeliveryStatus,
    Webhook,
    WebhookDelivery,
)
from docstead.agent.webhooks.webhooks import WebhookService

__all__ = ["DeliveryAttempt", "DeliveryStatus", "Webhook", "WebhookDelivery", "WebhookService"]
