"""The part of a section that is quoted."""

from __future__ import annotations

import pytest

from key_quotes import CODE, REST, excerpt, quotes

STEPS = "1. Open settings.\n2. Press new key.\n3. Copy it."


def test_a_how_to_question_gets_all_the_steps() -> None:
    markdown = f"Keys are strings. They are secret.\n\nTo create an api key:\n\n{STEPS}\n\n{REST}"
    assert quotes("how to create api key", excerpt(markdown))[0].markdown == (
        f"To create an api key:\n\n{STEPS}"
    )


def test_code_that_follows_is_kept_whole() -> None:
    markdown = f"It is small.\n\nInstall parcelo with pip:\n\n{CODE}\n\n{REST}"
    assert quotes("install parcelo", excerpt(markdown))[0].markdown == (
        f"Install parcelo with pip:\n\n{CODE}"
    )


def test_code_that_the_last_step_announces_is_kept() -> None:
    markdown = f"Install parcelo.\n\n1. Open a shell.\n2. Install parcelo with pip:\n\n{CODE}"
    assert quotes("how to install parcelo with pip", excerpt(markdown))[0].markdown == markdown


@pytest.mark.parametrize("question", ["Is parcelo safe?", "Where are secrets stored?"])
def test_a_line_in_bold_is_quoted_with_what_stands_below_it(question: str) -> None:
    entry = "**Is parcelo safe?**\n\nSecrets are stored in a vault."
    assert quotes(question, excerpt(f"{REST}\n\n{entry}\n\n{REST}"))[0].markdown == entry


GROUP = """```python Python
parcelo.install()
```

```typescript TypeScript
await parcelo.install();
```"""


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("how to install parcelo", "python"),
        ("how to install parcelo with TypeScript", "typescript"),
    ],
)
def test_of_a_code_group_the_language_in_question_is_quoted_else_the_first(
    question: str, shown: str
) -> None:
    quote = quotes(question, excerpt(f"Install parcelo:\n\n{GROUP}"))[0].markdown
    assert quote.count("```") == 2
    assert f"```{shown} " in quote


def test_code_and_its_output_are_no_group() -> None:
    code = "```bash Request\nparcelo install\n```\n\n```json Response\n{}\n```"
    assert quotes("install parcelo", excerpt(f"Install:\n\n{code}"))[0].markdown.endswith(code)


def test_a_long_paragraph_gives_its_best_sentences() -> None:
    markdown = f"{REST}Revoked keys stop working at once. {REST}"
    quote = quotes("revoked keys stop", excerpt(markdown))[0].markdown
    assert "Revoked keys stop working at once." in quote
    assert len(quote.split(". ")) <= 3


def test_a_long_section_gives_the_part_that_answers() -> None:
    markdown = f"{REST}\n\nRevoked keys stop at once.\n\nThey stay in the list.\n\n{REST}"
    quote = quotes("revoked keys stop", excerpt(markdown))[0].markdown
    assert quote == "Revoked keys stop at once."


def test_no_quote_of_prose_has_more_than_120_words() -> None:
    paragraphs = [f"Revoked keys stop {n}. " + f"word{n} " * 20 for n in range(12)]
    quote = quotes("revoked keys stop", excerpt("\n\n".join(paragraphs)))[0].markdown
    assert 80 <= len(quote.split()) <= 120


def test_code_steps_and_rows_are_never_cut() -> None:
    code = "```bash\n" + "parcelo install keys --now \\\n" * 60 + "```"
    steps = "\n".join(f"{n}. Press the button of step {n}, and install." for n in range(1, 40))
    row = f"| install | {'word ' * 150}|"
    table = f"| Name | Meaning |\n| --- | --- |\n{row}\n| other | {'word ' * 90}|"
    for whole in (code, steps):
        quote = quotes("how to install keys", excerpt(f"Install:\n\n{whole}\n\n{REST}"))[0]
        assert whole in quote.markdown
    quote = quotes("install", excerpt(f"{table}\n\n{REST}"))[0]
    assert quote.markdown.endswith(row)


def test_a_short_section_is_quoted_whole() -> None:
    markdown = "Keys are strings.\n\nRevoked keys stop working at once.\n\nUse the full path."
    assert quotes("revoked keys stop", excerpt(markdown))[0].markdown == markdown


