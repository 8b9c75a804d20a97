"""Sign-in by one-time link or password.

Opening a one-time link does not use it up; its button does. Link scanners therefore do not
spend links.
"""

from __future__ import annotations

from contextlib import nullcontext

from starlette.responses import Response

from docstead.accounts.owners import OwnerSession, RequiredProof
from docstead.accounts.passwords import MIN_LENGTH
from docstead.base.errors import DocsteadError, Forbidden, InvalidRequest, Unauthorized
from docstead.dashboard import formats
from docstead.dashboard import sign_in_limits as limits
from docstead.dashboard.cookies import DEVICE, SESSION, CookieJar
from docstead.dashboard.pages import PageRenderer, see
from docstead.dashboard.services import DashboardServices
from docstead.dashboard.visits import HOME, SIGN_IN, DashboardRequest, OwnerVisit
from docstead.limits.rate_limits import BucketCharge

_PASSWORD = f"{HOME}/password"
_WELCOME = "welcome"


class SignInPages:
    """Pages for signing in and out, and for changing the password."""

    def __init__(self, services: DashboardServices, pages: PageRenderer) -> None:
        self._services = services
        self._owners = services.owners
        self._pages = pages
        self._cookies = CookieJar(services.is_https)
        self._strangers = limits.StrangersAtOnce()

    def ask(self, visit: DashboardRequest) -> Response:
        requested = visit.request.query_params.get("next", "")
        if visit.owner is not None:
            return see(inside(requested))
        return self._ask(visit, requested=requested)

    def sign_in(self, visit: DashboardRequest) -> Response:
        name, requested = visit.form.text("name"), visit.form.text("next")
        device = self._cookies.read(visit.request, DEVICE)
        is_known = bool(device) and self._owners.knows_device(name, device)
        try:
            with nullcontext() if is_known else self._strangers.one():
                self._services.rate_limits.spend(
                    *(limits.of_device(device) if is_known else self._of_stranger(visit, name))
                )
                session = self._owners.sign_in(name, visit.form.secret("password"))
        except DocsteadError as error:
            response = self._ask(visit, requested, name=name, error=error)
            response.headers.update(error.headers)
            return response
        return self._begin(visit, session, inside(requested), device if is_known else "")

    def open_link(self, visit: DashboardRequest) -> Response:
        return self._pages.render(visit, "link.html", action=visit.request.url.path)

    def use_link(self, visit: DashboardRequest) -> Response:
        """Start a session if the link is still valid, then ask for a password."""
        try:
            session = self._owners.sign_in_by_link(visit.parameter("token"))
        except Unauthorized:
            client_ip = self._services.client_address(visit.request)
            self._services.rate_limits.spend(*limits.of_client_ip(client_ip))
            return self._pages.render(visit, "used_link.html", status_code=Forbidden.status)
        return self._begin(visit, session, f"{_PASSWORD}?{_WELCOME}")

    def sign_out(self, visit: OwnerVisit) -> Response:
        self._owners.sign_out(visit.secret)
        response = see(SIGN_IN)
        self._cookies.delete(response, SESSION)
        return response

    def ask_password(self, visit: OwnerVisit) -> Response:
        return self._ask_password(visit)

    def change_password(self, visit: OwnerVisit) -> Response:
        """Set the password and sign out the owner's other browsers."""
        try:
            confirm(self._services, visit)
            self._owners.set_password(visit.owner.id, _chosen_password(visit))
        except (InvalidRequest, Forbidden) as error:
            return self._ask_password(visit, error)
        self._owners.sign_out_elsewhere(visit.secret)
        response = see(HOME)
        self._remember_device(response, visit.owner.id)
        return response

    def _of_stranger(self, visit: DashboardRequest, name: str) -> tuple[BucketCharge, ...]:
        """Return the rate limits for an unknown browser: by IP address and by name."""
        client_ip = self._services.client_address(visit.request)
        return (*limits.of_client_ip(client_ip), limits.of_name(name))

    def _begin(
        self, visit: DashboardRequest, session: OwnerSession, url: str, device: str = ""
    ) -> Response:
        """Replace the browser's session, and remember the browser."""
        self._owners.sign_out(self._cookies.read(visit.request, SESSION))
        response = see(url)
        self._cookies.set(response, SESSION, session.token, session.expires_at)
        if not device:
            self._remember_device(response, session.owner.id)
        return response

    def _remember_device(self, response: Response, owner_id: str) -> None:
        token = self._owners.new_device(owner_id)
        self._cookies.set(response, DEVICE, token, limits.DEVICE_SECONDS)

    def _ask(
        self,
        visit: DashboardRequest,
        requested: str,
        *,
        name: str = "",
        error: DocsteadError | None = None,
    ) -> Response:
        return self._pages.render(
            visit,
            "sign_in.html",
            status_code=200 if error is None else error.status,
            next=inside(requested),
            name=name,
            error=None if error is None else formats.sentence(error.message),
        )

    def _ask_password(self, visit: OwnerVisit, error: DocsteadError | None = None) -> Response:
        return self._pages.render(
            visit,
            "password.html",
            status_code=200 if error is None else error.status,
            is_new=_WELCOME in visit.request.query_params or visit.form.text("is_new") == "yes",
            minimum=MIN_LENGTH,
            proof=self._owners.proof_needed(visit.secret),
            error=None if error is None else _without_field(error.message),
        )


def confirm(services: DashboardServices, visit: OwnerVisit) -> None:
    """Require the current password, or a recent one-time link, before a sensitive action.

    Raises:
        Forbidden: the password is wrong or missing. RateLimited: there were too many attempts.
    """
    if services.owners.proof_needed(visit.secret) is RequiredProof.PASSWORD:
        services.rate_limits.spend(limits.of_confirmation(visit.owner.id))
    services.owners.confirm(visit.secret, visit.form.secret("current"))


def _without_field(message: str) -> str:
    """Return the message without its field prefix, such as `password: `."""
    field, colon, rest = message.partition(": ")
    return formats.sentence(rest if colon and field in ("password", "current") else message)


def inside(url: str) -> str:
    """Return a redirect target within the dashboard, or the home page for any other URL."""
    is_ours = url == HOME or url.startswith(f"{HOME}/")
    is_odd = any(each in url for each in ("\\", "//", "/..")) or not url.isprintable()
    return url if is_ours and not is_odd else HOME


def _chosen_password(visit: DashboardRequest) -> str:
    password = visit.form.secret("password")
    if len(password) < MIN_LENGTH:
        raise InvalidRequest(f"Choose at least {MIN_LENGTH} characters.")
    if password != visit.form.secret("again"):
        raise InvalidRequest("The two passwords are not the same.")
    return password
