"""Rendered pages that wait to be read."""

from __future__ import annotations

import tracemalloc

import pytest

from docstead.base.units import MIB
from docstead.content.diagnostics import Diagnostic, Severity
from docstead.content.pages import Section
from docstead.markup.rendered import Heading, RenderedPage
from docstead.rendering.finished_pages import FinishedPages
from docstead.rendering.process import EngineFailed

PAGES = 2_000


def page(number: int) -> RenderedPage:
    text = f"Steps of guide {number} → " * 1_000
    return RenderedPage(
        slug=f"guide-{number}",
        html=f"<p>{text}</p>",
        headings=(Heading(2, "Steps", "steps"),),
        sections=(Section("steps", ("Steps",), text),),
        diagnostics=(Diagnostic("guide.mdx", 3, 1, Severity.WARNING, "broken-link", "No page"),),
        features=("tabs",),
        link_lines=(("/other", 4, 2),),
    )


def test_waiting_pages_are_taken_in_order_and_unchanged() -> None:
    finished = FinishedPages()
    for number in range(PAGES):
        finished.put(page(number))
    assert [finished.take() for _ in range(PAGES)] == [page(number) for number in range(PAGES)]


def test_many_waiting_pages_take_little_memory() -> None:
    finished = FinishedPages()
    tracemalloc.start()
    for number in range(PAGES):
        finished.put(page(number))
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert used < 40 * MIB  # 200 MB uncompressed


def test_an_error_is_raised_after_the_pages_before_it() -> None:
    finished = FinishedPages()
    finished.put(page(1))
    finished.fail(EngineFailed("The engine is missing"))
    assert finished.take().slug == "guide-1"
    with pytest.raises(EngineFailed, match="missing"):
        finished.take()
