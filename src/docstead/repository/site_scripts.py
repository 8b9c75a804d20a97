"""Scripts and style sheets of a repository: which are published, and what browsers block."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from docstead.repository.positions import Diagnostics, FilePosition, LineIndex

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
_SHEET = re.compile(r"@import\s+(?:url\(\s*)?[\"']?((?:https?:)?//[\w.-]+)")
_FONT = re.compile(r"\bsrc\s*:[^;}]{0,300}?url\(\s*[\"']?((?:https?:)?//[\w.-]+)")
_VISIBLE = re.compile(r"[^\n]")

ReadText = Callable[[str], str]


def published(assets: Iterable[str], read: ReadText, diagnostics: Diagnostics) -> tuple[str, ...]:
    """Return the assets without scripts of build tools, which fail in browsers."""
    assets = tuple(assets)
    for each in assets:
        if each.endswith(".css"):
            _check_sheet(each, read(each), diagnostics)
    return tuple(
        each for each in assets if not each.endswith(".js") or _is_of_pages(each, read, diagnostics)
    )


def _is_of_pages(file: str, read: ReadText, diagnostics: Diagnostics) -> bool:
    text = read(file)
    if _NODE.search(text) and not _BROWSER.search(text):
        message = "the script is written for Node.js, so it is not published"
        diagnostics.warning(
            FilePosition(file, 1, 1), "build-script", message, "List it in .docsignore."
        )
        return False
    lines = LineIndex(file, text)
    found = [*_IMPORTED.finditer(text)]
    if _MAKES_SCRIPTS.search(text):
        found += _ADDED.finditer(text)
    for match in found:
        message = f"browsers block the script from {match[1]}, unless DOCSTEAD_SCRIPT_HOSTS has it"
        hint = "Add the script to the repository, or name its host in DOCSTEAD_SCRIPT_HOSTS."
        diagnostics.warning(lines.position(match.start(1)), "script-elsewhere", message, hint)
    return True


def _check_sheet(file: str, text: str, diagnostics: Diagnostics) -> None:
    css = _without_comments(text)
    lines = LineIndex(file, text)
    for match in _SHEET.finditer(css):
        message = f"browsers block the style sheet from {match[1]}"
        hint = "Add the style sheet to the repository; its rules then apply to every page."
        diagnostics.warning(lines.position(match.start(1)), "style-elsewhere", message, hint)
    for match in _FONT.finditer(css):
        message = f"browsers block the font from {match[1]}"
        hint = "Add the font file to the repository, or name an included font in `fonts`."
        diagnostics.warning(lines.position(match.start(1)), "font-elsewhere", message, hint)


def _without_comments(css: str) -> str:
    """Replace comments of a style sheet with spaces, keeping positions."""
    first, *others = css.split("/*")
    kept = [first]
    for each in others:
        comment, end, rule = each.partition("*/")
        kept.append(_VISIBLE.sub(" ", f"/*{comment}{end}") + rule)
    return "".join(kept)
