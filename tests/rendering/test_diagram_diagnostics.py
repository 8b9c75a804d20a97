"""Diagrams with errors: the warning names their position, and the page shows their source."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docstead.content.diagnostics import Diagnostic, Severity
from docstead.markup.rendered import RenderedPage

FIRST_LINE = 5  # of every body, in conftest.py
WRONG = "graph TD\n  A[One (two)] --> B"
BODIES = {
    "page": f"Text.\n\n```mermaid\n{WRONG}\n```",
    "list": f"- Text\n\n  ~~~mermaid\n  {WRONG.replace(chr(10), chr(10) + '  ')}\n  ~~~",
    "unknown": "> ```mermaid\n> nothing\n> ```",
    "snippet": 'import Part from "/parts/part.mdx"\n\n<Part />',
    "right": "```mermaid\ngraph TD\n  A --> B\n```",
}
MODULES = {"/parts/part.mdx": f"One.\n\nTwo.\n\n```mermaid\n{WRONG}\n```"}
POSITIONS = {
    "page": ("page.mdx", FIRST_LINE + 4, 5),
    "list": ("list.mdx", FIRST_LINE + 4, 7),
    "unknown": ("unknown.mdx", FIRST_LINE, 3),
    "snippet": ("parts/part.mdx", 7, 5),
}


@pytest.fixture(scope="module")
def pages(render_pages: Callable[..., dict[str, RenderedPage]]) -> dict[str, RenderedPage]:
    return render_pages(BODIES, MODULES)


@pytest.mark.parametrize("slug", POSITIONS)
def test_a_diagram_with_an_error_is_reported_at_its_position(
    pages: dict[str, RenderedPage], slug: str
) -> None:
    (found,) = pages[slug].diagnostics
    assert (found.file, found.line, found.column) == POSITIONS[slug]
    assert (found.severity, found.code) == (Severity.WARNING, "diagram-failed")


def test_its_source_is_code_and_no_script_is_loaded(pages: dict[str, RenderedPage]) -> None:
    page = pages["page"]
    assert not page.failed
    assert 'data-language="mermaid"' in page.html
    assert "A[One (two)]" in page.html
    assert not {"mermaid", "diagrams"} & set(page.features)
    assert pages["right"].diagnostics == tuple[Diagnostic, ...]()
