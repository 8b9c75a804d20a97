"""Signing in: by a one-time link that asks for a password, then by that password.

A link is used up by the form that it leads to, not by opening it: programs that look at
links in advance do not spend them.
"""

from __future__ import annotations

from starlette.responses import Response

from docstead.accounts.owners import Session
from docstead.base.errors import DocsteadError, InvalidRequest, Unauthorized
from docstead.base.units import MINUTE_SECONDS
from docstead.dashboard.pages import Pages, see
from docstead.dashboard.services import Services
from docstead.dashboard.visits import HOME, SIGN_IN, OwnerVisit, Visit
from docstead.limits.rate_limits import Charge

SESSION_COOKIE = "docstead_session"
MIN_PASSWORD_LENGTH = 10
_ATTEMPTS = 10
_WINDOW_SECONDS = 15 * MINUTE_SECONDS


class SignInPages:
    """Everything about who is signed in."""

    def __init__(self, services: Services, pages: Pages) -> None:
        self._services = services
        self._owners = services.owners
        self._pages = pages

    def ask(self, visit: Visit) -> Response:
        wanted = visit.request.query_params.get("next", "")
        if visit.owner is not None:
            return see(inside(wanted))
        return self._ask(visit, wanted=wanted)

    def sign_in(self, visit: Visit) -> Response:
        name, wanted = visit.form.text("name"), visit.form.text("next")
        try:
            self._count_attempt(visit)
            session = self._owners.sign_in(name, visit.form.secret("password"))
        except DocsteadError as error:
            response = self._ask(visit, wanted, name=name, error=error)
            response.headers.update(error.headers)
            return response
        return self._begin(session, inside(wanted))

    def open_link(self, visit: Visit) -> Response:
        return self._password(visit, visit.request.url.path, first_time=True)

    def use_link(self, visit: Visit) -> Response:
        """Set the password that was chosen and begin a session, if the link is still good."""
        try:
            self._count_attempt(visit)
            password = _chosen_password(visit)
        except DocsteadError as error:
            return self._password(visit, visit.request.url.path, first_time=True, error=error)
        try:
            session = self._owners.sign_in_by_link(visit.parameter("token"))
        except Unauthorized:
            return self._pages.draw(
                visit,
                "notice.html",
                status_code=403,
                heading="This link is used up",
                text="A sign-in link works once and for a short time. Ask for a new one.",
            )
        self._owners.set_password(session.owner.id, password)
        return self._begin(session, HOME)

    def sign_out(self, visit: OwnerVisit) -> Response:
        self._owners.sign_out(visit.secret)
        response = see(SIGN_IN)
        response.delete_cookie(SESSION_COOKIE, path=HOME)
        return response

    def ask_password(self, visit: OwnerVisit) -> Response:
        return self._password(visit, f"{HOME}/password", first_time=False)

    def change_password(self, visit: OwnerVisit) -> Response:
        try:
            self._owners.set_password(visit.owner.id, _chosen_password(visit))
        except InvalidRequest as error:
            return self._password(visit, f"{HOME}/password", first_time=False, error=error)
        return see(HOME)

    def _count_attempt(self, visit: Visit) -> None:
        """Guessing passwords and links is slow, whatever name or link is tried."""
        address = self._services.client_address(visit.request)
        self._services.rate_limits.spend(
            Charge(f"dashboard-sign-in:{address}", _ATTEMPTS, _WINDOW_SECONDS, "sign-in")
        )

    def _begin(self, session: Session, address: str) -> Response:
        response = see(address)
        response.set_cookie(
            SESSION_COOKIE,
            session.token,
            expires=session.expires_at,
            path=HOME,
            secure=self._services.is_https,
            httponly=True,
            samesite="lax",
        )
        return response

    def _ask(
        self, visit: Visit, wanted: str, *, name: str = "", error: DocsteadError | None = None
    ) -> Response:
        return self._pages.draw(
            visit,
            "sign_in.html",
            status_code=200 if error is None else error.status,
            next=inside(wanted),
            name=name,
            error=None if error is None else error.message,
        )

    def _password(
        self, visit: Visit, action: str, *, first_time: bool, error: DocsteadError | None = None
    ) -> Response:
        return self._pages.draw(
            visit,
            "password.html",
            status_code=200 if error is None else error.status,
            action=action,
            first_time=first_time,
            minimum=MIN_PASSWORD_LENGTH,
            error=None if error is None else error.message,
        )


def inside(address: str) -> str:
    """An address of the dashboard to go on to; its start where another one was given."""
    is_ours = address == HOME or address.startswith(f"{HOME}/")
    return address if is_ours and "\\" not in address and address.isprintable() else HOME


def _chosen_password(visit: Visit) -> str:
    password = visit.form.secret("password")
    if len(password) < MIN_PASSWORD_LENGTH:
        raise InvalidRequest(f"Choose at least {MIN_PASSWORD_LENGTH} characters.")
    if password != visit.form.secret("again"):
        raise InvalidRequest("The two passwords are not the same.")
    return password
