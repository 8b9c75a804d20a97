"""Sections cut into passages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docstead.base.texts import count_words
from docstead.search.chunks import MOST_WORDS, blocks, split_section

PARAGRAPH = "word " * 90


def fence(lines: int, mark: str = "```") -> str:
    body = "\n".join(f"line {number} of code" for number in range(lines))
    return f"{mark}python\n{body}\n{mark}"


def test_a_short_section_stays_whole() -> None:
    assert split_section("One.\n\nTwo.") == ["One.\n\nTwo."]


def test_a_blank_section_has_no_passages() -> None:
    assert split_section(" \n\n ") == []


def test_a_long_section_is_cut_between_its_blocks() -> None:
    pieces = split_section("\n\n".join([PARAGRAPH] * 5))
    assert [count_words(piece) for piece in pieces] == [180, 180, 90]


def test_a_fence_that_fits_is_never_cut() -> None:
    code = fence(40)
    pieces = split_section(f"{PARAGRAPH}\n\n{code}\n\n{PARAGRAPH}")
    assert any(code in piece for piece in pieces)


def test_a_fence_with_blank_lines_and_inner_fences_is_one_block() -> None:
    code = "````md\n# Title\n\n```js\nrun()\n```\n\ntext\n````"
    assert list(blocks(f"Before:\n{code}\nAfter.")) == ["Before:", code, "After."]


def test_a_fence_that_is_too_long_is_cut_into_fences() -> None:
    pieces = split_section(fence(200))
    assert len(pieces) > 1
    assert all(piece.startswith("```python\n") and piece.endswith("\n```") for piece in pieces)
    assert sum(piece.count("of code") for piece in pieces) == 200


def test_a_list_keeps_its_steps_and_the_code_inside_them() -> None:
    steps = "1. Install it:\n\n   ```bash\n   npm i\n   ```\n\n2. Run it.\n"
    assert list(blocks(f"Do this:\n\n{steps}\nDone.")) == ["Do this:", steps.strip(), "Done."]


def test_text_without_blanks_between_words_is_cut_too() -> None:
    pieces = split_section("这是一个很长的句子。" * 200)
    assert len(pieces) > 1
    assert all(count_words(piece) <= MOST_WORDS for piece in pieces)


@pytest.mark.parametrize("introduction", ["Run this:", "**Run this**", "**First**\n\nRun this:"])
def test_no_passage_ends_with_what_introduces_the_next(introduction: str) -> None:
    pieces = split_section(f"{PARAGRAPH}\n\n{introduction}\n\n{fence(27)}")
    assert [each.rstrip() for each in pieces] == [
        PARAGRAPH.rstrip(),
        f"{introduction}\n\n{fence(27)}",
    ]


@given(st.lists(st.sampled_from([PARAGRAPH, fence(5), fence(90), "- a\n- b", "", "词" * 900])))
def test_every_piece_fits_and_no_word_is_lost(parts: list[str]) -> None:
    text = "\n\n".join(parts)
    pieces = split_section(text)
    assert all(count_words(piece) <= MOST_WORDS + 2 for piece in pieces)  # a fence's own marks
    for word in ("word", "of code", "词", "- a"):
        assert sum(piece.count(word) for piece in pieces) == text.count(word)
