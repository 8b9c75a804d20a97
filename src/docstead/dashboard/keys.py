"""API key pages of a deployment: list, create, rotate and revoke."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from starlette.responses import Response

from docstead.accounts.key_records import CreatedKey, KeyRecord
from docstead.accounts.tenancy import Deployment
from docstead.base.api_keys import KeyKind
from docstead.base.errors import DocsteadError, InvalidRequest, NotFound
from docstead.dashboard.forms import SubmittedForm
from docstead.dashboard.pages import PageRenderer, see
from docstead.dashboard.services import DashboardServices
from docstead.dashboard.sign_in import confirm
from docstead.dashboard.visits import HOME, OwnerVisit

EXPIRY_DAYS = (7, 30, 60, 90)
_DEFAULT_EXPIRY = "90"
_NEVER = "never"
_SOON = timedelta(days=7)
_FIELDS = ("name", "kind", "scopes", "allowlist", "origins", "expires", "current")


@dataclass(frozen=True)
class KeyRow:
    """A key as displayed in the list."""

    record: KeyRecord
    is_expired: bool
    expires_soon: bool
    is_in_pages: bool


class KeyPages:
    """Pages under `/dashboard/keys/{domain}`: admin keys of the organization, assistant keys."""

    def __init__(self, services: DashboardServices, pages: PageRenderer) -> None:
        self._services = services
        self._pages = pages

    def show(self, visit: OwnerVisit) -> Response:
        return self._render(visit, visit.deployment(self._services.tenancy))

    def create(self, visit: OwnerVisit) -> Response:
        """Create a key. Its secret is shown once, in the response."""
        deployment = visit.deployment(self._services.tenancy)
        try:
            if _kind(visit.form.text("kind")) is KeyKind.ADMIN:
                confirm(self._services, visit)
            created = self._create(visit.form, deployment)
        except NotFound:
            raise
        except DocsteadError as error:
            response = self._render(visit, deployment, error=error)
            response.headers.update(error.headers)
            return response
        return self._render(visit, deployment, created=created)

    def ask_revoke(self, visit: OwnerVisit) -> Response:
        deployment = visit.deployment(self._services.tenancy)
        record = self._record(visit, deployment)
        return self._pages.render(
            visit,
            "revoke.html",
            deployment=deployment,
            record=record,
            is_in_pages=record.id == self._services.api_keys.site_key_id(deployment),
            tab="keys",
        )

    def revoke(self, visit: OwnerVisit) -> Response:
        deployment = visit.deployment(self._services.tenancy)
        record = self._record(visit, deployment)
        self._services.api_keys.revoke(visit.organization.id, record.id)
        return see(f"{HOME}/keys/{deployment.domain}")

    def rotate_site_key(self, visit: OwnerVisit) -> Response:
        """Give the pages of the site a new key. The previous one stays valid."""
        deployment = visit.deployment(self._services.tenancy)
        self._services.api_keys.rotate_site_key(deployment)
        self._services.api_keys.site_key(deployment)
        return see(f"{HOME}/keys/{deployment.domain}")

    def _create(self, form: SubmittedForm, deployment: Deployment) -> CreatedKey:
        kind = _kind(form.text("kind"))
        is_admin = kind is KeyKind.ADMIN
        return self._services.api_keys.create(
            deployment.organization_id,
            kind,
            form.text("name"),
            deployment_id=None if is_admin else deployment.id,
            scopes=(form.all("scopes") if is_admin else form.all("groups")) or None,
            allowlist=form.text("allowlist").replace(",", " ").split() or None,
            origins=None if is_admin else form.text("origins").replace(",", " ").split() or None,
            expires_at=_expiry(form.text("expires"), self._services.clock.now()),
        )

    def _record(self, visit: OwnerVisit, deployment: Deployment) -> KeyRecord:
        requested = visit.parameter("key_id")
        found = (row.record for row in self._rows(deployment) if row.record.id == requested)
        record = next(found, None)
        if record is None:
            raise self._services.api_keys.absence(deployment.organization_id, requested)
        return record

    def _rows(self, deployment: Deployment) -> list[KeyRow]:
        now = self._services.clock.now()
        in_pages = self._services.api_keys.site_key_id(deployment)
        return [
            _row(record, now, is_in_pages=record.id == in_pages)
            for record in self._services.api_keys.list(deployment.organization_id)
            if record.deployment_id in (None, deployment.id)
        ]

    def _render(
        self,
        visit: OwnerVisit,
        deployment: Deployment,
        *,
        created: CreatedKey | None = None,
        error: DocsteadError | None = None,
    ) -> Response:
        return self._pages.render(
            visit,
            "keys.html",
            status_code=200 if error is None else error.status,
            deployment=deployment,
            rows=self._rows(deployment),
            created=created,
            error=None if error is None else _form_error(error),
            given=_given(visit.form if error else SubmittedForm({})),
            expiry_days=EXPIRY_DAYS,
            proof=self._services.owners.proof_needed(visit.secret),
            tab="keys",
        )


def _row(record: KeyRecord, now: datetime, *, is_in_pages: bool) -> KeyRow:
    is_expired = record.is_expired(now)
    soon = record.expires_at is not None and record.expires_at - now <= _SOON
    return KeyRow(record, is_expired, soon and not is_expired, is_in_pages)


def _kind(text: str) -> KeyKind:
    try:
        return KeyKind(text)
    except ValueError as error:
        raise InvalidRequest("kind: must be admin or assistant") from error


def _expiry(text: str, now: datetime) -> datetime | None:
    if text == _NEVER:
        return None
    if text not in map(str, EXPIRY_DAYS):
        raise InvalidRequest("expires: choose one of the listed periods")
    return now + timedelta(days=int(text))


def _form_error(error: DocsteadError) -> Mapping[str, str]:
    """Split an error message into the form field that it names and its text."""
    field, colon, rest = error.message.partition(": ")
    is_field = colon and field in _FIELDS
    return {"field": field, "text": rest} if is_field else {"field": "", "text": error.message}


def _given(form: SubmittedForm) -> Mapping[str, object]:
    """Return the submitted form values, or the defaults."""
    return {
        "kind": form.text("kind") or KeyKind.ADMIN.value,
        "name": form.text("name"),
        "expires": form.text("expires") or _DEFAULT_EXPIRY,
        "scopes": form.all("scopes"),
        "groups": form.all("groups"),
        "allowlist": form.text("allowlist"),
        "origins": form.text("origins"),
    }
