"""One request to the dashboard: who it is from and what it carries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from docstead.accounts.owners import Owner
from docstead.accounts.tenancy import Deployment, Organization, Tenancy
from docstead.base.errors import Forbidden, NotFound
from docstead.dashboard.forms import CSRF_FIELD, SubmittedForm, csrf_token, is_csrf_token

HOME = "/dashboard"
SIGN_IN = f"{HOME}/sign-in"
SAFE_METHODS = ("GET", "HEAD")


@dataclass(frozen=True)
class DashboardRequest:
    """A request whose form, if it has one, came from a page of ours in the same browser."""

    request: Request
    form: SubmittedForm
    secret: str  # the cookie that forms are tied to
    owner: Owner | None = None
    organization: Organization | None = None

    @property
    def csrf_token(self) -> str:
        return csrf_token(self.secret)

    @property
    def host(self) -> str:
        """The Host header as the browser sent it, also where a proxy passes it on."""
        headers = self.request.headers
        return headers.get("x-forwarded-host") or headers.get("host", "")

    def parameter(self, name: str) -> str:
        """A part of the path; "" where this path has no such part.

        Raises:
            NotFound: it has characters that nothing is named with, and no store takes.
        """
        value = str(self.request.path_params.get(name, ""))
        if not value.isprintable():
            raise NotFound("there is no such page")
        return value


@dataclass(frozen=True)
class OwnerVisit(DashboardRequest):
    """The visit of somebody who is signed in."""

    owner: Owner
    organization: Organization

    def deployment(self, tenancy: Tenancy) -> Deployment:
        """The deployment that the address names, by its domain or by a former one.

        Raises:
            NotFound: there is none of that domain, or it belongs to somebody else.
        """
        found = tenancy.deployment_named(self.parameter("domain"))
        named = self.parameter("organization_id") or self.organization.id
        if not found.organization_id == named == self.organization.id:
            raise NotFound("there is no such deployment")
        return found


Page = Callable[[DashboardRequest], Response]
OwnerPage = Callable[[OwnerVisit], Response]


def check_csrf(visit: DashboardRequest) -> None:
    """Refuse a form that did not come from a page of ours in the same browser.

    Raises:
        Forbidden: its token is missing or wrong.
    """
    given = visit.form.text(CSRF_FIELD)
    if visit.request.method not in SAFE_METHODS and not is_csrf_token(given, visit.secret):
        raise Forbidden("This form is no longer valid. Reload the page and try again.")
