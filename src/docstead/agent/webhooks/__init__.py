"""Webhooks: other programs are notified when a job has completed or failed."""

from docstead.agent.webhooks.records import Attempt, DeliveryStatus, Webhook, WebhookDelivery
from docstead.agent.webhooks.webhooks import Webhooks

__all__ = ["Attempt", "DeliveryStatus", "Webhook", "WebhookDelivery", "Webhooks"]
