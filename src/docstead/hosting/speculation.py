"""Speculation rules, which let browsers prepare a page while the pointer is over a link to it.

Pages of sites without own scripts are prerendered. Other pages are only prefetched, because an
author's script would run for a page that the reader does not open.

A response header names the rules, so that pages do not grow. Source: HTML Living Standard,
"Speculative loading".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache

from docstead.content.reserved import RESERVED_FOLDERS
from docstead.hosting.served_document import ServedDocument, document
from docstead.markup.assets import hashed_name

_PREFETCH, _PRERENDER = "prefetch", "prerender"
_TYPE = "application/speculationrules+json"
_FILES = (
    "md txt json yaml yml xml csv pdf zip gz tgz dmg exe whl"
    " png jpg jpeg gif svg webp avif ico mp4 webm mp3 wav woff2 css js graphql proto"
)
_PATTERN_SYNTAX = re.compile(r"[^\w/.~-]")  # characters with a meaning in URL patterns


def speculation_header(base_path: str, files: Iterable[str]) -> tuple[str, str]:
    """Return the response header that names the speculation rules of a site.

    `files` are paths of the site's files, which are not prefetched.
    """
    kind = _PREFETCH if any(map(_is_own_script, files)) else _PRERENDER
    return "Speculation-Rules", f'"{base_path}/{_named_rules(base_path, kind)[0]}"'


def speculation_rules(name: str, base_path: str) -> ServedDocument | None:
    """Return the rules if `name` is their path within the site."""
    rules = dict(_named_rules(base_path, kind) for kind in (_PRERENDER, _PREFETCH))
    return document(rules[name], _TYPE, immutable=True) if name in rules else None


@lru_cache(maxsize=64)
def _named_rules(base_path: str, kind: str) -> tuple[str, bytes]:
    data = json.dumps(_rules(base_path, kind), separators=(",", ":")).encode()
    return hashed_name("speculation.json", data), data


def _is_own_script(path: str) -> bool:
    return path.endswith(".js") and path.lstrip("/").partition("/")[0] not in RESERVED_FOLDERS


def _rules(base_path: str, kind: str) -> dict[str, object]:
    """Return rules that prepare pages, but no files, after a hover of 200 ms (`moderate`)."""
    base = _PATTERN_SYNTAX.sub(r"\\\g<0>", base_path)
    folders = [f"{base}/{folder}/*" for folder in sorted(RESERVED_FOLDERS)]
    files = [f"{base}/*.{kind}" for kind in _FILES.split()]
    pages = [
        {"href_matches": f"{base}/*"},
        {"not": {"href_matches": [*folders, *files]}},
        {"not": {"selector_matches": "[download]"}},
    ]
    return {kind: [{"where": {"and": pages}, "eagerness": "moderate"}]}
