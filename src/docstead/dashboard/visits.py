"""Requests to the dashboard, with their form and owner."""

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
    """A request with its form, session secret and, if signed in, owner."""

    request: Request
    form: SubmittedForm
    secret: str  # cookie value that form tokens are derived from
    owner: Owner | None = None
    organization: Organization | None = None

    @property
    def csrf_token(self) -> str:
        return csrf_token(self.secret)

    @property
    def host(self) -> str:
        """The Host header that the browser sent, also behind a proxy."""
        headers = self.request.headers
        return headers.get("x-forwarded-host") or headers.get("host", "")

    def parameter(self, name: str) -> str:
        """Return a path parameter; "" if the path has none of that name.

        Raises:
            NotFound: it contains unprintable characters.
        """
        value = str(self.request.path_params.get(name, ""))
        if not value.isprintable():
            raise NotFound("there is no such page")
        return value


@dataclass(frozen=True)
class OwnerVisit(DashboardRequest):
    """A request by a signed-in owner."""

    owner: Owner
    organization: Organization

    def deployment(self, tenancy: Tenancy) -> Deployment:
        """Return the deployment that the URL names, by its current or a former domain.

        Raises:
            NotFound: it does not exist or belongs to another organization.
        """
        found = tenancy.deployment_named(self.parameter("domain"))
        named = self.parameter("organization_id") or self.organization.id
        if not found.organization_id == named == self.organization.id:
            raise NotFound("there is no such deployment")
        return found


Page = Callable[[DashboardRequest], Response]
OwnerPage = Callable[[OwnerVisit], Response]


def check_csrf(visit: DashboardRequest) -> None:
    """Verify the CSRF token of a form.

    Raises:
        Forbidden: the token is missing or wrong.
    """
    given = visit.form.text(CSRF_FIELD)
    if visit.request.method not in SAFE_METHODS and not is_csrf_token(given, visit.secret):
        raise Forbidden("This form is no longer valid. Reload the page and try again.")
