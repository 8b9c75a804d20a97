"""Cookies of the dashboard. Over HTTPS, the `__Host-` prefix binds them to its host."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from starlette.requests import Request
from starlette.responses import Response

from docstead.dashboard.visits import HOME

SESSION = "docstead_session"
VISITOR = "docstead_visitor"  # ties forms to a browser before sign-in
DEVICE = "docstead_device"  # identifies a browser in which an owner has signed in before


@dataclass(frozen=True)
class CookieJar:
    """Reads and writes cookies. `__Host-` names require HTTPS and the path `/`."""

    is_https: bool

    def read(self, request: Request, name: str) -> str:
        return request.cookies.get(self._name(name), "")

    def set(self, response: Response, name: str, value: str, expires: datetime | int) -> None:
        """Set a cookie that expires at a time or after a number of seconds."""
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
