"""Prose and markup of pages. In the examples, `X` is prose and `k` is not."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docstead.repository.prose import markup_ranges
from growth import assert_linear


def _prose(page: str) -> str:
    parts, done = [], 0
    for start, end in markup_ranges(page):
        parts.append(page[done:start])
        done = end
    return "".join((*parts, page[done:]))


@pytest.mark.parametrize(
    "page",
    [
        "X `k\nk` X",
        "X `k\r\nk` X\r\n\r\nX `k` X",
        "X ``k ` k`` X",
        "X ` X\n\nX ` X",
        "- X\n  ```js title='k'\n  k\n\n  k\n  ```\n  X",
        "1. X\n\n   ~~~\n   ```\n   k\n   ~~~\n\n   X",
        "> X\n> ```\n> k\n> ```\n> X",
        "````md\n```\nk\n```\nk\n````\nX",
        "X\n```\nk\n\nk",
        "X {k} X",
        "X {k(`k`, {\n  k: 'k } k',\n\n  k\n})} X",
        "{k && <p>don't k</p>} X",
        '<A k="{" /> X {k} X',
        "X {X",
        "{/* k\nk */} X <!-- k } --> X",
        r"X \{X\} X \<X> X",
        "import K, { k } from '/k.mdx'\nexport const k = {\n  k: 1,\n\n  k: 2,\n}\n\nX",
        'X\n\nexport default ({ k }) => <K k={k}>\n  k\n</K>\n\nX\nimport X from X',
        '<Card\n  title="k > k"\n  onClick={() => k > 1}\n\n  href=\'/k\'\n>\n  X\n</Card>',
        "X < X, X <3 X, X << X",
        "<>X</>",
        "X <code>k <b>k</b> k</code> X <Code>k</Code> X <code k /> X",
        "<pre>\n  k\n</pre>\n\nX",
        "[X](/k) ![X](k.png 'k') [X](</k k>) [X](/k_(k)/k) X",
        "[X](/a\n  'k') X (X)",
        "https://k.com/k?k=k X <https://k.com> X k@k.com X",
        "[X][k] X [^k] [k]\n\n[k]: /k 'k'\n[^k]: X",
        "X [X] X",
        "## X {#k}",
        "$$\nk\n$$ X $5 X",
        "---\ntitle: X `k`\ndescription: >\n  X\n  X\nicon: k\nkeywords:\n  - X\nk: |\n  k\n---\nX",
        '---\n"og:title": X\n"og:image": /k.png\nsidebarTitle: "X"\n# k\n---\n\nX\n\n---\n\nX',
        "",
        "---\nX",
    ],
)  # fmt: skip
def test_words_are_prose_outside_code_and_markup(page: str) -> None:
    prose = _prose(page)
    assert "k" not in prose
    assert prose.count("X") == page.count("X")


@given(st.text("X`~-\n\r{}<>/\"'[]()^:$ import", max_size=60))
def test_ranges_of_any_text_are_in_order_and_apart(page: str) -> None:
    ranges = markup_ranges(page)
    assert all(start < end <= len(page) for start, end in ranges)
    assert all(one[1] <= later[0] for one, later in pairwise(ranges))


@pytest.mark.parametrize(
    "piece",
    [
        "{",
        "{'",
        "<a ",
        "<a \"'",
        "<a '<b>",
        "](",
        "[a",
        "import {\n\n",
        "a@",
        "<code>",
        "$$$",
        "{\"'\n",
    ],
)
def test_hostile_pages_take_linear_time(piece: str) -> None:
    assert_linear(lambda size: markup_ranges(piece * size), 2_000)
