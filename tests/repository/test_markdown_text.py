from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docstead.repository.markdown_text import code_ranges, without_code, without_fences


@pytest.mark.parametrize(
    "text",
    [
        "```js\nX\n```",
        "   ```\nX\n   ```",
        "        ```bash title\n        X\n        ```",
        "- item\n  ```\n  X\n  ```",
        "- ```\n  X\n  ```",
        "1. ```\n   X\n   ```",
        "> ```\n> X\n> ```",
        "~~~\nX\n~~~",
        "````md\n```\nX\n```\nX\n````",
        "```\nnever closed\nX",
        "```\n~~~\nX\n```",
    ],
)
def test_fences_are_blanked(text: str) -> None:
    assert "X" not in without_fences(text)


@pytest.mark.parametrize(
    "text",
    ["`X`", "a ``X ` X`` b", "`two\nlines X`", "{/* X */}", "<!-- X\n X -->", "`` `X` ``"],
)
def test_spans_and_comments_are_blanked(text: str) -> None:
    assert "X" not in without_code(text)


@pytest.mark.parametrize(
    "text",
    [
        "X",
        "```\ncode\n```\nX",
        "a ` X",
        "a ` b\n\nX ` c",
        r"\`X\`",
        "`code` X `code`",
        "a ```inline``` X",
        "```js `odd` info\nX",
    ],
)
def test_prose_stays(text: str) -> None:
    assert "X" in without_code(text)


@given(st.text(alphabet="`~\n >-X\\{/*}<!1.", max_size=60))
def test_offsets_and_lines_stay_where_they_were(text: str) -> None:
    blanked = without_code(text)

    assert len(blanked) == len(text)
    assert [at for at, char in enumerate(blanked) if char == "\n"] == [
        at for at, char in enumerate(text) if char == "\n"
    ]


@given(st.text(alphabet="`\n \ta", max_size=60))
def test_spans_are_those_of_a_text_that_also_has_longer_runs_of_backticks(text: str) -> None:
    single = text.replace("``", "`a")

    assert code_ranges(single) == code_ranges(f"{single}\n\n``")
