"""Pages with hundreds of tags and comments that are not closed."""

from __future__ import annotations

import pytest

from docstead.markup.rendered import RenderedPage

WORDS = f"{'Sound words. ' * 20}\n\n"  # that make a page long
UNCLOSED = {
    "void tags": (210, f"Line {{n}} with a break<br>and more.\n\n{WORDS}"),
    "paragraphs": (110, f"<p>Some text of {{n}} with <b>bold words.\n\n{WORDS}"),
    "lists": (70, f"<ul>\n<li>One of {{n}}<br>\n<li>[Two](/two)\n</ul>\n\n{WORDS}"),
    "pairs": (210, f"<details><summary>{{n}}</summary>\n\nText\n</details>\n\n{WORDS}"),
    "comments": (110, f"Words <!-- {{n}} --> and a <placeholder> more.\n\n{WORDS}"),
}


@pytest.fixture(scope="module")
def broken_pages(render_pages) -> dict[str, RenderedPage]:
    found: dict[str, RenderedPage] = render_pages(
        {
            name: "".join(part.replace("{n}", str(number)) for number in range(count))
            for name, (count, part) in UNCLOSED.items()
        }
    )
    return found


@pytest.mark.parametrize("name", UNCLOSED)
def test_a_page_may_have_any_number_of_diagnostics(broken_pages, name):
    page, (count, part) = broken_pages[name], UNCLOSED[name]
    assert not page.failed
    assert len(page.diagnostics) > 200  # of which each took one attempt, up to 200
    lines = {each.line for each in page.diagnostics}
    assert {min(lines) + part.count("\n") * number for number in range(count)} <= lines
