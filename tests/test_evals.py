"""The floors of the evaluations that are always the same."""

from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from corpus import Corpus

EVALS = Path(__file__).parent.parent / "evals/runners"


#: Questions that our own documentation answers, each with what the answer must have.
COVERED = {
    "What is DOCSTEAD_SEARCH_BY_MEANING for?": "whether search also compares meanings",
    "What is model_fallback?": "the reader gets an error instead",
    "What does assistant_check = flag do?": "they are sent, and marked",
    "How long is a key shown after it is created?": "shown once",
    "What happens to answers when the connection is lost?": "finished and kept",
    "Which frontmatter keeps a page from search?": "noindex",
    "How do I revoke a key?": "docstead keys revoke",
    "How many times may the model use tools for an answer?": "six times",
}
#: Questions with the page that answers them, in words that readers use.
PAGES = {
    "Which port does the service listen on?": "reference/settings",
    "use several chat models with a fall-back order": "reference/settings",
    "How do I export the site as static files?": "guides/export",
    "put the assistant into my shop": "guides/widget",
    "closed shadow tree": "guides/widget",
    "DocsAssistant.init": "guides/widget",
    "connect an MCP client": "guides/mcp",
    "report_problem": "guides/mcp",
    "How are sections found by meaning?": "guides/search",
    "frontmatter boost": "guides/search",
    "resume an answer after the page was reloaded": "reference/assistant-resume",
    "thumbs up and down on answers": "reference/assistant-resume",
    "X-Thread-Key": "reference/assistant-message",
    "GET /v1/analytics/{projectId}/searches": "reference/analytics",
    "caller-stats": "reference/analytics",
    "gaps in what readers find": "guides/insights",
    "forget what a reader asked": "guides/insights",
    "skills of the assistant": "guides/assistant",
    "Where do pull requests of the agent go?": "guides/forges",
    "serve an exported bundle on my own machines": "guides/host-a-bundle",
    "revoke an API key": "guides/keys",
    "DOCSTEAD_SEARCH_BY_MEANNG": "reference/settings",  # misspelt
    "docstead check --strict": "reference/cli",
    "rate limits": "reference/errors-and-limits",
}
NOT_COVERED = (
    "How do I connect Firebase as an auth provider?",
    "Does it run on an Arduino?",
    "How do I bill customers with Stripe?",
    "Can I import from Confluence?",
    "Is there a Grafana dashboard?",
    "How do I deploy with Terraform?",
    "How do I sync with Notion?",
    "What is the capital of France?",
)


@pytest.fixture(autouse=True)
def _evals_are_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(EVALS), *sys.path])


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Our own documentation, found by words only."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(EVALS), *sys.path])
        from citations import OWN_DOCS
        from corpus import opened

        options = argparse.Namespace(cache=tmp_path_factory.mktemp("cache"), words_only=True)
        return opened("own", OWN_DOCS, options)


def test_the_right_page_is_among_the_first_five(own: Corpus) -> None:
    found = {question: own.pages(question, 10) for question in PAGES}
    missed = {q: found[q] for q, page in PAGES.items() if page not in found[q][:5]}
    ranks = [1 / (1 + found[q].index(p)) if p in found[q] else 0.0 for q, p in PAGES.items()]
    assert len(missed) <= 0.1 * len(PAGES), missed
    assert sum(ranks) / len(ranks) >= 0.75, dict(zip(PAGES, ranks, strict=True))


def test_names_that_are_listed_are_looked_up(own: Corpus) -> None:
    from lookups import asked_for, listed_in

    names = listed_in(own)
    chance = random.Random(1)
    missed = [n for n in chance.sample(names, 30) if not own.ask(asked_for(n, chance)).pages]
    assert len(missed) <= 3, missed
    foreign = ("BARGE_DRAUGHT", "sluice.gate", "lampColour", "418")
    assert not [n for n in foreign if own.ask(asked_for(n, chance)).pages]


