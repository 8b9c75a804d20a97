"""Translations of the 404 page in a bundle, which has one for all languages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from docstead.markup.assets import hashed_name

_SCRIPT = Path(__file__).parent / "assets" / "not_found.js"


def translation_script() -> tuple[str, bytes]:
    """Return path and contents of the script."""
    data = _SCRIPT.read_bytes()
    return hashed_name("not_found.js", data), data


def with_translations(html: str, texts: Mapping[str, Mapping[str, str]], root: str) -> str:
    """Return the 404 page with texts by folder; `root` is the relative path to the root."""
    path, _ = translation_script()
    data = json.dumps(texts, ensure_ascii=False).replace("<", "\\u003c")
    elements = (
        f'<script type="application/json" id="ds-not-found-texts">{data}</script>\n'
        f'<script src="{root}{path}"></script>\n'
    )
    return html.replace("</body>", f"{elements}</body>", 1)
