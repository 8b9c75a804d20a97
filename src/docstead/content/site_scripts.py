"""Scripts of a repository: those for pages, and diagnostics about the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from docstead.content.places import Faults, Lines, Place

_NODE = re.compile(
    r"\A#!|\brequire\(|\bmodule\.exports\b|\bprocess\.(?:argv|exit)\b"
    r"|^import\s[^\n;]*\bfrom\s*[\"'](?:node:)?(?:fs|path|url|child_process)[\"']",
    re.MULTILINE,
)
_BROWSER = re.compile(r"\b(?:window|document|globalThis|self|navigator)\b")
_IMPORTED = re.compile(
    r"(?:\bimport\(|\bfrom|\bimport|\bimportScripts\()\s*[\"'`](https?://[\w.-]+)"
)
_ADDED = re.compile(r"\.src\s*=\s*[\"'`](https?://[\w.-]+)")
_MAKES_SCRIPTS = re.compile(r"createElement\(\s*[\"'`]script[\"'`]")

ReadText = Callable[[str], str]


def published(assets: Iterable[str], read: ReadText, faults: Faults) -> tuple[str, ...]:
    """Return the assets without scripts of build tools, which fail in browsers."""
    return tuple(
        each for each in assets if not each.endswith(".js") or _is_of_pages(each, read, faults)
    )


def _is_of_pages(file: str, read: ReadText, faults: Faults) -> bool:
    text = read(file)
    if _NODE.search(text) and not _BROWSER.search(text):
        message = "the script is written for Node.js, so it is not published"
        faults.warning(Place(file, 1, 1), "build-script", message, "List it in .docsignore.")
        return False
    lines = Lines(file, text)
    found = [*_IMPORTED.finditer(text)]
    if _MAKES_SCRIPTS.search(text):
        found += _ADDED.finditer(text)
    for match in found:
        message = f"pages load no script from {match[1]}; browsers block it"
        hint = "Add the script to the repository, or use an entry of `integrations`."
        faults.warning(lines.place(match.start(1)), "script-elsewhere", message, hint)
    return True
