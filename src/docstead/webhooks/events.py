"""Events that webhooks report."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection

from docstead.base.clock import rfc3339


class EventGroup(StrEnum):
    """Events that a webhook can choose; a group is the first part of its events' types."""

    AGENT = "agent"  #: A job has completed or failed.
    EDITION = "edition"  #: An edition was published, or an update failed.
    EXPORT = "export"  #: An export has completed or failed.


@dataclass(frozen=True, slots=True)
class WebhookEvent:
    """An event of a project."""

    project_id: str
    subject_id: str  # what it reports, such as an export; one event for each
    type: str  # such as "export.completed"
    created_at: datetime
    content: Mapping[str, Any]  # its own fields of the body

    @property
    def group(self) -> EventGroup:
        return EventGroup(self.type.partition(".")[0])

    def body(self, delivery_id: str) -> str:
        """Return the body of a delivery as JSON."""
        created = rfc3339(self.created_at)
        return json.dumps(
            {"id": delivery_id, "type": self.type, "createdAt": created, **self.content}
        )


# Records an event in the transaction of what it reports.
RecordEvent = Callable[[Connection, WebhookEvent], object]


def no_webhooks(_connection: Connection, _event: WebhookEvent) -> None:
    """Do nothing."""
