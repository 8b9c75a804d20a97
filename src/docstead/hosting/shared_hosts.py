"""Responses of sites at hosts that they share with the dashboard, the API or other sites.

There every page and file has an opaque origin: its scripts run, but they share no origin with
anything, and the browser sends none of the host's `SameSite` cookies with their requests.
Scripts that an author wrote as files are sent as plain text, which browsers never execute
under `nosniff`. A policy could not keep them out: browsers ignore its paths after a redirect.
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
    """The policy of a page, which then has an opaque origin."""
    return f"{policy}; {SANDBOX}"


def shared_file_headers(content_type: str) -> Mapping[str, str]:
    """Headers of a repository's file of this type, in addition to the usual ones.

    Viewers of PDF files do not run in a sandbox, so these are downloaded.
    """
    headers = {"Content-Security-Policy": SANDBOX}
    if any(name in content_type.lower() for name in _SCRIPT_TYPES):
        headers["Content-Type"] = "text/plain; charset=utf-8"
    if content_type.startswith("application/pdf"):
        headers["Content-Disposition"] = "attachment"
    if content_type.startswith(_FONT_TYPES):
        headers["Access-Control-Allow-Origin"] = "*"
    return headers
