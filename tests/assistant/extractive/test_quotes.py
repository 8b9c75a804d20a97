"""Answers made of quotes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docstead.assistant.extractive.evidence import Excerpt, QuestionWord
from docstead.assistant.extractive.quotes import Quote, QuoteFinder, rendered

COMMON = {"key", "api", "parcelo"}


def stems(text: str) -> frozenset[str]:
    """Words without their endings, enough for these texts."""
    words = "".join(c if c.isalnum() else " " for c in text.lower()).split()
    return frozenset(word.removesuffix("s").removesuffix("d").removesuffix("e") for word in words)


def words(question: str) -> list[QuestionWord]:
    return [
        QuestionWord((stem,), 1.0 if stem in COMMON else 3.0) for stem in sorted(stems(question))
    ]


def excerpt(markdown: str, name: str = "Keys", score: float = 0.7) -> Excerpt:
    return Excerpt(f"https://docs/{name}", name, (), markdown, score)


def quotes(question: str, *excerpts: Excerpt) -> tuple[Quote, ...]:
    extractive = QuoteFinder(stems, lambda markdown: markdown.split("\n\n"))
    return extractive.quotes(question, words(question), excerpts)


STEPS = "1. Open settings.\n2. Press new key.\n3. Copy it."
REST = "Nothing to see in here, move along please. " * 30
CODE = "```bash\npip install parcelo\n```"


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


def test_a_section_that_has_what_is_asked_for_comes_first() -> None:
    number = excerpt("Revoked keys live for 30 days.", "Limits", 0.6)
    other = excerpt("Revoked keys live for some time.", "Keys", 0.65)
    found = quotes("How long do revoked keys live?", other, number)
    assert found[0].excerpt is number


def section(markdown: str, page: str, anchor: str, score: float = 0.7) -> Excerpt:
    return Excerpt(f"https://docs/{page}#{anchor}", page, (anchor,), markdown, score)


def test_the_page_with_more_sections_on_the_question_comes_first() -> None:
    other = section("Revoked keys stop at night, or so.", "Other", "stop", 0.71)
    page = [section(f"Revoked keys stop {each} times.", "Keys", each) for each in "abc"]
    assert quotes("revoked keys stop", other, *page)[0].excerpt.title == "Keys"


def test_at_most_two_sections_of_a_page() -> None:
    page = [
        section(f"Revoked keys stop {each} times, {each}a {each}b.", "Keys", each)
        for each in "abcd"
    ]
    other = section("Revoked keys stop at night, or so, when it is dark.", "Other", "stop")
    found = [each.excerpt.title for each in quotes("revoked keys stop", *page, other)]
    assert sorted(found) == ["Keys", "Keys", "Other"]


def test_a_section_whose_quote_has_more_of_the_question_comes_first() -> None:
    long = "and so it goes on and on in here without an end " * 6
    spread = "\n\n".join(f"{words} {long}." for words in ("Revoked", "Api keys", "To stop"))
    scattered = section(spread, "Scattered", "all", 0.83)
    together = section(f"Revoked api keys stop at once.\n\n{REST}{REST}", "Together", "one", 0.7)
    found = quotes("revoked api keys stop", scattered, together)
    assert found[0].excerpt is together


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


def test_what_was_said_is_not_said_again() -> None:
    same = "Revoked keys stop working within five seconds."
    found = quotes("revoked keys stop", excerpt(same, "One"), excerpt(f"{same} Always.", "Two"))
    assert len(found) == 1


@pytest.mark.parametrize(("page_size", "most"), [(1, 1), (3, 3), (5, 4), (10, 8), (50, 14)])
def test_a_client_that_asks_for_more_results_gets_more_sections(page_size: int, most: int) -> None:
    found = [
        excerpt("Create an api key. " + " ".join(f"w{n}x{word}" for word in range(20)), f"page{n}")
        for n in range(14)
    ]
    extractive = QuoteFinder(stems, lambda markdown: markdown.split("\n\n"))
    question = "create api key"
    assert len(extractive.quotes(question, words(question), found, page_size)) == most


def test_at_most_four_sections() -> None:
    texts = {word: f"Revoked keys stop. {word} {word}a {word}b {word}c" for word in "abcdefgh"}
    found = quotes("revoked keys stop", *(excerpt(text, word) for word, text in texts.items()))
    assert len(found) == 4


def test_sections_that_are_far_behind_the_best_one_are_left_out() -> None:
    best = excerpt("Revoked keys stop working at once.", "Revoking", 0.9)
    near = excerpt("Revoked keys also stop other things.", "Near", 0.7)
    far = excerpt("Revoked keys are never told to stop by mail.", "Far", 0.5)
    found = quotes("revoked keys stop", best, near, far)
    assert [each.excerpt.title for each in found] == ["Revoking", "Near"]


def test_what_was_found_late_is_quoted_where_it_has_the_answer() -> None:
    early = [excerpt(f"Keys are made of {each}.", each, 0.6) for each in "abcdefg"]
    late = excerpt("Revoked keys live for 30 days.", "Limits", 0.6)
    found = quotes("How long do revoked keys live?", *early, late)
    assert found[0].excerpt is late


def test_without_excerpts_there_are_no_quotes() -> None:
    assert quotes("revoked keys") == ()


def completed(question: str, *excerpts: Excerpt) -> list[str]:
    extractive = QuoteFinder(stems, lambda markdown: markdown.split("\n\n"))
    first = extractive.quotes(question, words(question), excerpts)[0]
    parts = extractive.completed(question, words(question), first, excerpts)
    return [each.markdown for each in parts]


def part_of_keys(markdown: str, heading: str, score: float = 0.7) -> Excerpt:
    link = f"https://docs/keys#{heading.lower()}"
    return Excerpt(link, "Keys", (heading,), markdown, score)


def test_the_first_quote_is_completed_by_other_sections_of_its_page() -> None:
    first = part_of_keys("Revoked keys stop.", "Revoking", 0.9)
    also = part_of_keys("They can be restored for an hour.", "Restoring")
    far = part_of_keys("They are made of letters.", "Letters", 0.2)
    other = excerpt("Revoked keys stay in the log.", "Log")
    outline = part_of_keys("- Revoking\n- Restoring", "Summary")
    assert completed("how do revoked keys stop", first, far, other, outline, also) == [
        "Revoked keys stop.",
        "They can be restored for an hour.",
    ]


def test_a_completed_quote_has_at_most_120_words() -> None:
    parts = [part_of_keys(f"Revoked keys stop. {f'word{n} ' * 35}", f"Part {n}") for n in range(6)]
    found = completed("how do revoked keys stop", *parts)
    assert len(found) == 3
    assert len(" ".join(found).split()) <= 120


@pytest.mark.parametrize(
    ("question", "markdown"),
    [
        ("what is maxAge", "`maxAge` (integer)\n\nSeconds that a key lives."),
        ("install parcelo", f"Install parcelo:\n\n{CODE}"),
    ],
)
def test_an_entry_or_code_for_all_that_is_asked_is_enough(question: str, markdown: str) -> None:
    first = part_of_keys(markdown, "First", 0.9)
    assert len(completed(question, first, part_of_keys("Keys have names.", "Names"))) == 1


def test_an_error_in_code_is_completed_by_its_fix() -> None:
    error = part_of_keys("You see:\n\n```\nError: keys missing\n```", "Error", 0.9)
    fix = part_of_keys("Create them.", "Fix")
    assert completed("Error: keys missing", error, fix)[1:] == ["Create them."]


def test_a_quote_is_linked() -> None:
    quote = Quote(excerpt("", "A [b]"), f"Install:\n\n{CODE}")
    answer = "".join(rendered(quote, "https://docs/a#:~:text=Install"))
    assert answer == (
        "\n**[A \\[b\\]](https://docs/a#:~:text=Install)**\n\n"
        "> Install:\n>\n> ```bash\n> pip install parcelo\n> ```\n"
    )


def test_what_only_leads_on_is_left_out() -> None:
    says = excerpt("A revoked key stops at once.", "Revoking")
    outline = excerpt("- Revoked keys\n- Lost keys", "Keys")
    pointer = excerpt("For more on revoked keys, see [keys](/keys).", "More")
    found = quotes("revoked keys", outline, pointer, says)
    assert "More" not in [each.excerpt.title for each in found]
    assert [each.excerpt.title for each in quotes("revoked keys", says, outline)] == ["Revoking"]
    for single in (outline, pointer):
        assert len(quotes("revoked keys", single)) == 1


@pytest.mark.parametrize(
    "tail",
    [
        "More on revoked keys [here](/keys).",
        "For examples of revoked keys, see [Keys](/keys).",
        "Revoked keys have these parameters:\n\n**Python**",
    ],
)
def test_a_short_pointer_or_introduction_is_not_quoted(tail: str) -> None:
    question = "how do revoked keys stop"
    saying = excerpt("Revoked keys stop within a second.", "Revoke", 0.6)
    pointing = excerpt(tail, "Tail", 0.9)
    found = quotes(question, pointing, saying)
    assert [each.excerpt.name for each in found] == ["Revoke"]
    parts = completed(question, saying, replace(pointing, link=saying.link))
    assert parts == [saying.markdown]
    short = excerpt("Revoked keys stop at once.", "Short", 0.9)
    assert quotes(question, short)[0].excerpt is short


def test_an_outline_comes_after_a_section_that_it_lists() -> None:
    outline = excerpt("- Revoked keys that were lost, and why nobody finds them?", "Keys")
    says = excerpt("A key stops at once.", score=0.5)
    listed = replace(
        says, heading_path=("Revoked keys that were lost, and why nobody finds them?",)
    )
    assert quotes("revoked keys", outline, listed)[0].excerpt is listed
    assert quotes("revoked keys", outline, says)[0].excerpt is outline


def test_code_comes_before_prose_of_the_same_score() -> None:
    prose = excerpt("To install parcelo is easy and takes a minute.", score=0.72)
    code = excerpt(f"Install parcelo with pip:\n\n{CODE}")
    far = replace(code, cosine=0.1)
    elsewhere = replace(code, link="https://docs/other")
    assert [each.excerpt for each in quotes("install parcelo", prose, code)] == [code, prose]
    assert quotes("install parcelo", prose, elsewhere)[0].excerpt is prose
    near = replace(prose, cosine=0.6)
    assert quotes("install parcelo", near, far)[0].excerpt is near


def test_steps_are_quoted_with_the_code_between_them() -> None:
    steps = f"1. Install it:\n\n{CODE}\n\n2. Create an api key.\n\n3. Start:\n\n{CODE}"
    markdown = f"{REST}\n\nDo this:\n\n{steps}\n\n{REST}\n\n1. Stop it."
    quote = quotes("how to create an api key", excerpt(markdown))[0]
    assert quote.markdown == f"Do this:\n\n{steps}"


def test_dashes_within_a_line_are_read_in_one_go() -> None:
    says = excerpt("Revoked keys stop at once. Revoked keys are dead.", "Revoking", 0.9)
    odd = excerpt(f"- Revoked {'a- ' * 300}.", "Odd")  # each dash might begin an entry
    assert [each.excerpt.title for each in quotes("revoked keys", says, odd)] == ["Revoking", "Odd"]


def test_what_is_asked_for_by_name_comes_first() -> None:
    listed = "`maxAge` (integer)\n\nSeconds that a key lives."
    much = excerpt("Keys with a maxAge live long, and maxAge is set for keys.", "Long", 0.9)
    found = quotes("What does maxAge mean for keys?", much, excerpt(listed, "Options", 0.6))
    assert found[0].markdown == listed


def test_a_definition_is_how_the_section_of_that_name_begins() -> None:
    uses = excerpt(f"Create a workspace. A workspace has workspaces.\n\n{REST}", "Other", 0.9)
    named = excerpt(f"It holds projects and people.\n\n{REST}", "Workspaces", 0.6)
    extractive = QuoteFinder(stems, lambda markdown: markdown.split("\n\n"))
    found = extractive.quotes("What is a workspace?", words("workspace"), (uses, named))
    assert (found[0].excerpt, found[0].markdown) == (named, "It holds projects and people.")


def test_a_changelog_comes_after_a_guide_that_says_as_much() -> None:
    stated = "Parcelo keys are revoked by an administrator."
    history = replace(excerpt(stated, "History", score=0.75), is_aside=True)
    guide = excerpt("Parcelo keys are revoked in the settings.", "Guide", score=0.7)
    assert quotes("revoke parcelo keys", history, guide)[0].excerpt is guide


def test_a_name_among_other_words_is_looked_up_in_what_was_found_first() -> None:
    table = "| Code | Reason |\n| --- | --- |\n| **401** | Unauthorized |"
    cause = excerpt("Set the environment of the client.", "I get a 401 in Python", score=0.9)
    codes = excerpt(table, "Codes", score=0.4)
    assert quotes("parcelo client in Python gives 401", cause, codes)[0].excerpt is cause
    assert quotes("401", cause, codes)[0].excerpt is codes


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
