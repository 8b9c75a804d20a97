"""Score questions for names: listed ones are to be found, others not.

    python evals/runners/lookups.py --repository NAME=FOLDER [--repository …] [--each 20] [--seed 5]

Questions are made of the documentation itself: parameters, fields, settings and statuses that it
lists, and names of the other documentations that it lacks. Nothing is fitted to them.

`--seed-defect` tries this evaluation: `all` answers every question, `none` nothing.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator

from corpus import Corpus, add_options, corpora
from docstead.assistant.extractive.name_lookup import entries
from seeded_defects import finish, with_defect

NAME_FORMS = ("What is {}?", "What does {} do?", "What is {} for?", "What does {} mean?")
STATUS_FORMS = ("What does error {} mean?", "What does status {} mean?", "When do I get a {}?")
OTHER_FORMS = ("Who invented {}?", "How much does {} cost per month?", "Can {} run on an Arduino?")
_NAME = re.compile(r"[A-Za-z]\w*(?:[_.]\w+)+|[a-z]+[A-Z]\w*|[A-Z][A-Z\d_]{3,}")
_STATUS = re.compile(r"[1-5]\d\d")
DEFECTS = ("all", "none")
_LEAST_ANSWERED, _MOST_INVENTED = 0.85, 0.1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repository", action="append", required=True, metavar="NAME=FOLDER")
    parser.add_argument("--each", type=int, default=20, help="names of each documentation")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--misses", action="store_true", help="print what came out wrong")
    parser.add_argument("--seed-defect", choices=DEFECTS, help="try this evaluation")
    add_options(parser)
    options = parser.parse_args()
    known = with_defect(corpora(options), options.seed_defect)
    listed = {name: listed_in(corpus) for name, corpus in known.items()}
    asked: Counter[str] = Counter()
    answered: Counter[str] = Counter()
    for name, corpus in known.items():
        chance = random.Random(f"{options.seed} {name}")
        for kind, question in _questions(name, corpus, listed, chance, options.each):
            is_answered = bool(corpus.ask(question).pages)
            asked[kind] += 1
            answered[kind] += is_answered
            if options.misses and is_answered != (kind == "listed"):
                print(f"{kind}: {name}: {question}")
    for kind, count in asked.items():
        print(f"{kind:16} answered {answered[kind]} of {count}")
    good = answered["listed"] >= _LEAST_ANSWERED * asked["listed"]
    good &= answered["of others"] <= _MOST_INVENTED * asked["of others"]
    finish(good, options.seed_defect)


def listed_in(corpus: Corpus) -> list[str]:
    found = {
        name
        for passage in corpus.index.passages()
        for entry in entries(passage.markdown)
        for name in entry.names
        if _NAME.fullmatch(name) or _STATUS.fullmatch(name)
    }
    return sorted(found)


def _questions(
    name: str,
    corpus: Corpus,
    listed: dict[str, list[str]],
    chance: random.Random,
    count: int,
) -> Iterator[tuple[str, str]]:
    own = chance.sample(listed[name], min(count, len(listed[name])))
    for each in own:
        yield "listed", asked_for(each, chance)
        yield "something else", chance.choice(OTHER_FORMS).format(each)
    text = "\n".join(passage.markdown for passage in corpus.index.passages())
    names = sorted({each for other in listed.values() for each in other if each not in text})
    for each in chance.sample(names, min(count, len(names))):
        yield "of others", asked_for(each, chance)


def asked_for(name: str, chance: random.Random) -> str:
    forms = STATUS_FORMS if _STATUS.fullmatch(name) else NAME_FORMS
    return chance.choice(forms).format(name)


if __name__ == "__main__":
    main()
