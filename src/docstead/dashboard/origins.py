"""Origin check for forms: only pages of the dashboard's own origin may submit them.

`SameSite=Lax` cookies are sent with forms of other hosts of the same site, which often include
hosts of published sites. Scripts can forge neither of the two headers checked here.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import Request

from docstead.base.errors import Forbidden


def check_origin(request: Request, base_url: str) -> None:
    """Reject a form that was not submitted by a page of the dashboard's origin.

    Raises:
        Forbidden: `Sec-Fetch-Site` and `Origin` do not show the same origin.
    """
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin", "").lower()
    if site == "same-origin" or (site is None and origin in _own_origins(request, base_url)):
        return
    raise Forbidden(
        "This form was submitted from a different origin. Open the dashboard at its own URL and "
        "try again. If a proxy changes the Host header, set DOCSTEAD_BASE_URL."
    )


def _own_origins(request: Request, base_url: str) -> set[str]:
    """Return the configured origin and the origin of the request's Host header."""
    parts = urlsplit(base_url)
    host = request.headers.get("host", "").lower()
    own = {f"{parts.scheme}://{parts.netloc}".lower(), f"https://{host}"}
    return own if parts.scheme == "https" else own | {f"http://{host}"}
