"""Response headers of pages that link to machine-readable files."""

from __future__ import annotations

from collections.abc import Callable

from docstead.content.generated_files import LLMS, LLMS_FULL
from docstead.outputs.discovery import RELATIONS

_TEXTS = ((LLMS, "llms-txt"), (LLMS_FULL, "llms-full-txt"))


def page_headers(
    base_path: str, markdown: str, has: Callable[[str], bool]
) -> tuple[tuple[str, str], ...]:
    """Return the headers of a page with its Markdown at `markdown`; `has` names other files."""
    links = [
        f'<{base_path}/{name}>; rel="{relation}"'
        for name, relation in (*_TEXTS, *RELATIONS)
        if has(name)
    ]
    if not has(LLMS):
        return (("Vary", "Accept"),)
    links.insert(0, f'<{base_path}{markdown}>; rel="alternate"; type="text/markdown"')
    return (
        ("Link", ", ".join(links)),
        ("X-Llms-Txt", f"{base_path}/{LLMS}"),
        ("Vary", "Accept"),
    )
