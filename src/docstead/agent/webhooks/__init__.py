"""Webhooks: other programs are told when a job has completed or failed."""

from docstead.agent.webhooks.records import Attempt, Delivery, DeliveryStatus, Webhook
from docstead.agent.webhooks.webhooks import Webhooks

__all__ = ["Attempt", "Delivery", "DeliveryStatus", "Webhook", "Webhooks"]
