from __future__ import annotations

from pathlib import Path

import pytest

from docstead.assistant.answer_trace import AnswerTrace, CheckOutcome, TraceCheck
from docstead.assistant.conversation import AnswerSource, ThreadTurn
from docstead.assistant.expected_answers.proposals import ProposedAnswer, file_for, proposed
from docstead.assistant.expected_answers.reader import read_expected_answers
from docstead.content.config import SiteConfig
from docstead.content.navigation import Navigation
from docstead.content.pages import PageMeta, Site
from docstead.repository.positions import Diagnostics

QUOTED = """The documentation says:

**[Keys › Rotate](https://docs.acme.test/guides/keys#rotate)**

> To rotate a **key**, make a new key. Then
> revoke the old one.
>
> - Wait an hour. Keys rotate hourly.

More sections:

- [Start](https://docs.acme.test/guides/start): Begin.
"""


def site(*slugs: str) -> Site:
    pages = {slug: PageMeta(slug, f"{slug}.mdx", slug) for slug in slugs}
    return Site(SiteConfig(name="Acme"), Navigation(()), pages)


def stems(text: str) -> frozenset[str]:
    return frozenset(word.strip("*.,?").rstrip("s") for word in text.lower().split()) - {"a", "i"}


def turn(answer: str, *paths: str, trace: AnswerTrace | None = None) -> ThreadTurn:
    sources = tuple(AnswerSource(p, f"https://docs.acme.test{p}", p) for p in paths)
    return ThreadTurn("How do I\n rotate a key?", answer, sources, True, trace or AnswerTrace())


def test_an_entry_has_the_pages_cited_and_sentences_of_the_quote() -> None:
    cited = ("/guides/keys#rotate", "/guides/keys", "/", "/gone")
    entry = proposed(turn(QUOTED, *cited), site("index", "guides/keys"), stems)
    assert entry.question == "How do I rotate a key?"
    assert entry.pages == ["guides/keys", "index"]
    assert entry.facts == ["To rotate a **key**, make a new key.", "Keys rotate hourly."]


def test_facts_have_no_urls_and_no_introductions() -> None:
    answer = "> Run this:\n>\n> Open [the keys](http://127.0.0.1:8080/guides/keys) first.\n"
    assert proposed(turn(answer), site(), stems).facts == ["Open the keys first."]


@pytest.mark.parametrize(
    "lead",
    [
        "In this guide you rotate a key.",
        "This page explains how to rotate a key.",
        "For example, rotate a key.",
        "For more about keys, see the reference.",
    ],
)
def test_leads_are_no_facts(lead: str) -> None:
    answer = f"> {lead} A key lives for a year. It is short.\n"
    assert proposed(turn(answer), site(), stems).facts == ["A key lives for a year."]


def test_facts_are_few_and_share_most_words() -> None:
    said = ["A key.", "How to rotate.", "Rotate a key.", "How a key is kept.", "How keys rotate."]
    answer = f"> {' '.join(said)}\n"
    assert proposed(turn(answer), site(), stems).facts == said[1:2] + said[2:3] + said[4:]


def test_the_first_sentence_answers_in_other_words() -> None:
    answer = "> Erzeugen Sie einen Schlüssel. Dann warten Sie.\n"
    assert proposed(turn(answer), site(), stems).facts == ["Erzeugen Sie einen Schlüssel."]


def test_facts_of_a_model_are_the_words_of_pages_that_support_it() -> None:
    checks = (
        TraceCheck("Use a new one.", CheckOutcome.SUPPORTED, "/guides/keys", "make a new key"),
        TraceCheck("Sure!", CheckOutcome.CONNECTIVE),
        TraceCheck("It flies.", CheckOutcome.DROPPED, "/guides/keys", "it walks"),
        TraceCheck(
            "Again: use a new one.", CheckOutcome.SUPPORTED, "/guides/keys", "make a new key"
        ),
    )
    entry = proposed(turn("Use a new one.", trace=AnswerTrace(checks=checks)), site("index"), stems)
    assert (entry.facts, entry.pages) == (["make a new key"], [])


@pytest.mark.parametrize(
    "entry",
    [
        ProposedAnswer("How?", ["a: b", "- c", "#d", "'e'", "100 %"], ["guides/keys", "index"]),
        ProposedAnswer("Wie geht's? 你好 🙂", [], ["/x"]),
        ProposedAnswer("long " * 60 + "?", ["word " * 100 + "end"], ["true", "1.0"]),
    ],
)
def test_entries_are_read_back_as_they_were(tmp_path: Path, entry: ProposedAnswer) -> None:
    (tmp_path / "answers.yaml").write_text(entry.as_yaml() * 2)
    diagnostics = Diagnostics()
    read = read_expected_answers(tmp_path, diagnostics)
    assert diagnostics.sorted() == ()
    texts = [
        (each.question.text, [f.text for f in each.facts], [p.text for p in each.pages])
        for each in read
    ]
    assert texts == [(entry.question, list(entry.facts), list(entry.pages))] * 2


def test_new_entries_go_into_the_existing_file() -> None:
    assert file_for(["docs.json"]) == ("answers.yaml", False)
    assert file_for([".docs/answers.yaml"]) == (".docs/answers.yaml", True)
    assert file_for([".docs/answers.yaml", "answers.yaml"]) == ("answers.yaml", True)
