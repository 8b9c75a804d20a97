"""A tenant that owns one of everything that the dashboard shows, and its owner's session."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI
from sqlalchemy import select
from starlette.applications import Starlette

from docstead.analytics.page_feedback import PageFeedbackStore, ReaderFeedback
from docstead.base.api_keys import KeyKind
from docstead.storage.schema import page_feedback, turns
from docstead.webhooks.records import WebhookRecords
from matrix_tenant import MatrixTenant
from review_repository import BRANCH
from stored_jobs import event_of


@dataclass
class DashboardTenant(MatrixTenant):
    """An organization with a signed-in owner. `session` is the value of its cookie."""

    session: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        link = self.services.owners.new_sign_in_link(self.site.organization_id)
        self.session = self.services.owners.sign_in_by_link(link.rsplit("/", 1)[1]).token
        self.sites.publish(self.site, ("index", self.name))
        self.key(KeyKind.ADMIN)
        self.ids |= {
            "organizationId": self.site.organization_id,
            "keyId": list(self.keys)[-1],
            "exportId": self.ids["jobId"],
            "turnId": self._stored(select(turns.c.id).where(turns.c.thread_id == self._thread)),
            "feedbackId": self._feedback(),
            **self._webhook(),
            "editionId": self._previous(),
            **self._change(),
        }

    @property
    def _thread(self) -> str:
        return self.ids["threadId"]

    def _stored(self, query: object) -> str:
        with self.services.database.reading() as connection:
            return str(connection.execute(query).scalar_one())

    def _previous(self) -> str:
        """Return the edition that a rollback makes current again."""
        site = self.services.tenancy.deployment(self.site.id)
        return self.services.rollbacks.previous(site).id

    def _feedback(self) -> str:
        store = PageFeedbackStore(self.services.database, self.services.clock)
        given = ReaderFeedback(f"token-of-{self.name}", "/index", True, f"secret of {self.name}")
        store.give(self.site.id, given)
        mine = page_feedback.c.deployment_id == self.site.id
        return self._stored(select(page_feedback.c.id).where(mine))

    def _webhook(self) -> dict[str, str]:
        vault = self.services.keyring.vault
        records = WebhookRecords(self.services.database, self.services.clock, vault)
        webhook = records.create(self.site.project_id, f"https://{self.name}.example/hook")
        event = event_of(self.site.project_id, self.services.clock)
        (delivery_id,) = records.record_event(event)
        return {"webhookId": webhook.id, "deliveryId": delivery_id}

    def _change(self) -> dict[str, str]:
        text = {"base": "main", "title": f"secret of {self.name}", "body": "", "draft": False}
        reviews = self.services.forges.reviews
        review = reviews.open(self.site.project_id, BRANCH, **text)
        comment = reviews.comments.add(review.id, f"secret of {self.name}", author=self.name)
        return {"changeId": review.id, "commentId": comment.id}


def dashboard_of(part: Any, depth: int = 4) -> Starlette:
    """Return the dashboard within the service."""
    if isinstance(part, Starlette) and not isinstance(part, FastAPI):
        return part
    for each in vars(part).values() if depth and hasattr(part, "__dict__") else ():
        with suppress(LookupError):
            return dashboard_of(each, depth - 1)
    raise LookupError("the service holds no dashboard")
