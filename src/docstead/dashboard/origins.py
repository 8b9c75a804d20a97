"""The pages from which a browser may change something: those of the dashboard's own origin.

A cookie with `SameSite=Lax` is sent with forms of other hosts of the same site, and a host of
sites is often one of them. Scripts can forge neither of the two headers that are read here.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import Request

from docstead.base.errors import Forbidden


def check_origin(request: Request, base_url: str) -> None:
    """Refuse a form that was sent by a page of another origin, or by none.

    Raises:
        Forbidden: neither `Sec-Fetch-Site` nor `Origin` says that it was a page of ours.
    """
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin", "").lower()
    if site == "same-origin" or (site is None and origin in _own_origins(request, base_url)):
        return
    raise Forbidden(
        "This form came from another address. Open the dashboard at its own address and try "
        "again. If a proxy changes the Host header, set DOCSTEAD_BASE_URL."
    )


def _own_origins(request: Request, base_url: str) -> set[str]:
    """The address in the settings, and the one that the browser has sent the form to."""
    parts = urlsplit(base_url)
    host = request.headers.get("host", "").lower()
    own = {f"{parts.scheme}://{parts.netloc}".lower(), f"https://{host}"}
    return own if parts.scheme == "https" else own | {f"http://{host}"}
