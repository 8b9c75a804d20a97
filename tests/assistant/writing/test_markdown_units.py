"""Markdown in pieces, cut where it can be checked."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docstead.assistant.writing.markdown_units import MarkdownSplitter, MarkdownUnit, UnitKind

ANSWER = """\
To create a key [1]:

1. Open **Settings** and choose *Keys*. Then e.g. wait. [1]
2. Press **New key** (it is v1.2.3). [1, 2]

   It is shown once [3]. See [the docs. Really](https://x.y/a.b). Use `a. b. C` now! Yes? Ok
continues here
- item one
- item two

| A | B |
| --- | --- |
| 1 | 2 |

```bash
pip install x. Then

y
```
## Heading. With dot
**Note:** Keys: last. Do not share (e.g. Slack). The U.S. is big... And more。这是。好的
End without dot"""


def cut(*pieces: str, by_word: bool = False) -> list[MarkdownUnit]:
    units = MarkdownSplitter(by_word=by_word)
    found = [unit for piece in pieces for unit in units.add(piece)]
    return [*found, *units.rest()]


def test_nothing_is_lost() -> None:
    assert "".join(unit.markdown for unit in cut(ANSWER)) == ANSWER


def test_sentences_lists_tables_and_fences_are_distinguished() -> None:
    units = [unit for unit in cut(ANSWER) if unit.kind is not UnitKind.BREAK]
    texts = [unit.text for unit in units]
    assert texts[:5] == [
        "To create a key [1]:",
        "Open **Settings** and choose *Keys*.",
        "Then e.g. wait. [1]",
        "Press **New key** (it is v1.2.3). [1, 2]",
        "It is shown once [3].",
    ]
    assert "See [the docs. Really](https://x.y/a.b)." in texts
    assert "Use `a. b. C` now!" in texts
    assert "Ok\ncontinues here" in texts
    assert [text for text in texts if text.endswith("。")] == ["And more。", "这是。"]
    assert [unit.lead for unit in units if unit.text.startswith("item")] == ["- ", "- "]
    kinds = [unit.kind for unit in units]
    assert [kinds.count(kind) for kind in (UnitKind.TABLE, UnitKind.FENCE, UnitKind.HEADING)] == [
        1,
        1,
        1,
    ]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.integers(1, 25), min_size=1, max_size=80))
def test_it_does_not_matter_how_it_arrives(sizes: list[int]) -> None:
    pieces, position = [], 0
    for size in sizes:
        pieces.append(ANSWER[position : position + size])
        position += size
    assert cut(*pieces, ANSWER[position:]) == cut(ANSWER)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab .!?\n`[]()|#->*~1、。", max_size=80))
def test_whatever_arrives_leaves_again(text: str) -> None:
    assert "".join(unit.markdown for unit in cut(text)).removesuffix("\n") == text.removesuffix(
        "\n"
    )


def test_a_sentence_leaves_when_the_next_begins() -> None:
    units = MarkdownSplitter()
    assert list(units.add("It is so. ")) == []
    assert [unit.text for unit in units.add("The")] == ["It is so."]


def test_words_leave_one_by_one_where_nobody_judges_sentences() -> None:
    units = MarkdownSplitter(by_word=True)
    assert [unit.text for unit in units.add("It is ")] == ["It is"]
    assert list(units.add("[so](")) == []


@pytest.mark.parametrize("hidden", ["\u200b", "\u202e", "\U000e0041", "\x00", "\ud83d"])
def test_what_nobody_sees_is_dropped(hidden: str) -> None:
    assert cut(f"It {hidden}is so.") == cut("It is so.")
