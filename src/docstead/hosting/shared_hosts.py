"""Answers of sites at hosts that they share with the dashboard, the API or other sites.

An author's script must not run there in the name of a signed-in user. The policy of a page
cannot name paths reliably (browsers ignore them after a redirect), so the scripts themselves
are sent as plain text, which browsers never execute under `nosniff`.
"""

from __future__ import annotations

from dataclasses import replace

from docstead.hosting.answers import Answer, Document, Stored
from docstead.site.shell.page import ISLANDS

_PLAIN = "text/plain; charset=utf-8"
_SCRIPT_TYPES = ("javascript", "ecmascript", "jscript", "livescript")


def without_scripts(answer: Answer, path: str) -> Answer:
    """The answer for `path`, as plain text if it is a script that an author wrote."""
    if isinstance(answer, Stored) and _is_script(answer.asset.content_type):
        return Stored(replace(answer.asset, content_type=_PLAIN))
    if isinstance(answer, Document) and path.startswith(f"/{ISLANDS}/"):
        return replace(answer, content_type=_PLAIN)
    return answer


def _is_script(content_type: str) -> bool:
    return any(name in content_type.lower() for name in _SCRIPT_TYPES)
