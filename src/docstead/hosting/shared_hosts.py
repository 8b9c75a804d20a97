"""Responses of sites at hosts that are shared with the dashboard, the API or other sites.

Every page and file there gets an opaque origin. Its scripts run, but share no origin with anything,
and browsers send none of the host's `SameSite` cookies with their requests. Script files of a
repository are sent as plain text, which browsers never execute under `nosniff`. A policy could
not block them, because browsers ignore its paths after a redirect.
"""

from __future__ import annotations

from collections.abc import Mapping

SANDBOX = (
    "sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox "
    "allow-modals allow-downloads"
)
_SCRIPT_TYPES = ("javascript", "ecmascript", "jscript", "livescript")
_FONT_TYPES = ("font/", "application/font", "application/vnd.ms-fontobject")


def sandboxed(policy: str) -> str:
    """Return the policy of a page with the sandbox directive, which makes its origin opaque."""
    return f"{policy}; {SANDBOX}"


def shared_file_headers(content_type: str) -> Mapping[str, str]:
    """Return additional headers of a repository's file of this type.

    PDF viewers do not run in a sandbox, so PDF files are downloaded.
    """
    headers = {"Content-Security-Policy": SANDBOX}
    if any(name in content_type.lower() for name in _SCRIPT_TYPES):
        headers["Content-Type"] = "text/plain; charset=utf-8"
    if content_type.startswith("application/pdf"):
        headers["Content-Disposition"] = "attachment"
    if content_type.startswith(_FONT_TYPES):
        headers["Access-Control-Allow-Origin"] = "*"
    return headers
