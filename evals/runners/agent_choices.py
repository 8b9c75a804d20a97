"""Selection of pages, folders and names of a repository for tasks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from agent_repository import PlainTexts

_NAME = re.compile(r"(?<![A-Za-z0-9_])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![A-Za-z0-9_])")


def some_pages(plain: PlainTexts) -> list[str]:
    """Return pages from all over the repository first."""
    pages = [*plain.pages]
    step = max(1, len(pages) // 12)
    return [*pages[::step], *(slug for number, slug in enumerate(pages) if number % step)]


def folder_of(slug: str) -> str:
    folder = slug.rpartition("/")[0]
    return f"{folder}/" if folder else ""


def has_only_links(plain: PlainTexts, slug: str) -> bool:
    """Report whether only plain links and one navigation entry refer to the page."""
    named = sum(slug in text for text in plain.written)
    is_plain = plain.mentions(slug) == plain.plain_links[slug] and named == 1
    return is_plain and not plain.is_linked_relatively(slug.rpartition("/")[2])


def folders(plain: PlainTexts) -> Iterator[str]:
    yield from dict.fromkeys(s.rpartition("/")[0] for s in plain.pages if "/" in s)


def movable(plain: PlainTexts, folder: str) -> str | None:
    """Return the folder if all its pages are simple and have simple names, or None."""
    inside = [path for path in plain.texts if path.startswith(f"{folder}/")]
    slugs = [s for s in plain.pages if s.startswith(f"{folder}/")]
    links = sum(plain.plain_links[s] for s in slugs)
    named = sum(f"{folder}/" in text for text in plain.written)
    fits = 2 <= len(inside) <= 25 and len(inside) == len(slugs) == named
    near = any(plain.is_linked_relatively(slug.rpartition("/")[2]) for slug in slugs)
    return folder if fits and not near and plain.mentions(f"{folder}/") == links else None


def some_name(plain: PlainTexts) -> str | None:
    """Return a name in capitals that occurs in some pages, and never within another name."""
    holders: dict[str, int] = {}
    for text in plain.prose.values():
        for name in set(_NAME.findall(text)):
            holders[name] = holders.get(name, 0) + 1
    fitting = (n for n, count in sorted(holders.items()) if 2 <= count <= 12)
    return next((n for n in fitting if _is_whole(plain, n)), None)


def _is_whole(plain: PlainTexts, name: str) -> bool:
    counts = (len(re.findall(rf"(?<!\w){name}(?!\w)", t)) for t in plain.prose.values())
    return plain.mentions(name) == sum(counts)


def some_operation(plain: PlainTexts) -> tuple[str, str] | None:
    """Return method and path of the first operation of a JSON specification."""
    for path, text in plain.texts.items():
        if path.endswith(".json") and '"openapi"' in text[:200]:
            for name, item in json.loads(text).get("paths", {}).items():
                methods = [m for m in item if m in ("get", "post", "put", "patch", "delete")]
                if methods:
                    return methods[0].upper(), name
    return None
