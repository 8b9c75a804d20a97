"""Redirects in a bundle: what the page of unknown addresses knows of them, and who serves it.

A redirect of one URL is a page that redirects. Patterns have no file of their own: they
are a table on the 404 page, which storages show for unknown paths, and in the
bundle's facts, for servers that answer with real redirects.
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
    """The script's path in the bundle, and the script."""
    data = _SCRIPT.read_bytes()
    return hashed_name("redirects.js", data), data


def with_redirects(html: str, redirects: Iterable[Redirect], root: str) -> str:
    """The 404 page with its table and the script that reads it; `root` leads to the bundle."""
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
    """A regular expression of Python in the spelling of JavaScript."""
    return _AGAIN.sub(r"\\k<\1>", _NAMED.sub("(?<", pattern))
