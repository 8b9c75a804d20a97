"""Summaries of pages without a description."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from lxml import html as lxml_html

from docstead.content.config import SiteConfig
from docstead.content.pages import Section
from docstead.outputs.generated_texts import GeneratedTexts
from docstead.theme.document import PageShell
from docstead.theme.summaries import LENGTH, summary
from site_builders import group, make_site, meta, page, rendered

Make = Callable[..., PageShell]
WORDS = "Install the [client](/client) with `pip install acme`, then **start** it. "


def said_of(*sections: str) -> str:
    return summary(rendered("a", sections=tuple(Section("", (), text) for text in sections)))


def test_the_first_paragraph_is_the_description_everywhere(shell_of: Make) -> None:
    config = SiteConfig("Acme", description="The site.")
    site = make_site(group("A", page("a")), config=config)
    icon = rendered("a", sections=(Section("", (), "## Start"), Section("", (), WORDS)))
    document: lxml_html.HtmlElement = lxml_html.document_fromstring(shell_of(site).page(icon))
    head = document.head
    expected = "Install the client with pip install acme, then start it."
    names = ("description", "og:description", "twitter:description")
    for name in names:
        (tag,) = head.cssselect(f'meta[name="{name}"], meta[property="{name}"]')
        assert tag.get("content") == expected
    (script,) = head.cssselect("script[type*=json]")
    (article,) = (
        each
        for each in json.loads(script.text_content())["@graph"]
        if each["@type"] == "TechArticle"
    )
    assert article["description"] == expected


def test_it_is_no_lead_and_in_no_markdown_version(shell_of: Make) -> None:
    site = make_site(group("A", page("a")))
    icon = rendered("a", html="<p>Said.</p>", sections=(Section("", (), WORDS),))
    shell = shell_of(site)
    assert "ds-lead" not in shell.page(icon)
    assert "> Install" not in GeneratedTexts(shell).markdown(icon)
    assert "Install" not in GeneratedTexts(shell).texts()["llms.txt"].decode()


def test_the_author_wins(shell_of: Make) -> None:
    site = make_site(group("A", page("a")), metas={"a": meta("a", description="Mine.")})
    text = shell_of(site).page(rendered("a", sections=(Section("", (), WORDS),)))
    assert '<meta name="description" content="Mine.">' in text


@pytest.mark.parametrize(
    "passed_over",
    [
        "# A heading of more than forty characters, which is no prose",
        "```python\nprint('a block of code with a line')\n\nprint('and one more line')\n```",
        "- A list whose items say this and that and much else.",
        "1. A list whose items say this and that and much else.",
        "| A table | with cells | that say this and that |",
        "> **Note:** A callout that says this and that and much else.",
        "![A picture with many words in its description.](/a.png)",
        "We recommend:",
    ],
)
def test_what_says_little_is_passed_over(passed_over: str) -> None:
    assert said_of(f"{passed_over}\n\nReal words here.") == "Real words here."
    assert said_of(passed_over) == ""


@pytest.mark.parametrize(
    "label", ["**Create an environment**", "`name` (str)", f"`{'long_' * 9}name` (string | null)"]
)
def test_what_stands_below_a_label_is_not_about_the_page(label: str) -> None:
    step = f"## Use\n\n{label}\n\nOpen the terminal and create an environment."
    assert said_of(step) == ""
    assert said_of(f"Real words here.\n\n{step}") == "Real words here."
    assert said_of(step, "## Next\n\nReal words here.") == "Real words here."


def test_a_sentence_that_stands_out_is_no_label() -> None:
    assert said_of("**Acme is a library for agents.**\n\nMore.") == "Acme is a library for agents."


def test_dates_of_a_changelog_are_no_labels() -> None:
    section = Section("", (), "**Version 3**\n\nIt is faster, and the API is stable.")
    icon = replace(rendered("a", sections=(section,)), features=("updates",))
    assert summary(icon) == "It is faster, and the API is stable."


def test_the_description_of_the_site_is_that_of_one_page(shell_of: Make) -> None:
    config = SiteConfig("Acme", description="The site.")
    shell = shell_of(make_site(group("A", page("index"), page("a")), config=config))
    tag, preview = (
        '<meta name="description"',
        '<meta property="og:description" content="The site.">',
    )
    home, other = shell.page(rendered("index")), shell.page(rendered("a", sections=()))
    assert f'{tag} content="The site.">' in home
    assert tag not in other
    assert preview in home
    assert preview in other


def test_words_of_names_and_formulas_stay_as_they_are() -> None:
    assert said_of("Call `` a`b `` or snake_case_name(2 * 3) now.") == (
        "Call a`b or snake_case_name(2 * 3) now."
    )


def test_it_is_cut_after_a_word() -> None:
    whole, found = "one and two " * 40, said_of("one and two " * 40)
    assert found.endswith("…")
    assert LENGTH - 5 < len(found) <= LENGTH
    assert whole.startswith(found.removesuffix("…") + " ")
    assert len(said_of("字" * 300)) == LENGTH


def test_an_operation_without_words_says_its_name(shell_of: Make) -> None:
    known = meta("a", title="Delete a plant", method="DELETE")
    site = make_site(group("A", page("a")), metas={"a": known})
    text = shell_of(site).page(rendered("a", sections=()))
    assert '<meta name="description" content="Delete a plant">' in text
