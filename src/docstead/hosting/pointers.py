"""Response headers of pages that link to machine-readable files."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

from docstead.content.generated_files import GENERATED_FILES, LLMS


def page_headers(
    base_path: str, markdown: str, has: Callable[[str], bool]
) -> tuple[tuple[str, str], ...]:
    """Return the headers of a page with its Markdown at `markdown`; `has` names other files."""
    base = quote(base_path)
    links = [
        f'<{base}/{file.path}>; rel="{file.relation}"'
        for file in GENERATED_FILES
        if file.relation and has(file.path)
    ]
    if not has(LLMS):
        return (("Vary", "Accept"),)
    links.insert(0, f'<{base}{quote(markdown)}>; rel="alternate"; type="text/markdown"')
    return (
        ("Link", ", ".join(links)),
        ("X-Llms-Txt", f"{base}/{LLMS}"),
        ("Vary", "Accept"),
    )
