"""Redirects in a bundle: pages that redirect, and a table for patterns.

Redirects of single URLs are HTML pages. Patterns are a table on the 404 page, which static storage
shows for unknown paths, and in the bundle's facts, for servers that send real redirects.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from docstead.content.config import Redirect
from docstead.markup.assets import hashed_name
from docstead.repository.redirects import patterns

_SCRIPT = Path(__file__).parent / "assets" / "redirects.js"
_NAMED = re.compile(r"\(\?P<")
_AGAIN = re.compile(r"\(\?P=(\w+)\)")


def script_file() -> tuple[str, bytes]:
    """Return path and contents of the script."""
    data = _SCRIPT.read_bytes()
    return hashed_name("redirects.js", data), data


def with_redirects(html: str, redirects: Iterable[Redirect], root: str) -> str:
    """Return the 404 page with its table and script; `root` is the relative path to the root."""
    table = [
        [_in_script(pattern), redirect.destination] for pattern, redirect in patterns(redirects)
    ]
    if not table:
        return html
    path, _ = script_file()
    data = json.dumps(table, ensure_ascii=False).replace("<", "\\u003c")
    elements = (
        f'<script type="application/json" id="ds-redirects">{data}</script>\n'
        f'<script src="{root}{path}"></script>\n'
    )
    return html.replace("</body>", f"{elements}</body>", 1)


def _in_script(pattern: str) -> str:
    """Convert a Python regular expression to JavaScript."""
    return _AGAIN.sub(r"\\k<\1>", _NAMED.sub("(?<", pattern))
