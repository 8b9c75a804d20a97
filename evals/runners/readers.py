"""Readers' questions, asked without a model: outcome, right page, length and facts of answers.

    python evals/runners/readers.py --repositories FOLDER
        [--half work|kept|fresh|second|third|fourth|fifth] [--words-only] [--show]
        [--misspelled] [--mix] [--answers FILE]

FOLDER has the documentation of `datasets/readers/questions.jsonl`, each repository as `OWNER+NAME`.
Outcomes are those of the rubric that need no reader: an answer with a right page first, with one
behind others, with none; closest sections with a right page among the first three, or without;
nothing. `has the fact` is a proxy for reading: the answer's share of the distinctive words of the
fact (of those in code, if it has any) is at least .6. It compares versions of the answerer
on the same questions and says nothing about one of them. Of questions that the documentation does
not cover, those presented with an answer are counted. `--misspelled` puts one or two slips of the
keyboard into each question first. `--mix` asks the mix of `mix-work.jsonl`, `mix-kept.jsonl`,
`mix-fresh.jsonl`, `mix-second.jsonl`, `mix-third.jsonl`, `mix-fourth.jsonl` or `mix-fifth.jsonl`
(`--half fresh`, `second`, `third`, `fourth` and `fifth` exist there only), and `--answers` writes
the answers to a file, for grading by hand. Documentation that FOLDER lacks is named at the end,
and the status is 1; `--only` asks one documentation.

`--seed-defect` tries this evaluation: `all` answers every question, `none` nothing, `reversed`
quotes the worst candidate first, `half` cuts every quote at half, `links` says nothing but links.
The figures that are worse than without the defect are named, and the status is 1 if there are any.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from corpus import SITE, Corpus, add_options, opened
from docstead.assistant.closest import closest_sections, linked, noted
from docstead.assistant.conversation import ConversationMessage, Question, Speaker
from docstead.assistant.events import AnswerData, SourceFound, TextDelta
from docstead.assistant.links import AbsoluteLinks
from docstead.assistant.replies import quoted
from docstead.assistant.retrieval import Retrieval
from docstead.assistant.suggestions import follow_ups
from docstead.search.stop_words import STOP_WORDS
from misspellings import misspelled
from seeded_defects import CHANGES, finish, has_noticed
from sets import DATASETS, are_all_there, documentation_of

READERS = DATASETS / "readers"
#: `questions.jsonl` has the first two.
HALVES = ("work", "kept", "fresh", "second", "third", "fourth", "fifth")
Row = dict[str, Any]

_NO_DIRECT_ANSWER = "No direct answer was found."
_CLOSEST = 3
HAS_THE_FACT = 0.6
_CODE = re.compile(r"`([^`]+)`")
_QUOTED = re.compile(r"^> ?(.*)$", re.MULTILINE)
_LINK = re.compile(r"\[[^\]]*\]\([^)\s]*\)")
_AMONG_FIRST = 3  # sources
DEFECTS = ("all", "none", "reversed", "half", "links")
OUTCOMES = ("right first", "right behind", "wrong", "closest-right", "closest-wrong", "nothing")


@dataclass(frozen=True)
class ReaderAnswer:
    """An answer. `words` are those of its text, `main` those of its full quotes."""

    row: Row
    kind: str
    words: int
    main: int
    fact: float
    fact_in_quote: float
    is_among_first: bool  # a right page, among the first sources
    text: str
    suggestions: tuple[str, ...]
    seconds: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repositories", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--half", choices=HALVES, default="work")
    parser.add_argument("--only", action="append", metavar="OWNER/NAME")
    parser.add_argument("--seed-defect", choices=DEFECTS)
    parser.add_argument("--misspelled", action="store_true", help="put slips into questions")
    parser.add_argument("--mix", action="store_true", help="ask the mix that readers ask")
    parser.add_argument("--answers", type=Path, metavar="FILE", help="write the answers to FILE")
    parser.add_argument("--show", action="store_true", help="print every answer")
    add_options(parser)
    options = parser.parse_args()
    outcomes = asked(options, options.seed_defect)
    if options.show:
        print("\n".join(map(shown, outcomes)))
    if options.answers:
        options.answers.write_text("".join(f"{json.dumps(recorded(e))}\n" for e in outcomes))
    print(report(outcomes))
    is_complete = are_all_there(_rows(options), options.repositories)
    has_worse = False
    if options.seed_defect and is_complete:
        has_worse = has_noticed(_figures(asked(options, None)), _figures(outcomes))
    finish(not has_worse, options.seed_defect, is_complete=is_complete)


def _figures(outcomes: Sequence[ReaderAnswer]) -> dict[str, int]:
    covered = [each for each in outcomes if each.row["covered"]]
    return {
        "a right page first": sum(each.kind == OUTCOMES[0] for each in covered),
        "has the fact": sum(each.fact >= HAS_THE_FACT for each in covered),
        "not covered and not answered": sum(
            not each.row["covered"] and each.kind not in OUTCOMES[:3] for each in outcomes
        ),
    }


def asked(options: argparse.Namespace, defect: str | None) -> Sequence[ReaderAnswer]:
    """Answer the questions of a half whose documentation is in the folder."""
    rows = _rows(options)
    if options.misspelled:
        rows = [{**row, "question": misspelled(row["question"])} for row in rows]
    outcomes = []
    for name in dict.fromkeys(row["documentation"] for row in rows):
        own = [row for row in rows if row["documentation"] == name]
        folder = documentation_of(own[0], options.repositories)
        if folder.is_dir():
            corpus = opened(name.replace("/", "+"), folder, options)
            outcomes += [outcome(corpus, row, defect) for row in own]
    return outcomes


def _rows(options: argparse.Namespace) -> list[Row]:
    """Return the questions of a half, of the documentation in `--only` if set."""
    file = READERS / (f"mix-{options.half}.jsonl" if options.mix else "questions.jsonl")
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    rows = [row for row in rows if row["half"] == options.half]
    return [row for row in rows if not options.only or row["documentation"] in options.only]


def outcome(corpus: Corpus, row: Row, defect: str | None = None) -> ReaderAnswer:
    """Answer a question, with a seeded defect if there is one."""
    started = time.process_time()
    said = _said(corpus, row, defect)
    seconds = time.process_time() - started
    text = _worse("".join(each.text for each in said if isinstance(each, TextDelta)), defect)
    notes = {each.name: each.value for each in said if isinstance(each, AnswerData)}
    urls = [each.source.url for each in said if isinstance(each, SourceFound)]
    kind = _kind(row, urls, [each["url"] for each in notes.get("closest", [])])
    return ReaderAnswer(
        row,
        kind,
        len(text.split()),
        len(" ".join(_QUOTED.findall(text)).split()),
        fact_share(row, text) if urls else 0.0,
        fact_share(row, " ".join(_QUOTED.findall(text))) if urls else 0.0,
        any(is_right(row, url) for url in urls[:_AMONG_FIRST]),
        text,
        tuple(notes.get("suggestions", ())),
        seconds,
    )


def _said(
    corpus: Corpus, row: Row, defect: str | None
) -> list[SourceFound | TextDelta | AnswerData]:
    """Return the output of `QuoteAnswerer`, with a defect between search and quotes."""
    question = Question((ConversationMessage(Speaker.USER, row["question"]),))
    before = [row["previous"]] if row["previous"] else []
    found = Retrieval(corpus.index, corpus.site, AbsoluteLinks(SITE)).find(question, before)
    found = CHANGES[defect](found) if defect in CHANGES else found
    if quotes := list(quoted(found)):
        links = [each.source.id for each in quotes if isinstance(each, SourceFound)]
        suggested = list(follow_ups(corpus, found, found.asked, links))
        return [*quotes, AnswerData("suggestions", suggested)]
    sections = closest_sections(found)
    return [*linked(_NO_DIRECT_ANSWER, sections), noted(sections)] if sections else []


def _worse(text: str, defect: str | None) -> str:
    """Return the text of an answer with a defect."""
    if defect == "half":
        return text[: len(text) // 2]
    return "\n".join(_LINK.findall(text)) if defect == "links" else text


def _kind(row: Row, urls: Sequence[str], closest: Sequence[str]) -> str:
    right = [is_right(row, url) for url in urls]
    if urls:
        return "right first" if right[0] else "right behind" if any(right) else "wrong"
    near = [is_right(row, url) for url in closest[:_CLOSEST]]
    return "nothing" if not near else "closest-right" if any(near) else "closest-wrong"


def is_right(row: Row, url: str) -> bool:
    """Report whether a URL leads to one of the right pages; that of a folder is its `index`."""
    slug = slug_of(url)
    return slug in row["pages"] or f"{slug}/index" in row["pages"]


def slug_of(url: str) -> str:
    return unquote(url.removeprefix(f"{SITE}/").partition("#")[0]) or "index"


def fact_share(row: Row, text: str) -> float:
    fact = row.get("fact", "")
    expected = _distinctive(" ".join(_CODE.findall(fact))) or _distinctive(fact)
    return len(expected & _distinctive(text)) / max(1, len(expected))


def _distinctive(text: str) -> frozenset[str]:
    words = re.findall(r"\w+", text.lower())
    return frozenset(word.rstrip("s") for word in words if word not in STOP_WORDS)


def report(outcomes: Sequence[ReaderAnswer]) -> str:
    """Format the shares, of all covered questions and by kind, and of uncovered ones."""
    covered = [each for each in outcomes if each.row["covered"]]
    lines = [_line("all covered", covered)]
    lines += [
        _line(kind, [each for each in covered if each.row["kind"] == kind])
        for kind in sorted({each.row["kind"] for each in covered})
    ]
    foreign = [each for each in outcomes if not each.row["covered"]]
    answered = sum(each.kind in OUTCOMES[:3] for each in foreign)
    lines.append(f"not covered: answered {answered} of {len(foreign)}")
    quoted = [each for each in covered if each.kind in OUTCOMES[:3]]
    if quoted:
        lines.append(
            f"words of answers, median: {statistics.median(e.words for e in quoted):g}, "
            f"of the quotes {statistics.median(e.main for e in quoted):g}, "
            f"most {max(e.main for e in quoted)}; with two or more follow-ups "
            f"{sum(len(e.suggestions) > 1 for e in quoted)} of {len(quoted)}"
        )
    seconds = sorted(each.seconds for each in outcomes)
    lines.append(f"processor ms, median {1000 * statistics.median(seconds):.0f}")
    return "\n".join(lines)


def _line(name: str, outcomes: Sequence[ReaderAnswer]) -> str:
    counts = {kind: sum(each.kind == kind for each in outcomes) for kind in OUTCOMES}
    facts = sum(each.fact >= HAS_THE_FACT for each in outcomes)
    quoted = sum(each.fact_in_quote >= HAS_THE_FACT for each in outcomes)
    among = sum(each.is_among_first for each in outcomes)
    shares = ", ".join(f"{kind} {count}" for kind, count in counts.items())
    return (
        f"{name:12} n={len(outcomes)}: {shares}; right page among {_AMONG_FIRST} {among}; "
        f"has the fact {facts}, in the quote {quoted}"
    )


def recorded(outcome: ReaderAnswer) -> Row:
    """Return the fields that grading needs."""
    return {
        "id": outcome.row["id"],
        "question": outcome.row["question"],
        "outcome": outcome.kind,
        "words": outcome.words,
        "text": outcome.text,
        "suggestions": outcome.suggestions,
    }


def shown(outcome: ReaderAnswer) -> str:
    row = outcome.row
    heading = f"=== {row['id']} [{outcome.kind}, {outcome.words} words] {row['question']}"
    expected = f"{row['pages']} {row.get('fact', row.get('why'))}"
    return f"\n{heading}\n--- {expected}\n{outcome.text}\n+++ {list(outcome.suggestions)}"


if __name__ == "__main__":
    main()
