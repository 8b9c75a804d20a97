"""Redirects in a bundle: pages that redirect, and a table for patterns.

Redirects of single URLs are HTML pages. Patterns are a table on the 404 page, which static storage
shows for unknown paths, and in the bundle's facts, for servers that send real redirects.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from docstead.content.config import Redirect
from docstead.export.page_scripts import PageScript
from docstead.repository.redirects import patterns

_SCRIPT = PageScript("redirects.js", "ds-redirects")
_NAMED = re.compile(r"\(\?P<")
_AGAIN = re.compile(r"\(\?P=(\w+)\)")


def script_file() -> tuple[str, bytes]:
    """Return path and contents of the script."""
    return _SCRIPT.file()


def with_redirects(html: str, redirects: Iterable[Redirect], root: str) -> str:
    """Return the 404 page with its table and script; `root` is the relative path to the root."""
    table = [
        [_in_script(pattern), redirect.destination] for pattern, redirect in patterns(redirects)
    ]
    return _SCRIPT.added(html, table, root) if table else html


def _in_script(pattern: str) -> str:
    """Convert a Python regular expression to JavaScript."""
    return _AGAIN.sub(r"\\k<\1>", _NAMED.sub("(?<", pattern))