def test_a_set_of_labelled_sections_is_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command that the bar is measured by, on a set small enough to be known."""
    from retrieval import main

    (tmp_path / "set").mkdir()
    sections = [
        {"heading": "Opening", "anchor": "opening", "text": "Opening The gate opens at dawn."},
        {"heading": "Closing", "anchor": "closing", "text": "Closing The gate closes at dusk."},
    ]
    page = {"url": "https://x/gate", "title": "Gate", "sections": sections}
    (tmp_path / "set/pages.jsonl").write_text(json.dumps(page))
    asked = [
        {"question": "When does the gate close?", "relevant": ["https://x/gate#closing"]},
        {"question": "When does it open?", "relevant": ["https://x/gate#opening"]},
    ]
    (tmp_path / "set/queries.jsonl").write_text("\n".join(map(json.dumps, asked)))
    options = ["--set", str(tmp_path / "set"), "--cache", str(tmp_path / "cache"), "--words-only"]
    for least, status in (("1.0", 0), ("1.1", 1)):
        monkeypatch.setattr(sys, "argv", ["retrieval.py", *options, "--least-mrr", least])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == status


def test_invented_sentences_are_left_out_and_supported_ones_are_not(own: Corpus) -> None:
    from chat_server import chat_server
    from citations import INNOCENT, CitationScore, CitationTrial, run, writing_of

    good, lost = CitationScore(), CitationScore()
    with chat_server() as server:
        trial = CitationTrial(own, server, writing_of(server, None), random.Random(3), good, lost)
        run(trial, 40)
    assert sum(good.made.values()) + sum(lost.made.values()) >= 100
    # Without a sentence model, and on pages that change: the bar itself is the command's. Samples
    # of so few sentences have .92 to .97.
    assert 1 - lost.share(INNOCENT) >= 0.9, lost.wrong
    assert 1 - good.share() <= 0.05, good.wrong  # no sentence model helps here


def test_answers_without_a_model_have_the_facts_and_know_when_to_say_no(own: Corpus) -> None:
    answers = {question: own.ask(question) for question in COVERED}
    right = [fact in answers[question].text for question, fact in COVERED.items()]
    assert all(answer.pages for answer in answers.values())
    assert sum(right) >= 0.85 * len(right), dict(zip(COVERED, right, strict=True))
    refused = [not own.ask(question).pages for question in NOT_COVERED]
    assert sum(refused) >= 0.9 * len(refused) - 0.5, dict(zip(NOT_COVERED, refused, strict=True))


def test_documentation_that_is_missing_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from sets import are_all_there

    asked = [{"documentation": f"owner/{name}", "root": "docs"} for name in ("b", "a", "there")]
    (tmp_path / "owner+there/docs").mkdir(parents=True)
    assert not are_all_there(asked, tmp_path)
    assert "owner/a, owner/b\n" in capsys.readouterr().out
    assert are_all_there(asked[-1:], tmp_path)


def test_evaluation_of_sentences_fails_without_its_documentation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from sentences import main

    monkeypatch.setattr(sys, "argv", ["sentences.py", "--repositories", str(tmp_path)])
    with pytest.raises(SystemExit, match="1"):
        main()
    assert "hoppscotch/docs" in capsys.readouterr().out.splitlines()[-1]


def test_outcomes_of_readers_questions_notice_seeded_defects(own: Corpus) -> None:
    from readers import OUTCOMES, outcome

    def row(question: str, page: str = "", fact: str = "") -> dict[str, object]:
        pages = [page] if page else []
        return {"question": question, "previous": "", "pages": pages, "fact": fact}

    covered = [row(q, PAGES.get(q, "reference/settings"), fact) for q, fact in COVERED.items()]
    covered += [row(question, page) for question, page in PAGES.items() if question.endswith("?")]
    foreign = [row(question) for question in NOT_COVERED]

    def figures(defect: str | None) -> tuple[int, int, float]:
        answers = [outcome(own, each, defect) for each in covered]
        right = sum(each.kind == "right first" for each in answers)
        others = [outcome(own, each, defect).kind for each in foreign]
        answered = sum(kind in OUTCOMES[:3] for kind in others)
        return right, answered, sum(each.fact for each in answers)

    right, answered, facts = figures(None)
    assert figures("all")[1] > answered
    assert figures("none")[0] == 0 < right
    assert figures("reversed")[0] < right
    assert figures("half")[2] < facts
    assert figures("links")[2] < facts


def test_seeded_defects_of_answers_change_what_is_answered(own: Corpus) -> None:
    from seeded_defects import with_defect

    covered, foreign = tuple(COVERED), NOT_COVERED
    assert with_defect({"own": own}, None)["own"] is own
    everything, nothing = (with_defect({"own": own}, name)["own"] for name in ("all", "none"))
    assert not any(nothing.ask(question).pages for question in covered)
    answered = [sum(bool(each.ask(q).pages) for q in foreign) for each in (own, everything)]
    assert answered[1] > answered[0]


@pytest.mark.parametrize(
    ("is_good", "defect", "printed"),
    [
        (True, None, ""),
        (False, None, ""),
        (False, "all", "the seeded defect 'all' is noticed\n"),
        (True, "all", "the seeded defect 'all' is NOT noticed\n"),
    ],
)
def test_the_end_of_an_evaluation_says_whether_a_defect_was_noticed(
    is_good: bool, defect: str | None, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from seeded_defects import finish, has_noticed

    with pytest.raises(SystemExit) as ended:
        finish(is_good, defect)
    assert ended.value.code == int(not is_good)
    assert capsys.readouterr().out == printed
    assert has_noticed({"facts": 3, "pages": 2}, {"facts": 3, "pages": 1})
    assert capsys.readouterr().out == "worse with the defect: pages, 1 instead of 2\n"
    assert not has_noticed({"facts": 3}, {"facts": 4})


@pytest.mark.parametrize(
    ("defect", "status", "printed"),
    [
        (None, 1, ""),
        ("all", 2, "the seeded defect 'all' was not tried: documentation is missing\n"),
    ],
)
def test_missing_documentation_is_no_seeded_defect_that_was_noticed(
    defect: str | None, status: int, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from seeded_defects import finish

    for is_good in (False, True):
        with pytest.raises(SystemExit) as ended:
            finish(is_good, defect, is_complete=False)
        assert ended.value.code == status
        assert capsys.readouterr().out == printed


def test_a_bar_that_is_missed_without_the_defect_is_no_defect_that_was_noticed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from seeded_defects import finish

    for is_good in (False, True):
        with pytest.raises(SystemExit) as ended:
            finish(is_good, "exchanged", is_sound=False)
        assert ended.value.code == 2
        printed = "the seeded defect 'exchanged' was not tried: the bar is missed without it\n"
        assert capsys.readouterr().out == printed
    with pytest.raises(SystemExit) as ended:
        finish(False, None, is_sound=False)
    assert ended.value.code == 1


def test_pages_of_answers_are_read_from_encoded_urls() -> None:
    from readers import SITE, slug_of

    assert slug_of(f"{SITE}/docs/%28guides%29/start#first") == "docs/(guides)/start"


def test_the_url_of_a_folder_leads_to_its_index() -> None:
    from readers import SITE, is_right

    row = {"pages": ["enterprise/index", "quickstart"]}
    assert is_right(row, f"{SITE}/enterprise#plans")
    assert is_right(row, f"{SITE}/quickstart")
    assert not is_right(row, f"{SITE}/enterprise/security")


def test_nobody_who_lies_in_wait_gets_anything() -> None:
    from injection import run
    from injections import payloads

    chosen = list(payloads())
    assert len(chosen) >= 300
    assert run(chosen[::24]) == []


def test_names_that_styles_of_sites_select_are_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EVALS))
    from author_selectors import selectors_of

    style = (
        ".own, .own .card [data-component-part='card-title']:hover, #navbar > .text-sm "
        "{ color: rgb(var(--primary)); background: var(--mine) }"
        ":root { --mine: red; --shiki-token-link: blue } @media print { .dark a { top: 0 } }"
    )
    page = '<div className={on ? "own" : ""}>{React.useState()}</div>\n'
    page += "```css\n.fenced { top: 0 }\n```\n"
    script = (
        "document.querySelectorAll(\"[role='tab'] li\"); window.acme = window.other; window.open()"
    )
    names = selectors_of({"style.css": style, "page.mdx": page, "script.js": script})
    assert names == {
        "selectors": [".card", "[data-component-part='card-title']", "[role='tab'] li"],
        "guesses": [],
        "utilities": ["#navbar > .text-sm"],
        "read": ["--primary"],
        "set": ["--shiki-token-link"],
        "globals": ["React", "other"],
    }


def test_misspelled_questions_have_slips_and_are_always_the_same() -> None:
    from misspellings import misspelled

    for question in (*COVERED, *PAGES):
        slipped = misspelled(question)
        assert misspelled(question) == slipped
        pairs = zip(question.split(), slipped.split(), strict=True)
        assert 0 <= sum(one != other for one, other in pairs) <= 2
    assert misspelled("How do I revoke a key?") != "How do I revoke a key?"
    assert misspelled("`x`") == "`x`"