def test_a_second_block_that_says_more_is_quoted_too() -> None:
    markdown = f"Revoked keys stop.\n\n{REST}\n\nAn api key lives a year."
    quote = quotes("revoked api keys stop year", excerpt(markdown))[0].markdown
    assert quote == "Revoked keys stop.\n\nAn api key lives a year."


def test_a_table_gives_its_head_and_best_rows() -> None:
    rows = "\n".join(f"| operation{n} | {n} |" for n in range(40))
    table = f"| Operation | Limit |\n| --- | --- |\n{rows}\n| upload | 7 |"
    quote = quotes("limit upload", excerpt(table))[0].markdown
    assert quote.startswith("| Operation | Limit |\n| --- | --- |\n")
    assert "| upload | 7 |" in quote
    assert len(quote.split()) <= 120


def test_steps_are_quoted_with_the_code_between_them() -> None:
    steps = f"1. Install it:\n\n{CODE}\n\n2. Create an api key.\n\n3. Start:\n\n{CODE}"
    markdown = f"{REST}\n\nDo this:\n\n{steps}\n\n{REST}\n\n1. Stop it."
    quote = quotes("how to create an api key", excerpt(markdown))[0]
    assert quote.markdown == f"Do this:\n\n{steps}"


def test_a_quote_does_not_begin_with_pictures() -> None:
    markdown = "![](a.png)![](b.png)\n\n1. Open keys.\n\n   ![](c.png)"
    assert quotes("keys", excerpt(markdown))[0].markdown == "1. Open keys.\n\n   ![](c.png)"


def test_a_quote_has_no_pictures_captions_or_rules() -> None:
    parts = ("Keys open doors.", "![Light](a.png)![Dark](b.png)", "Dark", "Keep keys.", "---")
    markdown = quotes("keys", excerpt("\n\n".join(parts)))[0].markdown
    assert markdown == "Keys open doors.\n\nKeep keys."


def test_a_part_of_a_note_is_a_note() -> None:
    note = (
        "> **Note:** Keys open doors. Keep them.\n>\n> Rotate keys yearly. Doors stay shut.\n>\n"
        f"> {'More about something else follows here. ' * 40}"
    )
    (quote,) = quotes("rotate keys yearly", excerpt(note))
    assert "Rotate keys yearly." in quote.markdown
    assert all(line.startswith(">") for line in quote.markdown.splitlines())
    assert not any(" >" in line for line in quote.markdown.splitlines())
    assert len(quote.markdown.split()) < len(note.split()) / 2


def test_sentences_keep_what_separates_them() -> None:
    text = "钥匙打开门。每年更换钥匙。门保持关闭。" + "其他内容。" * 60
    (quote,) = quotes("更换钥匙", excerpt(text))
    assert "钥匙打开门。每年更换钥匙。" in quote.markdown
    lines = "Keys open doors.\nRotate keys yearly.\nDoors stay shut."
    others = "Something else is said here. " * 60
    (quote,) = quotes("rotate keys yearly", excerpt(f"{lines}\n{others}"))
    assert "doors.\nRotate keys yearly." in quote.markdown


def test_notes_may_be_nested_without_a_limit() -> None:
    nested = f"{'> ' * 2_000}{'Rotate keys. ' * 100}"
    assert quotes("rotate keys", excerpt(nested)) == ()


@pytest.mark.parametrize(
    ("question", "is_whole"),
    [
        ("secret vs public keys", True),
        ("what is the difference between secret and public keys", True),
        ("which keys should I choose, secret or public", True),
        ("where do secret and public keys live", False),
    ],
)
def test_a_table_is_whole_for_a_comparison(question: str, is_whole: bool) -> None:
    other = "\n".join(f"| Trait {n} | {'yes ' * 8}| {'no ' * 8}|" for n in range(8))
    table = (
        f"| | Secret keys | Public keys |\n| --- | --- | --- |\n{other}\n| Live | vault | pages |"
    )
    (first, *_) = quotes(question, excerpt(f"{REST}\n\n{table}"))
    assert (table in first.markdown) == is_whole
