"""Signing in: by a one-time link that asks for a password, then by that password.

A link is used up by the button that it leads to, not by opening it: programs that look
at links in advance do not spend them.
"""

from __future__ import annotations

from starlette.responses import Response

from docstead.accounts.owners import Session
from docstead.accounts.passwords import MIN_LENGTH
from docstead.base.errors import DocsteadError, Forbidden, InvalidRequest, Unauthorized
from docstead.base.units import HOUR_SECONDS, MINUTE_SECONDS
from docstead.dashboard import words
from docstead.dashboard.pages import Pages, see
from docstead.dashboard.services import Services
from docstead.dashboard.visits import HOME, SIGN_IN, OwnerVisit, Visit
from docstead.limits.rate_limits import Charge

SESSION_COOKIE = "docstead_session"
_PASSWORD = f"{HOME}/password"
_WELCOME = "welcome"
_NAME_LENGTH = 200


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
            self._count_attempt(visit, _attempt_for(name))
            session = self._owners.sign_in(name, visit.form.secret("password"))
        except DocsteadError as error:
            response = self._ask(visit, wanted, name=name, error=error)
            response.headers.update(error.headers)
            return response
        return self._begin(session, inside(wanted))

    def open_link(self, visit: Visit) -> Response:
        return self._pages.draw(visit, "link.html", action=visit.request.url.path)

    def use_link(self, visit: Visit) -> Response:
        """Begin a session if the link is still good, and ask for a password."""
        try:
            self._count_attempt(visit)
            session = self._owners.sign_in_by_link(visit.parameter("token"))
        except Unauthorized:
            return self._pages.draw(visit, "used_link.html", status_code=Forbidden.status)
        return self._begin(session, f"{_PASSWORD}?{_WELCOME}")

    def sign_out(self, visit: OwnerVisit) -> Response:
        self._owners.sign_out(visit.secret)
        response = see(SIGN_IN)
        response.delete_cookie(SESSION_COOKIE, path=HOME)
        return response

    def ask_password(self, visit: OwnerVisit) -> Response:
        return self._ask_password(visit)

    def change_password(self, visit: OwnerVisit) -> Response:
        """Set the password; other browsers have to sign in with it again."""
        try:
            self._owners.set_password(visit.owner.id, _chosen_password(visit))
        except InvalidRequest as error:
            return self._ask_password(visit, error)
        self._owners.sign_out_elsewhere(visit.secret)
        return see(HOME)

    def _count_attempt(self, visit: Visit, *more: Charge) -> None:
        """Guessing is slow: from one address, and for one name from all of them."""
        address = self._services.client_address(visit.request)
        bucket = f"sign-in-address:{address}"
        charge = Charge(bucket, 20, 15 * MINUTE_SECONDS, "sign-in-address")
        self._services.rate_limits.spend(charge, *more)

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
            error=None if error is None else words.sentence(error.message),
        )

    def _ask_password(self, visit: OwnerVisit, error: DocsteadError | None = None) -> Response:
        return self._pages.draw(
            visit,
            "password.html",
            status_code=200 if error is None else error.status,
            is_new=_WELCOME in visit.request.query_params or visit.form.text("is_new") == "yes",
            minimum=MIN_LENGTH,
            error=None if error is None else error.message,
        )


def _attempt_for(name: str) -> Charge:
    return Charge(f"sign-in-name:{name[:_NAME_LENGTH]}", 100, HOUR_SECONDS, "sign-in-name")


def inside(address: str) -> str:
    """An address of the dashboard to go on to; its start where another one was given."""
    is_ours = address == HOME or address.startswith(f"{HOME}/")
    return address if is_ours and "\\" not in address and address.isprintable() else HOME


def _chosen_password(visit: Visit) -> str:
    password = visit.form.secret("password")
    if len(password) < MIN_LENGTH:
        raise InvalidRequest(f"Choose at least {MIN_LENGTH} characters.")
    if password != visit.form.secret("again"):
        raise InvalidRequest("The two passwords are not the same.")
    return password
