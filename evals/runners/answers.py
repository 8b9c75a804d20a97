"""Answers without a model: whether they contain the fact, cite its page, and know when to say no.

    python evals/runners/answers.py --repository trigger=FOLDER --repository fastmcp=FOLDER \\
        --repository continue=FOLDER --repository spree=FOLDER \\
        --repository agno=FOLDER --repository docs=FOLDER [--questions FILE]

Questions that the documentation answers have `facts`, strings that the answer must contain, and
`pages`, those where they stand. `*not_covered.jsonl` are questions near to what the documentation
is about, which it does not answer. FILE has questions of users with the pages that answer them.
The gate was fitted to all of them (`gate.py` measures it on documentation that it was not
fitted to) but those of `--unseen`, which nobody looks at while the answerer changes.

`--seed-defect` tries this evaluation: `all` answers every question, `none` nothing, `reversed`
quotes the worst candidate first. The figures that are worse are named, and the status is 1 if
there are any.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus import Corpus, CorpusAnswer, add_options, corpora
from docstead.assistant.expected_answers.statements import StatedFacts
from seeded_defects import CHANGES, finish, has_noticed, with_defect
from sets import SETS, UNSEEN, questions

_NEAREST = 3  # pages next to a refusal


@dataclass(frozen=True)
class GradedAnswer:
    """An answer with its grades."""

    question: str
    answer: CorpusAnswer
    has_facts: bool = False
    cites_page: bool = False
    is_near: bool = False  # its page is among the closest

    @property
    def refused(self) -> bool:
        return not self.answer.pages


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repository", action="append", required=True, metavar="NAME=FOLDER")
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--unseen", action="store_true", help="ask only these")
    parser.add_argument("--show", action="store_true", help="print what went wrong")
    parser.add_argument("--seed-defect", choices=tuple(CHANGES), help="try this evaluation")
    add_options(parser)
    options = parser.parse_args()
    sound = corpora(options)
    known = with_defect(sound, options.seed_defect)
    good, has_worse = True, False
    graded: list[GradedAnswer] = []
    for name, (facts, not_covered) in (UNSEEN if options.unseen else SETS).items():
        covered, foreign = _covered(known, facts), _graded(known, not_covered)
        if covered:
            good &= _report(name, covered, foreign)
        if options.show:
            _show(covered, foreign)
        graded += covered + foreign
        if options.seed_defect:
            before = _figures(_covered(sound, facts), _graded(sound, not_covered))
            has_worse |= has_noticed(before, _figures(covered, foreign))
    if options.questions:
        users = _graded(known, options.questions)
        print(f"{'users':10} refused {sum(each.refused for each in users)}/{len(users)}")
        if options.show:
            print(*(f"refused: {each.question}" for each in users if each.refused), sep="\n")
        graded += users
    seconds = sorted(each.answer.seconds for each in graded)
    print(
        f"seconds for an answer: {statistics.median(seconds):.3f} p50, "
        f"{seconds[int(0.95 * len(seconds))]:.3f} p95"
    )
    finish(not has_worse if options.seed_defect else good, options.seed_defect)


def _graded(known: dict[str, Corpus], file: Path) -> list[GradedAnswer]:
    asked = questions(file, known)
    return [
        GradedAnswer(each["question"], known[each["corpus"]].ask(each["question"]))
        for each in asked
    ]


def _covered(known: dict[str, Corpus], file: Path) -> list[GradedAnswer]:
    return [_fact(known, each) for each in questions(file, known)]


def _figures(covered: Sequence[GradedAnswer], foreign: Sequence[GradedAnswer]) -> dict[str, int]:
    return {
        "fact contained": sum(each.has_facts for each in covered),
        "not covered and refused": sum(each.refused for each in foreign),
    }


def _fact(known: dict[str, Corpus], asked: dict[str, Any]) -> GradedAnswer:
    corpus, question, pages = known[asked["corpus"]], asked["question"], set(asked["pages"])
    answer = corpus.ask(question)
    has_facts = StatedFacts(answer.text).hold(asked["facts"])
    is_near = not pages.isdisjoint(corpus.pages(question, _NEAREST))
    return GradedAnswer(question, answer, has_facts, not pages.isdisjoint(answer.pages), is_near)


def _report(name: str, covered: Sequence[GradedAnswer], foreign: Sequence[GradedAnswer]) -> bool:
    with_facts = [each for each in covered if each.has_facts]
    cited = [each for each in with_facts if each.cites_page]
    refused = [each for each in covered if each.refused]
    foreign_refused = [each for each in foreign if each.refused]
    print(
        f"{name:10} fact contained {len(with_facts)}/{len(covered)}, of these cite the page "
        f"{len(cited)}/{len(with_facts)}; refused: covered {len(refused)}/{len(covered)}, "
        f"with its page among the nearest {sum(each.is_near for each in refused)}, "
        f"not covered {len(foreign_refused)}/{len(foreign)}"
    )
    return (
        len(with_facts) >= 0.75 * len(covered)
        and len(cited) == len(with_facts)
        and len(refused) <= 0.05 * len(covered)
        and len(foreign_refused) >= 0.9 * len(foreign)
    )


def _show(covered: Sequence[GradedAnswer], foreign: Sequence[GradedAnswer]) -> None:
    for each in covered:
        if not (each.has_facts and each.cites_page):
            verdict = "refused" if each.refused else f"fact {each.has_facts}"
            print(
                f"\n=== {each.question}\n{verdict}, {each.answer.pages}\n{each.answer.text[:900]}"
            )
    for each in foreign:
        if not each.refused:
            print(f"\n=== NOT COVERED: {each.question}\n{each.answer.pages}")


if __name__ == "__main__":
    main()
