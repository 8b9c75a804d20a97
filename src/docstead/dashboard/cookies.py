"""The cookies of the dashboard. Under https their names bind them to its host (`__Host-`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from starlette.requests import Request
from starlette.responses import Response

from docstead.dashboard.visits import HOME

SESSION = "docstead_session"
VISITOR = "docstead_visitor"  # ties forms to a browser before the sign-in
DEVICE = "docstead_device"  # of a browser in which an owner has signed in before


@dataclass(frozen=True)
class CookieJar:
    """Reads and sets cookies. Browsers take `__Host-` names from https and for all paths only."""

    is_https: bool

    def read(self, request: Request, name: str) -> str:
        return request.cookies.get(self._name(name), "")

    def set(self, response: Response, name: str, value: str, expires: datetime | int) -> None:
        """Set a cookie until a moment, or for a number of seconds."""
        response.set_cookie(
            self._name(name),
            value,
            max_age=expires if isinstance(expires, int) else None,
            expires=expires if isinstance(expires, datetime) else None,
            path=self._path,
            secure=self.is_https,
            httponly=True,
            samesite="lax",
        )

    def delete(self, response: Response, name: str) -> None:
        response.delete_cookie(
            self._name(name),
            path=self._path,
            secure=self.is_https,
            httponly=True,
            samesite="lax",
        )

    @property
    def _path(self) -> str:
        return "/" if self.is_https else HOME

    def _name(self, name: str) -> str:
        return f"__Host-{name}" if self.is_https else name
